//===- Rematerialization.cpp - What may be computed again -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rematerialization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace bquant;

/// Equal scales of two layers, say, are read once for both.
static bool readsConstant(Operation *op) {
  if (!hasSingleEffect<MemoryEffects::Read>(op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    if (!isa<MemRefType>(operand.getType()))
      return true;
    while (auto view = operand.getDefiningOp<ViewLikeOpInterface>())
      operand = view.getViewSource();
    auto get = operand.getDefiningOp<memref::GetGlobalOp>();
    auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                            get, get.getNameAttr())
                      : memref::GlobalOp();
    return global && global.getConstant();
  });
}

bool Rematerialization::isCheap(Operation *op) {
  if (op->getNumRegions() != 0 || !(isPure(op) || readsConstant(op)))
    return false;
  if (auto it = known.find(op); it != known.end())
    return it->second;
  bool is = llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return !producer || isCheap(producer);
  });
  known[op] = is;
  return is;
}

bool bquant::isSameLayer(Operation *before, Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  if (!name)
    return true;
  auto other = before->getLoc()->findInstanceOf<NameLoc>();
  return other && other.getName() == name.getName();
}
