//===- GroupLoops.cpp - Loops that may run at the same time ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call @f_loop_3(...)  // the first row of an image
//   call @f_loop_4(...)  // the other rows
//   call @f_loop_5(...)  // reads the image
//
// becomes
//
//   call @f_group_0(...) // calls @f_loop_3 and @f_loop_4
//   call @f_loop_5(...)
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/IR/SymbolTable.h"

namespace bquant {
#define GEN_PASS_DEF_GROUPLOOPS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
using Group = SmallVector<func::CallOp>;

struct GroupLoops : public bquant::impl::GroupLoopsBase<GroupLoops> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (func->hasAttr(kSliceBytesName) && func.getBody().hasOneBlock())
        for (auto [i, group] : llvm::enumerate(findGroups(func, symbols)))
          outline(func, group, i, symbols);
  }

private:
  /// Runs of calls, each of which conflicts with none of the others.
  SmallVector<Group> findGroups(func::FuncOp func, SymbolTable &symbols) {
    SmallVector<Group> groups;
    Group group;
    SmallVector<Footprint> footprints;
    auto end = [&] {
      if (group.size() > 1)
        groups.push_back(group);
      group.clear();
      footprints.clear();
    };
    for (Operation &op : func.getBody().front()) {
      auto call = dyn_cast<func::CallOp>(op);
      if (!call || call.getNumResults() != 0 ||
          call.getOperands() != ValueRange(func.getArguments())) {
        end();
        continue;
      }
      Footprint footprint(symbols.lookup<func::FuncOp>(call.getCallee()),
                          /*own=*/func.getNumArguments() - 1);
      if (llvm::any_of(footprints, [&](const Footprint &other) {
            return footprint.conflictsWith(other);
          }))
        end();
      group.push_back(call);
      footprints.push_back(std::move(footprint));
    }
    return groups;
  }

  /// Moves `group` to a function of its own.
  void outline(func::FuncOp func, Group group, size_t number,
               SymbolTable &symbols) {
    Location loc = group.front().getLoc();
    auto callee = symbols.lookup<func::FuncOp>(group.front().getCallee());
    // Linkage and attributes of arguments are as of what it calls.
    auto made = cast<func::FuncOp>(callee->cloneWithoutRegions());
    made.setSymName((func.getSymName() + "_group_" + Twine(number)).str());
    made->setLoc(loc);
    symbols.insert(made, func->getIterator());
    OpBuilder b(group.front());
    func::CallOp::create(b, loc, made, func.getArguments());
    Block *body = made.addEntryBlock();
    b.setInsertionPointToStart(body);
    auto end = func::ReturnOp::create(b, loc);
    for (func::CallOp call : group) {
      call->moveBefore(end);
      call->setOperands(body->getArguments());
    }
  }
};
} // namespace
