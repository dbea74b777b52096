//===- ChainGraph.cpp - The chain before a quantize, from IR --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/Transforms/Folding/ChainGraph.h"
#include "bquant/Dialect/BQuant/Transforms/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <set>

using namespace mlir;
using namespace bquant;
using namespace bquant::folding;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static unsigned getRelations(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return 0;
  case P::OEQ:
    return Equal;
  case P::OGT:
    return Greater;
  case P::OGE:
    return Greater | Equal;
  case P::OLT:
    return Less;
  case P::OLE:
    return Less | Equal;
  case P::ONE:
    return Less | Greater;
  case P::ORD:
    return Less | Equal | Greater;
  case P::UEQ:
    return Unordered | Equal;
  case P::UGT:
    return Unordered | Greater;
  case P::UGE:
    return Unordered | Greater | Equal;
  case P::ULT:
    return Unordered | Less;
  case P::ULE:
    return Unordered | Less | Equal;
  case P::UNE:
    return Unordered | Less | Greater;
  case P::UNO:
    return Unordered;
  case P::AlwaysTrue:
    return Unordered | Less | Equal | Greater;
  }
  llvm_unreachable("a predicate");
}

/// The operation of an op; std::nullopt if the evaluator has none.
static std::optional<ChainOp> getChainOp(Operation *op) {
  using R = std::optional<ChainOp>;
  auto ofBools = [&](ChainOp result) {
    return getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)
               ? R(result)
               : R();
  };
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([](arith::AddFOp) { return ChainOp::Add; })
      .Case([](arith::SubFOp) { return ChainOp::Sub; })
      .Case([](arith::MulFOp) { return ChainOp::Mul; })
      .Case([](arith::DivFOp) { return ChainOp::Div; })
      .Case([](arith::NegFOp) { return ChainOp::Neg; })
      .Case([](arith::MaximumFOp) { return ChainOp::Maximum; })
      .Case([](arith::MinimumFOp) { return ChainOp::Minimum; })
      .Case([](arith::MaxNumFOp) { return ChainOp::MaxNum; })
      .Case([](arith::MinNumFOp) { return ChainOp::MinNum; })
      .Case([](arith::CmpFOp) { return ChainOp::Compare; })
      .Case([](arith::SelectOp) { return ChainOp::Select; })
      .Case([&](arith::AndIOp) { return ofBools(ChainOp::And); })
      .Case([&](arith::OrIOp) { return ofBools(ChainOp::Or); })
      .Case([&](arith::XOrIOp) { return ofBools(ChainOp::Xor); })
      .Case([](arith::UIToFPOp o) {
        // Of i1 only: of i32 it is not what the accumulator holds.
        return getElementTypeOrSelf(o.getIn().getType()).isInteger(1)
                   ? R(ChainOp::ToFloat)
                   : R();
      })
      .Case([](arith::SIToFPOp o) {
        return getElementTypeOrSelf(o.getIn().getType()).isInteger(32)
                   ? R(ChainOp::ToFloat)
                   : R();
      })
      .Case([](math::FmaOp) { return ChainOp::Fma; })
      .Case([](math::AbsFOp) { return ChainOp::Abs; })
      .Case([](math::SqrtOp) { return ChainOp::Sqrt; })
      .Case([](math::RsqrtOp) { return ChainOp::Rsqrt; })
      .Case([](math::FloorOp) { return ChainOp::Floor; })
      .Case([](math::CeilOp) { return ChainOp::Ceil; })
      .Case([](math::RoundEvenOp) { return ChainOp::RoundEven; })
      .Case([](math::TruncOp) { return ChainOp::Trunc; })
      .Case([](SignOp) { return ChainOp::Sign; })
      .Default([](Operation *) { return R(); });
}

static std::optional<CellType> getCellType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return CellType::F32;
  if (element.isInteger(1))
    return CellType::I1;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

