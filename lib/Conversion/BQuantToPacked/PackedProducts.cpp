//===- PackedProducts.cpp - Dot products of packed words ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedProducts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

/// The planes of a ternary value of `type`, whose mask is the exnor of both and
/// whose sign is their and.
static SmallVector<Value> createPlanes(ImplicitLocOpBuilder &b,
                                       SBTensorType type, Value mask,
                                       Value sign) {
  std::optional<SmallVector<uint32_t>> masks = getConstantBits(mask),
                                       signs = getConstantBits(sign);
  RankedTensorType plane = type.getPlaneType();
  int64_t row = plane.getShape().back(), rank = plane.getRank(),
          used = type.getShape().back() % kWordBits;
  if (!masks || !signs) {
    // Those of a row that are bits of the value.
    SmallVector<uint32_t> valid(row, ~uint32_t(0));
    if (used)
      valid.back() = (uint32_t(1) << used) - 1;
    Inputs inputs({mask, sign});
    inputs.add(
        createConstant(b, RankedTensorType::get(row, b.getI32Type()), valid),
        getLoopMap(b.getContext(), rank, {rank - 1}));
    return createElementwise(
        b, tensor::getMixedSizes(b, b.getLoc(), mask),
        {mask.getType(), sign.getType()}, inputs,
        [](OpBuilder &b, Location loc, ValueRange args) -> SmallVector<Value> {
          Value none = arith::XOrIOp::create(b, loc, args[0], args[2]);
          return {arith::OrIOp::create(b, loc, args[1], none),
                  arith::AndIOp::create(b, loc, args[1], args[0])};
        });
  }
  SmallVector<uint32_t> first, second;
  for (auto [i, bits] : llvm::enumerate(llvm::zip_equal(*masks, *signs))) {
    auto [m, s] = bits;
    bool cut = used && int64_t(i) % row == row - 1;
    uint32_t valid = cut ? (uint32_t(1) << used) - 1 : ~uint32_t(0);
    first.push_back((s | ~m) & valid);
    second.push_back(s & m);
  }
  return {createFilter(b, plane, first), createFilter(b, plane, second)};
}

SmallVector<PlaneOperand> bquant::getPlaneOperands(ImplicitLocOpBuilder &b,
                                                   const LoweredValue &lowered,
                                                   bool masked) {
  SBTensorType type = lowered.type;
  SmallVector<Value> planes = lowered.planes;
  if (isMasked(type) && masked)
    return {PlaneOperand{planes[1], planes[0], /*factor=*/2, 0}};
  if (isMasked(type))
    planes = createPlanes(b, type, planes[0], planes[1]);
  SmallVector<PlaneOperand> operands;
  for (auto [i, plane] : llvm::enumerate(planes))
    operands.push_back({plane, Value(),
                        type.hasRatios() ? type.getRatios()[i] : 1,
                        type.hasRatios() ? 0 : int64_t(i)});
  return operands;
}

PackedOperands bquant::getOperands(ImplicitLocOpBuilder &b,
                                   KernelAttrInterface kernel,
                                   const LoweredValue &lhs,
                                   const LoweredValue &rhs) {
  PackedOperands operands;
  operands.lhsScalars = lhs.type.getNumScalars();
  operands.rhsScalars = rhs.type.getNumScalars();
  if (!isa<CodesLayoutAttr>(kernel.getLayout())) {
    operands.lhs = getPlaneOperands(b, lhs);
    operands.rhs = getPlaneOperands(b, rhs, kernel.takesMaskedFilters());
    return operands;
  }
  operands.lhs = {{lhs.planes.front(), Value(), /*factor=*/1, /*scalar=*/0}};
  operands.rhs = {createFilterCodes(b, rhs)};
  operands.lhsLevels = getLevels(lhs.type);
  operands.rhsMeaning = getFilterMeaning(rhs.type);
  return operands;
}

/// Sums along `reductions`, the last loops of `map`, by which they read
/// `input`: of integers, or of what `count` makes of them.
static Value
createSums(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
           ArrayRef<int64_t> reductions, AffineMap map, Value input,
           function_ref<Value(OpBuilder &, Location, Value)> count) {
  int64_t kept = sizes.size(), rank = kept + int64_t(reductions.size());
  Inputs inputs;
  inputs.add(input, map);
  // The reductions' sizes come from an unused input.
  inputs.add(tensor::EmptyOp::create(b, reductions, b.getI32Type()),
             getLoopMap(b.getContext(), rank,
                        llvm::to_vector(llvm::seq<int64_t>(kept, rank))));
  return createReduction(b, sizes, reductions.size(), b.getI32Type(), inputs,
                         [&](OpBuilder &b, Location loc, ValueRange args) {
                           return arith::AddIOp::create(
                               b, loc, args.back(),
                               count(b, loc, args.front()));
                         });
}

