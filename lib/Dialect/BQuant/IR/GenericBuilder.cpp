//===- GenericBuilder.cpp - Constants, slices and linalg ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenericBuilder.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Constants of 4-byte elements, and slices
//===----------------------------------------------------------------------===//

Value bquant::createConstant(ImplicitLocOpBuilder &b, RankedTensorType type,
                             ArrayRef<uint32_t> bits) {
  ArrayRef<char> raw(reinterpret_cast<const char *>(bits.data()),
                     bits.size() * sizeof(uint32_t));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::getFromRawBuffer(type, raw));
}

Value bquant::createFilter(ImplicitLocOpBuilder &b, RankedTensorType type,
                           ArrayRef<uint32_t> words) {
  if (words.size() == 1 || !llvm::all_equal(words))
    return createConstant(b, type, words);
  auto blob = HeapAsmResourceBlob::allocateAndCopyInferAlign(words);
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "filter", std::move(blob)));
}

Value bquant::createFloats(ImplicitLocOpBuilder &b, ElementsAttr values) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(values.getShapedType(),
                                ArrayRef<float>(getFloatValues(values))));
}

Value bquant::createSlice(ImplicitLocOpBuilder &b, Value source,
                          ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                          ArrayRef<int64_t> strides, unsigned dropped) {
  auto type = cast<RankedTensorType>(source.getType());
  auto isOne = [](int64_t stride) { return stride == 1; };
  if (type.getShape() == sizes && llvm::all_of(strides, isOne) && !dropped)
    return source;
  SmallVector<int64_t> steps(strides);
  steps.resize(sizes.size(), 1);
  RankedTensorType result = type.clone(sizes.drop_front(dropped));

  if (std::optional<SmallVector<uint32_t>> bits = getConstantBits(source)) {
    SmallVector<uint32_t> out;
    out.reserve(result.getNumElements());
    SmallVector<int64_t> at(sizes.size(), 0);
    for (int64_t n = 0; n < result.getNumElements(); ++n) {
      int64_t from = 0;
      for (size_t d = 0; d < at.size(); ++d)
        from = from * type.getDimSize(d) + offsets[d] + at[d] * steps[d];
      out.push_back((*bits)[from]);
      for (size_t d = at.size(); d-- > 0 && ++at[d] == sizes[d];)
        at[d] = 0;
    }
    return createConstant(b, result, out);
  }

  SmallVector<OpFoldResult> o, s, t;
  for (size_t d = 0; d < sizes.size(); ++d) {
    o.push_back(b.getIndexAttr(offsets[d]));
    s.push_back(ShapedType::isDynamic(sizes[d])
                    ? tensor::getMixedSize(b, b.getLoc(), source, d)
                    : OpFoldResult(b.getIndexAttr(sizes[d])));
    t.push_back(b.getIndexAttr(steps[d]));
  }
  return tensor::ExtractSliceOp::create(b, result, source, o, s, t);
}

Value bquant::createPad(ImplicitLocOpBuilder &b, Value plane,
                        ArrayRef<int64_t> pads, TypedAttr value) {
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return plane;
  auto type = cast<RankedTensorType>(plane.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(4, b.getIndexAttr(0)), high(low);
  for (int d = 0; d < 2; ++d) {
    low[d + 1] = b.getIndexAttr(pads[2 * d]);
    high[d + 1] = b.getIndexAttr(pads[2 * d + 1]);
    shape[d + 1] += pads[2 * d] + pads[2 * d + 1];
  }
  Value constant = arith::ConstantOp::create(b, value);
  return tensor::PadOp::create(b, type.clone(shape), plane, low, high,
                               constant);
}

Value bquant::padTo(ImplicitLocOpBuilder &b, Value value, unsigned d,
                    int64_t size, TypedAttr padding) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getDimSize(d) == size)
    return value;
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0)), high(low);
  high[d] = b.getIndexAttr(size - shape[d]);
  shape[d] = size;
  Value constant = arith::ConstantOp::create(b, padding);
  return tensor::PadOp::create(b, type.clone(shape), value, low, high,
                               constant);
}

Value bquant::reshapeResource(ImplicitLocOpBuilder &b, Value tensor,
                              RankedTensorType type) {
  DenseResourceElementsAttr resource;
  if (!matchPattern(tensor, m_Constant(&resource)))
    return {};
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, resource.getRawHandle()));
}

