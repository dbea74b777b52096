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
// takes. What that kernel cannot compute gets one of floats where all sums stay
// below 2^24: floats are exact up to there. Anything else has none, and stays
// in loops of integers.
//
//===----------------------------------------------------------------------===//

#include "ByteProducts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

FailureOr<KernelAttrInterface>
ByteProductChoice::chooseKernel(const TargetDescription &target,
                                ExplainFn explain) const {
  MLIRContext *context = product.maps[0].getContext();
  if (failed(verifyByteProduct(product, shape, explain)))
    return failure();
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
    choice.inFloats = !choice.kernel && isExactInFloats(*product);
    if (choice.inFloats)
      choice.floats = getFloatProductShape(product->maps, product->sizes,
                                           product->parallel);
    choice.wraps = most && *most > std::numeric_limits<int32_t>::max();
    choices.insert({op.getOperation(), std::move(choice)});
  });
  return choices;
}

void bquant::applyByteProducts(const ByteProductChoices &choices,
                               const TargetDescription &target) {
  for (auto &[op, choice] : choices) {
    if (choice.wraps)
      remarks::analysis(op->getLoc(), "byte-product")
          << "sums may pass 2,147,483,647 and wrap, as those of int32 do";
    if (choice.kernel)
      op->setAttr(kKernelName, choice.kernel);
    else if (choice.floats)
      op->setAttr(kKernelName,
                  getKernels(op->getContext(), *choice.floats, target).front());
    else if (!choice.inFloats)
      (void)choice.chooseKernel(target, [op = op](const Twine &message) {
        remarks::missed(op, "byte-product",
                        "in loops of integers, which are slow: " + message +
                            " for products of bytes, or sums up to 16,777,216 "
                            "for those of floats");
        return failure();
      });
  }
}
