//===- LowerPack.cpp - pack and unpack as linalg --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For words that were not tiled and vectorized: one bit at a time.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERPACK
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// A plane is padded to whole elements of the layout, of which `init` has as
/// many as the plane needs.
static Value createPack(ImplicitLocOpBuilder &b, Value bits, Value init,
                        LayoutAttrInterface layout) {
  auto type = cast<RankedTensorType>(bits.getType());
  int64_t last = type.getRank() - 1, channels = layout.getChannels();
  int64_t elements = cast<ShapedType>(init.getType()).getDimSize(last);
  TypedAttr zero = b.getBoolAttr(false);
  if (!type.isDynamicDim(last) && ShapedType::isStatic(elements))
    return layout.packTensor(b, padTo(b, bits, last, elements * channels, zero),
                             init);

  SmallVector<int64_t> shape(type.getShape());
  shape[last] = ShapedType::isDynamic(elements) ? ShapedType::kDynamic
                                                : elements * channels;
  SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0)), high = low;
  auto sizeOf = [&](Value of) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), of, last));
  };
  Value perElement = arith::ConstantIndexOp::create(b, channels);
  Value all = arith::MulIOp::create(b, sizeOf(init), perElement);
  high[last] = arith::SubIOp::create(b, all, sizeOf(bits)).getResult();
  Value value = arith::ConstantOp::create(b, zero);
  return layout.packTensor(
      b,
      tensor::PadOp::create(b, type.clone(shape), bits, low, high, value)
          .getResult(),
      init);
}

namespace {
/// Plane by plane, layout by layout.
struct LowerPacks : OpRewritePattern<packed::PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(packed::PackOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    size_t planes = op.getInputs().size();
    for (auto [i, init] : llvm::enumerate(op.getInits()))
      results.push_back(
          createPack(b, op.getInputs()[i % planes], init, op.getLayoutOf(i)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct LowerUnpacks : OpRewritePattern<packed::UnpackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(packed::UnpackOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (auto [words, init] : llvm::zip_equal(op.getInputs(), op.getInits()))
      results.push_back(op.getLayout().unpackTensor(b, words, init));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct LowerPack : bquant::impl::LowerPackBase<LowerPack> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerPackPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void bquant::populateLowerPackPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerPacks, LowerUnpacks>(patterns.getContext());
}
