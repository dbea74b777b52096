//===- ChainGraph.cpp - The chain before a quantize, from IR --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Folding/ChainGraph.h"
#include "bquant/Dialect/BQuant/Transforms/Constants.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ChainOps.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Products.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace mlir;
using namespace bquant;
using namespace bquant::folding;

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

ChainGraph::ChainGraph(QuantizeOp quantize)
    : shape(quantize.getInput().getType().getShape()), chain(shape.back()) {
  rootNode = buildTensor(
      quantize.getInput(),
      {AffineMap::getMultiDimIdentityMap(shape.size(), quantize.getContext()),
       Views()});
}

NodeInfo &ChainGraph::note(int node, Operation *op) {
  infos.resize(chain.nodes.size());
  infos[node].op = op;
  return infos[node];
}

int ChainGraph::addLeaf(Operation *op, StringRef reason, CellType type,
                        FloatRange range) {
  int node = chain.addInput(type);
  NodeInfo &info = note(node, op);
  info.reason = reason;
  info.range = range;
  return node;
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
      return addLeaf(op, "");
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
      return addLeaf(op, "moves elements by sizes known at run time only");
    Place source{simplifyAffineMap(map.compose(place.map)), place.views};
    if (source.views)
      source.views->push_back({op, {}});
    return buildTensor(op->getOperand(0), source);
  }
  if (isa_and_nonnull<Conv2DOp, MatmulOp>(op))
    return buildProduct(op, place);
  if (isa_and_nonnull<DequantizeOp>(op))
    return addLeaf(op, "", CellType::F32, getLeafRange(op));
  return addLeaf(op, "");
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
  note(number, product);
  int factor = chain.addConstant(factors);
  note(factor, product);
  int node = chain.addOp(ChainOp::Mul, CellType::F32, {factor, number});
  note(node, product);
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
    return addLeaf(op, "is a constant that cannot be read as f32");
  std::vector<float> perChannel = readPerChannel(
      values, cast<RankedTensorType>(tensor.getType()).getShape(), map);
  if (perChannel.empty())
    return addLeaf(op, "is a constant that varies within a channel");
  int node = chain.addConstant(std::move(perChannel));
  note(node, op);
  return node;
}

int ChainGraph::buildOp(Operation *op,
                        llvm::function_ref<int(Value)> buildOperand) {
  std::optional<ChainOp> chainOp = getChainOp(op);
  std::optional<CellType> type = getCellType(op->getResult(0).getType());
  if (!chainOp || !type)
    return addLeaf(op, "cannot be evaluated at compile time");
  // What a licence to reorder lets the program compute is not known.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (fast.getFastMathFlagsAttr() &&
        fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return addLeaf(op, "has fast-math flags");
  std::vector<int> operands;
  for (Value operand : op->getOperands()) {
    bool number = isa<arith::SIToFPOp>(op);
    if (!getCellType(operand.getType()) && !number)
      return addLeaf(op, "cannot be evaluated at compile time");
    operands.push_back(buildOperand(operand));
    // An integer that is no accumulator.
    if (number && chain.nodes[operands.back()].type != CellType::I32)
      return addLeaf(op, "converts an integer that is no accumulator");
  }
  unsigned relations = 0;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    relations = getRelations(compare.getPredicate());
  int node = chain.addOp(*chainOp, *type, operands, relations);
  note(node, op);
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
      return addLeaf(nullptr, "is not known at compile time");
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
      return addLeaf(op, "is a constant of another type than f32");
    int node = chain.addConstant(value.getValue().convertToFloat());
    note(node, op);
    return node;
  }
  return buildOp(op, [&](Value operand) { return buildScalar(operand, body); });
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

SmallVector<int> ChainGraph::getCuts() const {
  // Nodes below which all paths have met: taking the latest node each time, the
  // frontier is that node alone.
  SmallVector<int> cuts;
  std::set<int> frontier{rootNode};
  while (true) {
    int node = *frontier.rbegin();
    const ChainNode &n = chain.nodes[node];
    if (frontier.size() == 1 && node != rootNode &&
        (isAccumulator(node) || (n.type == CellType::F32 &&
                                 (infos[node].tensor || infos[node].scalar))))
      cuts.insert(cuts.begin(), node);
    if (n.op == ChainOp::Input || n.op == ChainOp::Constant)
      return cuts;
    frontier.erase(node);
    for (int operand : n.operands)
      if (operand >= 0 && !chain.isConstant(operand))
        frontier.insert(operand);
  }
}

std::optional<AccumulatorSum> ChainGraph::getSum(int node) const {
  const ChainNode &n = chain.nodes[node];
  if (n.op != ChainOp::Add)
    return std::nullopt;
  AccumulatorSum sum{-1, -1, -1};
  for (int k : {0, 1}) {
    const ChainNode &product = chain.nodes[n.operands[k]];
    if (product.op != ChainOp::Mul)
      return std::nullopt;
    int number = chain.isConstant(product.operands[0]) ? 1 : 0;
    int factor = product.operands[1 - number];
    const ChainNode &convert = chain.nodes[product.operands[number]];
    if (convert.op != ChainOp::ToFloat || !chain.isConstant(factor) ||
        !isAccumulator(convert.operands[0]))
      return std::nullopt;
    (k ? sum.second : sum.first) = convert.operands[0];
    if (k == 0) {
      sum.factor = factor;
      continue;
    }
    for (int64_t c = 0; c < chain.channels; ++c)
      if (chain.constant(sum.factor, c).i != chain.constant(factor, c).i)
        return std::nullopt;
  }
  // Of one product the sum is no sum of two.
  if (sum.first == sum.second || infos[sum.first].op == infos[sum.second].op)
    return std::nullopt;
  return sum;
}

