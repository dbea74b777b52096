//===- ReferenceProducts.cpp - Products of i8 signs -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slow and plain: what every other lowering is compared with. A padded position
// of a plane is the sign 0, whose products are 0, or +1 where `pad_value` is 1.
// So a dot product is the sum of the products of signs, whatever the padding.
// An offset of the left-hand side is the scalar of one more plane, all of it
// +1. That of a filter is in ReferenceOffsets.cpp.
//
//===----------------------------------------------------------------------===//

#include "ReferenceProducts.h"
#include "Conversion/Common/GroupedTerms.h"
#include "Conversion/Common/Scale.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

Value bquant::createSigns(ImplicitLocOpBuilder &b, RankedTensorType type,
                          ArrayRef<uint32_t> words) {
  int64_t channels = type.getShape().back();
  int64_t row = llvm::divideCeil(channels, kWordBits);
  SmallVector<int8_t> signs;
  signs.reserve(type.getNumElements());
  for (size_t first = 0; first < words.size(); first += row)
    for (int64_t c = 0; c < channels; ++c)
      signs.push_back(words[first + c / kWordBits] >> (c % kWordBits) & 1 ? 1
                                                                          : -1);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int8_t>(signs)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether the target of `op` adds products of floats by an fma. The pass has
/// asked for it, and failed if there is none.
static bool fusesMultiplyAdd(Operation *op) {
  FailureOr<TargetDescription> target = getModuleDescription(op);
  return succeeded(target) && target->fusesMultiplyAdd;
}

namespace {
/// The loops of a product: `sizes` of the result's, then `reductions`.
struct ReferenceLoops {
  SmallVector<OpFoldResult> sizes;
  unsigned reductions;
  AffineMap lhs, rhs;
  /// Products of floats are added by an fma.
  bool fused = false;
  /// So many of them before they are added to a sum.
  int64_t terms = 1;
};
} // namespace

/// How the kernel and the target of `op` add products of floats.
static void setOrder(ReferenceLoops &loops, Operation *op) {
  loops.fused = fusesMultiplyAdd(op);
  auto kernel = op->getAttrOfType<KernelAttrInterface>("kernel");
  if (kernel && kernel.sumsFloats())
    loops.terms = kernel.getInputChannels();
}

/// sum lhs * rhs in i32, of signs.
static Value createDot(ImplicitLocOpBuilder &b, const ReferenceLoops &loops,
                       Value lhs, Value rhs) {
  Inputs inputs;
  inputs.add(lhs, loops.lhs);
  inputs.add(rhs, loops.rhs);
  Type i32 = b.getI32Type();
  return createReduction(
      b, loops.sizes, loops.reductions, i32, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value x = arith::ExtSIOp::create(b, loc, i32, args[0]);
        Value y = arith::ExtSIOp::create(b, loc, i32, args[1]);
        Value product = arith::MulIOp::create(b, loc, x, y);
        return arith::AddIOp::create(b, loc, args[2], product);
      });
}

/// One sum, a tap after the other in the order of the loops, by
/// `sum_i multiples_i * planes_i`.
static Value createFloatDot(ImplicitLocOpBuilder &b,
                            const ReferenceLoops &loops, Value lhs,
                            ArrayRef<Value> planes,
                            ArrayRef<int64_t> multiples) {
  Inputs inputs;
  inputs.add(lhs, loops.lhs);
  for (Value plane : planes)
    inputs.add(plane, loops.rhs);
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  return createReduction(
      b, loops.sizes, loops.reductions, f32, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value m = createI32(b, loc, 0);
        for (auto [i, multiple] : llvm::enumerate(multiples)) {
          Value sign = arith::ExtSIOp::create(b, loc, i32, args[i + 1]);
          Value term =
              arith::MulIOp::create(b, loc, sign, createI32(b, loc, multiple));
          m = arith::AddIOp::create(b, loc, m, term);
        }
        m = arith::SIToFPOp::create(b, loc, f32, m);
        if (loops.fused)
          return math::FmaOp::create(b, loc, args[0], m, args.back());
        Value product = arith::MulFOp::create(b, loc, args[0], m);
        return arith::AddFOp::create(b, loc, args.back(), product);
      });
}

