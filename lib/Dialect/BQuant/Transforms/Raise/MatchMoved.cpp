//===- MatchMoved.cpp - Quantized values on their way to a product --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves elements commutes with what quantizes each of them alike:
//
//   concat(flatten(sign(%x)), sign(%y))  is  sign(concat(flatten(%x), %y))
//
// So the moves between the quantizations and a product are written anew, on
// what is quantized.

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchCascade.h"
#include "Transposes.h"
#include "bquant/Quant/Cascade.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

SmallVector<float> Cascade::getSharedPlanes() const {
  if (!scalars || thresholds || !type.getAxes().empty())
    return {};
  SmallVector<float> planes = llvm::to_vector(scalars.getValues<float>());
  if (type.getRatios().empty())
    return planes;
  float v = planes.front();
  planes.clear();
  for (int64_t ratio : type.getRatios())
    planes.push_back(v * ratio);
  return planes;
}

bool Cascade::quantizesLike(const Cascade &other) const {
  return scalars == other.scalars && thresholds == other.thresholds &&
         codes == other.codes && offset == other.offset &&
         type.getPlanes() == other.type.getPlanes() &&
         type.getRatios() == other.type.getRatios() &&
         type.getAxes() == other.type.getAxes();
}

/// Whether quantizing `x` gives `x`.
static bool keeps(ArrayRef<float> planes, float x) {
  return !planes.empty() &&
         quant::roundTrip(x, planes.data(), planes.size()) == x;
}

/// The tensors whose elements an op moves.
static SmallVector<OpOperand *, 2> getMoved(Operation *op) {
  SmallVector<OpOperand *, 2> operands = {&op->getOpOperand(0)};
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (insert && !insert.getDest().getDefiningOp<tensor::EmptyOp>())
    operands.push_back(&insert.getDestMutable());
  return operands;
}

bool bquant::isMove(Operation *op) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
           linalg::TransposeOp>(op) ||
      op->getNumResults() != 1)
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    return shaped && shaped.hasStaticShape() && shaped.getRank() > 0;
  };
  // Neither sizes nor positions that are known at run time alone.
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         isStatic(op->getResult(0).getType());
}

/// The moves that make the result of `last`, producers first, and the other
/// tensors that they begin with.
static void collect(Operation *last, llvm::SetVector<Operation *> &moves,
                    llvm::SetVector<Value> &begins) {
  if (moves.contains(last))
    return;
  for (OpOperand *operand : getMoved(last)) {
    Operation *before = resolve(operand->get()).getDefiningOp();
    if (before && isMove(before))
      collect(before, moves, begins);
    else
      begins.insert(operand->get());
  }
  moves.insert(last);
}

/// Whether a quantization keeps what an op puts between its elements.
static bool keepsPadding(Operation *op, ArrayRef<float> planes) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  if (!pad)
    return true;
  Value constant = pad.getConstantPaddingValue();
  APFloat fill(0.0f);
  return constant && matchPattern(constant, m_ConstantFloat(&fill)) &&
         keeps(planes, fill.convertToFloat());
}

std::optional<Cascade> bquant::matchMoved(Operation *move,
                                          const RaiseAssumptions &assumptions,
                                          std::string &reason) {
  llvm::SetVector<Operation *> moves;
  llvm::SetVector<Value> begins;
  collect(move, moves, begins);
  std::optional<Cascade> result;
  for (Value begin : begins) {
    std::optional<Cascade> cascade = matchCascade(begin, assumptions, reason);
    // Quantized already, or a constant that moves at compile time.
    if (!cascade || cascade->source || isConstantTensor(cascade->input))
      return std::nullopt;
    if (!cascade->type.getAxes().empty()) {
      reason = "its elements are moved, and its scalars vary";
      return std::nullopt;
    }
    if (!result)
      result = cascade;
    if (!cascade->quantizesLike(*result))
      return std::nullopt;
    result->moved.push_back({resolve(begin), cascade->input});
  }
  SmallVector<float> planes = result->getSharedPlanes();
  for (Operation *op : moves)
    if (!keepsPadding(op, planes))
      return std::nullopt;
  llvm::append_range(result->moves, moves);
  auto shape = cast<RankedTensorType>(move->getResult(0).getType()).getShape();
  SBTensorType type = result->type;
  result->type =
      SBTensorType::get(type.getContext(), shape, type.getPlanes(),
                        type.getRatios(), type.getAxes(), type.getHasOffset());
  return result;
}

Value bquant::buildMoved(RewriterBase &rewriter, const Cascade &cascade) {
  OpBuilder::InsertionGuard guard(rewriter);
  DenseMap<Value, Value> built;
  for (auto [begin, input] : cascade.moved)
    built[begin] = materialize(rewriter, input);
  Value last;
  for (Operation *op : cascade.moves) {
    rewriter.setInsertionPoint(op);
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      last = createTranspose(rewriter, op->getLoc(),
                             built.at(resolve(transpose.getInput())),
                             transpose.getPermutation());
    } else {
      IRMapping mapping;
      for (OpOperand *operand : getMoved(op))
        mapping.map(operand->get(), built.at(resolve(operand->get())));
      last = rewriter.clone(*op, mapping)->getResult(0);
    }
    built[op->getResult(0)] = last;
  }
  return last;
}
