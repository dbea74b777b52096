//===- ThreadedNetwork.cpp - What the runtime's threads run ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   llvm.func @__bquant_f(...) attributes {bquant.groups =
//       [{callee = @g, tiles = 56, nanoseconds = 20000}], ...}
//
// gets beside it, in C (bquant/Runtime/Runtime.h):
//
//   static void __bquant_f_run(int64_t group, const void *const *inputs,
//       void *const *outputs, int64_t sample, void *shared, void *slice,
//       int64_t first, int64_t last) {
//     switch (group) {
//     default: g(inputs[0], ..., outputs[0], ..., shared, slice, first, last);
//     }
//   }
//   static const BQuantRtGroup __bquant_f_groups[] = {{56, 7}};
//   static const BQuantRtNetwork __bquant_f_network = {__bquant_f_run,
//       __bquant_f_groups, 1, ...};
//   static BQuantRtPool __bquant_f_pool;
//   void f_set_parallel(parallel, data) { __bquant_f_pool = {parallel, data}; }
//
//===----------------------------------------------------------------------===//

#include "ThreadedNetwork.h"
#include "bquant/Codegen/Names.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::LLVM;
using namespace bquant;

/// How many of `parts` that take so long together a thread claims at least: all
/// if they are too small for two claims.
static int64_t countForClaim(int64_t parts, int64_t nanoseconds,
                             int64_t claimNanoseconds) {
  int64_t claims =
      claimNanoseconds == 0 ? parts : nanoseconds / claimNanoseconds;
  // The runtime divides by it, of a layer that does nothing, too.
  return std::max<int64_t>(
      1, llvm::divideCeil(parts, std::max<int64_t>(1, claims)));
}

namespace {
struct Group {
  LLVMFuncOp callee;
  int64_t tiles, nanoseconds;
};
} // namespace

static SmallVector<Group> getGroups(SymbolTable &symbols, LLVMFuncOp function) {
  SmallVector<Group> groups;
  for (auto group : function->getAttrOfType<ArrayAttr>(kGroupsName)
                        .getAsRange<DictionaryAttr>())
    groups.push_back({symbols.lookup<LLVMFuncOp>(
                          group.getAs<FlatSymbolRefAttr>("callee").getValue()),
                      group.getAs<IntegerAttr>("tiles").getInt(),
                      group.getAs<IntegerAttr>("nanoseconds").getInt()});
  return groups;
}

bool EntryArrays::haveBatch() const {
  return llvm::any_of(sampleBytes, [](std::optional<int64_t> bytes) {
    return bytes.has_value();
  });
}

Value bquant::moveToSample(OpBuilder &builder, Location loc, Value pointer,
                           Value sample, std::optional<int64_t> bytes) {
  if (!bytes)
    return pointer;
  Value size = ConstantOp::create(builder, loc, sample.getType(),
                                  builder.getI64IntegerAttr(*bytes));
  Value offset = MulOp::create(builder, loc, sample, size);
  return GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(),
                       pointer, ArrayRef<GEPArg>{offset});
}

/// The function that runs a group by its number.
static LLVMFuncOp addRun(ImplicitLocOpBuilder &b, ArrayRef<Group> groups,
                         StringRef name, const EntryArrays &arrays) {
  Type ptr = LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  auto run = LLVMFuncOp::create(
      b, ("__bquant_" + name + "_run").str(),
      LLVMFunctionType::get(LLVMVoidType::get(b.getContext()),
                            {i64, ptr, ptr, i64, ptr, ptr, i64, i64}));
  run.setLinkage(Linkage::Internal);
  OpBuilder::InsertionGuard guard(b);
  Block *entry = run.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> arguments;
  for (auto [i, bytes] : llvm::enumerate(arrays.sampleBytes)) {
    bool input = i < arrays.numInputs;
    auto index = static_cast<int32_t>(input ? i : i - arrays.numInputs);
    Value address = GEPOp::create(b, ptr, ptr, run.getArgument(input ? 1 : 2),
                                  ArrayRef<GEPArg>{index});
    arguments.push_back(moveToSample(b, b.getLoc(),
                                     LoadOp::create(b, ptr, address),
                                     run.getArgument(3), bytes));
  }
  llvm::append_range(arguments, run.getArguments().drop_front(4));

  SmallVector<Block *> blocks;
  SmallVector<int64_t> numbers;
  for (auto [i, group] : llvm::enumerate(groups)) {
    numbers.push_back(i);
    blocks.push_back(b.createBlock(&run.getBody()));
    CallOp::create(b, group.callee, arguments);
    LLVM::ReturnOp::create(b, ValueRange());
  }
  b.setInsertionPointToEnd(entry);
  // The last one needs no comparison.
  SmallVector<ValueRange> none(groups.size() - 1);
  SwitchOp::create(b, run.getArgument(0), blocks.back(), ValueRange(),
                   b.getI64VectorAttr(ArrayRef(numbers).drop_back()),
                   BlockRange(ArrayRef(blocks).drop_back()), none);
  return run;
}