/// The same of a few products at a time, the last dimension of both operands
/// in groups. A missing one is that of 0 by -1, which changes no sum.
static Value createGroupedDot(ImplicitLocOpBuilder &b,
                              const ReferenceLoops &loops, Value lhs,
                              Value plane) {
  int64_t groups = llvm::divideCeil(
      cast<RankedTensorType>(lhs.getType()).getShape().back(), loops.terms);
  lhs = groupTerms(b, lhs, groups, loops.terms, b.getF32FloatAttr(0));
  plane = groupTerms(b, plane, groups, loops.terms, b.getI8IntegerAttr(-1));
  Inputs inputs;
  for (int64_t term = 0; term < loops.terms; ++term) {
    inputs.add(lhs, getMapOfTerm(loops.lhs, term));
    inputs.add(plane, getMapOfTerm(loops.rhs, term));
  }
  Type f32 = b.getF32Type();
  return createReduction(
      b, loops.sizes, loops.reductions, f32, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> pairs(args.drop_back());
        for (size_t i = 1; i < pairs.size(); i += 2)
          pairs[i] = arith::SIToFPOp::create(b, loc, f32, pairs[i]);
        Value sum = sumTerms(b, loc, pairs);
        return arith::AddFOp::create(b, loc, args.back(), sum);
      });
}

/// The planes of a ternary filter as the sum of several terms takes them: a 0
/// is +1 in the first and -1 in the second, whichever way it was written.
static SmallVector<Value> orderTernary(ImplicitLocOpBuilder &b,
                                       ArrayRef<Value> planes) {
  SmallVector<Type> elements(2, b.getI8Type());
  return createElementwise(
      b, elements, planes, [](OpBuilder &b, Location loc, ValueRange args) {
        return SmallVector<Value>{
            arith::MaxSIOp::create(b, loc, args[0], args[1]),
            arith::MinSIOp::create(b, loc, args[0], args[1])};
      });
}

/// For ratio planes on a side, the dots of its planes are one: sum_i m_i dot_i.
static SmallVector<Value> combineRatios(ImplicitLocOpBuilder &b,
                                        ArrayRef<OpFoldResult> sizes,
                                        ArrayRef<Value> dots, SBTensorType lhs,
                                        SBTensorType rhs) {
  if (!lhs.hasRatios() && !rhs.hasRatios())
    return llvm::to_vector(dots);
  SmallVector<Type> elements(lhs.getNumScalars() * rhs.getNumScalars(),
                             b.getI32Type());
  Inputs inputs(dots);
  return createElementwise(
      b, sizes, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(elements.size());
        for (int64_t i = 0; i < lhs.getPlanes(); ++i)
          for (int64_t j = 0; j < rhs.getPlanes(); ++j) {
            int64_t m = lhs.hasRatios() ? lhs.getRatios()[i] : 1;
            int64_t n = rhs.hasRatios() ? rhs.getRatios()[j] : 1;
            Value &sum = sums[(lhs.hasRatios() ? 0 : i) * rhs.getNumScalars() +
                              (rhs.hasRatios() ? 0 : j)];
            Value term = arith::MulIOp::create(b, loc, createI32(b, loc, m * n),
                                               args[i * rhs.getPlanes() + j]);
            sum = sum ? arith::AddIOp::create(b, loc, sum, term).getResult()
                      : term;
          }
        return sums;
      });
}

