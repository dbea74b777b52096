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
      AffineMap::getMultiDimIdentityMap(shape.size(), quantize.getContext()));
}

bool ChainGraph::isIdentity(AffineMap map) const {
  if (map.getNumResults() != shape.size())
    return false;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    auto zero = dyn_cast<AffineConstantExpr>(expr);
    if (!(dim && dim.getPosition() == i) &&
        !(zero && zero.getValue() == 0 && shape[i] == 1))
      return false;
  }
  return true;
}

NodeInfo &ChainGraph::note(int node, Operation *op) {
  infos.resize(chain.nodes.size());
  infos[node].op = op;
  return infos[node];
}

int ChainGraph::addLeaf(Operation *op, Value tensor, StringRef reason,
                        CellType type, FloatRange range) {
  int node = chain.addInput(type);
  NodeInfo &info = note(node, op);
  info.tensor = tensor;
  info.reason = reason;
  info.range = range;
  return node;
}

int ChainGraph::buildTensor(Value tensor, AffineMap map) {
  auto [it, isNew] = built.try_emplace({tensor, map}, -1);
  if (!isNew)
    return it->second;
  int node = buildTensorUncached(tensor, map);
  built[{tensor, map}] = node;
  // A node that no op of its own yields as this tensor is not the tensor's.
  if (isIdentity(map) && !infos[node].tensor &&
      cast<ShapedType>(tensor.getType()).getShape() == ArrayRef(shape))
    infos[node].tensor = tensor;
  return node;
}

int ChainGraph::buildTensorUncached(Value tensor, AffineMap map) {
  Operation *op = tensor.getDefiningOp();
  Value leaf = isIdentity(map) ? tensor : Value();
  if (isConstantTensor(tensor))
    return buildConstant(tensor, map);

  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op)) {
    OpOperand *init =
        linalgOp.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber());
    AffineMap out = linalgOp.getMatchingIndexingMap(init);
    if (linalgOp.hasPureTensorSemantics() && out.isPermutation() &&
        linalgOp.getNumParallelLoops() == linalgOp.getNumLoops())
      return buildScalar(linalgOp.getMatchingYieldValue(init)->get(), linalgOp,
                         inversePermutation(out).compose(map));
    return addLeaf(op, leaf, "");
  }
  if (op && (isa<SignOp>(op) || op->hasTrait<OpTrait::Elementwise>()))
    return buildOp(op, [&](Value operand) {
      if (isa<ShapedType>(operand.getType()))
        return buildTensor(operand, map);
      return buildScalar(operand, nullptr, map);
    });
  // [C] as [C, 1, 1] and back: one index that moves.
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = cast<RankedTensorType>(tensor.getType());
    auto moves = [](int64_t size) { return size != 1; };
    if (llvm::count_if(from.getShape(), moves) <= 1 &&
        llvm::count_if(to.getShape(), moves) <= 1) {
      AffineExpr index = getAffineConstantExpr(0, map.getContext());
      for (auto [size, expr] : llvm::zip_equal(to.getShape(), map.getResults()))
        if (moves(size))
          index = expr;
      SmallVector<AffineExpr> indices;
      for (int64_t size : from.getShape())
        indices.push_back(
            moves(size) ? index : getAffineConstantExpr(0, map.getContext()));
      return buildTensor(
          op->getOperand(0),
          AffineMap::get(map.getNumDims(), 0, indices, map.getContext()));
    }
  }
  if (leaf && isa_and_nonnull<Conv2DOp, MatmulOp>(op))
    return buildProduct(op);
  if (isa_and_nonnull<DequantizeOp, Conv2DOp, MatmulOp>(op))
    return addLeaf(op, leaf, "", CellType::F32, getLeafRange(op));
  return addLeaf(op, leaf, "");
}

int ChainGraph::buildProduct(Operation *product) {
  Value tensor = product->getResult(0);
  std::optional<ScaledProduct> scaled = getScaledProduct(product);
  bool isInteger =
      cast<ShapedType>(tensor.getType()).getElementType().isInteger(32);
  if (!scaled)
    return addLeaf(product, tensor, "", CellType::F32, getLeafRange(product));
  float bound = float(scaled->bound);
  int accumulator = addLeaf(product, isInteger ? tensor : Value(), "",
                            CellType::I32, {-bound, bound, false});
  if (isInteger)
    return accumulator;
  int number = chain.addOp(ChainOp::ToFloat, CellType::F32, {accumulator});
  note(number, product);
  int factor = chain.addConstant(scaled->factors);
  note(factor, product);
  int node = chain.addOp(ChainOp::Mul, CellType::F32, {factor, number});
  note(node, product);
  return node;
}

