//===- ChainGraph.cpp - The chain before a quantize, from IR --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainGraph.h"
#include "Dialect/BQuant/Analysis/ChainOps.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "ScaledProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// Operations one above the other, each of which takes stack.
static constexpr unsigned kMostNested = 500;

ChainGraph::ChainGraph(QuantizeOp quantize)
    : shape(quantize.getInput().getType().getShape()), chain(shape.back()) {
  rootNode = buildTensor(
      quantize.getInput(),
      {AffineMap::getMultiDimIdentityMap(shape.size(), quantize.getContext()),
       Views()});
}

NodeInfo &ChainGraph::attach(int node, Operation *op) {
  infos.resize(chain.nodes.size());
  infos[node].op = op;
  return infos[node];
}

int ChainGraph::addLeaf(Operation *op, StringRef reason, CellType type,
                        FloatRange range) {
  int node = chain.addInput(type);
  NodeInfo &info = attach(node, op);
  info.reason = reason;
  info.range = range;
  return node;
}

int ChainGraph::addLeaf(Value value, StringRef reason) {
  // A bit is no place where a chain of floats could begin.
  CellType type = getCellType(value.getType()).value_or(CellType::F32);
  return addLeaf(value.getDefiningOp(), reason, type);
}

int ChainGraph::buildTensor(Value tensor, const Place &place) {
  auto [it, isNew] = built.try_emplace({tensor, place.map}, -1);
  if (!isNew)
    return it->second;
  int node = buildTensorUncached(tensor, place);
  built[{tensor, place.map}] = node;
  // A view's result is the same node as its source, but nearer to the quantize;
  // a tensor that is there is better than a body that yields it.
  NodeInfo &info = infos[node];
  bool isNearer = !info.place.views || !place.views ||
                  place.views->size() < info.place.views->size() + !info.tensor;
  if (place.views && isNearer && !isAccumulator(node)) {
    info.tensor = tensor;
    info.place = place;
  }
  return node;
}

int ChainGraph::buildTensorUncached(Value tensor, const Place &place) {
  Operation *op = tensor.getDefiningOp();
  if (isConstantTensor(tensor))
    return buildConstant(tensor, place.map);

  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op)) {
    auto result = cast<OpResult>(tensor);
    OpOperand *init = linalgOp.getDpsInitOperand(result.getResultNumber());
    AffineMap out = linalgOp.getMatchingIndexingMap(init);
    if (!linalgOp.hasPureTensorSemantics() || !out.isPermutation() ||
        linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
      return addLeaf(tensor, "");
    Body body{result, place, inversePermutation(out).compose(place.map)};
    return buildScalar(linalgOp.getMatchingYieldValue(init)->get(), &body);
  }
  if (op && (isa<SignOp>(op) || op->hasTrait<OpTrait::Elementwise>()))
    return buildOp(op, [&](Value operand) {
      return isa<ShapedType>(operand.getType()) ? buildTensor(operand, place)
                                                : buildScalar(operand, nullptr);
    });
  if (isView(op)) {
    AffineMap map = getViewMap(op);
    if (!map)
      return addLeaf(tensor, "moves elements by sizes known at run time only");
    Place source{simplifyAffineMap(map.compose(place.map)), place.views};
    if (source.views)
      source.views->push_back({op, {}});
    return buildTensor(op->getOperand(0), source);
  }
  if (isa_and_nonnull<Conv2DOp, MatmulOp>(op))
    return buildProduct(op, place);
  if (isa_and_nonnull<DequantizeOp>(op))
    return addLeaf(op, "", CellType::F32, getLeafRange(op));
  return addLeaf(tensor, "");
}

int ChainGraph::buildProduct(Operation *product, const Place &place) {
  productMaps[product] = place.map;
  auto type = cast<RankedTensorType>(product->getResult(0).getType());
  std::optional<ScaledProduct> scaled = getScaledProduct(product);
  // Positions are of i32, with room beside them.
  if (scaled && scaled->bound > int64_t(1) << 30)
    scaled.reset();
  bool isInteger = type.getElementType().isInteger(32);
  std::vector<float> factors;
  if (scaled && !isInteger)
    factors = scaled->factors.size() == 1
                  ? scaled->factors
                  : readPerChannel(scaled->factors, type.getShape().back(),
                                   place.map.getSubMap(type.getRank() - 1));
  if (!scaled || !place.views || (!isInteger && factors.empty()))
    return isInteger
               ? addLeaf(product, "is an integer with no known range")
               : addLeaf(product, "", CellType::F32, getLeafRange(product));
  float bound = float(scaled->bound);
  if (int64_t(bound) < scaled->bound)
    bound = std::nextafter(bound, INFINITY);
  int accumulator = addLeaf(product, "", CellType::I32, {-bound, bound, false});
  infos[accumulator].place = place;
  if (isInteger)
    return accumulator;
  int number = chain.addOp(ChainOp::ToFloat, CellType::F32, {accumulator});
  attach(number, product);
  int factor = chain.addConstant(factors);
  attach(factor, product);
  int node = chain.addOp(ChainOp::Mul, CellType::F32, {factor, number});
  attach(node, product);
  return node;
}

static bool equalBits(float a, float b) {
  return llvm::bit_cast<uint32_t>(a) == llvm::bit_cast<uint32_t>(b);
}