/// The planes of the left-hand side; behind them, for an offset, one of ones:
/// its dots are the sums of the other side's signs.
static SmallVector<Value> getLhsPlanes(ImplicitLocOpBuilder &b,
                                       const LoweredValue &lhs) {
  SmallVector<Value> planes(lhs.planes);
  if (lhs.offset) {
    Value one = arith::ConstantOp::create(b, b.getI8IntegerAttr(1));
    Value empty = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), planes.front()), b.getI8Type());
    planes.push_back(linalg::FillOp::create(b, one, empty).getResult(0));
  }
  return planes;
}

/// All plane pairs, ratios and scalars. `floats` or `planes` are the left-hand
/// side in the form that `loops` reads. `finish` brings what has these loops
/// into the result's shape.
static Value createProduct(ImplicitLocOpBuilder &b, const ReferenceLoops &loops,
                           RankedTensorType result, Value floats,
                           const LoweredValue *signs, ArrayRef<Value> lhsPlanes,
                           const LoweredValue &rhs, ArrayRef<Value> rhsPlanes,
                           function_ref<Value(Value)> finish) {
  SmallVector<Value> dots;
  if (floats && loops.terms > 1) {
    SmallVector<Value> planes(rhsPlanes);
    if (rhs.type.isTernary())
      planes = orderTernary(b, planes);
    for (Value plane : planes)
      dots.push_back(finish(createGroupedDot(b, loops, floats, plane)));
    if (rhs.type.hasRatios()) {
      Value first = dots.front();
      dots = {combineSums(b, tensor::getMixedSizes(b, b.getLoc(), first), dots,
                          rhs.type.getRatios())};
    }
  } else if (floats) {
    if (rhs.type.hasRatios())
      dots.push_back(finish(
          createFloatDot(b, loops, floats, rhsPlanes, rhs.type.getRatios())));
    else
      for (Value plane : rhsPlanes)
        dots.push_back(finish(createFloatDot(b, loops, floats, plane, {1})));
  } else {
    for (Value x : lhsPlanes)
      for (Value y : rhsPlanes)
        dots.push_back(finish(createDot(b, loops, x, y)));
  }
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), dots.front());
  Scalars rhsScalars = getRhsScalars(rhs, sizes.size());
  if (!signs)
    return createScale(b, sizes, dots, nullptr, rhsScalars);

  SmallVector<BroadcastTensor> sums;
  if (signs->offset) {
    auto ones = SBTensorType::get(b.getContext(), signs->type.getShape(), 1, {},
                                  {}, /*hasOffset=*/false);
    ArrayRef<Value> last = ArrayRef(dots).take_back(rhsPlanes.size());
    for (Value sum : combineRatios(b, sizes, last, ones, rhs.type))
      sums.push_back({sum, llvm::to_vector(llvm::seq<int64_t>(sizes.size()))});
    dots.truncate(dots.size() - rhsPlanes.size());
  }
  dots = combineRatios(b, sizes, dots, signs->type, rhs.type);
  if (result.getElementType().isInteger(32))
    return dots.front();
  Scalars lhsScalars = getLhsScalars(*signs);
  if (sums.empty())
    return createScale(b, sizes, dots, &lhsScalars, rhsScalars);
  BroadcastTensor start =
      createOffsetTerm(b, sizes, sums, getLhsOffset(b, *signs), rhsScalars);
  return createScale(b, sizes, dots, &lhsScalars, rhsScalars, &start);
}

/// Dimension `d` split into `groups` and the rest.
static Value splitGroups(ImplicitLocOpBuilder &b, Value value, unsigned d,
                         int64_t groups) {
  int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(d);
  return splitDimension(b, value, d, {groups, size / groups});
}