SmallVector<float> folding::getConstantScalars(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto pool = dyn_cast_or_null<MaxPool2DOp>(op))
    return getConstantScalars(pool.getInput());
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return constant.getScalarValues();
  if (auto quantize = dyn_cast_or_null<QuantizeOp>(op))
    if (quantize.getScalars())
      return getConstantFloats(quantize.getScalars());
  return {};
}

/// Left operand, right operand and size of the reduction of a product of two
/// scaled-binary values; a null value if it is none.
static std::tuple<Value, Value, int64_t> getProductOperands(Operation *op) {
  Value lhs, rhs;
  int64_t taps = 1;
  if (auto conv = dyn_cast_or_null<Conv2DOp>(op)) {
    lhs = conv.getInput();
    rhs = conv.getFilter();
    for (int64_t size : conv.getFilter().getType().getShape().drop_front())
      taps *= size; // The verifier has checked for overflow.
  } else if (auto matmul = dyn_cast_or_null<MatmulOp>(op)) {
    lhs = matmul.getLhs();
    rhs = matmul.getRhs();
    taps = matmul.getRhs().getType().getShape().back();
  }
  if (!lhs || !isa<SBTensorType>(lhs.getType()))
    return {};
  return {lhs, rhs, taps};
}

static bool allFinite(ArrayRef<float> values) {
  return llvm::all_of(values, [](float v) { return std::isfinite(v); });
}

std::optional<ScaledProduct> folding::getScaledProduct(Operation *product) {
  auto [lhs, rhs, taps] = getProductOperands(product);
  if (!lhs)
    return std::nullopt;
  auto x = cast<SBTensorType>(lhs.getType());
  auto w = cast<SBTensorType>(rhs.getType());
  if (!x.hasOneScalar() || x.getHasOffset() || !w.hasOneScalar())
    return std::nullopt;
  ScaledProduct result;
  result.bound = taps * x.getLargestMultiple() * w.getLargestMultiple();
  // The integer itself needs no scalars.
  if (cast<ShapedType>(product->getResult(0).getType())
          .getElementType()
          .isInteger(32))
    return result;
  // One scalar for all samples, and one for each filter: a batch of matrices
  // has one for each matrix.
  SmallVector<float> v = getConstantScalars(lhs), f = getConstantScalars(rhs);
  if (v.size() != 1 || f.empty() || (f.size() > 1 && w.getRank() == 3) ||
      !allFinite(v) || !allFinite(f))
    return std::nullopt;
  for (float factor : f)
    result.factors.push_back(v.front() * factor);
  return result;
}

/// A bound of what a product or a dequantize of constant scalars can be.
static FloatRange getLeafRange(Operation *op) {
  auto largest = [](Value value) {
    // The sum of the planes' largest scalars.
    SmallVector<float> scalars = getConstantScalars(value);
    auto type = cast<SBTensorType>(value.getType());
    if (scalars.empty() || type.getHasOffset())
      return std::numeric_limits<double>::infinity();
    size_t groups = scalars.size() / type.getNumScalars();
    double sum = 0;
    for (int64_t i = 0; i < type.getNumScalars(); ++i) {
      double most = 0;
      for (size_t g = 0; g < groups; ++g) {
        double v = std::fabs(double(scalars[i * groups + g]));
        // NaN is no bound.
        most = v <= most ? most : v;
      }
      sum += most;
    }
    return type.hasRatios() ? sum * double(type.getLargestMultiple()) : sum;
  };
  double bound = std::numeric_limits<double>::infinity();
  if (auto dequantize = dyn_cast_or_null<DequantizeOp>(op)) {
    bound = largest(dequantize.getInput());
  } else {
    auto [lhs, rhs, taps] = getProductOperands(op);
    if (lhs)
      bound = largest(lhs) * largest(rhs) * double(taps);
  }
  // Room for the roundings of at most 64 terms. False for NaN, too.
  bound *= 1.001;
  if (!(bound < double(std::numeric_limits<float>::max())))
    return {};
  float high = std::nextafter(float(bound), INFINITY);
  return {-high, high, false};
}

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
