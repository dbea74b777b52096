//===- ProductVectorizer.cpp - A product's tile by its kernel -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are the same for all kernels, what is in them is the kernel's:
//
//   %acc = scf.for (as many steps as a partial sum holds) {
//     %part = scf.for (steps) { scf.for ... { read, step } }
//     flush
//   }
//   finish
//
// A register has whole lanes also where the tile has fewer channels: its filter
// has zeros there, and the result leaves them out.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "RolledLoop.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

namespace {
/// Some iterations of a loop of the product.
struct Steps {
  unsigned loop;
  int64_t count;
  int64_t stride = 1;
};

class ProductVectorizer {
public:
  ProductVectorizer(ImplicitLocOpBuilder &b, PackedProductOp op,
                    KernelAttrInterface kernel)
      : b(b), op(op), kernel(kernel), form(op.getForm()), maps(op.getMaps()),
        sizes(op.getLoopSizes()), channelLoop(op.getNumParallelLoops() - 1),
        stepLoop(sizes.size() - 1), stepSize(kernel.getStepSize()),
        channels(sizes[channelLoop]), lanes(kernel.getLanes()),
        registers(llvm::divideCeil(channels, lanes)),
        pairs(op.getNumInputPlanes() * op.getNumFilterPlanes()),
        rowShape(ArrayRef(sizes).take_front(channelLoop)),
        rows(computeProduct(rowShape)) {}

  /// The rows of each result.
  SmallVector<SmallVector<Value>> emit() {
    splitSteps();
    SmallVector<Value> accumulators;
    for (int64_t i = 0; i < rows * registers * pairs; ++i)
      appendZeros(kernel.getAccumulatorTypes(form), accumulators);
    SmallVector<Value> point(sizes.size(),
                             arith::ConstantIndexOp::create(b, 0));
    accumulators = emitLoops(outer, point, accumulators,
                             [&](ArrayRef<Value> point, ValueRange values) {
                               return emitChunk(point, values);
                             });
    return finish(accumulators);
  }

private:
  using Body = function_ref<SmallVector<Value>(ArrayRef<Value>, ValueRange)>;

  void appendZeros(ArrayRef<VectorType> types, SmallVectorImpl<Value> &values) {
    for (VectorType type : types)
      values.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
  }

  /// As many of the inner steps as a partial sum holds; the rest outside.
  void splitSteps() {
    int64_t held = 1, most = kernel.getMaxSteps(form);
    for (unsigned loop = sizes.size(); loop-- > channelLoop + 1;) {
      int64_t stride = loop == stepLoop ? stepSize : 1;
      int64_t all = sizes[loop] / stride, count = outer.empty() ? all : 1;
      while (all % count || held * count > most)
        --count;
      if (count > 1)
        inner.insert(inner.begin(), {loop, count, stride});
      if (count < all)
        outer.insert(outer.begin(), {loop, all / count, count * stride});
      held *= count;
      steps *= all;
    }
  }

  SmallVector<Value> emitLoops(ArrayRef<Steps> loops, SmallVector<Value> point,
                               ValueRange values, Body body) {
    if (loops.empty())
      return body(point, values);
    Steps steps = loops.front();
    scf::ForOp loop = createRolledLoop(
        b, b.getLoc(), steps.count * steps.stride, steps.stride, values);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value &position = point[steps.loop];
    position = b.createOrFold<arith::AddIOp>(position, loop.getInductionVar());
    scf::YieldOp::create(b, emitLoops(loops.drop_front(), point,
                                      loop.getRegionIterArgs(), body));
    return loop.getResults();
  }

  /// The inner steps from `point` on, flushed into the accumulators.
  SmallVector<Value> emitChunk(ArrayRef<Value> point, ValueRange accumulators) {
    SmallVector<Value> partials;
    int64_t states = rows * registers * pairs;
    for (int64_t i = 0; i < states; ++i)
      appendZeros(kernel.getPartialTypes(form), partials);
    partials = emitLoops(inner, SmallVector<Value>(point), partials,
                         [&](ArrayRef<Value> point, ValueRange values) {
                           return emitStep(point, values);
                         });
    SmallVector<Value> flushed;
    int64_t m = kernel.getPartialTypes(form).size(),
            n = kernel.getAccumulatorTypes(form).size();
    for (int64_t i = 0; i < states; ++i)
      llvm::append_range(
          flushed, kernel.emitFlush(b, form, accumulators.slice(i * n, n),
                                    ValueRange(partials).slice(i * m, m)));
    return flushed;
  }

  //===--------------------------------------------------------------------===//
  // Operands of a step
  //===--------------------------------------------------------------------===//

