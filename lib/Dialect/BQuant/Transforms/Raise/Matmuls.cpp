//===- Matmuls.cpp - Matrix products to bquant.matmul ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t = linalg.transpose ins(%w) permutation = [1, 0]
//   %y = linalg.matmul ins(%a, %t) outs(%zero)
//
// with %w a sign cascade of the constant %c, and %a perhaps one of %x, becomes
//
//   %xq = bquant.quantize %x scalars(%v)
//   %wq = bquant.quantize %c scalars(%u)
//   %y = bquant.matmul %xq, %wq

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "MatchCascade.h"
#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

using namespace mlir;
using namespace bquant;

namespace {

/// (batch x) M x K by either (batch x) N x K or (batch x) K x N.
struct MatmulForm {
  bool batched = false;
  bool naturalRhs = false;

  static std::optional<MatmulForm> match(linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
        !linalg::isaContractionOpInterface(op) || !sumsProducts(op))
      return std::nullopt;
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
        dims->k.size() != 1 || dims->batch.size() > 1)
      return std::nullopt;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    auto isRead = [&](AffineMap map, unsigned row, unsigned column) {
      SmallVector<unsigned, 4> loops(dims->batch.begin(), dims->batch.end());
      loops.append({row, column});
      return map == AffineMap::getMultiDimMapWithTargets(
                        op.getNumLoops(), loops, op.getContext());
    };
    unsigned m = dims->m[0], n = dims->n[0], k = dims->k[0];
    MatmulForm form;
    form.batched = !dims->batch.empty();
    form.naturalRhs = isRead(maps[1], n, k);
    if (!isRead(maps[0], m, k) || !isRead(maps[2], m, n) ||
        !(form.naturalRhs || isRead(maps[1], k, n)))
      return std::nullopt;
    return form;
  }

  /// (batch x) N x K, if that moves no data at run time.
  Value getNaturalRhs(linalg::LinalgOp op, RewriterBase &rewriter) const {
    Value rhs = op.getDpsInputs()[1];
    if (naturalRhs)
      return rhs;
    return batched ? foldTranspose(rewriter, rhs, {0, 2, 1})
                   : foldTranspose(rewriter, rhs, {1, 0});
  }
};

/// linalg.matmul and linalg.batch_matmul by a constant or a transpose take the
/// matrix that lies along the reduction.
template <typename OpTy, typename NaturalTy>
struct UseNaturalRhs : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    std::optional<MatmulForm> form = MatmulForm::match(op);
    if (!form || form->naturalRhs ||
        op.getCast() != linalg::TypeFn::cast_signed)
      return rewriter.notifyMatchFailure(op, "no K x N right-hand side");
    Value rhs = form->getNaturalRhs(op, rewriter);
    if (!rhs)
      return rewriter.notifyMatchFailure(op, "right-hand side is no constant");
    auto natural = NaturalTy::create(
        rewriter, op.getLoc(), op->getResultTypes(),
        ValueRange{op.getInputs()[0], rhs}, ValueRange(op.getDpsInits()));
    keepReason(op, natural);
    rewriter.replaceOp(op, natural->getResults());
    return success();
  }
};

/// Where both sides are quantized, a K x N one that is computed is transposed
/// for it, in front of its quantization.
template <typename OpTy, typename NaturalTy>
struct TransposeQuantizedRhs : OpRewritePattern<OpTy> {
  TransposeQuantizedRhs(MLIRContext *context,
                        const RaiseAssumptions &assumptions)
      : OpRewritePattern<OpTy>(context), assumptions(assumptions) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    std::optional<MatmulForm> form = MatmulForm::match(op);
    Value lhs = op.getInputs()[0], rhs = op.getInputs()[1];
    FailureOr<ProductOperands> operands;
    if (form && !form->naturalRhs)
      operands = matchOperands(lhs, rhs, assumptions);
    if (failed(operands) || !operands->input)
      return rewriter.notifyMatchFailure(op, "no quantized K x N");
    SmallVector<int64_t> perm = {1, 0};
    if (form->batched)
      perm = {0, 2, 1};
    Value transposed = createTranspose(rewriter, op.getLoc(), rhs, perm);
    auto natural = NaturalTy::create(
        rewriter, op.getLoc(), op->getResultTypes(),
        ValueRange{lhs, transposed}, ValueRange(op.getDpsInits()));
    keepReason(op, natural);
    rewriter.replaceOp(op, natural->getResults());
    return success();
  }

private:
  RaiseAssumptions assumptions;
};

struct RaiseMatmul : OpInterfaceRewritePattern<linalg::LinalgOp> {
  RaiseMatmul(MLIRContext *context, const RaiseAssumptions &assumptions)
      : OpInterfaceRewritePattern(context, /*benefit=*/2),
        assumptions(assumptions) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<MatmulForm> form = MatmulForm::match(op);
    if (!form || !form->naturalRhs)
      return rewriter.notifyMatchFailure(op, "no product along K");
    Value lhs = op.getDpsInputs()[0], init = op.getDpsInits()[0];
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    if (!getElementTypeOrSelf(lhs.getType()).isF32() ||
        !result.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    FailureOr<ProductOperands> operands =
        matchOperands(lhs, op.getDpsInputs()[1], assumptions);
    if (failed(operands))
      return rewriter.notifyMatchFailure(op, "operands are float");
    auto &[input, filter] = *operands;

    Location loc = op.getLoc();
    Value x = input ? input->build(rewriter, loc) : lhs;
    Value w = filter.build(rewriter, loc);
    rewriter.setInsertionPoint(op);
    Value product =
        MatmulOp::create(rewriter, loc, result, x, w, /*kernel=*/nullptr);
    remarkRaised(product);
    rewriter.replaceOp(op, Init::get(init).addTo(rewriter, loc, product));
    return success();
  }

private:
  RaiseAssumptions assumptions;
};

/// A float matrix product adds its bias after the sum.
struct AddBiasAfterMatmul : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!MatmulForm::match(op))
      return rewriter.notifyMatchFailure(op, "no matrix product");
    return addBiasAfter(op, rewriter);
  }
};

} // namespace

bool bquant::isNaturalMatmul(linalg::LinalgOp op) {
  std::optional<MatmulForm> form = MatmulForm::match(op);
  return form && form->naturalRhs && !form->batched;
}

void bquant::populateNaturalMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add<
      UseNaturalRhs<linalg::MatmulOp, linalg::MatmulTransposeBOp>,
      UseNaturalRhs<linalg::BatchMatmulOp, linalg::BatchMatmulTransposeBOp>>(
      patterns.getContext(),
      /*benefit=*/3);
}

void bquant::populateRaiseMatmulPatterns(RewritePatternSet &patterns,
                                         const RaiseAssumptions &assumptions) {
  MLIRContext *context = patterns.getContext();
  populateNaturalMatmulPatterns(patterns);
  patterns
      .add<TransposeQuantizedRhs<linalg::MatmulOp, linalg::MatmulTransposeBOp>,
           TransposeQuantizedRhs<linalg::BatchMatmulOp,
                                 linalg::BatchMatmulTransposeBOp>,
           RaiseMatmul>(context, assumptions);
  patterns.add<AddBiasAfterMatmul>(context);
}
