//===- ChainCuts.cpp - Where the chain before a quantize can begin --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainGraph.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

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
  for (Operation &op : llvm::reverse(generic.getBody()->without_terminator())) {
    if (!needed.contains(&op))
      continue;
    llvm::SetVector<Value> read(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), read);
    for (Value value : read)
      needed.insert(value.getDefiningOp());
  }
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