Chain ChainGraph::extract(int cut, SmallVectorImpl<int> &origin) const {
  std::vector<bool> needed(chain.nodes.size());
  needed[rootNode] = true;
  for (int node = rootNode; node > cut; --node)
    if (needed[node])
      for (int operand : chain.nodes[node].operands)
        if (operand >= 0)
          needed[operand] = true;
  Chain result(chain.channels);
  SmallVector<int> renamed(chain.nodes.size(), -1);
  for (int node = 0; node <= rootNode; ++node) {
    // Below the cut are only constants of what is above it.
    if (!needed[node])
      continue;
    origin.push_back(node);
    if (node == cut) {
      renamed[node] = result.addInput(chain.nodes[node].type);
      continue;
    }
    ChainNode copy = chain.nodes[node];
    for (int &operand : copy.operands)
      if (operand >= 0)
        operand = renamed[operand];
    renamed[node] = result.add(std::move(copy));
  }
  return result;
}

int ChainGraph::countSteps(int cut) const {
  SmallVector<int> origin;
  extract(cut, origin);
  return int(llvm::count_if(
      origin, [&](int node) { return node != cut && isStep(node); }));
}

FloatRange ChainGraph::getRange(int node, int64_t channel) const {
  std::vector<FloatRange> ranges(node + 1);
  for (int i = 0; i <= node; ++i) {
    const ChainNode &n = chain.nodes[i];
    if (n.op == ChainOp::Input) {
      ranges[i] = infos[i].range;
    } else if (n.op == ChainOp::Constant) {
      float value = chain.constant(i, channel).f;
      if (n.type == CellType::F32 && !std::isnan(value))
        ranges[i] = {value, value, false};
    } else {
      auto operand = [&](int k) {
        return n.operands[k] < 0 ? nullptr : &ranges[n.operands[k]];
      };
      ranges[i] = findRange(n, operand(0), operand(1), operand(2));
    }
  }
  return ranges[node];
}

std::string ChainGraph::getReason(int node) const {
  if (!isStep(node))
    return infos[node].reason.str();
  for (int operand : chain.nodes[node].operands)
    if (operand >= 0 && infos[operand].reason.starts_with("is a constant"))
      return "reads what " + infos[operand].reason.str();
  return "has two operands that are not constant";
}

std::vector<int64_t> ChainGraph::findEqualChannels() const {
  std::map<std::vector<int32_t>, int64_t> first;
  std::vector<int64_t> result;
  for (int64_t channel = 0; channel < chain.channels; ++channel) {
    std::vector<int32_t> key;
    for (const ChainNode &node : chain.nodes)
      if (node.constants.size() > 1)
        key.push_back(node.constants[channel].i);
    result.push_back(first.try_emplace(std::move(key), channel).first->second);
  }
  return result;
}

std::vector<int64_t> ChainGraph::getSourceChannels(Operation *product) const {
  AffineMap map = productMaps.lookup(product);
  auto type = cast<RankedTensorType>(product->getResult(0).getType());
  std::vector<float> indices(type.getShape().back());
  std::iota(indices.begin(), indices.end(), 0.0f);
  std::vector<float> channels = readPerChannel(
      indices, type.getShape().back(), map.getSubMap(map.getNumResults() - 1));
  if (channels.size() == 1)
    channels.resize(chain.channels, channels.front());
  return {channels.begin(), channels.end()};
}

Value ChainGraph::materialize(int node, RewriterBase &rewriter) const {
  const NodeInfo &info = infos[node];
  if (info.tensor)
    return info.tensor;
  auto generic = cast<linalg::GenericOp>(info.result.getOwner());
  Value init = generic.getTiedOpOperand(info.result)->get();
  Location loc = info.op->getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init),
      rewriter.getF32Type());
  // What the scalar does not need stays behind.
  llvm::SmallPtrSet<Operation *, 8> needed{info.scalar.getDefiningOp()};
  for (Operation &op : llvm::reverse(generic.getBody()->without_terminator()))
    if (needed.contains(&op))
      for (Value operand : op.getOperands())
        needed.insert(operand.getDefiningOp());
  SmallVector<AffineMap> maps;
  for (OpOperand *input : generic.getDpsInputOperands())
    maps.push_back(generic.getMatchingIndexingMap(input));
  maps.push_back(generic.getIndexingMapMatchingResult(info.result));
  auto copy = linalg::GenericOp::create(
      rewriter, loc, TypeRange{empty.getType()}, generic.getDpsInputs(),
      ValueRange{empty}, maps, generic.getIteratorTypesArray(),
      [&](OpBuilder &b, Location, ValueRange args) {
        IRMapping mapping;
        Block *body = generic.getBody();
        for (size_t i = 0; i < generic.getDpsInputs().size(); ++i)
          mapping.map(body->getArgument(i), args[i]);
        for (Operation &op : body->without_terminator())
          if (needed.contains(&op))
            b.clone(op, mapping);
        linalg::YieldOp::create(b, loc, mapping.lookup(info.scalar));
      });
  return copy.getResult(0);
}
