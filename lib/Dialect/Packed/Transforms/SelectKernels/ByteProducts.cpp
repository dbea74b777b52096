//===- ByteProducts.cpp - Linalg's products of bytes ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.matmul ins(%x, %w : tensor<4x64xi8>, tensor<64x32xi8>)
//       outs(%zero : tensor<4x32xi32>)
//
// by a constant filter gets the kernel of codes in an attribute, which pack
// takes. What that kernel cannot compute becomes a product of floats,
//
//   %z = bquant_packed.product ins(%x : tensor<4x64xf32>) ...
//   %y = arith.fptosi %z : f32 to i32
//
// where all sums stay below 2^24: floats are exact up to there. Anything else
// stays linalg's, in loops of integers.
//
//===----------------------------------------------------------------------===//

#include "ByteProducts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

static constexpr int64_t kExactInFloats = int64_t(1) << 24;
static constexpr int64_t kLargestByte = 128;

FailureOr<KernelAttrInterface>
ByteProductChoice::chooseKernel(const TargetDescription &target,
                                ExplainFn explain) const {
  MLIRContext *context = product.maps[0].getContext();
  AffineExpr last = getAffineDimExpr(product.sizes.size() - 1, context);
  if (!shape)
    return explain("expected static sizes");
  if (shape->groups != 1)
    return explain("expected a convolution of one group");
  if (product.maps[0].getNumResults() == 0 ||
      product.maps[0].getResults().back() != last)
    return explain("expected an input whose rows are summed");
  KernelAttrInterface best;
  for (KernelAttrInterface kernel : getKernels(context, *shape, target)) {
    // One that takes codes apart reads other bytes.
    auto bytes = dyn_cast<BytesAttr>(kernel);
    if (bytes && bytes.getPacked() == 1 &&
        (!best ||
         kernel.getCycles(*shape, target) < best.getCycles(*shape, target)))
      best = kernel;
  }
  if (best)
    return best;
  (void)verifyStrategy(context, Strategy::Bytes, *shape, target, explain);
  return failure();
}

/// The largest magnitude that a sum may have; nothing where that is not known.
static std::optional<int64_t> getLargestSum(const LinalgProduct &product) {
  int64_t most = kLargestByte * kLargestByte;
  if (std::optional<SmallVector<int8_t>> filter =
          getConstantBytes(product.operands[1])) {
    most = 1;
    for (int8_t byte : *filter)
      most = std::max<int64_t>(most, std::abs(int(byte)));
    most *= kLargestByte;
  }
  for (int64_t size : ArrayRef(product.sizes).drop_front(product.parallel))
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(most, size, most))
      return std::nullopt;
  return most;
}

ByteProductChoices bquant::chooseByteProducts(Operation *root,
                                              const TargetDescription &target) {
  ByteProductChoices choices;
  root->walk([&](linalg::LinalgOp op) {
    FailureOr<LinalgProduct> product = getByteProduct(op);
    if (failed(product))
      return;
    ByteProductChoice choice;
    choice.product = *product;
    choice.shape = getByteProductShape(*product);
    choice.kernel = choice.chooseKernel(target).value_or(KernelAttrInterface());
    std::optional<int64_t> most = getLargestSum(*product);
    choice.inFloats = !choice.kernel && most && *most <= kExactInFloats;
    choice.wraps = most && *most > std::numeric_limits<int32_t>::max();
    choices.insert({op.getOperation(), std::move(choice)});
  });
  return choices;
}

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
static void convertToFloats(linalg::LinalgOp op, const LinalgProduct &product,
                            bool fused) {
  IRRewriter rewriter(op);
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
  auto sums = ProductOp::create(rewriter, loc, /*kernel=*/Attribute(), fused,
                                input, filter, /*levels=*/ValueRange(), zeros,
                                product.maps, /*ratios=*/DenseI64ArrayAttr());
  Value result = createCast<arith::FPToSIOp>(rewriter, loc, sums.getResult(0),
                                             type.getElementType());
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs().front(), m_Zero()))
    result = arith::AddIOp::create(rewriter, loc, result, init);
  rewriter.replaceOp(op, result);
}

void bquant::applyByteProducts(const ByteProductChoices &choices,
                               const TargetDescription &target) {
  for (auto &[op, choice] : choices) {
    if (choice.wraps)
      remarks::analysis(op->getLoc(), "byte-product")
          << "sums may pass 2,147,483,647 and wrap, as those of int32 do";
    if (choice.kernel)
      op->setAttr(kByteKernel, choice.kernel);
    else if (choice.inFloats)
      convertToFloats(cast<linalg::LinalgOp>(op), choice.product,
                      target.fusesMultiplyAdd);
    else
      (void)choice.chooseKernel(target, [op = op](const Twine &message) {
        remarks::missed(op, "byte-product",
                        "in loops of integers, which are slow: " + message +
                            " for products of bytes, or sums up to 16,777,216 "
                            "for those of floats");
        return failure();
      });
  }
}
