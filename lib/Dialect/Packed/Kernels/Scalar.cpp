//===- Scalar.cpp - Popcounts of 64-bit integers --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each channel of the tile one sum a row, two words at a time in an i64, so
// that a CPU's scalar popcount does the work; --bquant-lower-element-writes
// makes stores of what is written:
//
//   scf.for %o (channels) {
//     %sums = scf.for (taps) { scf.for (pairs of words) {
//       %p = math.ctpop (%x ^ %w) : i64
//     } }
//     vector.transfer_write %sums
//   }
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "WordMeaning.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Sums that stay in registers.
static constexpr int64_t kSums = 4;
static constexpr int64_t kChannels = 32;

namespace {
/// A tile of a product in loops over its channels.
class ScalarTile {
public:
  ScalarTile(ImplicitLocOpBuilder &b, ProductOp op)
      : b(b), op(op), rank(op.getNumParallelLoops()), maps(op.getMaps()),
        form(op.getForm()), ranges(op.getLoopSizes()),
        indices(ranges.size(), b.getIndexAttr(0)),
        shape(ArrayRef(ranges).take_front(rank - 1)),
        strides(computeStrides(shape)), rowCount(computeProduct(shape)),
        pairable(canPair()) {}

  SmallVector<Value> emit() {
    auto channels = createLoop(ranges[rank - 1], 1, op.getInits());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(channels.getBody());
    indices[rank - 1] = channels.getInductionVar();
    SmallVector<Value> tensors(channels.getRegionIterArgs());
    SmallVector<Value> sums;
    for (Value tensor : tensors)
      for (int64_t row = 0; row < rowCount; ++row)
        sums.push_back(tensor::ExtractOp::create(b, tensor, getResultAt(row)));
    sums = emitLoops(rank, sums);
    // One write for all rows, as TileVectorizer::writeAll has it.
    SmallVector<int64_t> column(shape);
    column.push_back(1);
    auto type = VectorType::get(column, b.getI32Type());
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      Value vector = vector::FromElementsOp::create(
          b, type, ArrayRef(sums).slice(i * rowCount, rowCount));
      tensor =
          vector::TransferWriteOp::create(b, vector, tensor, getResultAt(0),
                                          SmallVector<bool>(rank, true))
              .getResult();
    }
    scf::YieldOp::create(b, tensors);
    return channels.getResults();
  }

private:
  scf::ForOp createLoop(int64_t end, int64_t step, ValueRange carried) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, value);
    };
    auto loop = scf::ForOp::create(b, constant(0), constant(end),
                                   constant(step), carried);
    // LLVM would count in vectors by shuffles, some taps at a time.
    MLIRContext *context = b.getContext();
    auto scalar = LLVM::LoopVectorizeAttr::get(
        context, /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
    loop->setAttr("llvm.loop_annotation",
                  LLVM::LoopAnnotationAttr::get(context, {}, scalar, {}, {}, {},
                                                {}, {}, {}, {}, {}, {}, {}, {},
                                                {}, {}));
    return loop;
  }

  /// Whether the words of the last loop lie side by side.
  bool canPair() {
    unsigned last = ranges.size() - 1;
    AffineExpr word = b.getAffineDimExpr(last);
    for (AffineMap map : maps) {
      if (map.getNumResults() == 0 ||
          (map.getResults().back() - word).isFunctionOfDim(last))
        return false;
      for (AffineExpr expr : map.getResults().drop_back())
        if (expr.isFunctionOfDim(last))
          return false;
    }
    return true;
  }

  void enterRow(int64_t row) {
    for (auto [d, index] : llvm::enumerate(delinearize(row, strides)))
      indices[d] = b.getIndexAttr(index);
  }

  SmallVector<Value> getResultAt(int64_t row) {
    enterRow(row);
    return getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                           ArrayRef(indices).take_front(rank));
  }

  SmallVector<Value> emitLoops(unsigned dim, ArrayRef<Value> sums) {
    bool last = dim + 1 == ranges.size();
    int64_t step = last && pairable ? 2 : 1;
    int64_t end = ranges[dim] / step * step;
    SmallVector<Value> results(sums);
    if (end > 0) {
      auto loop = createLoop(end, step, sums);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      indices[dim] = loop.getInductionVar();
      SmallVector<Value> args(loop.getRegionIterArgs());
      args = last ? emitStep(args, step) : emitLoops(dim + 1, args);
      scf::YieldOp::create(b, args);
      results = loop.getResults();
    }
    if (end != ranges[dim]) {
      indices[dim] = b.getIndexAttr(end);
      results = emitStep(results, 1);
    }
    return results;
  }

  /// The word of operand `number` at the current indices; two of them as one
  /// integer if there are `words`.
  Value readWords(int64_t number, int64_t words) {
    AffineMap map = maps[number];
    Value tensor = op->getOperand(number);
    auto read = [&](int64_t offset) -> Value {
      SmallVector<OpFoldResult> at;
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        at.push_back(affine::makeComposedFoldedAffineApply(
            b, b.getLoc(),
            AffineMap::get(map.getNumDims(), 0,
                           i + 1 == map.getNumResults() ? expr + offset : expr,
                           b.getContext()),
            indices));
      // A filter's block is one channel.
      at.resize(cast<RankedTensorType>(tensor.getType()).getRank(),
                b.getIndexAttr(0));
      return tensor::ExtractOp::create(
          b, tensor, getValueOrCreateConstantIndexOp(b, b.getLoc(), at));
    };
    if (words == 1)
      return read(0);
    Type i64 = b.getI64Type();
    Value low = arith::ExtUIOp::create(b, i64, read(0));
    Value high = arith::ExtUIOp::create(b, i64, read(1));
    Value shift = arith::ConstantIntOp::create(b, i64, kWordBits);
    return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, shift));
  }

  SmallVector<Value> emitStep(ArrayRef<Value> sums, int64_t words) {
    SmallVector<Value> next(sums);
    int64_t inputs = op.getInputs().size(), filters = op.getFilters().size();
    int64_t inputParts = form.maskedInput ? 2 : 1,
            filterParts = form.maskedFilter ? 2 : 1;
    int64_t pairs = op.getNumInputPlanes() * op.getNumFilterPlanes();
    for (int64_t row = 0; row < rowCount; ++row) {
      enterRow(row);
      SmallVector<Value> operands;
      for (int64_t i = 0; i < inputs + filters; ++i)
        operands.push_back(readWords(i, words));
      int64_t pair = 0;
      for (int64_t i = 0; i < inputs; i += inputParts)
        for (int64_t j = 0; j < filters; j += filterParts, ++pair) {
          SmallVector<Value> counts =
              emitWordCounts(b, form, ArrayRef(operands).slice(i, inputParts),
                             ArrayRef(operands).slice(inputs + j, filterParts));
          for (auto [k, count] : llvm::enumerate(counts)) {
            if (words == 2)
              count = arith::TruncIOp::create(b, b.getI32Type(), count);
            Value &sum = next[(k * pairs + pair) * rowCount + row];
            sum = arith::AddIOp::create(b, sum, count);
          }
        }
    }
    return next;
  }

  ImplicitLocOpBuilder &b;
  ProductOp op;
  unsigned rank;
  SmallVector<AffineMap> maps;
  ProductForm form;
  SmallVector<int64_t> ranges;
  /// The current index of each loop.
  SmallVector<OpFoldResult> indices;
  SmallVector<int64_t> shape, strides;
  int64_t rowCount;
  bool pairable;
};

