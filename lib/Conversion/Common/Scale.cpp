//===- Scale.cpp - From dot products to a product -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every product and sum is rounded, in the order that the descriptions of the
// ops say; nothing is contracted.
//
//===----------------------------------------------------------------------===//

#include "Scale.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Scalars bquant::getLhsScalars(const LoweredValue &lhs) {
  // No axis is the reduction, so each is the result's loop of its number.
  return {lhs.type.getNumScalars(), lhs.scalars,
          llvm::to_vector(lhs.type.getAxes())};
}

Scalars bquant::getRhsScalars(const LoweredValue &rhs, int64_t rank) {
  Scalars scalars{rhs.type.getNumScalars(), rhs.scalars, {}};
  // Filters and rows are the result's last loop; axis 0 of a batched matmul is
  // the batch.
  int64_t columns = rhs.type.getRank() == 4 ? 0 : rhs.type.getRank() - 2;
  for (int64_t axis : rhs.type.getAxes())
    scalars.loops.push_back(axis == columns ? rank - 1 : axis);
  return scalars;
}

Scalars bquant::getLhsOffset(ImplicitLocOpBuilder &b, const LoweredValue &lhs) {
  // One row of scalars.
  auto type = cast<RankedTensorType>(lhs.offset.getType());
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, type.getShape());
  Scalars offset{1, Value(), llvm::to_vector(lhs.type.getAxes())};
  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(lhs.offset)) {
    offset.values = createConstant(b, type.clone(shape), *bits);
    return offset;
  }
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t d = 0; d < type.getRank(); ++d)
    reassociation.push_back(d == 0 ? ReassociationIndices{0, 1}
                                   : ReassociationIndices{d + 1});
  offset.values = tensor::ExpandShapeOp::create(b, type.clone(shape),
                                                lhs.offset, reassociation);
  return offset;
}

/// v_i w_j where both are constants and v_i is one number; else a null value.
static Value foldFactor(ImplicitLocOpBuilder &b, const Scalars &lhs, int64_t i,
                        const Scalars &rhs, int64_t j) {
  if (!lhs.loops.empty())
    return {};
  std::optional<SmallVector<uint32_t>> v = getConstantBits(lhs.values);
  std::optional<SmallVector<uint32_t>> w = getConstantBits(rhs.values);
  if (!v || !w)
    return {};
  auto type = cast<RankedTensorType>(rhs.values.getType());
  int64_t size = w->size() / rhs.count;
  SmallVector<uint32_t> out;
  for (uint32_t bits : ArrayRef(*w).slice(j * size, size))
    out.push_back(llvm::bit_cast<uint32_t>(llvm::bit_cast<float>((*v)[i]) *
                                           llvm::bit_cast<float>(bits)));
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = 1;
  return createConstant(b, type.clone(shape), out);
}

namespace {
/// v_i w_j in a body: one number, or two whose product is rounded.
class Factor {
public:
  /// Without `lhs`: w_j alone. Adds to `inputs` what it reads.
  Factor(ImplicitLocOpBuilder &b, Inputs &inputs, int64_t rank,
         const Scalars *lhs, int64_t i, const Scalars &rhs, int64_t j) {
    auto add = [&](const Scalars &side, int64_t row) {
      handles.push_back(inputs.addRow(b, side.values, row, side.loops, rank));
    };
    Value folded = lhs ? foldFactor(b, *lhs, i, rhs, j) : Value();
    if (folded) {
      add({1, folded, rhs.loops}, 0);
      return;
    }
    if (lhs)
      add(*lhs, i);
    add(rhs, j);
  }

  Value get(OpBuilder &b, Location loc, ValueRange args) const {
    Value factor = handles.front().get(b, loc, args);
    if (handles.size() > 1)
      factor = arith::MulFOp::create(b, loc, factor,
                                     handles.back().get(b, loc, args));
    return factor;
  }

private:
  SmallVector<Inputs::Handle> handles;
};
} // namespace

/// `sum + factor * dot`, or the first term.
static Value emitTerm(OpBuilder &b, Location loc, Value sum, Value factor,
                      Value dot) {
  if (!dot.getType().isF32())
    dot = arith::SIToFPOp::create(b, loc, b.getF32Type(), dot);
  Value term = arith::MulFOp::create(b, loc, factor, dot);
  return sum ? arith::AddFOp::create(b, loc, sum, term).getResult() : term;
}

