//===- ProductMatching.h - What convolutions and matrix products share -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_PRODUCTMATCHING_H
#define BQUANT_LIB_TRANSFORMS_RAISE_PRODUCTMATCHING_H

#include "MatchCascade.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// What a product adds to: nothing, a tensor read by a map (a broadcast bias),
/// or a tensor of the result's shape.
struct Init {
  mlir::Value value; // Null for zero.
  mlir::AffineMap map;

  static Init get(mlir::Value init);
  bool isZero() const { return !value; }
  bool isBroadcast() const { return value && !map.isIdentity(); }
  /// product + this, as an elementwise op; the product if this is zero.
  mlir::Value addTo(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::Value product) const;
};

/// A tensor of zeros.
mlir::Value createZeros(mlir::RewriterBase &rewriter, mlir::Location loc,
                        mlir::Value like);

/// What a product multiplies, if both sides can be raised.
struct ProductOperands {
  std::optional<Cascade> input; // None: float.
  Cascade filter;
};

/// The operands of a product. Fails if one cannot be raised, and explains that
/// if it looks quantized, the filter's first.
mlir::FailureOr<ProductOperands>
matchOperands(mlir::Value input, mlir::Value filter,
              const RaiseAssumptions &assumptions,
              ExplainFn explain = silently);

/// Whether a bquant product takes these operands (no type: float): scalars vary
/// along the first dimension at most.
bool canMultiply(SBTensorType lhs, SBTensorType rhs);

/// The remark of a raised product.
void remarkRaised(mlir::Value product);

/// Lets a float product start at zero and adds its broadcast bias after it.
mlir::LogicalResult addBiasAfter(mlir::linalg::LinalgOp op,
                                 mlir::PatternRewriter &rewriter);

/// The patterns of either kind of product.
void populateRaiseConvolutionPatterns(mlir::RewritePatternSet &patterns,
                                      const RaiseAssumptions &assumptions);
void populateRaiseMatmulPatterns(mlir::RewritePatternSet &patterns,
                                 const RaiseAssumptions &assumptions);

/// Max-pools of quantized values become pools of codes.
void populateRaiseMaxPoolPatterns(mlir::RewritePatternSet &patterns,
                                  const RaiseAssumptions &assumptions);

/// Grouped and depthwise channels-first convolutions become channels-last ones
/// between transposes.
void populateGroupsLastPatterns(mlir::RewritePatternSet &patterns);

/// 1-D convolutions become 2-D ones, depthwise ones with a filter that is
/// computed grouped ones; dimensions of size 1 move between them.
void populateConvolutionFormPatterns(mlir::RewritePatternSet &patterns);

/// Products less zero points become products and sums.
void populateZeroPointPatterns(mlir::RewritePatternSet &patterns);

/// Whether an op multiplies M x K by N x K.
bool isNaturalMatmul(mlir::linalg::LinalgOp op);

/// Matrix products by a constant K x N take it as N x K.
void populateNaturalMatmulPatterns(mlir::RewritePatternSet &patterns);

/// Flattened channels-first images that are multiplied by a constant become
/// channels-last; the columns of the constant are permuted.
void populateFlattenPatterns(mlir::RewritePatternSet &patterns);

/// Calls `visit` for each product of floats below `root`; a pool is none.
void visitFloatProducts(mlir::Operation *root,
                        llvm::function_ref<void(mlir::linalg::LinalgOp)> visit);

/// What makes a tensor float, and where: "is what 'math.exp' computes in floats
/// at Exp_3".
std::string describeFloat(mlir::Value tensor);

/// Fails for a float product whose operands look quantized: why it is not
/// raised.
llvm::LogicalResult verifyFloatProduct(mlir::linalg::LinalgOp op,
                                       const RaiseAssumptions &assumptions,
                                       ExplainFn explain);

/// The attribute of a float product that says so, until it is a remark.
constexpr llvm::StringLiteral kStaysFloat = "bquant.stays_float";

/// What is known of a product that is written anew stays known.
void keepReason(mlir::Operation *from, mlir::Operation *to);

/// Applies patterns of raising until none does; an error if they do not end.
mlir::LogicalResult applyRaising(mlir::Operation *root,
                                 mlir::RewritePatternSet patterns);

/// clamp(x, low, high) of a tensor of f32; NaN stays NaN.
mlir::Value createClamp(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x, float low, float high);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_PRODUCTMATCHING_H
