//===- RaiseConstants.cpp - Constants computed in the graph ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = linalg.generic { math.absf } ins(%filter)
//   %s = linalg.generic { arith.addf } ins(%a)           // a reduction
//   %v = linalg.generic { arith.divf } ins(%s, %count)
//
// of a constant filter becomes a constant %v: a loop nest is run as it would be
// at run time, in the order of its loops, with the same operations, so that it
// has the same bits.

#include "Elementwise.h"
#include "Layout.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ChainEvaluator.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/ChainOps.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::folding;

namespace {

/// Up to so many elements are printed as dense elements.
constexpr int64_t kDenseElements = 65536;

/// f32 or i1 elements as cells; none if they cannot be read.
std::vector<Cell> readCells(Value tensor) {
  std::vector<Cell> cells;
  ElementsAttr attr = getConstantTensor(tensor);
  if (!attr)
    return cells;
  if (attr.getElementType().isInteger(1)) {
    auto dense = dyn_cast<DenseElementsAttr>(attr);
    if (!dense)
      return cells;
    for (bool bit : dense.getValues<bool>()) {
      cells.emplace_back();
      cells.back().i = bit;
    }
    return cells;
  }
  for (float value : getFloatValues(attr)) {
    cells.emplace_back();
    cells.back().f = value;
  }
  return cells;
}

ElementsAttr writeCells(RankedTensorType type, ArrayRef<Cell> cells) {
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (Cell cell : cells)
      bits.push_back(cell.i != 0);
    return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
  }
  static_assert(sizeof(Cell) == sizeof(float));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(cells.data()),
                       cells.size() * sizeof(Cell));
  if (type.getNumElements() <= kDenseElements)
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, "folded",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64,
                                                    /*dataIsMutable=*/false));
}

/// A loop nest of constants, and its run.
class Interpreter {
public:
  /// Whether the nest can be run.
  LogicalResult prepare(linalg::GenericOp op);
  /// The new contents of the results.
  std::vector<std::vector<Cell>> run();

private:
  /// An operand of the nest: what it holds, and where an index is.
  struct Array {
    std::vector<Cell> cells;
    SmallVector<int64_t> strides; // For each loop.
    int node;
  };

  LogicalResult prepareArray(linalg::GenericOp op, OpOperand &operand);

  SmallVector<int64_t> sizes;
  SmallVector<Array> inputs, inits;
  SmallVector<int> results; // The node of each yielded value.
  std::vector<ChainNode> nodes;
  std::vector<Cell> values; // Of each node.
};

LogicalResult Interpreter::prepareArray(linalg::GenericOp op,
                                        OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  std::optional<CellType> cellType =
      type ? getCellType(type) : std::optional<CellType>();
  if (!cellType || !type.hasStaticShape())
    return failure();
  Array array;
  array.node = nodes.size();
  ChainNode node;
  node.type = *cellType;
  nodes.push_back(node);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  array.strides.assign(sizes.size(), 0);
  for (auto [expr, stride] :
       llvm::zip_equal(map.getResults(), computeStrides(type.getShape()))) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return failure();
    array.strides[dim.getPosition()] += stride;
  }
  bool isInput = op.isDpsInput(&operand);
  if (isInput || op.payloadUsesValueFromOperand(&operand)) {
    Value value = operand.get();
    auto fill = value.getDefiningOp<linalg::FillOp>();
    APFloat number(0.0f);
    if (!isInput && fill && type.getElementType().isF32() &&
        matchPattern(fill.getInputs().front(), m_ConstantFloat(&number))) {
      Cell cell;
      cell.f = number.convertToFloat();
      array.cells.assign(type.getNumElements(), cell);
    } else {
      array.cells = readCells(value);
    }
    if (array.cells.empty())
      return failure();
  } else {
    array.cells.assign(type.getNumElements(), Cell());
  }
  (isInput ? inputs : inits).push_back(std::move(array));
  return success();
}

LogicalResult Interpreter::prepare(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || op.getNumResults() == 0)
    return failure();
  sizes = op.getStaticLoopRanges();
  DenseMap<Value, int> numbers;
  for (OpOperand &operand : op->getOpOperands()) {
    if (failed(prepareArray(op, operand)))
      return failure();
    numbers[op.getMatchingBlockArgument(&operand)] = nodes.size() - 1;
  }
  // Constants of the body, or from outside of it.
  auto addConstant = [&](Value value) -> LogicalResult {
    if (numbers.contains(value))
      return success();
    APFloat number(0.0f);
    APInt bit;
    std::optional<CellType> type = getCellType(value.getType());
    ChainNode node;
    node.op = ChainOp::Constant;
    node.constants.emplace_back();
    if (type == CellType::F32 && matchPattern(value, m_ConstantFloat(&number)))
      node.constants[0].f = number.convertToFloat();
    else if (type == CellType::I1 && matchPattern(value, m_ConstantInt(&bit)))
      node.constants[0].i = bit.getZExtValue();
    else
      return failure();
    node.type = *type;
    numbers[value] = nodes.size();
    nodes.push_back(std::move(node));
    return success();
  };
  for (Operation &scalar : op.getBlock()->without_terminator()) {
    if (isa<arith::ConstantOp>(scalar))
      continue; // Where it is used.
    // MLIR folds no conversion that rounds.
    APFloat wide(0.0);
    if (auto truncate = dyn_cast<arith::TruncFOp>(scalar);
        truncate && !truncate.getRoundingmodeAttr() &&
        getCellType(truncate.getType()) == CellType::F32 &&
        matchPattern(truncate.getIn(), m_ConstantFloat(&wide))) {
      bool rounded;
      wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &rounded);
      ChainNode node;
      node.op = ChainOp::Constant;
      node.constants.emplace_back();
      node.constants[0].f = wide.convertToFloat();
      numbers[truncate.getResult()] = nodes.size();
      nodes.push_back(std::move(node));
      continue;
    }
    std::optional<ChainOp> what = getChainOp(&scalar);
    std::optional<CellType> type =
        scalar.getNumResults() == 1 ? getCellType(scalar.getResult(0).getType())
                                    : std::nullopt;
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(scalar))
      if (fast.getFastMathFlagsAttr() &&
          fast.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
        return failure();
    if (!what || !type)
      return failure();
    ChainNode node;
    node.op = *what;
    node.type = *type;
    for (auto [i, operand] : llvm::enumerate(scalar.getOperands())) {
      if (failed(addConstant(operand)))
        return failure();
      node.operands[i] = numbers[operand];
    }
    if (auto compare = dyn_cast<arith::CmpFOp>(scalar))
      node.relations = getRelations(compare.getPredicate());
    numbers[scalar.getResult(0)] = nodes.size();
    nodes.push_back(std::move(node));
  }
  for (Value value : op.getBlock()->getTerminator()->getOperands()) {
    if (failed(addConstant(value)))
      return failure();
    results.push_back(numbers[value]);
  }
  return success();
}