int ChainGraph::buildConstant(Value tensor, AffineMap map) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  SmallVector<float> values = getConstantFloats(tensor);
  if (values.empty())
    return addLeaf(op, {}, "is a constant that cannot be read as f32");
  // The last dimension may move it, no other that has more than one index; but
  // a tensor that says the same for all of them does no harm.
  bool same = llvm::all_equal(values);
  bool wholeTensor =
      isIdentity(map) && type.getShape() == ArrayRef(shape) &&
      llvm::all_of(llvm::seq<size_t>(0, values.size()), [&](size_t i) {
        return values[i] == values[i % chain.channels];
      });
  for (AffineExpr expr : map.getResults())
    for (auto [i, size] : llvm::enumerate(ArrayRef(shape).drop_back()))
      if (size != 1 && expr.isFunctionOfDim(i) && !same && !wholeTensor)
        return addLeaf(op, {}, "is a constant that varies within a channel");
  std::vector<float> perChannel;
  for (int64_t channel = 0; channel < chain.channels; ++channel) {
    SmallVector<int64_t> index(shape.size(), 0);
    index.back() = channel;
    int64_t at = 0;
    for (auto [size, i] : llvm::zip_equal(type.getShape(), map.compose(index)))
      at = at * size + i;
    assert(at >= 0 && at < int64_t(values.size()));
    perChannel.push_back(values[at]);
  }
  if (same || !map.isFunctionOfDim(shape.size() - 1))
    perChannel.resize(1);
  int node = chain.addConstant(std::move(perChannel));
  note(node, op);
  return node;
}

int ChainGraph::buildOp(Operation *op,
                        llvm::function_ref<int(Value)> buildOperand) {
  std::optional<ChainOp> chainOp = getChainOp(op);
  std::optional<CellType> type = getCellType(op->getResult(0).getType());
  if (!chainOp || !type)
    return addLeaf(op, {}, "cannot be evaluated at compile time");
  // What a licence to reorder lets the program compute is not known.
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (fast.getFastMathFlagsAttr() &&
        fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
      return addLeaf(op, {}, "has fast-math flags");
  std::vector<int> operands;
  for (Value operand : op->getOperands()) {
    bool number = isa<arith::SIToFPOp>(op);
    if (!getCellType(operand.getType()) && !number)
      return addLeaf(op, {}, "cannot be evaluated at compile time");
    operands.push_back(buildOperand(operand));
    // An integer that is no accumulator.
    if (number && chain.nodes[operands.back()].type != CellType::I32)
      return addLeaf(op, {}, "converts an integer that is no accumulator");
  }
  unsigned relations = 0;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    relations = getRelations(compare.getPredicate());
  int node = chain.addOp(*chainOp, *type, operands, relations);
  note(node, op);
  return node;
}

int ChainGraph::buildScalar(Value scalar, linalg::LinalgOp owner,
                            AffineMap loops) {
  auto [it, isNew] = built.try_emplace({scalar, loops}, -1);
  if (!isNew)
    return it->second;
  int node = buildScalarUncached(scalar, owner, loops);
  built[{scalar, loops}] = node;
  // The body runs once for each element of the quantize.
  auto generic = dyn_cast_or_null<linalg::GenericOp>(
      owner ? owner.getOperation() : nullptr);
  if (generic && isIdentity(loops) && !isa<BlockArgument>(scalar) &&
      scalar.getParentBlock() == generic.getBody() &&
      llvm::all_of(generic.getRegionOutputArgs(),
                   [](BlockArgument arg) { return arg.use_empty(); }))
    infos[node].scalar = scalar;
  return node;
}

int ChainGraph::buildScalarUncached(Value scalar, linalg::LinalgOp owner,
                                    AffineMap loops) {
  if (auto arg = dyn_cast<BlockArgument>(scalar)) {
    if (!owner || arg.getOwner() != owner.getBlock())
      return addLeaf(nullptr, {}, "is not known at compile time");
    OpOperand *operand = owner.getMatchingOpOperand(arg);
    if (isa<ShapedType>(operand->get().getType()))
      return buildTensor(operand->get(),
                         owner.getMatchingIndexingMap(operand).compose(loops));
    return buildScalar(operand->get(), nullptr, loops);
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (!value || !value.getType().isF32())
      return addLeaf(op, {}, "is a constant of another type than f32");
    int node = chain.addConstant(value.getValue().convertToFloat());
    note(node, op);
    return node;
  }
  return buildOp(
      op, [&](Value operand) { return buildScalar(operand, owner, loops); });
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

Value ChainGraph::materialize(int node, RewriterBase &rewriter) const {
  const NodeInfo &info = infos[node];
  if (info.tensor)
    return info.tensor;
  auto generic = cast<linalg::GenericOp>(info.op->getParentOp());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  Location loc = info.op->getLoc();
  auto type = RankedTensorType::get(shape, rewriter.getF32Type());
  SmallVector<OpFoldResult> sizes;
  for (auto [i, size] : llvm::enumerate(shape))
    sizes.push_back(
        ShapedType::isDynamic(size)
            ? tensor::getMixedSize(rewriter, loc, generic.getDpsInits()[0], i)
            : OpFoldResult(rewriter.getIndexAttr(size)));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, rewriter.getF32Type());
  // What the scalar does not need stays behind.
  llvm::SmallPtrSet<Operation *, 8> needed{info.op};
  for (Operation &op : llvm::reverse(generic.getBody()->without_terminator()))
    if (needed.contains(&op))
      for (Value operand : op.getOperands())
        needed.insert(operand.getDefiningOp());
  SmallVector<AffineMap> maps;
  for (OpOperand *input : generic.getDpsInputOperands())
    maps.push_back(generic.getMatchingIndexingMap(input));
  maps.push_back(rewriter.getMultiDimIdentityMap(shape.size()));
  auto copy = linalg::GenericOp::create(
      rewriter, loc, TypeRange{type}, generic.getDpsInputs(), ValueRange{empty},
      maps, generic.getIteratorTypesArray(),
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