/// The dimension of the input, and the loop, that go over the rows of the
/// windows, where nothing else depends on either and windows share rows: `map`
/// has loops of `sizes`, then one over a window's rows and one along a row.
static std::optional<std::pair<unsigned, unsigned>>
getSharedRows(AffineMap map, ArrayRef<OpFoldResult> sizes,
              ArrayRef<int64_t> reductions, RankedTensorType input) {
  if (reductions.size() != 2)
    return std::nullopt;
  unsigned kept = sizes.size();
  auto reads = [&](unsigned result, unsigned loop) {
    return map.getResult(result).isFunctionOfDim(loop);
  };
  for (unsigned loop = 0; loop < kept; ++loop)
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      std::optional<int64_t> windows = getConstantIntValue(sizes[loop]);
      bool alone = windows && !input.isDynamicDim(dim) && reads(dim, loop) &&
                   reads(dim, kept) &&
                   input.getDimSize(dim) < *windows * reductions[0];
      for (unsigned d = 0; d < map.getNumResults(); ++d)
        alone = alone && (d == dim || (!reads(d, loop) && !reads(d, kept)));
      for (unsigned l = 0; l < map.getNumDims(); ++l)
        alone = alone && (l == loop || l == kept || !reads(dim, l));
      if (alone)
        return std::pair(dim, loop);
    }
  return std::nullopt;
}

Value bquant::createWindowSums(ImplicitLocOpBuilder &b,
                               const ProductLoops &loops, Value packed) {
  // The same loops without those of the rhs.
  SmallVector<OpFoldResult> sizes;
  for (int64_t loop : loops.lhsLoops)
    sizes.push_back(loops.sizes[loop]);
  if (loops.block)
    sizes.push_back(b.getIndexAttr(
        *getConstantIntValue(loops.sizes[loops.rhsLoops.back()]) /
        loops.block));
  int64_t kept = sizes.size(), reductions = loops.reductions.size();
  SmallVector<AffineExpr> dims(loops.sizes.size() + reductions);
  for (auto [i, loop] : llvm::enumerate(loops.lhsLoops))
    dims[loop] = b.getAffineDimExpr(i);
  for (int64_t i = 0; i < reductions; ++i)
    dims[loops.sizes.size() + i] = b.getAffineDimExpr(kept + i);
  // Loops of the rhs do not occur in the map, but for the groups.
  for (AffineExpr &dim : dims)
    if (!dim)
      dim = loops.block ? b.getAffineDimExpr(kept - 1) * loops.block
                        : b.getAffineConstantExpr(0);
  AffineMap map =
      loops.lhs.replaceDimsAndSymbols(dims, {}, kept + reductions, 0);
  // A bit that is a byte counts as it is.
  bool areBits = loops.kernel.getInputChannels() == 1;
  auto count = [areBits](OpBuilder &b, Location loc, Value element) -> Value {
    if (!areBits)
      element = math::CtPopOp::create(b, loc, element);
    if (element.getType().isInteger(8))
      element = arith::ExtUIOp::create(b, loc, b.getI32Type(), element);
    return element;
  };
  auto type = cast<RankedTensorType>(packed.getType());
  auto rows = getSharedRows(map, sizes, loops.reductions, type);
  if (!rows)
    return createSums(b, sizes, loops.reductions, map, packed, count);
  // Along each row once, and then the rows of each window.
  auto [dim, loop] = *rows;
  SmallVector<AffineExpr> ofRow(map.getResults()), ofWindow;
  ofRow[dim] = b.getAffineDimExpr(loop);
  for (int64_t d = 0; d < kept; ++d)
    ofWindow.push_back(d == loop ? map.getResult(dim) : b.getAffineDimExpr(d));
  SmallVector<OpFoldResult> all = sizes;
  all[loop] = b.getIndexAttr(type.getDimSize(dim));
  AffineMap rowMap = AffineMap::get(kept + 2, 0, ofRow, b.getContext())
                         .replace(b.getAffineDimExpr(kept + 1),
                                  b.getAffineDimExpr(kept), kept + 1, 0);
  Value sums = createSums(b, all, loops.reductions[1], rowMap, packed, count);
  return createSums(b, sizes, loops.reductions[0],
                    AffineMap::get(kept + 1, 0, ofWindow, b.getContext()), sums,
                    [](OpBuilder &, Location, Value sum) { return sum; });
}