Value bquant::createScale(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                          ArrayRef<Value> dots, const Scalars *lhs,
                          const Scalars &rhs, const BroadcastTensor *start) {
  int64_t rank = sizes.size();
  Inputs inputs(dots);
  SmallVector<Factor> factors;
  for (int64_t i = 0; i < (lhs ? lhs->count : 1); ++i)
    for (int64_t j = 0; j < rhs.count; ++j)
      factors.emplace_back(b, inputs, rank, lhs, i, rhs, j);
  Inputs::Handle first;
  if (start)
    first = inputs.add(start->value,
                       getLoopMap(b.getContext(), rank, start->loops));
  return createElementwise(
      b, sizes, b.getF32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value sum = start ? first.get(b, loc, args) : Value();
        for (auto [n, factor] : llvm::enumerate(factors))
          sum = emitTerm(b, loc, sum, factor.get(b, loc, args), args[n]);
        return sum;
      });
}

/// The term as a constant, where it is one; `columns` its elements.
static Value foldOffsetTerm(ImplicitLocOpBuilder &b,
                            ArrayRef<BroadcastTensor> sums,
                            const Scalars &offset, const Scalars &rhs) {
  auto type = cast<RankedTensorType>(sums.front().value.getType());
  SmallVector<float> total;
  for (auto [j, sum] : llvm::enumerate(sums)) {
    Value factor = foldFactor(b, offset, 0, rhs, j);
    std::optional<SmallVector<uint32_t>> counts = getConstantBits(sum.value);
    // One factor, or one for each sum.
    if (!factor || !counts || !(rhs.loops.empty() || rhs.loops == sum.loops))
      return {};
    SmallVector<uint32_t> factors = *getConstantBits(factor);
    for (auto [n, count] : llvm::enumerate(*counts)) {
      float f = llvm::bit_cast<float>(factors[factors.size() == 1 ? 0 : n]);
      float term = f * float(int32_t(count));
      if (j == 0)
        total.push_back(term);
      else
        total[n] += term;
    }
  }
  SmallVector<uint32_t> bits;
  for (float value : total)
    bits.push_back(llvm::bit_cast<uint32_t>(value));
  return createConstant(b, type.clone(b.getF32Type()), bits);
}

BroadcastTensor bquant::createOffsetTerm(ImplicitLocOpBuilder &b,
                                         ArrayRef<OpFoldResult> sizes,
                                         ArrayRef<BroadcastTensor> sums,
                                         const Scalars &offset,
                                         const Scalars &rhs) {
  if (Value constant = foldOffsetTerm(b, sums, offset, rhs))
    return {constant, sums.front().loops};
  // The loops of the offset and of the sums alone.
  BroadcastTensor result{Value(), sums.front().loops};
  for (int64_t loop : offset.loops)
    if (!llvm::is_contained(result.loops, loop))
      result.loops.push_back(loop);
  llvm::sort(result.loops);
  auto toOwn = [&](ArrayRef<int64_t> loops) {
    return llvm::map_to_vector(loops, [&](int64_t loop) -> int64_t {
      return llvm::find(result.loops, loop) - result.loops.begin();
    });
  };
  SmallVector<OpFoldResult> own;
  for (int64_t loop : result.loops)
    own.push_back(sizes[loop]);
  int64_t rank = own.size();
  Scalars c{offset.count, offset.values, toOwn(offset.loops)};
  Scalars w{rhs.count, rhs.values, toOwn(rhs.loops)};
  Inputs inputs;
  SmallVector<Factor> factors;
  for (const BroadcastTensor &sum : sums)
    inputs.add(sum.value, getLoopMap(b.getContext(), rank, toOwn(sum.loops)));
  for (int64_t j = 0; j < rhs.count; ++j)
    factors.emplace_back(b, inputs, rank, &c, 0, w, j);
  result.value = createElementwise(
      b, own, b.getF32Type(), inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value sum;
        for (auto [j, factor] : llvm::enumerate(factors))
          sum = emitTerm(b, loc, sum, factor.get(b, loc, args), args[j]);
        return sum;
      });
  return result;
}
