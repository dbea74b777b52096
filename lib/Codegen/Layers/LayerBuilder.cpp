//===- LayerBuilder.cpp - Layers of operations on buffers -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerBuilder.h"
#include "Effects.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

Value bquant::copyValue(OpBuilder &b, Value value, IRMapping &map) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *producer = value.getDefiningOp();
  for (Value operand : producer->getOperands())
    copyValue(b, operand, map);
  b.clone(*producer, map);
  return map.lookup(value);
}

bool LayerBuilder::isCheap(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op);
}

/// A global is a buffer as any other.
bool LayerBuilder::isCopied(Operation *op) const {
  return op && (copied.contains(op) ||
                (isCheap(op) && !isa<memref::GetGlobalOp>(op)));
}

LayerBuilder::LayerBuilder(ArrayRef<Operation *> ops,
                           const DenseSet<Operation *> &copied)
    : ops(ops), copied(copied) {
  llvm::SetVector<Value> read;
  for (Operation *op : ops) {
    read.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
  }
  for (Value value : read) {
    if (llvm::is_contained(ops, value.getDefiningOp()))
      continue;
    used.push_back(value);
    add(value, isa<BaseMemRefType>(value.getType()) &&
                   llvm::any_of(ops, [&](Operation *op) {
                     return mayWrite(op, value);
                   }));
  }
}

void LayerBuilder::add(Value value, bool writes) {
  Operation *producer = value.getDefiningOp();
  if (!isCopied(producer)) {
    operands[value] |= writes;
    return;
  }
  auto view = dyn_cast<ViewLikeOpInterface>(producer);
  for (Value operand : producer->getOperands())
    add(operand, writes && isa<BaseMemRefType>(operand.getType()) &&
                     (!view || operand == view.getViewSource()));
}

bool LayerBuilder::isOnBuffers() const {
  return llvm::any_of(operands, [](auto operand) { return operand.second; }) &&
         llvm::none_of(operands, [](auto operand) {
           return isa<TensorType>(operand.first.getType());
         });
}

LayerOp LayerBuilder::createEmpty(OpBuilder &b, Location loc, StringAttr name) {
  SmallVector<Value> inputs, inits;
  for (auto [value, writes] : operands)
    (writes ? inits : inputs).push_back(value);
  auto layer = LayerOp::create(b, loc, name, inputs, inits);
  inside.map(layer.getOperands(), layer.getBody()->getArguments());
  return layer;
}

LayerOp LayerBuilder::create(StringAttr name) {
  OpBuilder b(ops.front());
  LayerOp layer = createEmpty(b, ops.front()->getLoc(), name);
  b.setInsertionPointToEnd(layer.getBody());
  auto end = packed::YieldOp::create(b, layer.getLoc());
  b.setInsertionPoint(end);
  DenseMap<Value, Value> places;
  for (Value value : used)
    places[value] = copyValue(b, value, inside);
  for (Operation *op : ops) {
    op->moveBefore(end);
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (Value place = places.lookup(operand.get()))
          operand.set(place);
    });
  }
  return layer;
}

void LayerBuilder::replaceViews(LayerOp layer) {
  LayerBuilder builder;
  for (OpOperand &operand : layer->getOpOperands())
    builder.add(operand.get(), layer.isDpsInit(&operand));
  OpBuilder b(layer);
  LayerOp made = builder.createEmpty(b, layer.getLoc(), layer.getNameAttr());
  made->setDiscardableAttrs(layer->getDiscardableAttrDictionary());
  b.setInsertionPointToStart(made.getBody());
  for (auto [argument, operand] :
       llvm::zip_equal(layer.getBody()->getArguments(), layer.getOperands()))
    argument.replaceAllUsesWith(copyValue(b, operand, builder.inside));
  made.getBody()->getOperations().splice(made.getBody()->end(),
                                         layer.getBody()->getOperations());
  layer.erase();
}
