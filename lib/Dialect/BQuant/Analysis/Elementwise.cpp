//===- Elementwise.cpp - Elementwise programs as scalar expressions -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

bool bquant::isPointwise(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics())
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isIdentity() &&
           !op.payloadUsesValueFromOperand(&init);
  });
}

bool bquant::turnsBytes(linalg::GenericOp op) {
  if (!isPointwise(op) || op.getNumDpsInputs() != 1 ||
      op.getNumResults() != 1 ||
      !op.getIndexingMapsArray().front().isIdentity())
    return false;
  auto turned = op.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::XOrIOp>();
  APInt mask;
  return turned && turned.getLhs() == op.getRegionInputArgs().front() &&
         matchPattern(turned.getRhs(), m_ConstantInt(&mask)) &&
         mask.getBitWidth() == kByteBits && mask.isSignMask();
}

Value bquant::createTurnedBytes(ImplicitLocOpBuilder &b, Type type,
                                Value bytes) {
  return createElementwise(
      b, type, bytes, [](OpBuilder &b, Location loc, ValueRange args) {
        Value top = arith::ConstantOp::create(
            b, loc,
            b.getIntegerAttr(b.getI8Type(), APInt::getSignMask(kByteBits)));
        return arith::XOrIOp::create(b, loc, args.front(), top);
      });
}

Value bquant::resolve(Value value) {
  while (true) {
    if (auto result = dyn_cast<OpResult>(value)) {
      auto op = dyn_cast<linalg::GenericOp>(result.getOwner());
      if (!op || !isPointwise(op))
        return value;
      value =
          op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    auto op = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
    if (!op || !isPointwise(op))
      return value;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(operand) ||
        !isa<RankedTensorType>(operand->get().getType()) ||
        !op.getMatchingIndexingMap(operand).isIdentity())
      return value;
    value = operand->get();
  }
}

std::optional<llvm::APFloat> bquant::getConstantNumber(Value resolved) {
  APFloat number(0.0f);
  if (matchPattern(resolved, m_ConstantFloat(&number)))
    return number; // Splats of float tensors too.
  auto argument = dyn_cast<BlockArgument>(resolved);
  auto op =
      argument ? dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp())
               : linalg::GenericOp();
  if (!op)
    return std::nullopt;
  Value operand = op.getMatchingOpOperand(argument)->get();
  if (matchPattern(operand, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

bool bquant::canMaterialize(Value resolved) {
  return isa<TensorType>(resolved.getType()) ||
         isa<linalg::GenericOp>(resolved.getParentBlock()->getParentOp());
}

Value bquant::materialize(RewriterBase &rewriter, Value resolved) {
  if (isa<TensorType>(resolved.getType()))
    return resolved;
  auto op = cast<linalg::GenericOp>(resolved.getParentBlock()->getParentOp());
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [i, value] : llvm::enumerate(yield->getOperands()))
    if (value == resolved)
      return op.getResult(i);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input));
  maps.push_back(rewriter.getMultiDimIdentityMap(op.getNumLoops()));
  Value init = tensor::EmptyOp::create(
      rewriter, loc,
      tensor::getMixedSizes(rewriter, loc, op.getDpsInits().front()),
      resolved.getType());
  auto copy = linalg::GenericOp::create(
      rewriter, loc, init.getType(), op.getInputs(), init, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location nested, ValueRange arguments) {
        IRMapping mapping;
        for (auto [from, to] :
             llvm::zip(op.getRegionInputArgs(), arguments.drop_back()))
          mapping.map(from, to);
        for (Operation &scalar : op.getBlock()->without_terminator())
          b.clone(scalar, mapping);
        linalg::YieldOp::create(b, nested, mapping.lookup(resolved));
      });
  return copy.getResult(0);
}