AffineMap bquant::getWindowMap(ImplicitLocOpBuilder &b,
                               const ProductLoops &loops) {
  int64_t rank = loops.sizes.size();
  AffineMap map = getLoopMap(b.getContext(), rank, loops.lhsLoops);
  if (!loops.block)
    return map;
  AffineExpr filter = b.getAffineDimExpr(loops.rhsLoops.back());
  return map.insertResult(filter.floorDiv(loops.block), map.getNumResults());
}

/// What sums of a kernel start from, whose constant words are `window`.
static Value createKernelStart(ImplicitLocOpBuilder &b,
                               const ProductLoops &loops,
                               const ProductForm &form, Value window) {
  auto type = cast<RankedTensorType>(window.getType());
  SmallVector<uint32_t> words = *getConstantBits(window), starts;
  auto result = RankedTensorType::get(
      type.getShape().take_front(loops.rhsLoops.size()), b.getI32Type());
  size_t each = words.size() / result.getNumElements();
  for (ArrayRef<uint32_t> left = words; !left.empty();
       left = left.drop_front(each))
    starts.push_back(*loops.kernel.getStart(form, left.take_front(each)));
  return createConstant(b, result, starts);
}

/// What the sums of all pairs with filter `j` start from; null: 0.
static Value createStart(ImplicitLocOpBuilder &b, const ProductLoops &loops,
                         const ProductForm &form,
                         const PackedOperands &operands, size_t j) {
  Value start = operands.start;
  if (loops.kernel.getStart(form, {})) {
    Value own = createKernelStart(b, loops, form, operands.rhsWindows[j]);
    start = start ? createLinear(b, 0, {{1, own}, {1, start}}) : own;
  }
  if (!start || matchPattern(start, m_Zero()))
    return {};
  Inputs inputs;
  inputs.add(start,
             getLoopMap(b.getContext(), loops.sizes.size(), loops.rhsLoops));
  return createElementwise(
      b, loops.sizes, b.getI32Type(), inputs,
      [](OpBuilder &, Location, ValueRange args) { return args.front(); });
}

/// The product of all pairs of planes by the kernel.
static ProductOp createProduct(ImplicitLocOpBuilder &b,
                               const ProductLoops &loops,
                               const PackedOperands &operands) {
  ProductForm form;
  form.maskedInput = operands.lhs.front().mask != nullptr;
  form.maskedFilter = operands.rhs.front().mask != nullptr;
  form.countsMasks =
      form.maskedInput &&
      loops.kernel.getResult(form) == packed::ProductResult::Counts &&
      (form.maskedFilter || loops.kernel.isDepthwise());
  SmallVector<Value> inputs, filters;
  SmallVector<AffineMap> maps;
  for (const PlaneOperand &plane : operands.lhs) {
    inputs.push_back(plane.sign);
    if (form.maskedInput)
      inputs.push_back(plane.mask);
  }
  maps.append(inputs.size(), loops.lhs);
  for (const PlaneOperand &plane : operands.rhs) {
    filters.push_back(plane.sign);
    maps.push_back(loops.rhs);
    if (!form.maskedFilter)
      continue;
    filters.push_back(plane.mask);
    maps.push_back(loops.rhsMask);
  }
  int64_t pairs = operands.lhs.size() * operands.rhs.size();
  SmallVector<Value> inits;
  Value zero = createI32(b, b.getLoc(), 0);
  for (int64_t i = 0; i < pairs * form.getNumResults(); ++i) {
    if (Value start = i < pairs ? createStart(b, loops, form, operands,
                                              i % operands.rhs.size())
                                : Value()) {
      inits.push_back(start);
      continue;
    }
    Value empty = tensor::EmptyOp::create(b, loops.sizes, b.getI32Type());
    inits.push_back(linalg::FillOp::create(b, zero, empty).getResult(0));
  }
  return ProductOp::create(b, loops.kernel, inputs, filters, inits, maps,
                           form.maskedInput, form.maskedFilter);
}