std::vector<float> ChainGraph::readPerChannel(ArrayRef<float> values,
                                              ArrayRef<int64_t> from,
                                              AffineMap map) const {
  if (llvm::all_of(values,
                   [&](float v) { return equalBits(v, values.front()); }))
    return {values.front()};
  auto read = [&](ArrayRef<int64_t> index) {
    int64_t at = 0;
    for (auto [size, expr] : llvm::zip_equal(from, map.getResults()))
      at = at * size + evaluateAt(expr, index);
    assert(at >= 0 && at < int64_t(values.size()));
    return values[at];
  };
  std::vector<float> perChannel;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t channel = 0; channel < chain.channels; ++channel) {
    index.back() = channel;
    perChannel.push_back(read(index));
  }
  // Where other indices move it, it may still say the same.
  SmallVector<unsigned> moving;
  for (unsigned d = 0; d + 1 < shape.size(); ++d)
    if (shape[d] != 1 && map.isFunctionOfDim(d))
      moving.push_back(d);
  for (unsigned d : moving)
    if (ShapedType::isDynamic(shape[d]))
      return {};
  index.assign(shape.size(), 0);
  while (!moving.empty()) {
    for (index.back() = 0; index.back() < chain.channels; ++index.back())
      if (!equalBits(read(index), perChannel[index.back()]))
        return {};
    size_t d = 0;
    while (d < moving.size() && ++index[moving[d]] == shape[moving[d]])
      index[moving[d++]] = 0;
    if (d == moving.size())
      break;
  }
  return perChannel;
}

int ChainGraph::buildConstant(Value tensor, AffineMap map) {
  Operation *op = tensor.getDefiningOp();
  SmallVector<float> values = getConstantFloats(tensor);
  if (values.empty())
    return addLeaf(tensor, "is a constant that cannot be read as f32");
  std::vector<float> perChannel = readPerChannel(
      values, cast<RankedTensorType>(tensor.getType()).getShape(), map);
  if (perChannel.empty())
    return addLeaf(tensor, "is a constant that varies within a channel");
  int node = chain.addConstant(std::move(perChannel));
  attach(node, op);
  return node;
}

int ChainGraph::buildOp(Operation *op,
                        llvm::function_ref<int(Value)> buildOperand) {
  Value result = op->getResult(0);
  std::optional<ChainOp> chainOp = getChainOp(op);
  std::optional<CellType> type = getCellType(result.getType());
  if (!chainOp || !type)
    return addLeaf(result, "cannot be evaluated at compile time");
  // What a licence to reorder lets the program compute is not known.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (fast.getFastMathFlagsAttr() &&
        fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return addLeaf(result, "has fast-math flags");
  if (nested == kMostNested)
    return addLeaf(result, "is too many operations before the quantize");
  llvm::SaveAndRestore nesting(nested, nested + 1);
  std::vector<int> operands;
  for (Value operand : op->getOperands()) {
    bool number = isa<arith::SIToFPOp>(op);
    if (!getCellType(operand.getType()) && !number)
      return addLeaf(result, "cannot be evaluated at compile time");
    operands.push_back(buildOperand(operand));
    // An integer that is no accumulator.
    if (number && chain.nodes[operands.back()].type != CellType::I32)
      return addLeaf(op, "converts an integer that is no accumulator");
  }
  unsigned relations = 0;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    relations = getRelations(compare.getPredicate());
  int node = chain.addOp(*chainOp, *type, operands, relations);
  attach(node, op);
  return node;
}

int ChainGraph::buildScalar(Value scalar, const Body *body) {
  AffineMap loops = body ? body->loops : AffineMap();
  auto [it, isNew] = built.try_emplace({scalar, loops}, -1);
  if (!isNew)
    return it->second;
  int node = buildScalarUncached(scalar, body);
  built[{scalar, loops}] = node;
  // The body runs once for each element of the quantize.
  auto generic =
      body ? body->result.getDefiningOp<linalg::GenericOp>() : nullptr;
  NodeInfo &info = infos[node];
  if (generic && body->place.views && !info.tensor && !info.scalar &&
      !isa<BlockArgument>(scalar) &&
      scalar.getParentBlock() == generic.getBody() &&
      llvm::all_of(generic.getRegionOutputArgs(),
                   [](BlockArgument arg) { return arg.use_empty(); })) {
    info.scalar = scalar;
    info.result = body->result;
    info.place = body->place;
  }
  return node;
}

int ChainGraph::buildScalarUncached(Value scalar, const Body *body) {
  if (auto arg = dyn_cast<BlockArgument>(scalar)) {
    if (!body || arg.getOwner()->getParentOp() != body->result.getOwner())
      return addLeaf(arg, "is not known at compile time");
    auto owner = cast<linalg::LinalgOp>(body->result.getOwner());
    OpOperand *operand = owner.getMatchingOpOperand(arg);
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type)
      return buildScalar(operand->get(), nullptr);
    AffineMap in = owner.getMatchingIndexingMap(operand);
    AffineMap out = owner.getIndexingMapMatchingResult(body->result);
    Place place{simplifyAffineMap(in.compose(body->loops)), body->place.views};
    std::optional<View> view =
        getViewByMap(in.compose(inversePermutation(out)), type.getShape(),
                     cast<RankedTensorType>(body->result.getType()).getShape());
    if (!view)
      place.views.reset();
    else if (place.views && !view->permutation.empty())
      place.views->push_back(*view);
    return buildTensor(operand->get(), place);
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (!value || !value.getType().isF32())
      return addLeaf(scalar, "is a constant of another type than f32");
    int node = chain.addConstant(value.getValue().convertToFloat());
    attach(node, op);
    return node;
  }
  return buildOp(op, [&](Value operand) { return buildScalar(operand, body); });
}
