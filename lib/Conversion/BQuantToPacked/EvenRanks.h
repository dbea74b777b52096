//===- EvenRanks.h - Ranks among evenly spaced thresholds -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rank of x among ascending thresholds is floor(slope x + start), between a
// least and a greatest rank, where these numbers fit all thresholds. That is a
// handful of operations for any number of thresholds, where comparing takes
// some for each.
//
// Both roundings, of the product and of the sum, are monotone. So the line is
// right everywhere if it is right at each threshold and right before it, which
// is computed for every one of them.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_EVENRANKS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_EVENRANKS_H

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include <optional>

namespace bquant {

/// What a rank is computed by.
struct RankLine {
  double slope, start, least, greatest;
};

/// The line of ascending thresholds, in f64; none if they are not evenly
/// spaced, as far as the roundings show. Those that all integers reach (the
/// least one) come first, those that none reaches (the greatest one, if
/// `isBounded` says that no input is that) last.
std::optional<RankLine> fitRankLine(mlir::ArrayRef<int32_t> thresholds,
                                    bool isBounded);
/// The same in f32 or f64. NaN is a threshold that nothing reaches, and has
/// rank 0.
std::optional<RankLine> fitRankLine(mlir::ArrayRef<float> thresholds,
                                    bool inF64);

/// Makes what a lowering wants of the rank of one element, an i32.
using FinishRank = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::Value)>;

/// One elementwise generic that computes the ranks of a `bquant.quantize` by
/// lines and yields what `finish` makes of them. Nothing if thresholds are few,
/// or, with a remark if they are many, where they have no lines.
mlir::SmallVector<mlir::Value>
createQuantizeByLines(mlir::ImplicitLocOpBuilder &b, QuantizeOp op,
                      mlir::Value input, mlir::TypeRange elements,
                      FinishRank finish);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_EVENRANKS_H