static Value createConv2DOfPlanes(ImplicitLocOpBuilder &b, Conv2DOp op,
                                  Value floats, const LoweredValue *signs,
                                  const LoweredValue &filter) {
  RankedTensorType result = op.getType();
  int64_t groups = op.getGroups();
  ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations();

  auto prepare = [&](Value plane) {
    Type element = getElementTypeOrSelf(plane);
    TypedAttr pad = element.isF32()
                        ? TypedAttr(b.getF32FloatAttr(0))
                        : TypedAttr(b.getI8IntegerAttr(op.getPadValue()));
    return splitGroups(b, createPad(b, plane, op.getPads(), pad), 3, groups);
  };
  SmallVector<Value> lhs, rhs;
  if (floats)
    floats = prepare(floats);
  else
    lhs = llvm::map_to_vector(getLhsPlanes(b, *signs), prepare);
  for (Value plane : filter.planes)
    rhs.push_back(splitGroups(b, plane, 0, groups));

  // n, oh, ow, group, o; kh, kw, c.
  SmallVector<AffineExpr> d(8);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  ReferenceLoops loops;
  setOrder(loops, op);
  loops.reductions = 3;
  loops.lhs =
      AffineMap::get(8, 0,
                     {d[0], d[1] * strides[0] + d[5] * dilations[0],
                      d[2] * strides[1] + d[6] * dilations[1], d[3], d[7]},
                     b.getContext());
  loops.rhs =
      AffineMap::get(8, 0, {d[3], d[4], d[5], d[6], d[7]}, b.getContext());
  loops.sizes = {
      tensor::getMixedSize(b, b.getLoc(), floats ? floats : lhs.front(), 0),
      b.getIndexAttr(result.getDimSize(1)),
      b.getIndexAttr(result.getDimSize(2)), b.getIndexAttr(groups),
      b.getIndexAttr(result.getDimSize(3) / groups)};
  return createProduct(
      b, loops, result, floats, signs, lhs, filter, rhs, [&](Value grouped) {
        RankedTensorType type =
            result.clone(getElementTypeOrSelf(grouped.getType()));
        return tensor::CollapseShapeOp::create(
                   b, type, grouped,
                   ArrayRef<ReassociationIndices>{{0}, {1}, {2}, {3, 4}})
            .getResult();
      });
}

static Value createMatmulOfPlanes(ImplicitLocOpBuilder &b, MatmulOp op,
                                  Value floats, const LoweredValue *signs,
                                  const LoweredValue &rhs) {
  RankedTensorType result = op.getType();
  // (batch,) m, n; k.
  int64_t rank = result.getRank();
  SmallVector<int64_t> lhsLoops{rank - 2, rank}, rhsLoops{rank - 1, rank};
  if (rank == 3) {
    lhsLoops.insert(lhsLoops.begin(), 0);
    rhsLoops.insert(rhsLoops.begin(), 0);
  }
  ReferenceLoops loops;
  setOrder(loops, op);
  loops.reductions = 1;
  loops.lhs = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  loops.rhs = getLoopMap(b.getContext(), rank + 1, rhsLoops);
  loops.sizes = tensor::getMixedSizes(b, b.getLoc(),
                                      floats ? floats : signs->planes.front());
  loops.sizes.back() =
      tensor::getMixedSize(b, b.getLoc(), rhs.planes.front(), rank - 2);
  SmallVector<Value> planes;
  if (signs)
    planes = getLhsPlanes(b, *signs);
  return createProduct(b, loops, result, floats, signs, planes, rhs, rhs.planes,
                       [](Value dot) { return dot; });
}

Value bquant::createConv2D(ImplicitLocOpBuilder &b, Conv2DOp op, Value floats,
                           const LoweredValue *signs,
                           const LoweredValue &filter) {
  return addFilterOffset(b, filter, [&](const LoweredValue &planes) {
    return createConv2DOfPlanes(b, op, floats, signs, planes);
  });
}

Value bquant::createMatmul(ImplicitLocOpBuilder &b, MatmulOp op, Value floats,
                           const LoweredValue *signs, const LoweredValue &rhs) {
  return addFilterOffset(b, rhs, [&](const LoweredValue &planes) {
    return createMatmulOfPlanes(b, op, floats, signs, planes);
  });
}
