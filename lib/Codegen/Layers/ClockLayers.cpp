//===- ClockLayers.cpp - Clocks around the functions of layers ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call @f_2_conv1(...) loc("conv1")
//   call @f_3_conv1(...) loc("conv1")
//
// becomes
//
//   %before = call @bquant_clock() : () -> i64
//   call @f_2_conv1(...)
//   call @f_3_conv1(...)
//   %after = call @bquant_clock() : () -> i64
//   // @bquant_layer_times[i] += %after - %before
//
//===----------------------------------------------------------------------===//

#include "Support/Locations.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace bquant {
#define GEN_PASS_DEF_CLOCKLAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// Calls that follow each other, of one layer.
struct Run {
  func::CallOp first, last;
  size_t layer;
};

struct ClockLayers : bquant::impl::ClockLayersBase<ClockLayers> {
  void runOnOperation() override {
    // The pass may have run on another module.
    layers.clear();
    runs.clear();
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal())
        findRuns(func);
    SmallVector<Attribute> names;
    OpBuilder b(&getContext());
    for (const auto &[key, layer] : layers)
      names.push_back(b.getStrArrayAttr({key.first, key.second}));
    getOperation()->setAttr(kClockedLayersName, b.getArrayAttr(names));

    b.setInsertionPointToStart(getOperation().getBody());
    Location loc = getOperation().getLoc();
    auto clock = func::FuncOp::create(b, loc, kClockName,
                                      b.getFunctionType({}, b.getI64Type()));
    clock.setPrivate();
    auto type =
        MemRefType::get(std::max<size_t>(layers.size(), 1), b.getI64Type());
    auto zeros = DenseElementsAttr::get(
        RankedTensorType::get(type.getShape(), b.getI64Type()), int64_t(0));
    memref::GlobalOp::create(b, loc, kLayerTimesName, /*visibility=*/nullptr,
                             type, zeros, /*constant=*/false,
                             /*alignment=*/nullptr);
    for (const Run &run : runs)
      addClocks(run, type);
  }

private:
  void findRuns(func::FuncOp func) {
    func.walk([&](Block *block) {
      bool follows = false;
      for (Operation &op : *block) {
        auto call = dyn_cast<func::CallOp>(op);
        if (!call) {
          follows = false;
          continue;
        }
        StringRef name = func.getSymName();
        name.consume_front(kInnerPrefix);
        // A layer on a block of samples is that on one.
        if (auto block = func->getAttrOfType<DictionaryAttr>(kBlockName))
          name = block.getAs<StringAttr>("of").getValue();
        auto key = std::make_pair(name.str(), formatLocation(call.getLoc()));
        size_t layer = layers.try_emplace(key, layers.size()).first->second;
        if (follows && runs.back().layer == layer)
          runs.back().last = call;
        else
          runs.push_back({call, call, layer});
        follows = true;
      }
    });
  }

  void addClocks(Run run, MemRefType type) {
    ImplicitLocOpBuilder b(run.first.getLoc(), run.first);
    auto readClock = [&] {
      return func::CallOp::create(b, kClockName, b.getI64Type()).getResult(0);
    };
    Value before = readClock();
    b.setInsertionPointAfter(run.last);
    Value time = arith::SubIOp::create(b, readClock(), before);
    Value times = memref::GetGlobalOp::create(b, type, kLayerTimesName);
    Value index = arith::ConstantIndexOp::create(b, run.layer);
    Value sum = memref::LoadOp::create(b, times, index);
    memref::StoreOp::create(b, arith::AddIOp::create(b, sum, time), times,
                            index);
  }

  /// By function and location, in the order of the program.
  llvm::MapVector<std::pair<std::string, std::string>, size_t,
                  std::map<std::pair<std::string, std::string>, unsigned>>
      layers;
  std::vector<Run> runs;
};
} // namespace