Value bquant::splitDimension(ImplicitLocOpBuilder &b, Value value, unsigned d,
                             ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t known = 1;
  for (int64_t size : sizes)
    known *= ShapedType::isDynamic(size) ? 1 : size;
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> mixed;
  SmallVector<ReassociationIndices> split(type.getRank());
  for (unsigned from = 0; from < type.getRank(); ++from)
    for (int64_t size : from == d ? sizes : type.getShape().slice(from, 1)) {
      split[from].push_back(shape.size());
      shape.push_back(size);
      OpFoldResult mixedSize = b.getIndexAttr(size);
      if (ShapedType::isDynamic(size)) {
        mixedSize = tensor::getMixedSize(b, b.getLoc(), value, from);
        if (from == d)
          mixedSize = affine::makeComposedFoldedAffineApply(
              b, b.getLoc(), b.getAffineSymbolExpr(0).floorDiv(known),
              {mixedSize});
      }
      mixed.push_back(mixedSize);
    }
  if (Value constant = reshapeResource(b, value, type.clone(shape)))
    return constant;
  return tensor::ExpandShapeOp::create(b, type.clone(shape), value, split,
                                       mixed);
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

Value Inputs::Handle::get(OpBuilder &b, Location loc, ValueRange args) const {
  if (constant)
    return arith::ConstantOp::create(b, loc, constant);
  return args[index];
}

Inputs::Inputs(ValueRange values) {
  for (Value value : values)
    add(value, AffineMap::getMultiDimIdentityMap(
                   cast<RankedTensorType>(value.getType()).getRank(),
                   value.getContext()));
}

Inputs::Handle Inputs::add(Value value, AffineMap map) {
  Handle handle;
  handle.index = values.size();
  values.push_back(value);
  maps.push_back(map);
  return handle;
}

Inputs::Handle Inputs::addRow(ImplicitLocOpBuilder &b, Value tensor,
                              int64_t row, ArrayRef<int64_t> loops,
                              int64_t rank) {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<SmallVector<uint32_t>> bits = getConstantBits(tensor);
  if (bits && loops.empty()) {
    Handle handle;
    uint32_t value = (*bits)[row];
    handle.constant =
        type.getElementType().isF32()
            ? TypedAttr(b.getF32FloatAttr(llvm::bit_cast<float>(value)))
            : TypedAttr(b.getI32IntegerAttr(int32_t(value)));
    return handle;
  }
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  offsets.front() = row;
  sizes.front() = 1;
  Value slice = createSlice(b, tensor, offsets, sizes, {}, /*dropped=*/1);
  return add(slice, getLoopMap(b.getContext(), rank, loops));
}

AffineMap bquant::getLoopMap(MLIRContext *context, int64_t rank,
                             ArrayRef<int64_t> loops) {
  SmallVector<AffineExpr> exprs;
  for (int64_t loop : loops)
    exprs.push_back(getAffineDimExpr(loop, context));
  return AffineMap::get(rank, 0, exprs, context);
}

static SmallVector<Value> createGeneric(ImplicitLocOpBuilder &b,
                                        const Inputs &inputs, ValueRange inits,
                                        unsigned parallel, unsigned reductions,
                                        Body body) {
  auto results = llvm::to_vector_of<unsigned>(llvm::seq(0u, parallel));
  AffineMap out = AffineMap::getMultiDimMapWithTargets(parallel + reductions,
                                                       results, b.getContext());
  SmallVector<AffineMap> maps(inputs.maps);
  maps.append(inits.size(), out);
  SmallVector<utils::IteratorType> loops(parallel,
                                         utils::IteratorType::parallel);
  loops.append(reductions, utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(inits), inputs.values, inits, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args));
      });
  return SmallVector<Value>(generic.getResults());
}

SmallVector<Value> bquant::createElementwise(ImplicitLocOpBuilder &b,
                                             ArrayRef<OpFoldResult> sizes,
                                             TypeRange elements,
                                             const Inputs &inputs, Body body) {
  SmallVector<Value> inits;
  for (Type element : elements) {
    auto tensor = dyn_cast<RankedTensorType>(element);
    inits.push_back(
        tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(element),
                                tensor ? tensor.getEncoding() : Attribute()));
  }
  return createGeneric(b, inputs, inits, sizes.size(), 0, body);
}

SmallVector<Value> bquant::createElementwise(ImplicitLocOpBuilder &b,
                                             TypeRange elements,
                                             ValueRange inputs, Body body) {
  return createElementwise(b,
                           tensor::getMixedSizes(b, b.getLoc(), inputs.front()),
                           elements, Inputs(inputs), body);
}

SmallVector<Value> bquant::createReduction(ImplicitLocOpBuilder &b,
                                           ArrayRef<OpFoldResult> sizes,
                                           unsigned reductions,
                                           TypeRange elements,
                                           const Inputs &inputs, Body body) {
  SmallVector<Value> inits;
  for (Type element : elements) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
    Value empty = tensor::EmptyOp::create(b, sizes, element);
    inits.push_back(linalg::FillOp::create(b, zero, empty).getResult(0));
  }
  return createGeneric(b, inputs, inits, sizes.size(), reductions, body);
}

/// The body of a generic of which `body` makes the one result.
static auto toBody(OneBody body) {
  return [body](OpBuilder &b, Location loc, ValueRange args) {
    return SmallVector<Value>{body(b, loc, args)};
  };
}

Value bquant::createElementwise(ImplicitLocOpBuilder &b,
                                ArrayRef<OpFoldResult> sizes, Type element,
                                const Inputs &inputs, OneBody body) {
  return createElementwise(b, sizes, TypeRange(element), inputs, toBody(body))
      .front();
}

Value bquant::createElementwise(ImplicitLocOpBuilder &b, Type element,
                                ValueRange inputs, OneBody body) {
  return createElementwise(b, TypeRange(element), inputs, toBody(body)).front();
}

Value bquant::createReduction(ImplicitLocOpBuilder &b,
                              ArrayRef<OpFoldResult> sizes, unsigned reductions,
                              Type element, const Inputs &inputs,
                              OneBody body) {
  return createReduction(b, sizes, reductions, TypeRange(element), inputs,
                         toBody(body))
      .front();
}

Value bquant::createI32(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

Value bquant::createF32(OpBuilder &b, Location loc, float value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
}