  /// Where operand `number` lies at a row and channel.
  SmallVector<Value> getIndices(unsigned number, ArrayRef<Value> point,
                                ArrayRef<int64_t> row, int64_t channel) {
    AffineMap map = maps[number];
    SmallVector<OpFoldResult> operands(point.begin(), point.end());
    for (auto [loop, position] : llvm::enumerate(row))
      operands[loop] = b.getIndexAttr(position);
    operands[channelLoop] = b.getIndexAttr(channel);
    SmallVector<Value> indices;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      indices.push_back(getValueOrCreateConstantIndexOp(
          b, b.getLoc(),
          affine::makeComposedFoldedAffineApply(b, b.getLoc(), map.getSubMap(i),
                                                operands)));
    return indices;
  }

  /// `point`, `element` elements on.
  SmallVector<Value> advance(ArrayRef<Value> point, int64_t element) {
    SmallVector<Value> next(point);
    if (element != 0)
      next[stepLoop] = b.createOrFold<arith::AddIOp>(
          next[stepLoop], arith::ConstantIndexOp::create(b, element));
    return next;
  }

  /// The lanes of a register from the last dimension of operand `number`.
  Value readLanes(unsigned number, SmallVector<Value> indices, int64_t r) {
    Value operand = op->getOperand(number);
    indices.push_back(arith::ConstantIndexOp::create(b, r * lanes));
    auto type = VectorType::get(
        lanes, cast<RankedTensorType>(operand.getType()).getElementType());
    return vector::TransferReadOp::create(b, type, operand, indices,
                                          /*padding=*/std::nullopt,
                                          ArrayRef<bool>{true});
  }

  /// The element of an input that the channels of a register read; a vector
  /// where they read different ones, `block` channels the same.
  Value readInput(unsigned number, ArrayRef<Value> point, ArrayRef<int64_t> row,
                  int64_t r, int64_t block) {
    auto read = [&](int64_t channel) -> Value {
      return tensor::ExtractOp::create(b, op->getOperand(number),
                                       getIndices(number, point, row, channel));
    };
    int64_t first = r * lanes, end = std::min(channels, first + lanes);
    if (block == 0 || first / block == (end - 1) / block)
      return read(first);
    Value joined = arith::ConstantOp::create(
        b, b.getZeroAttr(VectorType::get(
               lanes, getElementTypeOrSelf(op->getOperand(number)))));
    for (int64_t channel = first; channel < end;) {
      int64_t next = std::min((channel / block + 1) * block, end);
      Value scalar = read(channel);
      Value part = vector::BroadcastOp::create(
          b, VectorType::get(next - channel, scalar.getType()), scalar);
      joined = vector::InsertStridedSliceOp::create(b, part, joined,
                                                    channel - first, 1);
      channel = next;
    }
    return joined;
  }

  /// What the kernel makes of the planes of the input at a row, one by one.
  SmallVector<SmallVector<Value>> emitInputs(ArrayRef<Value> point,
                                             ArrayRef<int64_t> row, int64_t r,
                                             int64_t block) {
    SmallVector<SmallVector<Value>> planes;
    unsigned parts = form.maskedInput ? 2 : 1;
    for (unsigned i = 0; i < op.getInputs().size(); i += parts) {
      SmallVector<Value> elements;
      for (unsigned part = i; part < i + parts; ++part)
        for (int64_t k = 0; k < stepSize; ++k) {
          SmallVector<Value> at = advance(point, k);
          elements.push_back(
              kernel.isDepthwise()
                  ? readLanes(part, getIndices(part, at, row, r * lanes), r)
                  : readInput(part, at, row, r, block));
        }
      planes.push_back(kernel.emitInput(b, form, elements));
    }
    return planes;
  }

  /// The planes of the filter for each register, at a row.
  SmallVector<SmallVector<Value>> readFilters(ArrayRef<Value> point,
                                              ArrayRef<int64_t> row) {
    unsigned parts = form.maskedFilter ? 2 : 1, first = op.getInputs().size();
    SmallVector<SmallVector<Value>> filters;
    for (int64_t r = 0; r < registers; ++r)
      for (unsigned j = 0; j < op.getFilters().size(); j += parts) {
        SmallVector<Value> &filter = filters.emplace_back();
        for (unsigned part = first + j; part < first + j + parts; ++part)
          for (int64_t k = 0; k < stepSize; ++k)
            filter.push_back(readLanes(
                part, getIndices(part, advance(point, k), row, 0), r));
      }
    return filters;
  }

