//===- BytesChoice.h - Where products of bytes are worth it -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Dialect/Packed/Kernels: what `#bquant_packed.bytes` can
// compute, and what it costs.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_KERNELS_BYTESCHOICE_H
#define BQUANT_LIB_PACKED_KERNELS_BYTESCHOICE_H

#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "bquant/Target/TargetDescription.h"

namespace bquant {

constexpr int64_t kBytesOfStep = 4;
/// Those that are summed where two rows are multiplied by two channels.
constexpr int64_t kBytesOfPairs = 8;

/// Whether as many channels as a register has bytes are computed at once, each
/// with an input of its own.
bool interleavesBytes(packed::BytesAttr kernel);

/// As of the interface's methods.
llvm::LogicalResult verifyBytesProduct(packed::BytesAttr kernel,
                                       const ProductShape &shape,
                                       const TargetDescription &target,
                                       ExplainFn explain);
double getBytesCycles(packed::BytesAttr kernel, const ProductShape &shape,
                      const TargetDescription &target);
double getBytesLimitCycles(packed::BytesAttr kernel, const ProductShape &shape,
                           const TargetDescription &target);
llvm::SmallVector<mlir::Attribute>
getBytesTiles(mlir::MLIRContext *context, const ProductShape &shape,
              const TargetDescription &target);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_KERNELS_BYTESCHOICE_H
