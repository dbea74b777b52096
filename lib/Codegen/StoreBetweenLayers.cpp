//===- StoreBetweenLayers.cpp - Layers hand on nothing but memory ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %v = arith.addf ... : vector<64xf32> loc("conv1")
//   vector.transfer_write %v, %map
//   %w = arith.addf %v, ... : vector<64xf32> loc("conv2")
//
// becomes
//
//   %kept = memref.alloc() : memref<64xf32>
//   %v = arith.addf ... : vector<64xf32> loc("conv1")
//   vector.transfer_write %v, %map
//   vector.transfer_write %v, %kept[%c0]
//   %again = vector.transfer_read %kept[%c0] loc("conv2")
//   %w = arith.addf %again, ... : vector<64xf32> loc("conv2")
//
// Corner tiles of a residual network are such values: of one layer and the
// shortcut of the next but one. A loop that threads share is a layer here, and
// so is the code before and after it, which one thread runs. Bits are kept as
// bytes: LLVM may pass a vector that a function loads by value, and cannot do
// so for <1 x i1> where there are mask registers.
//
//===----------------------------------------------------------------------===//

#include "Rematerialization.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {
#define GEN_PASS_DEF_STOREBETWEENLAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static bool startsLayer(Operation *before, Operation *op) {
  return isa<scf::ForallOp>(before) || isa<scf::ForallOp>(op) ||
         !isSameLayer(before, op);
}

namespace {
struct StoreBetweenLayers
    : bquant::impl::StoreBetweenLayersBase<StoreBetweenLayers> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || !func.getBody().hasOneBlock())
      return;
    Block &body = func.getBody().front();
    layers.clear();
    firsts.clear();
    Rematerialization values;
    SmallVector<Operation *> work;
    for (Operation &op : body.without_terminator())
      if (!values.isCheap(&op))
        work.push_back(&op);
    for (auto [i, op] : llvm::enumerate(work)) {
      layers[op] =
          i == 0 ? 0 : layers[work[i - 1]] + startsLayer(work[i - 1], op);
      firsts.try_emplace(layers[op], op);
    }
    for (Operation *op : work)
      for (Value result : op->getResults())
        if (isa<VectorType>(result.getType()) ||
            result.getType().isIntOrFloat())
          store(result, body);
  }

private:
  /// Lets the users of `value` in other layers than its own read it from
  /// memory, once in each.
  void store(Value value, Block &body) {
    int64_t own = layers[value.getDefiningOp()];
    std::map<int64_t, SmallVector<OpOperand *>> uses;
    for (OpOperand &use : value.getUses()) {
      auto it = layers.find(body.findAncestorOpInBlock(*use.getOwner()));
      if (it != layers.end() && it->second != own)
        uses[it->second].push_back(&use);
    }
    if (uses.empty())
      return;
    ImplicitLocOpBuilder b(value.getLoc(), value.getDefiningOp());
    Type type = getStoredType(value.getType());
    auto vector = dyn_cast<VectorType>(type);
    Value kept = memref::AllocOp::create(
        b, vector ? MemRefType::get(vector.getShape(), vector.getElementType())
                  : MemRefType::get({}, type));
    b.setInsertionPointAfter(value.getDefiningOp());
    write(b, value, kept);
    for (auto &[layer, operands] : uses) {
      Operation *first = firsts.at(layer);
      ImplicitLocOpBuilder reader(first->getLoc(), first);
      Value again = read(reader, value.getType(), kept);
      for (OpOperand *use : operands)
        use->set(again);
    }
  }

  static Type getStoredType(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector || !vector.getElementType().isInteger(1))
      return type;
    return vector.clone(IntegerType::get(type.getContext(), 8));
  }

  static void write(ImplicitLocOpBuilder &b, Value value, Value to) {
    if (Type type = getStoredType(value.getType()); type != value.getType())
      value = arith::ExtUIOp::create(b, type, value);
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector) {
      memref::StoreOp::create(b, value, to, ValueRange());
      return;
    }
    Value zero = arith::ConstantIndexOp::create(b, 0);
    SmallVector<Value> origin(vector.getRank(), zero);
    SmallVector<bool> inBounds(vector.getRank(), true);
    vector::TransferWriteOp::create(b, value, to, origin,
                                    ArrayRef<bool>(inBounds));
  }

  static Value read(ImplicitLocOpBuilder &b, Type type, Value from) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return memref::LoadOp::create(b, from, ValueRange());
    Value zero = arith::ConstantIndexOp::create(b, 0);
    SmallVector<Value> origin(vector.getRank(), zero);
    SmallVector<bool> inBounds(vector.getRank(), true);
    auto stored = cast<VectorType>(getStoredType(type));
    Value result = vector::TransferReadOp::create(b, stored, from, origin,
                                                  /*padding=*/std::nullopt,
                                                  ArrayRef<bool>(inBounds));
    return stored == type ? result : arith::TruncIOp::create(b, type, result);
  }

  /// The number of the layer of each operation of the body, and its first one.
  DenseMap<Operation *, int64_t> layers;
  DenseMap<int64_t, Operation *> firsts;
};
} // namespace