  /// Whether the filter is another one for each row: that of a batch.
  bool hasFiltersOfRows() {
    return llvm::any_of(
        ArrayRef(maps).drop_front(op.getInputs().size()), [&](AffineMap map) {
          return llvm::any_of(llvm::seq(0u, channelLoop), [&](unsigned loop) {
            return map.isFunctionOfDim(loop);
          });
        });
  }

  /// Whether register `r` reads the elements of the input that the one before
  /// does.
  bool readsAsBefore(int64_t r, int64_t block) {
    if (r == 0 || kernel.isDepthwise())
      return false;
    int64_t last = std::min(channels, (r + 1) * lanes) - 1;
    // From the first channel of the one before on, in one block.
    return block == 0 || (r - 1) * lanes / block == last / block;
  }

  SmallVector<Value> emitStep(ArrayRef<Value> point, ValueRange partials) {
    // Each register of the filter once, where all rows share it.
    SmallVector<int64_t> strides = computeStrides(rowShape);
    bool ofRows = hasFiltersOfRows();
    SmallVector<SmallVector<Value>> filters;
    if (!ofRows)
      filters = readFilters(point, SmallVector<int64_t>(channelLoop, 0));
    int64_t block = getBlock(maps.front(), channelLoop).value_or(0);
    int64_t m = kernel.getPartialTypes(form).size(), state = 0,
            filterPlanes = op.getNumFilterPlanes();
    SmallVector<Value> sums;
    for (int64_t row = 0; row < rows; ++row) {
      SmallVector<int64_t> position = delinearize(row, strides);
      if (ofRows)
        filters = readFilters(point, position);
      SmallVector<SmallVector<Value>> inputs;
      for (int64_t r = 0; r < registers; ++r) {
        if (!readsAsBefore(r, block))
          inputs = emitInputs(point, position, r, block);
        for (const SmallVector<Value> &input : inputs)
          for (int64_t j = 0; j < filterPlanes; ++j, ++state)
            llvm::append_range(
                sums, kernel.emitStep(b, form, partials.slice(state * m, m),
                                      input, filters[r * filterPlanes + j]));
      }
    }
    return sums;
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  SmallVector<SmallVector<Value>> finish(ValueRange accumulators) {
    int64_t n = kernel.getAccumulatorTypes(form).size(), state = 0;
    auto type = VectorType::get(channels, b.getI32Type());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    SmallVector<SmallVector<Value>> results(op.getNumResults(),
                                            SmallVector<Value>(rows, zero));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t r = 0; r < registers; ++r)
        for (int64_t pair = 0; pair < pairs; ++pair, ++state)
          for (auto [k, value] : llvm::enumerate(kernel.emitFinish(
                   b, form, accumulators.slice(state * n, n), steps)))
            insert(value, results[k * pairs + pair][row], r);
    return results;
  }

  /// The channels of register `r` into a row.
  void insert(Value value, Value &row, int64_t r) {
    int64_t count = std::min(lanes, channels - r * lanes);
    if (count == channels && count == lanes) {
      row = value;
      return;
    }
    if (count < lanes)
      value = vector::ExtractStridedSliceOp::create(b, value, 0, count, 1);
    row =
        count == channels
            ? value
            : vector::InsertStridedSliceOp::create(b, value, row, r * lanes, 1)
                  .getResult();
  }

  ImplicitLocOpBuilder &b;
  PackedProductOp op;
  KernelAttrInterface kernel;
  ProductForm form;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  unsigned channelLoop, stepLoop; // The steps' elements lie along the last.
  int64_t stepSize, channels, lanes, registers, pairs;
  SmallVector<int64_t> rowShape;
  int64_t rows, steps = 1;
  SmallVector<Steps> outer, inner;
};
} // namespace

LogicalResult TileVectorizer::vectorizeProduct(PackedProductOp op) {
  KernelAttrInterface kernel = op.getKernelInterface();
  if (!kernel)
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  if (kernel.emitsTiles()) {
    FailureOr<SmallVector<Value>> results = kernel.emitTile(b, op);
    if (succeeded(results))
      rewriter.replaceOp(op, *results);
    return results;
  }
  SmallVector<SmallVector<Value>> results =
      ProductVectorizer(b, op, kernel).emit();
  int64_t channels =
      cast<RankedTensorType>(op.getResult(0).getType()).getShape().back();
  for (auto [init, result, sums] :
       llvm::zip_equal(op.getInits(), op.getResults(), results)) {
    Rows rows;
    rows.rowWidth = channels;
    rows.values = sums;
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!fill || !matchPattern(fill.getInputs()[0], m_Zero()))
      for (auto [sum, start] :
           llvm::zip_equal(rows.values, readAll(init, channels).values))
        sum = arith::AddIOp::create(b, sum, start);
    known[result] = rows;
  }
  done.push_back(op);
  return success();
}
