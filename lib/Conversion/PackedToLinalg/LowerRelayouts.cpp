//===- LowerRelayouts.cpp - Filters of run time, laid out -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output channels are padded to whole blocks, which become a dimension of their
// own; the channels of a block are transposed to the end, and words are taken
// apart there, where all lanes have one at a time:
//
//   [outputs][taps..][words] -> [blocks][taps..][words][lanes]
//                            -> [blocks][taps..][elements][lanes]
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/FilterBlocks.h"
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

/// Whether an element is made of one word's bits.
static bool hasElementsOfWords(LayoutAttrInterface layout) {
  if (kWordBits % layout.getChannels() != 0)
    return false;
  // What it would emit, in a block that is thrown away.
  MLIRContext *context = layout.getContext();
  Location loc = UnknownLoc::get(context);
  Block block;
  Type i32 = IntegerType::get(context, kWordBits);
  Value word = block.addArgument(i32, loc), first = block.addArgument(i32, loc);
  OpBuilder b(context);
  b.setInsertionPointToStart(&block);
  return layout.emitElement(b, loc, word, first) != nullptr;
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

struct LowerRelayouts : bquant::impl::LowerRelayoutsBase<LowerRelayouts> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerRelayoutPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    getOperation()->walk([&](packed::RelayoutOp op) {
      op.emitError("[relayout_c4] expected a constant filter for the layout ")
          << op.getType().getEncoding();
      signalPassFailure();
    });
  }
};
} // namespace

void bquant::populateLowerRelayoutPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerRelayout>(patterns.getContext());
}