struct Selection : SelectionModel<Selection, ScalarAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &,
                              ExplainFn explain) const {
    return verifyTile(shape, kWordBits, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    // Words in pairs along the channels of a tap.
    int64_t words = llvm::divideCeil(shape.channels, kWordBits);
    int64_t steps = shape.taps * llvm::divideCeil(words, 2);
    double tiles = double(countTilesOfRows(shape, get(attr).getRows())) *
                   double(shape.filters);
    return countCycles(shape, attr, steps, countSums(shape),
                       target.costs.scalar, target.otherCosts) +
           tiles * steps * target.otherCosts.countScalarStep;
  }

  double getLimitCycles(Attribute, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / 64 * target.costs.scalar.step;
  }
};

struct InnerTile : InnerTileModel<InnerTile, ScalarAttr> {
  int64_t getLanes(Attribute) const { return 1; }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return BlocksAttr::get(attr.getContext(), getLayout(attr), /*block=*/1,
                           /*lanes=*/1, /*parts=*/1, /*together=*/1);
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    return emitWordCounts(b, form, input, filter);
  }

  FailureOr<SmallVector<Value>> emitTile(Attribute, ImplicitLocOpBuilder &b,
                                         Operation *op) const {
    return ScalarTile(b, cast<ProductOp>(op)).emit();
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &) {
  int64_t rows = std::max<int64_t>(1, kSums / countSums(shape));
  return {ScalarAttr::get(context, rows,
                          fitChannels(shape, kWordBits, kChannels), 64)};
}

const KernelEntry bquant::kScalarKernel = {
    ScalarAttr::attachInterface<Selection, InnerTile>, getTiles};
