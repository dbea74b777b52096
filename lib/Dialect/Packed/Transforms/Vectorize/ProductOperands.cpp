//===- ProductOperands.cpp - What a step of a product reads ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductOperands.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

ProductOperands::ProductOperands(ImplicitLocOpBuilder &b, ProductOp op,
                                 KernelAttrInterface kernel)
    : b(b), op(op), kernel(kernel), form(op.getForm()), maps(op.getMaps()),
      sizes(op.getLoopSizes()), channelLoop(op.getNumParallelLoops() - 1),
      stepLoop(sizes.size() - 1), stepSize(kernel.getStepSize()),
      channels(sizes[channelLoop]), lanes(kernel.getLanes()),
      registers(llvm::divideCeil(channels, lanes)),
      inputs(op.getInputs().size()) {}

SmallVector<Value> ProductOperands::advance(ArrayRef<Value> point,
                                            int64_t element) {
  SmallVector<Value> next(point);
  if (element != 0)
    next[stepLoop] = b.createOrFold<arith::AddIOp>(
        next[stepLoop], arith::ConstantIndexOp::create(b, element));
  return next;
}

/// Where operand `number` lies at a row and channel.
SmallVector<Value> ProductOperands::getIndices(unsigned number,
                                               ArrayRef<Value> point,
                                               ArrayRef<int64_t> row,
                                               int64_t channel) {
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

/// The lanes of a register, from `first` of the last dimension of operand
/// `number` on.
Value ProductOperands::readLanes(unsigned number, SmallVector<Value> indices,
                                 int64_t first) {
  Value operand = op->getOperand(number);
  indices.push_back(arith::ConstantIndexOp::create(b, first));
  auto type = VectorType::get(
      lanes, cast<RankedTensorType>(operand.getType()).getElementType());
  return vector::TransferReadOp::create(b, type, operand, indices,
                                        /*padding=*/std::nullopt,
                                        ArrayRef<bool>{true});
}

/// The table that is an element of the input.
Value ProductOperands::readTable(unsigned number, ArrayRef<Value> point,
                                 ArrayRef<int64_t> row) {
  auto type = cast<RankedTensorType>(op->getOperand(number).getType());
  SmallVector<Value> indices = getIndices(number, point, row, /*channel=*/0);
  indices.push_back(arith::ConstantIndexOp::create(b, 0));
  return vector::TransferReadOp::create(
      b, VectorType::get(type.getShape().back(), type.getElementType()),
      op->getOperand(number), indices, /*padding=*/std::nullopt,
      ArrayRef<bool>{true});
}

bool ProductOperands::readsInputLanes() {
  return kernel.isDepthwise() || readsLanes(maps.front(), channelLoop);
}

/// Those of a register. An input that is as long as the channels has no lanes
/// behind them: what is left over is read in powers of two.
Value ProductOperands::readInputLanes(unsigned number, ArrayRef<Value> point,
                                      ArrayRef<int64_t> row, int64_t r) {
  if (kernel.isDepthwise())
    return readLanes(number, getIndices(number, point, row, r * lanes),
                     r * lanes);
  Type element = getElementTypeOrSelf(op->getOperand(number));
  auto read = [&](int64_t from, int64_t count) -> Value {
    return vector::TransferReadOp::create(
        b, VectorType::get(count, element), op->getOperand(number),
        getIndices(number, point, row, from), /*padding=*/std::nullopt,
        ArrayRef<bool>{true});
  };
  int64_t first = r * lanes, left = std::min(lanes, channels - first);
  if (left == lanes)
    return read(first, lanes);
  Value joined = arith::ConstantOp::create(
      b, b.getZeroAttr(VectorType::get(lanes, element)));
  for (int64_t at = 0; at < left;) {
    auto count = int64_t(llvm::bit_floor(uint64_t(left - at)));
    joined = vector::InsertStridedSliceOp::create(b, read(first + at, count),
                                                  joined, at, 1);
    at += count;
  }
  return joined;
}

/// The element of an input that the channels of a register read; a vector
/// where they read different ones, `block` channels the same.
Value ProductOperands::readInput(unsigned number, ArrayRef<Value> point,
                                 ArrayRef<int64_t> row, int64_t r,
                                 int64_t block) {
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

/// Whether all channels of register `r` read the elements of a step side by
/// side.
bool ProductOperands::readsStepAtOnce(unsigned number, int64_t r,
                                      int64_t block) {
  int64_t first = r * lanes, end = std::min(channels, first + lanes);
  if (stepSize == 1 || readsInputLanes() || op.readsTables() ||
      (block != 0 && first / block != (end - 1) / block))
    return false;
  AffineMap map = maps[number];
  AffineExpr rest =
      simplifyAffineExpr(map.getResults().back() - b.getAffineDimExpr(stepLoop),
                         map.getNumDims(), 0);
  return !rest.isFunctionOfDim(stepLoop) &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr result) {
           return result.isFunctionOfDim(stepLoop);
         });
}

/// By one read; codes by one for each word, which is brought to all lanes from
/// memory, unless several rows have lanes of their own.
void ProductOperands::readStep(unsigned number, ArrayRef<Value> point,
                               ArrayRef<int64_t> row, int64_t r,
                               SmallVectorImpl<Value> &elements) {
  Value operand = op->getOperand(number);
  Type element = getElementTypeOrSelf(operand);
  int64_t each = stepSize;
  if (isa_and_present<packed::CodesLayoutAttr>(kernel.getLayout()) &&
      kernel.getRowsOfStep() == 1)
    each = std::min<int64_t>(each, kWordBits / element.getIntOrFloatBitWidth());
  for (int64_t first = 0; first < stepSize; first += each) {
    Value part = vector::TransferReadOp::create(
        b, VectorType::get(each, element), operand,
        getIndices(number, advance(point, first), row, r * lanes),
        /*padding=*/std::nullopt, ArrayRef<bool>{true});
    for (int64_t k = 0; k < each; ++k)
      elements.push_back(vector::ExtractOp::create(b, part, k));
  }
}

