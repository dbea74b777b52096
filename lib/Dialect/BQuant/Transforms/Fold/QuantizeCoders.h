//===- QuantizeCoders.h - A quantize as a function of a channel -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_QUANTIZECODERS_H
#define BQUANT_LIB_TRANSFORMS_FOLD_QUANTIZECODERS_H

#include "Dialect/BQuant/Analysis/ThresholdTable.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant::chains {

/// What a quantize does with its input, for each channel; empty if its scalars
/// or thresholds are not constant or differ within a channel.
std::vector<Coder> getCoders(QuantizeOp op);

/// The thresholds of a table, of i32 or f32, as a tensor of N or C x N values.
mlir::Value makeThresholds(const ThresholdTable &table, bool integers,
                           mlir::RewriterBase &rewriter, mlir::Location loc);

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_QUANTIZECODERS_H