std::vector<std::vector<Cell>> Interpreter::run() {
  values.assign(nodes.size(), Cell());
  SmallVector<int> steps;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (node.op == ChainOp::Constant)
      values[i] = node.constants[0];
    else if (node.op != ChainOp::Input)
      steps.push_back(i);
  }
  SmallVector<int64_t> index(sizes.size(), 0);
  auto at = [&](const Array &array) {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip_equal(index, array.strides))
      offset += i * stride;
    return offset;
  };
  bool more = !llvm::is_contained(sizes, 0);
  while (more) {
    for (const SmallVector<Array> *arrays : {&inputs, &inits})
      for (const Array &array : *arrays)
        values[array.node] = array.cells[at(array)];
    for (int step : steps) {
      const ChainNode &node = nodes[step];
      auto operand = [&](int i) {
        return node.operands[i] < 0 ? nullptr : &values[node.operands[i]];
      };
      folding::evaluate(node, operand(0), operand(1), operand(2), &values[step],
                        1);
    }
    for (auto [init, result] : llvm::zip_equal(inits, results))
      init.cells[at(init)] = values[result];
    // The next index, the last loop first.
    more = false;
    for (size_t d = sizes.size(); d-- > 0 && !more;) {
      more = ++index[d] < sizes[d];
      if (!more)
        index[d] = 0;
    }
  }
  std::vector<std::vector<Cell>> contents;
  for (Array &init : inits)
    contents.push_back(std::move(init.cells));
  return contents;
}

struct FoldConstantGeneric : OpRewritePattern<linalg::GenericOp> {
  FoldConstantGeneric(MLIRContext *context, std::function<bool(Value)> keep)
      : OpRewritePattern(context), keep(std::move(keep)) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    // A broadcast is smaller than what it makes.
    int64_t most = 0;
    for (OpOperand *input : op.getDpsInputOperands())
      if (auto type = dyn_cast<RankedTensorType>(input->get().getType()))
        most =
            std::max(most, type.hasStaticShape() ? type.getNumElements() : 0);
    for (Type type : op.getResultTypes())
      if (!cast<ShapedType>(type).hasStaticShape() ||
          cast<ShapedType>(type).getNumElements() > most)
        return rewriter.notifyMatchFailure(op, "more results than inputs");
    Interpreter interpreter;
    if (failed(interpreter.prepare(op)))
      return rewriter.notifyMatchFailure(op, "not of constants");
    if (keep && llvm::any_of(op.getResults(), keep))
      return rewriter.notifyMatchFailure(op, "kept");
    SmallVector<Value> constants;
    for (auto [result, cells] :
         llvm::zip_equal(op.getResults(), interpreter.run()))
      constants.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          writeCells(cast<RankedTensorType>(result.getType()), cells)));
    rewriter.replaceOp(op, constants);
    return success();
  }

private:
  std::function<bool(Value)> keep;
};

struct FoldConstantTranspose : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !getConstantTensor(op.getInput()))
      return rewriter.notifyMatchFailure(op, "not of a constant");
    Value folded = foldTranspose(rewriter, op.getInput(), op.getPermutation());
    if (!folded)
      return rewriter.notifyMatchFailure(op, "constant cannot be read");
    rewriter.replaceOp(op, folded);
    return success();
  }
};

/// The signs of a constant that no cascade has taken.
struct FoldConstantSign : OpRewritePattern<SignOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SignOp op,
                                PatternRewriter &rewriter) const override {
    std::vector<Cell> cells = readCells(op.getInput());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (cells.empty() || !type)
      return rewriter.notifyMatchFailure(op, "not of a constant");
    for (Cell &cell : cells)
      cell.f = cell.f >= 0 ? 1.0f : -1.0f;
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, writeCells(type, cells));
    return success();
  }
};

} // namespace

void bquant::populateFoldConstantPatterns(
    RewritePatternSet &patterns, std::function<bool(Value result)> keep) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FoldConstantTranspose>(context);
  if (!keep)
    patterns.add<FoldConstantSign>(context);
  patterns.add<FoldConstantGeneric>(context, std::move(keep));
}
