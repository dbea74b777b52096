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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERPACK
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// The indices of a loop nest over `tensor`.
static SmallVector<Value> createIndices(OpBuilder &b, Location loc,
                                        Value tensor) {
  SmallVector<Value> indices;
  for (int64_t d = 0; d < cast<RankedTensorType>(tensor.getType()).getRank();
       ++d)
    indices.push_back(linalg::IndexOp::create(b, loc, d));
  return indices;
}

/// Each second word as its difference from the one before.
static Value createPairs(ImplicitLocOpBuilder &b, Value words) {
  return createElementwise(
      b, b.getI32Type(), words,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> at = createIndices(b, loc, words);
        Value two = arith::ConstantIndexOp::create(b, loc, 2),
              zero = arith::ConstantIndexOp::create(b, loc, 0);
        Value odd = arith::RemUIOp::create(b, loc, at.back(), two);
        at.back() = arith::SubIOp::create(b, loc, at.back(), odd);
        Value first = tensor::ExtractOp::create(b, loc, words, at);
        Value differs = arith::XOrIOp::create(b, loc, first, args.front());
        Value isFirst =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, odd, zero);
        return arith::SelectOp::create(b, loc, isFirst, first, differs);
      });
}

/// A plane is padded to whole elements of the layout, its last dimension split
/// into these and their bits, and the shifted bits of each element are or-ed.
static Value createPack(ImplicitLocOpBuilder &b, Value bits, Value init,
                        Layout layout) {
  auto type = cast<RankedTensorType>(bits.getType());
  int64_t rank = type.getRank(), channels = type.getShape().back(),
          each = getElementBits(layout);
  Type element = getElementType(b.getContext(), layout);
  // Nibbles n are 4 n.
  int64_t first = layout == Layout::nibbles ? 2 : 0;
  int64_t elements = countElements(layout, channels);
  bits = padTo(b, bits, rank - 1, elements * each, b.getBoolAttr(false));
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), init);
  sizes.push_back(b.getIndexAttr(each));
  shape.back() = elements;
  shape.push_back(each);
  SmallVector<ReassociationIndices> groups;
  for (int64_t d = 0; d < rank; ++d)
    groups.push_back({d});
  groups.back().push_back(rank);
  bits =
      tensor::ExpandShapeOp::create(b, type.clone(shape), bits, groups, sizes);

  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  init = linalg::FillOp::create(b, zero, init).getResult(0);
  AffineMap in = b.getMultiDimIdentityMap(rank + 1);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  Value packed =
      linalg::GenericOp::create(
          b, init.getType(), bits, init, {in, in.getMajorSubMap(rank)}, loops,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value bit = arith::ExtUIOp::create(b, loc, element, args[0]);
            Value at = linalg::IndexOp::create(b, loc, rank);
            Value by = arith::IndexCastOp::create(b, loc, element, at);
            if (first != 0)
              by = arith::AddIOp::create(
                  b, loc, by,
                  arith::ConstantOp::create(b, loc,
                                            b.getIntegerAttr(element, first)));
            Value shifted = arith::ShLIOp::create(b, loc, bit, by);
            Value packed = arith::OrIOp::create(b, loc, args[1], shifted);
            linalg::YieldOp::create(b, loc, packed);
          })
          .getResult(0);
  return layout == Layout::pairs ? createPairs(b, packed) : packed;
}

/// Element c reads word c div 32.
static Value createUnpack(ImplicitLocOpBuilder &b, Value words, Value init) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), ValueRange(), init,
             b.getMultiDimIdentityMap(rank), loops,
             [&](OpBuilder &b, Location loc, ValueRange) {
               SmallVector<Value> at = createIndices(b, loc, init);
               Value c32 = arith::ConstantIndexOp::create(b, loc, kWordBits);
               Value bit = arith::RemUIOp::create(b, loc, at.back(), c32);
               bit = arith::IndexCastOp::create(b, loc, b.getI32Type(), bit);
               at.back() = arith::DivUIOp::create(b, loc, at.back(), c32);
               Value word = tensor::ExtractOp::create(b, loc, words, at);
               word = arith::ShRUIOp::create(b, loc, word, bit);
               Value yes = arith::TruncIOp::create(b, loc, b.getI1Type(), word);
               linalg::YieldOp::create(b, loc, yes);
             })
      .getResult(0);
}

namespace {
/// Plane by plane, layout by layout.
struct LowerPacks : OpRewritePattern<PackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PackOp op,
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

struct LowerUnpacks : OpRewritePattern<UnpackOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(UnpackOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (auto [words, init] : llvm::zip_equal(op.getInputs(), op.getInits()))
      results.push_back(createUnpack(b, words, init));
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
