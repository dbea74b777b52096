//===- WindowLoops.cpp - The loops of layers that windows join ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scf.forall (batch, channels, a block of rows) {
//     %w = linalg.fill ins(%padding) outs(%empty)  // of a window the rows
//     %w0 = the rows in front of the block's first new ones, at the end of %w
//     scf.for (rows of the block) iter_args(%w0, ...) {
//       %w1 = the last rows, which the windows share, moved to the front
//       %w2 = scf.for { tiles of the producer's next rows }, behind them
//       scf.for { tiles of the consumer's row, which read %w2 }
//     }
//   }
//
// Rows that have other regions of the producer, as at a border, are a loop of
// their own.

#include "LayerEmitter.h"
#include "WindowLayers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace bquant;

namespace {

class WindowEmitter : public LayerEmitter {
public:
  WindowEmitter(RewriterBase &rewriter, const WindowLayers &layers,
                const TileOptions &options)
      : LayerEmitter(rewriter, *layers.consumer, options, layers.consumerPlan,
                     getLocation(*layers.producer)),
        layers(layers), producer(rewriter, *layers.producer, options,
                                 layers.producerPlan, loc) {}

  void eraseProducer() {
    if (tensor::PadOp pad = layers.pad)
      rewriter.eraseOp(pad);
    producer.eraseOps();
  }

private:
  LogicalResult emitInside(ArrayRef<unsigned>, ArrayRef<Segment> segments,
                           SmallVector<Value> &slices) override {
    producer.setLoops({kBatch, kChannel, kRow}, {kColumn});
    for (unsigned d : {kBatch, kChannel})
      producer.enter(d, *getConstantIntValue(tile.sizes[d]), tile.offsets[d]);
    if (failed(producer.emitFilters(llvm::to_vector(llvm::seq<unsigned>(
                                        layers.producer->regions.size())),
                                    getLooped(segments))))
      return failure();

    SmallVector<Value> values = slices;
    values.push_back(makeWindow());
    // All blocks are like the first.
    block = tile.offsets[kRow];
    const Segment &rows = segments.back();
    if (failed(emitKept(rows.start, values.back())))
      return failure();
    for (int64_t start = rows.start, end = start + rows.tile; start < end;) {
      SmallVector<SmallVector<unsigned>> regions =
          layers.getFreshRegions(start);
      int64_t next = start + 1;
      while (next < end && layers.getFreshRegions(next) == regions)
        ++next;
      Segment run{start - rows.start, next - rows.start, 1};
      LogicalResult result =
          isOneTile(run)
              ? emitWindow(regions, rewriter.getIndexAttr(run.start), values)
              : emitLoop(run, values,
                         [&](Value row, SmallVector<Value> &inside) {
                           return emitWindow(regions, row, inside);
                         });
      if (failed(result))
        return failure();
      start = next;
    }
    values.pop_back();
    slices = std::move(values);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // The rows of a window
  //===--------------------------------------------------------------------===//

  int64_t countFresh() const { return layers.span - layers.getKept(); }

  /// Where row `i` of the window `row` of the block lies in the producer.
  OpFoldResult getRow(OpFoldResult row, int64_t i) {
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0),
               s1 = rewriter.getAffineSymbolExpr(1);
    return affine::makeComposedFoldedAffineApply(
        rewriter, loc, (s0 + s1) * layers.stride + layers.getFirstRow(0) + i,
        {block, row});
  }