Value bquant::createProductOfCodes(ImplicitLocOpBuilder &b,
                                   const ProductLoops &loops,
                                   const PackedOperands &operands) {
  return createProduct(b, loops, operands).getResult(0);
}

SmallVector<Value> bquant::createDots(ImplicitLocOpBuilder &b,
                                      const ProductLoops &loops,
                                      const PackedOperands &operands) {
  int64_t rank = loops.sizes.size();
  AffineMap all = b.getMultiDimIdentityMap(rank);
  if (isa<CodesLayoutAttr>(loops.kernel.getLayout()) &&
      areCodesOne(loops, operands))
    return createDotsOfCodes(b, loops, operands, /*product=*/Value());
  ProductOp product = createProduct(b, loops, operands);
  if (isa<CodesLayoutAttr>(loops.kernel.getLayout()))
    return createDotsOfCodes(b, loops, operands, product.getResult(0));
  ProductForm form = product.getForm();
  bool areDots = loops.kernel.getResult(form) == packed::ProductResult::Dots;
  SmallVector<Value> counts(product.getResults());
  size_t pairs = operands.lhs.size() * operands.rhs.size();

  // dot = base - 2 count, base a number, or along one side, or all loops.
  struct Pair {
    Inputs::Handle count;
    std::optional<Inputs::Handle> base;
    int64_t factor, scalar;
  };
  Inputs inputs;
  SmallVector<Pair> dots;
  for (size_t i = 0; i < pairs; ++i)
    dots.emplace_back().count = inputs.add(counts[i], all);
  SmallVector<std::optional<Inputs::Handle>> maskCounts(operands.lhs.size());
  size_t n = 0, both = pairs;
  for (auto [i, x] : llvm::enumerate(operands.lhs))
    for (auto [j, y] : llvm::enumerate(operands.rhs)) {
      Pair &pair = dots[n++];
      pair.factor = x.factor * y.factor;
      pair.scalar = x.scalar * operands.rhsScalars + y.scalar;
      AffineMap alongRhs = getLoopMap(b.getContext(), rank, loops.rhsLoops);
      Value added = operands.added.empty() ? Value() : operands.added[j];
      if (areDots)
        continue;
      if (form.countsMasks) {
        pair.base = inputs.add(counts[both++], all);
      } else if (x.mask) {
        if (!maskCounts[i])
          maskCounts[i] = inputs.add(createWindowSums(b, loops, x.mask),
                                     getWindowMap(b, loops));
        pair.base = maskCounts[i];
      } else if (operands.rhsMaskCounts[j]) {
        Value base = operands.rhsMaskCounts[j];
        if (added)
          base = createLinear(b, 0, {{1, base}, {1, added}});
        pair.base = inputs.add(base, alongRhs);
      } else if (added) {
        pair.base =
            inputs.add(createLinear(b, loops.bits, {{1, added}}), alongRhs);
      }
    }

  SmallVector<Type> elements(operands.lhsScalars * operands.rhsScalars,
                             b.getI32Type());
  return createElementwise(
      b, loops.sizes, elements, inputs,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> sums(elements.size());
        for (const Pair &pair : dots) {
          Value dot = pair.count.get(b, loc, args);
          if (!areDots) {
            Value base = pair.base ? pair.base->get(b, loc, args)
                                   : createI32(b, loc, loops.bits);
            Value twice =
                arith::ShLIOp::create(b, loc, dot, createI32(b, loc, 1));
            dot = arith::SubIOp::create(b, loc, base, twice);
          }
          if (pair.factor != 1)
            dot = arith::MulIOp::create(b, loc, dot,
                                        createI32(b, loc, pair.factor));
          Value &sum = sums[pair.scalar];
          sum = sum ? arith::AddIOp::create(b, loc, sum, dot).getResult() : dot;
        }
        return sums;
      });
}

Value bquant::createResult(ImplicitLocOpBuilder &b, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes, ArrayRef<Value> dots,
                           const LoweredValue &lhs, const LoweredValue &rhs,
                           const BroadcastTensor *start) {
  if (type.getElementType().isInteger(32))
    return dots.front();
  Scalars lhsScalars = getLhsScalars(lhs);
  return createScale(b, sizes, dots, &lhsScalars,
                     getRhsScalars(rhs, type.getRank()), start);
}