/// Whether register `r` has several blocks of channels, whose elements of a
/// step are all that lies between the first one's and the last one's.
bool ProductOperands::readsBlocksAtOnce(unsigned number, int64_t r,
                                        int64_t block) {
  int64_t first = r * lanes, end = std::min(channels, first + lanes);
  if (block == 0 || first % block != 0 || end - first <= block)
    return false;
  AffineExpr channel = b.getAffineDimExpr(channelLoop),
             step = b.getAffineDimExpr(stepLoop);
  AffineMap map = maps[number];
  AffineExpr rest =
      map.getResults().back() - channel.floorDiv(block) * stepSize - step;
  return simplifyAffineExpr(rest, map.getNumDims(), 0) ==
         b.getAffineConstantExpr(0);
}

/// These elements, brought to the lanes of their blocks.
void ProductOperands::readBlocks(unsigned number, ArrayRef<Value> point,
                                 ArrayRef<int64_t> row, int64_t r,
                                 int64_t block,
                                 SmallVectorImpl<Value> &elements) {
  int64_t first = r * lanes, end = std::min(channels, first + lanes),
          blocks = llvm::divideCeil(end - first, block);
  Value operand = op->getOperand(number);
  Value all = vector::TransferReadOp::create(
      b, VectorType::get(blocks * stepSize, getElementTypeOrSelf(operand)),
      operand, getIndices(number, point, row, first),
      /*padding=*/std::nullopt, ArrayRef<bool>{true});
  for (int64_t k = 0; k < stepSize; ++k) {
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < lanes; ++lane)
      places.push_back(std::min(lane / block, blocks - 1) * stepSize + k);
    elements.push_back(vector::ShuffleOp::create(b, all, all, places));
  }
}

/// Those of a step.
void ProductOperands::readElements(unsigned number, ArrayRef<Value> point,
                                   ArrayRef<int64_t> row, int64_t r,
                                   int64_t block,
                                   SmallVectorImpl<Value> &elements) {
  if (readsBlocksAtOnce(number, r, block))
    return readBlocks(number, point, row, r, block, elements);
  if (readsStepAtOnce(number, r, block))
    return readStep(number, point, row, r, elements);
  for (int64_t k = 0; k < stepSize; ++k) {
    SmallVector<Value> at = advance(point, k);
    elements.push_back(op.readsTables() ? readTable(number, at, row)
                       : readsInputLanes()
                           ? readInputLanes(number, at, row, r)
                           : readInput(number, at, row, r, block));
  }
}

SmallVector<SmallVector<Value>>
ProductOperands::emitInputs(ArrayRef<Value> point,
                            ArrayRef<SmallVector<int64_t>> rows, int64_t r,
                            int64_t block) {
  SmallVector<SmallVector<Value>> planes;
  unsigned parts = form.getInputParts();
  for (unsigned i = 0; i < inputs; i += parts) {
    SmallVector<Value> elements;
    for (ArrayRef<int64_t> row : rows)
      for (unsigned part = i; part < i + parts; ++part)
        readElements(part, point, row, r, block, elements);
    planes.push_back(kernel.emitInput(b, form, elements));
  }
  return planes;
}

void ProductOperands::readFilters(
    ArrayRef<Value> point, ArrayRef<int64_t> row, int64_t r,
    SmallVectorImpl<SmallVector<Value>> &filters) {
  unsigned parts = form.getFilterParts();
  packed::FilterLayoutAttrInterface layout = kernel.getFilterLayout();
  for (unsigned j = inputs; j < maps.size(); j += parts) {
    SmallVector<Value> elements;
    for (unsigned part = j; part < j + parts; ++part)
      for (int64_t k = 0; k < kernel.getFilterStepSize(); ++k) {
        SmallVector<Value> indices =
            getIndices(part, advance(point, k), row, 0);
        bool isLevel = int64_t(part - j) >= parts - form.levels;
        if (form.bitFilter && !isLevel) {
          elements.push_back(readWord(part, indices, r));
          continue;
        }
        int64_t words = layout.getWords();
        for (int64_t word = 0; word < words; ++word) {
          // Where words lie side by side, as many lanes of all words.
          int64_t first = layout.interleavesWords()
                              ? (r * words + word) * lanes
                              : word * layout.getBlockLanes() + r * lanes;
          elements.push_back(readLanes(part, indices, first));
        }
      }
    filters.push_back(
        kernel.emitFilter(b, form, elements, r * lanes % kWordBits));
  }
}

/// The word that has the bits of register `r`.
Value ProductOperands::readWord(unsigned number, SmallVector<Value> indices,
                                int64_t r) {
  indices.push_back(arith::ConstantIndexOp::create(b, r * lanes / kWordBits));
  return tensor::ExtractOp::create(b, op->getOperand(number), indices);
}

bool ProductOperands::hasFiltersOfRows() {
  return llvm::any_of(ArrayRef(maps).drop_front(inputs), [&](AffineMap map) {
    return llvm::any_of(llvm::seq(0u, channelLoop), [&](unsigned loop) {
      return map.isFunctionOfDim(loop);
    });
  });
}

bool ProductOperands::readsAsBefore(int64_t r, int64_t block) {
  if (r == 0 || readsInputLanes())
    return false;
  int64_t last = std::min(channels, (r + 1) * lanes) - 1;
  // From the first channel of the one before on, in one block.
  return block == 0 || (r - 1) * lanes / block == last / block;
}
