//===- OutlineLoops.cpp - A function for each outer loop ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body is cut behind a loop or a layer where nothing but memory goes from the
// operations before the cut to those behind it. What costs little and needs
// arguments only (constants, what is read of them, views of memory) is
// rematerialized on either side.
//
// Upstream's mlir::outlineSingleBlockRegion outlines a region that is there. To
// use it, each partition would first need a region of its own (an
// scf.execute_region), and what is rematerialized would have to be copied into
// it, else views of the arena become arguments and hide from LLVM which bytes
// they are. That is most of this file.
//
// The function bears the name that its last operation's location has, if it has
// one: an importer's name of the layer, which tools like perf then show.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Rematerialization.h"
#include "Support/Locations.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

namespace bquant {
#define GEN_PASS_DEF_OUTLINELOOPS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// The operations that become one function, in their order.
using Partition = SmallVector<Operation *>;

/// Cuts the body of a function.
class Cutter {
public:
  explicit Cutter(Block &body) : body(body) {}

  /// Partitions end with a loop, before a parallel one and what it reads, or
  /// with the last operation of a layer. One whose results leave the body is in
  /// none.
  SmallVector<Partition> cut() {
    SmallVector<Operation *> work;
    for (Operation &op : body.without_terminator())
      if (!values.isCheap(&op))
        work.push_back(&op);
    DenseMap<Operation *, size_t> position;
    for (auto [i, op] : llvm::enumerate(work))
      position[op] = i;

    SmallVector<Partition> partitions;
    Partition partition;
    size_t lastUse = 0; // of any result in `partition`
    for (auto [i, op] : llvm::enumerate(work)) {
      partition.push_back(op);
      for (Operation *user : op->getUsers()) {
        auto it = position.find(body.findAncestorOpInBlock(*user));
        lastUse =
            std::max(lastUse, it == position.end() ? work.size() : it->second);
      }
      bool ends = i + 1 == work.size() || !isSameLayer(op, work[i + 1]) ||
                  isBeforeTiles(work, i) ||
                  llvm::any_of(partition, llvm::IsaPred<LoopLikeOpInterface>);
      if (ends && lastUse <= i)
        partitions.push_back(std::exchange(partition, {}));
    }
    return partitions;
  }

private:
  Block &body;
  Rematerialization values;

  /// Whether from the next operation of `work` to a parallel loop nothing is
  /// written: threads that share that loop may all do it. What operation `i`
  /// does is done once.
  static bool isBeforeTiles(ArrayRef<Operation *> work, size_t i) {
    if (!mayWrite(work[i]))
      return false;
    for (Operation *op : work.drop_front(i + 1)) {
      if (isa<scf::ForallOp>(op))
        return true;
      if (mayWrite(op))
        return false;
    }
    return false;
  }
};

/// "_layer1_0_conv1" of a layer that has a name.
std::string getSuffix(Location loc) {
  if (!loc->findInstanceOf<NameLoc>())
    return "";
  std::string name = "_" + formatLocation(loc);
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

/// Copies `op`, and before it what it needs, by `map`.
void copy(OpBuilder &b, Operation *op, IRMapping &map) {
  SetVector<Value> needed(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), needed);
  for (Value value : needed)
    if (!map.contains(value))
      copy(b, value.getDefiningOp(), map);
  b.clone(*op, map);
}

/// Moves `partition` of `func` to `made`, and calls it.
void outline(func::FuncOp func, const Partition &partition, func::FuncOp made) {
  made.setPrivate();
  if (ArrayAttr attributes = func.getAllArgAttrs())
    made.setAllArgAttrs(attributes);
  // Inlined, they would be one function again.
  made->setAttr("passthrough",
                OpBuilder(func.getContext()).getStrArrayAttr({"noinline"}));
  made->setAttr("llvm.linkage",
                LLVM::LinkageAttr::get(func.getContext(),
                                       LLVM::linkage::Linkage::Internal));

  Block *body = made.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(body);
  IRMapping map;
  map.map(func.getArguments(), body->getArguments());
  for (Operation *op : partition)
    copy(b, op, map);
  func::ReturnOp::create(b, made.getLoc());

  b.setInsertionPoint(partition.front());
  func::CallOp::create(b, made.getLoc(), made, func.getArguments());
  for (Operation *op : llvm::reverse(partition))
    op->erase();
}

struct OutlineLoops : bquant::impl::OutlineLoopsBase<OutlineLoops> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (func.isExternal() || !func.getBody().hasOneBlock())
        continue;
      Block &body = func.getBody().front();
      SmallVector<Partition> partitions = Cutter(body).cut();
      auto type = FunctionType::get(&getContext(), func.getArgumentTypes(), {});
      for (auto [i, partition] : llvm::enumerate(partitions)) {
        Location loc = partition.back()->getLoc();
        auto made = func::FuncOp::create(
            loc,
            (func.getSymName() + "_loop_" + Twine(i) + getSuffix(loc)).str(),
            type);
        symbols.insert(made, func->getIterator());
        outline(func, partition, made);
      }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
        if (isOpTriviallyDead(&op))
          op.erase();
    }
  }
};
} // namespace
