//===- LowerTranspositions.cpp - Transpositions to blocks of registers ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   linalg.transpose ins(%a : memref<64x56xf32>) outs(%b : memref<56x64xf32>)
//       permutation = [1, 0]
//
// becomes, with vectors of 4 lanes,
//
//   scf.for %i = 0 to 56 step 4
//     scf.for %j = 0 to 64 step 4
//       4 vectors of %a, from [%j + r, %i]
//       vector.shuffle: in two steps, each interleaves the first half of the
//         vectors with the second
//       4 vectors to %b, at [%i + r, %j]
//
// What a block leaves over at the end of a dimension is a block, too, which
// begins earlier: what it shares with the one before is copied twice.
//
// Fewer channels than a vector has lanes, as those of an image, are
// interleaved: pixels that lie one behind the other in the output are one
// vector.
//
// Upstream's linalg::vectorize makes one vector.transpose of a tile, which the
// stock lowerings take apart into single elements, but for f32 in blocks of 4 x
// 8, 8 x 8 (AVX2) and 16 x 16; and its tail is a masked tile.
//
//===----------------------------------------------------------------------===//

#include "Support/Transpositions.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERTRANSPOSITIONS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// Every target has vectors of so many bits.
static constexpr int64_t kVectorBits = 128;
/// So much of the input is read at once where there is as much: a cache line.
static constexpr int64_t kLineBits = 512;

/// The last two dimensions as one; none where memory lies between.
static SmallVector<ReassociationIndices> collapseLast(MemRefType type) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < type.getRank() - 1; ++dim)
    groups.push_back({dim});
  groups.back().push_back(type.getRank() - 1);
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
    return {};
  return groups;
}

