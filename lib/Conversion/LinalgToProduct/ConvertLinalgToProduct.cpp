//===- ConvertLinalgToProduct.cpp - --convert-linalg-to-product -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A named op leaves open whether a product is rounded before it is added;
// `bquant_packed.product` says it.
//
// Products of bytes whose sums floats hold become
//
//   %z = bquant_packed.product ins(%x : tensor<4x64xf32>) ...
//   %y = arith.fptosi %z : f32 to i32
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_CONVERTLINALGTOPRODUCT
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Elementwise, into elements of `type`.
template <typename Cast>
static Value createCast(RewriterBase &rewriter, Location loc, Value value,
                        Type type) {
  ImplicitLocOpBuilder b(loc, rewriter);
  return createElementwise(b, type, value,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return Cast::create(b, loc, type, args[0]);
                           });
}

/// A filter as floats; a constant is one again.
static Value createFloats(RewriterBase &rewriter, Location loc, Value filter) {
  Type f32 = rewriter.getF32Type();
  std::optional<SmallVector<int8_t>> bytes = getConstantBytes(filter);
  if (!bytes)
    return createCast<arith::SIToFPOp>(rewriter, loc, filter, f32);
  SmallVector<float> numbers(bytes->begin(), bytes->end());
  return arith::ConstantOp::create(
      rewriter, filter.getLoc(),
      DenseResourceElementsAttr::get(
          cast<RankedTensorType>(filter.getType()).clone(f32), "filter",
          HeapAsmResourceBlob::allocateAndCopyWithAlign(
              {reinterpret_cast<const char *>(numbers.data()),
               numbers.size() * sizeof(float)},
              /*align=*/64)));
}

/// The sum by a product of floats, then as integers on what it starts from.
static void convertToFloats(RewriterBase &rewriter, linalg::LinalgOp op,
                            const LinalgProduct &product, Attribute kernel,
                            bool fused) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits().front();
  auto type = cast<RankedTensorType>(init.getType());
  Value input = createCast<arith::SIToFPOp>(rewriter, loc, product.operands[0],
                                            rewriter.getF32Type());
  Value filter = createFloats(rewriter, loc, product.operands[1]);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init),
      rewriter.getF32Type());
  Value zeros = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto sums = ProductOp::create(rewriter, loc, kernel, fused, input, filter,
                                /*levels=*/ValueRange(), zeros, product.maps,
                                /*ratios=*/DenseI64ArrayAttr());
  Value result = createCast<arith::FPToSIOp>(rewriter, loc, sums.getResult(0),
                                             type.getElementType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs().front(), m_Zero()))
    result = arith::AddIOp::create(rewriter, loc, result, init);
  rewriter.replaceOp(op, result);
}

namespace {
struct ConvertProduct : OpInterfaceRewritePattern<linalg::LinalgOp> {
  ConvertProduct(MLIRContext *context, bool fused, bool bytes)
      : OpInterfaceRewritePattern(context), fused(fused), bytes(bytes) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    auto explain = [&](const Twine &reason) {
      return rewriter.notifyMatchFailure(op, reason);
    };
    auto kernel = op->getAttrOfType<KernelAttrInterface>(kKernelName);
    if (kernel && !kernel.sumsFloats())
      return explain("has a kernel of counts");
    FailureOr<LinalgProduct> product = getFloatProduct(op, explain);
    if (succeeded(product)) {
      rewriter.replaceOpWithNewOp<ProductOp>(
          op, kernel, fused, product->operands[0], product->operands[1],
          /*levels=*/ValueRange(), op.getDpsInits(), product->maps,
          /*ratios=*/DenseI64ArrayAttr());
      return success();
    }
    if (bytes)
      product = getByteProduct(op, explain);
    if (failed(product) || !isExactInFloats(*product))
      return failure();
    convertToFloats(rewriter, op, *product, kernel, fused);
    return success();
  }

private:
  bool fused, bytes;
};

struct ConvertLinalgToProduct
    : bquant::impl::ConvertLinalgToProductBase<ConvertLinalgToProduct> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertProduct>(&getContext(), target->fusesMultiplyAdd,
                                 bytes);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
