//===- LowerRelayouts.cpp - Filters as kernels read them ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a filter that is known at run time output channels are padded to whole
// blocks, which become a dimension of their own; the channels of a block are
// transposed to the end, and words are taken apart there, where all lanes have
// one at a time:
//
//   [outputs][taps..][words] -> [blocks][taps..][words][lanes]
//                            -> [blocks][taps..][elements][lanes]
//
// Stored codes are taken out of all bytes of a word at once. Of 4 bits, where a
// block has 2 N words:
//
//   %bytes = linalg.generic ins(%stored, [0, 4]) // -> blocks x 2 x N
//     fields = (stored >> shift) & 0x0f0f0f0f
//     yield ((2 * fields) + (128 - levels) in all bytes) ^ 0x80808080
//
// These are bytes of 2 c - levels: no byte carries into the next one.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/FilterBlocks.h"
#include "DecomposeProducts.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "bquant/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERRELAYOUTS
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static constexpr int64_t kSign = 128;

/// Whether an element is made of one word's bits.
static bool hasElementsOfWords(LayoutAttrInterface layout) {
  return layout.canEmit() && kWordBits % layout.getChannels() == 0;
}

/// The elements of words of `channels` bits, which lie along the last dimension
/// but one.
static Value createElements(ImplicitLocOpBuilder &b, packed::BlocksAttr blocks,
                            Value words, int64_t channels) {
  LayoutAttrInterface layout = blocks.getRows();
  int64_t each = layout.getChannels(), count = layout.countElements(channels);
  if (isa<WordsLayoutAttr>(layout))
    return words;
  auto type = cast<RankedTensorType>(words.getType());
  int64_t rank = type.getRank();
  SmallVector<uint32_t> places;
  for (int64_t bit = 0; bit < std::min(kWordBits, count * each); bit += each)
    places.push_back(bit);
  // ..., words, elements of a word, lanes.
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, rank + 1));
  loops.erase(loops.end() - 2);
  Inputs inputs;
  inputs.add(words, getLoopMap(b.getContext(), rank + 1, loops));
  inputs.add(
      createConstant(b, RankedTensorType::get(places.size(), b.getI32Type()),
                     places),
      getLoopMap(b.getContext(), rank + 1, {rank - 1}));
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, places.size());
  Value elements = createElementwise(
      b, getAsIndexOpFoldResult(b.getContext(), shape),
      RankedTensorType::get({}, layout.getElementType(), blocks), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        return layout.emitElement(b, loc, args[0], args[1]);
      });
  elements = collapseTwo(b, elements, rank - 2);
  shape = llvm::to_vector(type.getShape());
  shape[rank - 2] = count;
  return createSlice(b, elements, SmallVector<int64_t>(rank, 0), shape);
}

/// `byte` in each byte of a word.
static uint32_t repeat(uint32_t byte) { return byte * 0x01010101u; }

/// The bytes of the words of all blocks. Loops over a block are one for each
/// operand and one for the last one's words. In an operand those up to its own
/// are the places of fields in a byte, those after it are words.
static Value createBytes(ImplicitLocOpBuilder &b, packed::UnpackCodesOp op) {
  MLIRContext *context = b.getContext();
  int64_t outer = op.getBlockRank();
  SmallVector<int64_t> loops(op.getType().getShape().take_front(outer));
  int64_t last = kByteBits;
  SmallVector<packed::CodeFieldsLayoutAttr> layouts = op.getLayouts();
  for (packed::CodeFieldsLayoutAttr layout : layouts)
    loops.push_back(std::exchange(last, layout.getBits()) / layout.getBits());
  loops.push_back(cast<RankedTensorType>(op.getFields().back().getType())
                      .getShape()
                      .back());
  auto rank = int64_t(loops.size());
  Inputs inputs;
  SmallVector<Inputs::Handle> elements, firstBits;
  for (auto [i, field] : llvm::enumerate(op.getFields())) {
    int64_t side = outer + int64_t(i) + 1;
    auto over = llvm::to_vector(llvm::seq<int64_t>(0, outer));
    llvm::append_range(over, llvm::seq<int64_t>(side, rank));
    Value words =
        splitDimension(b, field, outer, ArrayRef(loops).drop_front(side));
    elements.push_back(inputs.add(words, getLoopMap(context, rank, over)));
    SmallVector<uint32_t> places;
    for (int64_t bit = 0; bit < kByteBits; bit += layouts[i].getBits())
      places.push_back(bit);
    auto type = RankedTensorType::get(
        ArrayRef(loops).slice(outer, side - outer), b.getI32Type());
    firstBits.push_back(inputs.add(
        createConstant(b, type, places),
        getLoopMap(context, rank,
                   llvm::to_vector(llvm::seq<int64_t>(outer, side)))));
  }
  return createElementwise(
      b, getAsIndexOpFoldResult(context, loops),
      op.getType().clone(ArrayRef<int64_t>()), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        auto number = [&](uint32_t value) {
          return createI32(b, loc, int32_t(value));
        };
        Value twice;
        int64_t bits = 0;
        for (auto [i, layout] : llvm::enumerate(layouts)) {
          Value part = layout.emitFields(b, loc, elements[i].get(b, loc, args),
                                         firstBits[i].get(b, loc, args));
          part = arith::ShLIOp::create(b, loc, part, number(bits + 1));
          twice = twice ? arith::OrIOp::create(b, loc, twice, part).getResult()
                        : part;
          bits += layout.getBits();
        }
        Value sum = arith::AddIOp::create(
            b, loc, twice, number(repeat(kSign - op.getLevels())));
        return arith::XOrIOp::create(b, loc, sum, number(repeat(kSign)));
      });
}

namespace {
struct LowerRelayout : OpRewritePattern<packed::RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(packed::RelayoutOp op,
                                PatternRewriter &rewriter) const override {
    auto blocks = dyn_cast<packed::BlocksAttr>(op.getType().getEncoding());
    if (!blocks || (op.hasWords() && !hasElementsOfWords(blocks.getRows())))
      return rewriter.notifyMatchFailure(op, "has a layout of constants");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value filter = createBlocks(b, blocks, op.getInput(), op.getOutputs(),
                                blocks.getBlockLanes());
    if (op.hasWords())
      filter = createElements(b, blocks, filter, op.getChannels());
    rewriter.replaceOp(op, filter);
    return success();
  }
};

struct LowerUnpackCodes : OpRewritePattern<packed::UnpackCodesOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(packed::UnpackCodesOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getType();
    int64_t outer = op.getBlockRank();
    // The loops over a block are all of its words, in their order.
    Value bytes = createBytes(b, op);
    for (size_t i = 0; i < op.getFields().size(); ++i)
      bytes = collapseTwo(b, bytes, outer);
    rewriter.replaceOp(
        op, splitDimension(b, bytes, outer, type.getShape().drop_front(outer)));
    return success();
  }
};

struct LowerRelayouts : bquant::impl::LowerRelayoutsBase<LowerRelayouts> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerRelayoutPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    if (failed(verifyNoRelayouts(getOperation())))
      signalPassFailure();
  }
};
} // namespace

LogicalResult bquant::verifyNoRelayouts(Operation *root) {
  bool found = false;
  root->walk([&](packed::RelayoutOp op) {
    op.emitError("[relayout_c4] expected a constant filter for the layout ")
        << op.getType().getEncoding();
    found = true;
  });
  return failure(found);
}

void bquant::populateLowerRelayoutPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRelayout, LowerUnpackCodes>(patterns.getContext());
}
