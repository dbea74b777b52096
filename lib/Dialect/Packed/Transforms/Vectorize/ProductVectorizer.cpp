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

#include "Dialect/Packed/Layouts/RowPieces.h"
#include "ProductStep.h"
#include "RolledLoop.h"
#include "TileVectorizer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

class ProductVectorizer : ProductStep {
public:
  /// `starts`: the pieces of the rows of each init, which steps add to; none:
  /// 0.
  ProductVectorizer(ImplicitLocOpBuilder &b, ProductOp op,
                    KernelAttrInterface kernel,
                    ArrayRef<SmallVector<Value>> starts)
      : ProductStep(b, op, kernel), starts(starts) {}

  IntegerRange getRange() {
    auto [least, most] = kernel.getRange(form, steps);
    return {least, most};
  }

  /// The pieces of the rows of each result.
  SmallVector<SmallVector<Value>> emit() {
    splitSteps();
    SmallVector<Value> accumulators = createAccumulators();
    if (readsInputLanes() && stepSize > 1)
      return finish(emitWindows(accumulators));
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

  /// 0, or the inits.
  SmallVector<Value> createAccumulators() {
    SmallVector<Value> accumulators;
    for (int64_t set = 0; set < sets; ++set)
      for (int64_t r = 0; r < registers; ++r)
        for (int64_t pair = 0; pair < pairs; ++pair)
          if (!starts.empty())
            accumulators.push_back(getStart(pair, set, r));
          else
            appendZeros(kernel.getAccumulatorTypes(form), accumulators);
    return accumulators;
  }

  /// What register `r` of a row starts from; zeros behind the row's end.
  Value getStart(int64_t pair, int64_t row, int64_t r) {
    size_t pieces = getPieces(channels).size();
    return slice(b, b.getLoc(),
                 ArrayRef(starts[pair]).slice(row * pieces, pieces),
                 {r * lanes, lanes});
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

  /// One register of one row after the other, all steps unrolled: rows share
  /// what a step makes of their input, where each channel has its own.
  SmallVector<Value> emitWindows(ArrayRef<Value> accumulators) {
    SmallVector<int64_t> counts;
    for (unsigned loop = channelLoop + 1; loop < sizes.size(); ++loop)
      counts.push_back(sizes[loop] / (loop == stepLoop ? stepSize : 1));
    SmallVector<int64_t> strides = computeStrides(counts);
    SmallVector<SmallVector<Value>> points;
    for (int64_t step = 0; step < steps; ++step) {
      SmallVector<Value> &point = points.emplace_back(
          sizes.size(), arith::ConstantIndexOp::create(b, 0));
      for (auto [i, at] : llvm::enumerate(delinearize(step, strides))) {
        unsigned loop = channelLoop + 1 + i;
        point[loop] = arith::ConstantIndexOp::create(
            b, at * (loop == stepLoop ? stepSize : 1));
      }
    }
    int64_t n = kernel.getAccumulatorTypes(form).size() * pairs,
            most = kernel.getMaxSteps(form);
    SmallVector<Value> sums(accumulators);
    for (int64_t r = 0; r < registers; ++r)
      for (int64_t row = 0; row < rows; ++row) {
        int64_t first = (row * registers + r) * n;
        for (ArrayRef<SmallVector<Value>> left = points; !left.empty();
             left = left.drop_front(std::min<size_t>(left.size(), most))) {
          SmallVector<Value> state(ArrayRef(sums).slice(first, n)), partials;
          if (!starts.empty())
            partials = state;
          else
            for (int64_t pair = 0; pair < pairs; ++pair)
              appendZeros(kernel.getPartialTypes(form), partials);
          for (ArrayRef<Value> point :
               left.take_front(std::min<size_t>(left.size(), most)))
            partials = emitStepOf(point, row, r, partials);
          llvm::copy(flush(state, partials, /*sums=*/pairs),
                     sums.begin() + first);
        }
      }
    return sums;
  }

  /// The inner steps from `point` on, flushed into the accumulators.
  SmallVector<Value> emitChunk(ArrayRef<Value> point, ValueRange accumulators) {
    SmallVector<Value> partials =
        starts.empty() ? createPartials() : SmallVector<Value>(accumulators);
    partials = emitLoops(inner, SmallVector<Value>(point), partials,
                         [&](ArrayRef<Value> point, ValueRange values) {
                           return emitStep(point, values);
                         });
    return flush(accumulators, partials, sets * registers * pairs);
  }

  SmallVector<Value> flush(ValueRange accumulators, ValueRange partials,
                           int64_t sums) {
    if (!starts.empty())
      return SmallVector<Value>(partials);
    SmallVector<Value> flushed;
    int64_t m = kernel.getPartialTypes(form).size(),
            n = kernel.getAccumulatorTypes(form).size();
    for (int64_t i = 0; i < sums; ++i)
      llvm::append_range(flushed,
                         kernel.emitFlush(b, form, accumulators.slice(i * n, n),
                                          partials.slice(i * m, m)));
    return flushed;
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  SmallVector<SmallVector<Value>> finish(ValueRange accumulators) {
    int64_t n = kernel.getAccumulatorTypes(form).size(), state = 0;
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    int64_t each = op->getNumResults() / pairs;
    for (int64_t first = 0; first < rows; first += rowsOfStep) {
      // Of each row the registers of all results.
      SmallVector<SmallVector<SmallVector<Value>>> parts(
          rowsOfStep, SmallVector<SmallVector<Value>>(op->getNumResults()));
      for (int64_t r = 0; r < registers; ++r)
        for (int64_t pair = 0; pair < pairs; ++pair, ++state)
          for (auto [k, value] : llvm::enumerate(kernel.emitFinish(
                   b, form, accumulators.slice(state * n, n), steps)))
            parts[k / each][k % each * pairs + pair].push_back(value);
      for (auto &registersOfRow :
           ArrayRef(parts).take_front(std::min(rowsOfStep, rows - first)))
        for (auto [result, values] : llvm::zip_equal(results, registersOfRow))
          result.append(cut(b, b.getLoc(), values, channels));
    }
    return results;
  }

  ArrayRef<SmallVector<Value>> starts;
  int64_t steps = 1;
  SmallVector<Steps> outer, inner;
};
} // namespace

static bool isZeroFill(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_Zero());
}

/// Whether a partial sum is a register of the results, and holds all steps:
/// what these start from needs no sum of its own.
static bool addsInPlace(ProductOp op, KernelAttrInterface kernel) {
  ProductForm form = op.getForm();
  SmallVector<VectorType> types = kernel.getPartialTypes(form);
  return form.getNumResults() == 1 && types.size() == 1 &&
         kernel.getRowsOfStep() == 1 &&
         types == kernel.getAccumulatorTypes(form) &&
         types[0].getElementType().isInteger(32) &&
         types[0].getNumElements() == kernel.getLanes() &&
         kernel.getMaxSteps(form) == std::numeric_limits<int32_t>::max();
}

/// Whether all rows have the same filters.
static bool sharesFilters(ProductOp op) {
  ArrayRef<int64_t> rows = op.getResultTensor().getShape().drop_back();
  SmallVector<AffineMap> maps = op.getMaps();
  return llvm::all_of(
      ArrayRef(maps).drop_front(op.getInputs().size()), [&](AffineMap map) {
        return llvm::all_of(llvm::enumerate(rows), [&](auto row) {
          return row.value() == 1 || !map.isFunctionOfDim(row.index());
        });
      });
}

LogicalResult TileVectorizer::vectorizeProduct(ProductOp op) {
  KernelAttrInterface kernel = op.getKernelInterface();
  if (!kernel || !op.isLaidOut())
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  FailureOr<SmallVector<Value>> tile = kernel.emitTile(b, op);
  if (succeeded(tile)) {
    rewriter.replaceOp(op, *tile);
    return success();
  }
  int64_t channels = op.getResultTensor().getShape().back();
  if (channels > kernel.getBlock())
    return failure();
  // Rows of a step share a filter.
  if (kernel.getRowsOfStep() > 1 && !sharesFilters(op))
    return failure();
  // A row is whole registers where these have an order.
  SmallVector<int64_t> order = kernel.getOrder();
  if (!order.empty() && channels != int64_t(order.size()))
    return failure();
  auto readStart = [&](Value init) {
    return arrange(op.getLoc(), readAll(init, channels), order).values;
  };
  OperandRange inits = op.getInits();
  SmallVector<SmallVector<Value>> starts;
  if (op.sumsFloats() ||
      (!llvm::all_of(inits, isZeroFill) && addsInPlace(op, kernel)))
    for (Value init : inits)
      starts.push_back(readStart(init));
  ProductVectorizer vectorizer(b, op, kernel, starts);
  SmallVector<SmallVector<Value>> results = vectorizer.emit();
  for (auto [init, result, sums] :
       llvm::zip_equal(inits, op->getResults(), results)) {
    Rows rows;
    rows.rowWidth = channels;
    rows.order = order;
    rows.values = sums;
    for (Value &sum : rows.values)
      if (Type type = getElementTypeOrSelf(sum.getType());
          type.isInteger(8) || type.isInteger(16))
        sum = narrow.widen(b, sum, vectorizer.getRange());
    if (starts.empty() && !isZeroFill(init))
      for (auto [sum, start] : llvm::zip_equal(rows.values, readStart(init)))
        sum = arith::AddIOp::create(b, sum, start);
    known[result] = rows;
  }
  finishesRows |= kernel.finishesRows();
  done.push_back(op);
  return success();
}
