//===- ChainOps.cpp - Ops that the evaluator knows -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainOps.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

unsigned chains::getRelations(arith::CmpFPredicate predicate) {
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

std::optional<ChainOp> chains::getChainOp(Operation *op) {
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
      .Case([](math::RoundOp) { return ChainOp::Round; })
      .Case([](math::TruncOp) { return ChainOp::Trunc; })
      .Case([](SignOp) { return ChainOp::Sign; })
      .Default([](Operation *) { return R(); });
}

std::optional<CellType> chains::getCellType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return CellType::F32;
  if (element.isInteger(1))
    return CellType::I1;
  return std::nullopt;
}
