//===- ConstantNest.cpp - A loop nest of constants, and its run -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantNest.h"
#include "Constants.h"
#include "Elementwise.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

std::vector<Cell> bquant::readCells(Value tensor) {
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

LogicalResult ConstantNest::prepareArray(linalg::GenericOp op,
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

LogicalResult ConstantNest::prepareConstant(Value value) {
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
}

LogicalResult ConstantNest::prepareScalar(Operation &scalar) {
  if (isa<arith::ConstantOp>(scalar))
    return success(); // Where it is used.
  // MLIR folds no conversion that rounds.
  APFloat wide(0.0);
  if (auto truncate = dyn_cast<arith::TruncFOp>(scalar);
      truncate && !truncate.getRoundingmodeAttr() &&
      getCellType(truncate.getType()) == CellType::F32 &&
      matchPattern(truncate.getIn(), m_ConstantFloat(&wide))) {
    bool rounded;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &rounded);
    ChainNode node;
    node.op = ChainOp::Constant;
    node.constants.emplace_back();
    node.constants[0].f = wide.convertToFloat();
    numbers[truncate.getResult()] = nodes.size();
    nodes.push_back(std::move(node));
    return success();
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
    if (failed(prepareConstant(operand)))
      return failure();
    node.operands[i] = numbers[operand];
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(scalar))
    node.relations = getRelations(compare.getPredicate());
  numbers[scalar.getResult(0)] = nodes.size();
  nodes.push_back(std::move(node));
  return success();
}

LogicalResult ConstantNest::prepare(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || op.getNumResults() == 0)
    return failure();
  sizes = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands()) {
    if (failed(prepareArray(op, operand)))
      return failure();
    numbers[op.getMatchingBlockArgument(&operand)] = nodes.size() - 1;
  }
  for (Operation &scalar : op.getBlock()->without_terminator())
    if (failed(prepareScalar(scalar)))
      return failure();
  for (Value value : op.getBlock()->getTerminator()->getOperands()) {
    if (failed(prepareConstant(value)))
      return failure();
    results.push_back(numbers[value]);
  }
  return success();
}

LogicalResult ConstantNest::prepareCondition(linalg::GenericOp op,
                                             Value condition) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics())
    return failure();
  Block *block = op.getBlock();
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *scalar) {
    return scalar->getBlock() == block;
  };
  if (failed(getBackwardSlice(condition, &slice, options)))
    return failure();
  // Only what the condition reads has to be constant.
  sizes = op.getStaticLoopRanges();
  int64_t most = 1, points = 1;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    bool read = argument == condition ||
                llvm::any_of(argument.getUsers(), [&](Operation *user) {
                  return slice.contains(user);
                });
    if (!read)
      continue;
    if (failed(prepareArray(op, *operand)))
      return failure();
    numbers[argument] = nodes.size() - 1;
    most = std::max<int64_t>(most, inputs.back().cells.size());
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    // It is the same all along the other loops.
    if (llvm::none_of(inputs,
                      [&](const Array &array) { return array.strides[d]; }))
      sizes[d] = std::min<int64_t>(sizes[d], 1);
    points *= sizes[d];
  }
  if (points > most)
    return failure();
  for (Operation *scalar : slice)
    if (failed(prepareScalar(*scalar)))
      return failure();
  if (failed(prepareConstant(condition)))
    return failure();
  results.push_back(numbers[condition]);
  return success();
}

int64_t ConstantNest::getOffset(const Array &array, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip_equal(index, array.strides))
    offset += i * stride;
  return offset;
}

void ConstantNest::evaluate(function_ref<bool(ArrayRef<int64_t>)> visit) {
  values.assign(nodes.size(), Cell());
  SmallVector<int> steps;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (node.op == ChainOp::Constant)
      values[i] = node.constants[0];
    else if (node.op != ChainOp::Input)
      steps.push_back(i);
  }
  SmallVector<int64_t> index(sizes.size(), 0);
  bool more = !llvm::is_contained(sizes, 0);
  while (more) {
    for (const SmallVector<Array> *arrays : {&inputs, &inits})
      for (const Array &array : *arrays)
        values[array.node] = array.cells[getOffset(array, index)];
    for (int step : steps) {
      const ChainNode &node = nodes[step];
      auto operand = [&](int i) {
        return node.operands[i] < 0 ? nullptr : &values[node.operands[i]];
      };
      chains::evaluate(node, operand(0), operand(1), operand(2), &values[step],
                       1);
    }
    if (!visit(index))
      return;
    // The next index, the last loop first.
    more = false;
    for (size_t d = sizes.size(); d-- > 0 && !more;) {
      more = ++index[d] < sizes[d];
      if (!more)
        index[d] = 0;
    }
  }
}

std::vector<std::vector<Cell>> ConstantNest::run() {
  evaluate([&](ArrayRef<int64_t> index) {
    for (auto [init, result] : llvm::zip_equal(inits, results))
      init.cells[getOffset(init, index)] = values[result];
    return true;
  });
  std::vector<std::vector<Cell>> contents;
  for (Array &init : inits)
    contents.push_back(std::move(init.cells));
  return contents;
}

bool ConstantNest::holds() {
  bool all = true;
  evaluate(
      [&](ArrayRef<int64_t>) { return all = values[results.front()].i != 0; });
  return all;
}