static bool hasUnitStride(Value buffer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(buffer.getType())
                       .getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

namespace {
class Transposer {
public:
  Transposer(ImplicitLocOpBuilder &b, linalg::LinalgOp op)
      : b(b), input(op.getDpsInputs().front()),
        output(op.getDpsInits().front()),
        inputMap(op.getMatchingIndexingMap(op.getDpsInputOperand(0))),
        outputMap(op.getMatchingIndexingMap(op.getDpsInitOperand(0))),
        sizes(op.getStaticLoopRanges()), indices(sizes.size()) {}

  void emit() {
    inputDim = inputMap.getDimPosition(inputMap.getNumResults() - 1);
    outputDim = outputMap.getDimPosition(outputMap.getNumResults() - 1);
    int64_t bits =
        getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth();
    int64_t shorter = std::min(sizes[inputDim], sizes[outputDim]);
    lanes = std::min<int64_t>(kVectorBits / bits,
                              llvm::bit_floor<uint64_t>(shorter));
    along = std::max(
        lanes, std::min<int64_t>(kLineBits / bits,
                                 llvm::bit_floor<uint64_t>(sizes[inputDim])));
    // Threads share the other dimensions: no two write one element.
    SmallVector<unsigned> outer;
    SmallVector<OpFoldResult> ends;
    for (AffineExpr expr : outputMap.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (dim == inputDim || dim == outputDim || sizes[dim] == 1)
        continue;
      outer.push_back(dim);
      ends.push_back(b.getIndexAttr(sizes[dim]));
    }
    Value zero = arith::ConstantIndexOp::create(b, 0);
    indices.assign(sizes.size(), zero);
    OpBuilder::InsertionGuard guard(b);
    if (!outer.empty()) {
      auto loop = scf::ForallOp::create(b, ends, ValueRange(), std::nullopt);
      b.setInsertionPointToStart(loop.getBody());
      for (auto [dim, index] : llvm::zip_equal(outer, loop.getInductionVars()))
        indices[dim] = index;
    }
    enterBlocks(inputDim, along);
    if (canInterleave(bits)) {
      emitInterleaved();
      return;
    }
    enterBlocks(outputDim, lanes);
    emitBlock();
  }

private:
  /// A loop over the blocks of a dimension, the last of which ends with it.
  void enterBlocks(unsigned dim, int64_t block) {
    if (sizes[dim] == block)
      return;
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, value);
    };
    auto loop = scf::ForOp::create(b, constant(0), constant(sizes[dim]),
                                   constant(block));
    b.setInsertionPointToStart(loop.getBody());
    indices[dim] = loop.getInductionVar();
    if (sizes[dim] % block != 0)
      indices[dim] = affine::AffineMinOp::create(
          b,
          AffineMap::get(1, 0,
                         {b.getAffineDimExpr(0),
                          b.getAffineConstantExpr(sizes[dim] - block)},
                         b.getContext()),
          indices[dim]);
  }

  void emitBlock() {
    auto type = VectorType::get(lanes, getElementTypeOrSelf(input.getType()));
    bool inBounds = true;
    for (int64_t part = 0; part < along; part += lanes) {
      SmallVector<Value> rows;
      for (int64_t row = 0; row < lanes; ++row)
        rows.push_back(vector::TransferReadOp::create(
            b, type, input, getPoint(inputMap, part, row),
            /*padding=*/std::nullopt, ArrayRef(inBounds)));
      transpose(rows);
      for (int64_t row = 0; row < lanes; ++row)
        vector::TransferWriteOp::create(b, rows[row], output,
                                        getPoint(outputMap, part + row, 0),
                                        ArrayRef(inBounds));
    }
  }

  bool canInterleave(int64_t bits) {
    unsigned rank = outputMap.getNumResults();
    return sizes[outputDim] < kVectorBits / bits &&
           outputMap.getDimPosition(rank - 2) == inputDim &&
           !collapseLast(cast<MemRefType>(output.getType())).empty();
  }

  /// All of the output's last dimension, of `along` elements of the input's.
  void emitInterleaved() {
    int64_t count = sizes[outputDim];
    auto type = VectorType::get(along, getElementTypeOrSelf(input.getType()));
    bool inBounds = true;
    SmallVector<Value> rows;
    for (int64_t row = 0; row < count; ++row)
      rows.push_back(vector::TransferReadOp::create(
          b, type, input, getPoint(inputMap, 0, row), /*padding=*/std::nullopt,
          ArrayRef(inBounds)));
    Value flat = memref::CollapseShapeOp::create(
        b, output, collapseLast(cast<MemRefType>(output.getType())));
    SmallVector<Value> point = getPoint(outputMap, 0, 0);
    point.pop_back();
    Value begin = point.back();
    for (int64_t part = 0; part < count; ++part) {
      point.back() = affine::AffineApplyOp::create(
          b, AffineMap::get(1, 0, b.getAffineDimExpr(0) * count + part * along),
          begin);
      vector::TransferWriteOp::create(b, interleave(rows, part * along), flat,
                                      point, ArrayRef(inBounds));
    }
  }

  /// The elements from `first` on that `rows` have, one of each in turn.
  Value interleave(ArrayRef<Value> rows, int64_t first) {
    int64_t count = rows.size();
    Value result = rows.front();
    for (int64_t row = 1; row < count; ++row) {
      SmallVector<int64_t> mask;
      for (int64_t lane = 0; lane < along; ++lane) {
        int64_t of = (first + lane) % count, at = (first + lane) / count;
        // Of this row, of those before, of those to come.
        mask.push_back(of == row  ? along + at
                       : of > row ? vector::ShuffleOp::kPoisonIndex
                       : row == 1 ? at
                                  : lane);
      }
      result = vector::ShuffleOp::create(b, result, rows[row], mask);
    }
    return result;
  }

  /// The index that `map` has of the block's element [`i`, `o`].
  SmallVector<Value> getPoint(AffineMap map, int64_t i, int64_t o) {
    SmallVector<Value> point;
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      int64_t offset = dim == inputDim ? i : dim == outputDim ? o : 0;
      Value index = indices[dim];
      if (offset != 0)
        index = affine::AffineApplyOp::create(
            b, AffineMap::get(1, 0, b.getAffineDimExpr(0) + offset), index);
      point.push_back(index);
    }
    return point;
  }

  /// As many rows as they have lanes.
  void transpose(SmallVector<Value> &rows) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes / 2; ++lane) {
      low.append({lane, lanes + lane});
      high.append({lanes / 2 + lane, lanes + lanes / 2 + lane});
    }
    for (int64_t step = 1; step < lanes; step *= 2) {
      SmallVector<Value> next;
      for (int64_t row = 0; row < lanes / 2; ++row)
        for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)})
          next.push_back(vector::ShuffleOp::create(
              b, rows[row], rows[row + lanes / 2], mask));
      rows = next;
    }
  }

  ImplicitLocOpBuilder &b;
  Value input, output;
  AffineMap inputMap, outputMap;
  SmallVector<int64_t> sizes;
  /// Of the block, for each loop.
  SmallVector<Value> indices;
  /// The loops along which elements lie side by side.
  unsigned inputDim, outputDim;
  /// A block has `along` elements of the first and `lanes` of the second.
  int64_t lanes, along;
};

class LowerTranspositions
    : public bquant::impl::LowerTranspositionsBase<LowerTranspositions> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && bquant::isTransposition(op) &&
          llvm::all_of(op->getOperands(), hasUnitStride))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      ImplicitLocOpBuilder builder(op.getLoc(), op);
      Transposer(builder, op).emit();
      op->erase();
    }
  }
};
} // namespace