GlobalOp bquant::addNetwork(SymbolTable &symbols, LLVMFuncOp function,
                            StringRef name, const EntryArrays &arrays,
                            int64_t maxThreads, int64_t claimNanoseconds) {
  SmallVector<Group> groups = getGroups(symbols, function);
  ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
  b.setInsertionPointAfter(function);
  Type ptr = LLVMPointerType::get(b.getContext()), i64 = b.getI64Type();
  LLVMFuncOp run = addRun(b, groups, name, arrays);
  symbols.insert(run);

  SmallVector<int64_t> rows;
  int64_t nanoseconds = 0;
  for (const Group &group : groups) {
    rows.push_back(group.tiles);
    rows.push_back(
        countForClaim(group.tiles, group.nanoseconds, claimNanoseconds));
    nanoseconds += group.nanoseconds;
  }
  auto table = GlobalOp::create(b, LLVMArrayType::get(i64, rows.size()),
                                /*isConstant=*/true, Linkage::Internal,
                                ("__bquant_" + name + "_groups").str(),
                                b.getI64TensorAttr(rows));
  symbols.insert(table);

  auto bytesOf = [&](StringRef attribute) {
    return function->getAttrOfType<IntegerAttr>(attribute).getInt();
  };
  // As many samples as are worth a claim.
  int64_t claimSamples = 0;
  if (arrays.haveBatch())
    claimSamples = std::max<int64_t>(1, claimNanoseconds /
                                            std::max<int64_t>(1, nanoseconds));
  const int64_t numbers[] = {static_cast<int64_t>(groups.size()),
                             bytesOf(kArenaBytesName), bytesOf(kSliceBytesName),
                             claimSamples, maxThreads};
  auto type = LLVMStructType::getLiteral(b.getContext(),
                                         {ptr, ptr, i64, i64, i64, i64, i64});
  auto network =
      GlobalOp::create(b, type, /*isConstant=*/true, Linkage::Internal,
                       ("__bquant_" + name + "_network").str(), Attribute());
  symbols.insert(network);
  b.createBlock(&network.getInitializerRegion());
  Value value = UndefOp::create(b, type);
  int64_t position = 0;
  auto append = [&](Value member) {
    value = InsertValueOp::create(b, value, member, position++);
  };
  append(AddressOfOp::create(b, run));
  append(AddressOfOp::create(b, table));
  for (int64_t number : numbers)
    append(ConstantOp::create(b, i64, b.getI64IntegerAttr(number)));
  LLVM::ReturnOp::create(b, value);
  return network;
}

GlobalOp bquant::addPool(SymbolTable &symbols, LLVMFuncOp setParallel,
                         StringRef name) {
  ImplicitLocOpBuilder b(setParallel.getLoc(), setParallel);
  Type ptr = LLVMPointerType::get(b.getContext());
  auto type = LLVMStructType::getLiteral(b.getContext(), {ptr, ptr});
  auto pool =
      GlobalOp::create(b, type, /*isConstant=*/false, Linkage::Internal,
                       ("__bquant_" + name + "_pool").str(), Attribute());
  symbols.insert(pool);
  b.createBlock(&pool.getInitializerRegion());
  LLVM::ReturnOp::create(b, ZeroOp::create(b, type));

  b.setInsertionPointToStart(setParallel.addEntryBlock(b));
  Value place = AddressOfOp::create(b, pool);
  for (auto [i, member] : llvm::enumerate(setParallel.getArguments())) {
    Value address = GEPOp::create(b, ptr, type, place,
                                  ArrayRef<GEPArg>{0, static_cast<int32_t>(i)});
    StoreOp::create(b, member, address);
  }
  LLVM::ReturnOp::create(b, ValueRange());
  return pool;
}
