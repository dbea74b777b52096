//===- MatchCascade.h - Sign cascades as producers write them ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_MATCHCASCADE_H
#define BQUANT_LIB_TRANSFORMS_RAISE_MATCHCASCADE_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/IR/PatternMatch.h"
#include <string>

namespace bquant {

/// A float tensor that is a quantized value: either `bquant.dequantize` of
/// `source`, or a written cascade
///
///   v_1 s_1 + v_2 s_2 + ...,  s_i = sign r_i, r_1 = x, r_{i+1} = r_i - v_i s_i
///   (s_1 + s_2) v,            s_1 = sign x, s_2 = sign (x - v s_1)
///
/// of the resolved value `input` with these scalars, perhaps seen through ops
/// that move its elements and put such values together.
struct Cascade {
  mlir::Value source;
  mlir::Value input;
  /// What is quantized in the place of a constant input, if there are
  /// thresholds: ranks among its levels.
  mlir::DenseElementsAttr ranks;
  mlir::DenseElementsAttr scalars;
  SBTensorType type;
  /// Where the remainders are r_{i+1} = x - (v_1 s_1 + ... + v_i s_i), which
  /// rounds otherwise: the thresholds of x that decide the planes.
  mlir::DenseElementsAttr thresholds;
  llvm::SmallVector<int64_t> codes;
  /// What is added to the planes, where there are thresholds; null for nothing.
  mlir::DenseElementsAttr offset;
  /// What quantizing changes, for a remark; empty for nothing.
  std::string remarkText;
  /// The ops that move elements, producers first, and what they begin with: the
  /// resolved values that are quantized alike, and of what. `type` is that of
  /// the last op's result, `input` that of the first value.
  llvm::SmallVector<mlir::Operation *, 2> moves;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 1> moved;

  /// Whether another cascade has the same values for the same inputs.
  bool quantizesLike(const Cascade &other) const;
  /// The scalar of each plane, if the whole tensor shares constant ones and
  /// its planes are those of the cascade.
  llvm::SmallVector<float> getSharedPlanes() const;

  /// What each code stands for, as `bquant.dequantize` computes it; empty if
  /// that is not the same for the whole tensor, or no constant.
  llvm::SmallVector<float> decode() const;

  /// The scaled-binary value; makes the quantization if there is none.
  mlir::Value build(mlir::RewriterBase &rewriter, mlir::Location loc) const;
};

/// Whether an op makes its result by moving elements: a reshape, a transpose, a
/// slice, a padding by a number, a slice that is inserted; all of it of static
/// shapes.
bool isMove(mlir::Operation *op);

/// The tensors whose elements such an op moves.
llvm::SmallVector<mlir::OpOperand *, 2> getMoved(mlir::Operation *op);

/// The same move of other tensors, of another element type or not; a padding
/// then fills in `fill`, if given.
mlir::Value cloneMove(mlir::RewriterBase &rewriter, mlir::Operation *op,
                      llvm::ArrayRef<mlir::Value> moved,
                      std::optional<float> fill = std::nullopt);

/// The cascade of what `move` makes of others: all of one quantization, which
/// keeps the numbers of paddings.
std::optional<Cascade> matchMoved(mlir::Operation *move,
                                  const RaiseAssumptions &assumptions,
                                  ExplainFn explain);

/// A quantization of what `cascade` stands for, which gives the same value:
/// `input` is the float tensor. None if the values of its codes are not known.
std::optional<Cascade> matchDecoded(const Cascade &cascade, mlir::Value input);

/// The input of a moved cascade: its inputs, moved.
mlir::Value buildMoved(mlir::RewriterBase &rewriter, const Cascade &cascade);

/// The cascade behind a tensor. Where something looks like one but cannot be
/// raised, `explain` says why.
std::optional<Cascade> matchCascade(mlir::Value tensor,
                                    const RaiseAssumptions &assumptions,
                                    ExplainFn explain = silently);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_MATCHCASCADE_H
