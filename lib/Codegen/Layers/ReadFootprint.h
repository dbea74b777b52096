//===- ReadFootprint.h - What operations do to buffers ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_READFOOTPRINT_H
#define BQUANT_LIB_CODEGEN_LAYERS_READFOOTPRINT_H

#include "Footprint.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace bquant {

/// What operations of a function read and write of its buffers: layers, or
/// parts of one.
Footprint readFootprint(llvm::ArrayRef<mlir::Operation *> ops,
                        size_t mostBoxes = 32);
/// Of one iteration of a loop, what it reads of a buffer and what it writes
/// there as one box each.
Footprint readFootprint(mlir::scf::ForallOp loop,
                        llvm::ArrayRef<int64_t> iteration);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_READFOOTPRINT_H
