//===- Effects.cpp - What operations do to memory ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

bool bquant::mayWrite(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return !isa<MemoryEffects::Read>(effect.getEffect());
  });
}

bool bquant::mayWrite(Operation *op, Value buffer) {
  DenseSet<Value> views{buffer};
  auto isView = [&](Value value) { return views.contains(value); };
  WalkResult result = op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    bool takesBuffer = llvm::any_of(inner->getOperands(), isView);
    if (auto view = dyn_cast<ViewLikeOpInterface>(inner)) {
      if (isView(view.getViewSource()))
        views.insert_range(inner->getResults());
      return WalkResult::advance();
    }
    auto effectsOf = dyn_cast<MemoryEffectOpInterface>(inner);
    // A loop may carry the buffer under another name, a selection has it under
    // one, and what is yielded is a result of the op around.
    if (!effectsOf || inner->hasTrait<OpTrait::IsTerminator>() ||
        llvm::any_of(inner->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      return takesBuffer ? WalkResult::interrupt() : WalkResult::advance();
    SmallVector<MemoryEffects::EffectInstance> effects;
    effectsOf.getEffects(effects);
    bool writes = llvm::any_of(effects, [&](const auto &effect) {
      return !isa<MemoryEffects::Read>(effect.getEffect()) &&
             (!effect.getValue() || isView(effect.getValue()));
    });
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