  OpFoldResult add(OpFoldResult value, int64_t offset) {
    return affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0) + offset, {value});
  }

  /// Some rows of a window, with all columns.
  Box getRows(Value window, OpFoldResult first, int64_t number) {
    auto type = cast<RankedTensorType>(window.getType());
    Box box;
    box.offsets.assign(kRank, rewriter.getIndexAttr(0));
    box.sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    box.offsets[kRow] = first;
    box.sizes[kRow] = rewriter.getIndexAttr(number);
    return box;
  }

  Value insert(Value part, Value whole, const Box &box) {
    return tensor::InsertSliceOp::create(rewriter, loc, part, whole,
                                         box.offsets, box.sizes,
                                         box.getStrides(rewriter));
  }

  Value fill(Value tensor) {
    return linalg::FillOp::create(rewriter, loc, layers.padding, tensor)
        .getResult(0);
  }

  Value makeWindow() {
    auto type = cast<RankedTensorType>(layers.image.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[kRow] = layers.span;
    for (unsigned d : {kBatch, kChannel})
      shape[d] = *getConstantIntValue(tile.sizes[d]);
    Value window = tensor::EmptyOp::create(
        rewriter, loc, shape, type.getElementType(), type.getEncoding());
    return layers.padding ? fill(window) : window;
  }

  /// Row `row` of the producer, of `regions`, as row `at` of the window.
  LogicalResult emitRow(ArrayRef<unsigned> regions, OpFoldResult row,
                        OpFoldResult at, Value &window) {
    Box box = getRows(window, at, 1);
    box.offsets[kColumn] = rewriter.getIndexAttr(layers.left);
    box.sizes[kColumn] = rewriter.getIndexAttr(
        cast<RankedTensorType>(layers.producer->dests[0].value.getType())
            .getDimSize(kColumn));
    SmallVector<Value> slices{box.extract(rewriter, loc, window)};
    for (unsigned p : regions) {
      producer.enter(kRow, 1,
                     add(row, -layers.producer->regions[p].offsets[kRow]));
      if (failed(producer.emitRegions({p}, slices)))
        return failure();
    }
    window = insert(slices[0], window, box);
    return success();
  }

  /// What the block's first window, `row`, finds to move to its front.
  LogicalResult emitKept(int64_t row, Value &window) {
    for (int64_t i = 0; i < layers.getKept(); ++i) {
      SmallVector<unsigned> regions =
          layers.getRegionsOfRow(layers.getFirstRow(row) + i);
      if (!regions.empty() && // The window has been filled with the padding.
          failed(emitRow(regions, getRow(rewriter.getIndexAttr(0), i),
                         rewriter.getIndexAttr(countFresh() + i), window)))
        return failure();
    }
    return success();
  }

  /// The rows that the window `row` of the block is the first to have, behind
  /// those that it has in common with the one before. `regions`: of each.
  LogicalResult emitFresh(ArrayRef<SmallVector<unsigned>> regions,
                          OpFoldResult row, Value &window) {
    int64_t kept = layers.getKept();
    if (kept > 0) {
      Value last = getRows(window, rewriter.getIndexAttr(countFresh()), kept)
                       .extract(rewriter, loc, window);
      window =
          insert(last, window, getRows(window, rewriter.getIndexAttr(0), kept));
    }
    for (size_t i = 0; i < regions.size();) {
      size_t next = i + 1;
      while (next < regions.size() && regions[next] == regions[i])
        ++next;
      int64_t first = kept + int64_t(i), number = int64_t(next - i);
      OpFoldResult from = getRow(row, first);
      ArrayRef<unsigned> own = regions[i];
      SmallVector<Value> values{window};
      LogicalResult result = success();
      if (own.empty()) {
        Box box = getRows(window, rewriter.getIndexAttr(first), number);
        values[0] =
            insert(fill(box.extract(rewriter, loc, window)), window, box);
      } else if (number == 1) {
        result = emitRow(own, from, rewriter.getIndexAttr(first), values[0]);
      } else {
        AffineExpr sum =
            rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
        result = emitLoop(
            {0, number, 1}, values, [&](Value j, SmallVector<Value> &inside) {
              return emitRow(own,
                             affine::makeComposedFoldedAffineApply(
                                 rewriter, loc, sum, {from, j}),
                             add(j, first), inside[0]);
            });
      }
      if (failed(result))
        return failure();
      window = values[0];
      i = next;
    }
    return success();
  }

  /// Row `row` of the block. `values`: the slices of the dests, the window.
  LogicalResult emitWindow(ArrayRef<SmallVector<unsigned>> regions,
                           OpFoldResult row, SmallVector<Value> &values) {
    if (failed(emitFresh(regions, row, values.back())))
      return failure();
    AffineExpr sum =
        rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    enter(kRow, 1,
          affine::makeComposedFoldedAffineApply(rewriter, loc, sum,
                                                {block, row}));
    TileBody::Tiles blocks;
    blocks[layers.image] = values.back();
    body.setBlocks(std::move(blocks));
    SmallVector<Box> boxes;
    SmallVector<Value> slices;
    for (unsigned d = 0; d < layer.dests.size(); ++d) {
      Box box = getOuterBox(layer.regions[0], d);
      box.offsets.assign(rank, rewriter.getIndexAttr(0));
      box.offsets[kRow] = row;
      slices.push_back(box.extract(rewriter, loc, values[d]));
      boxes.push_back(std::move(box));
    }
    if (failed(emitRegions({0}, slices)))
      return failure();
    for (unsigned d = 0; d < boxes.size(); ++d)
      values[d] = insert(slices[d], values[d], boxes[d]);
    return success();
  }

  const WindowLayers &layers;
  LayerEmitter producer;
  /// Where the block of rows begins.
  OpFoldResult block;
};

} // namespace

LogicalResult bquant::emitWindowLayers(RewriterBase &rewriter,
                                       const WindowLayers &layers,
                                       TileOptions options) {
  // The plans are made for the threads.
  options.threads = 1;
  WindowEmitter emitter(rewriter, layers, options);
  if (failed(emitter.run()))
    return failure();
  emitter.eraseProducer();
  return success();
}
