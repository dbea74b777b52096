//===- EntryPoint.cpp - The function that a host calls --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"
#include "SampleLoops.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::LLVM;
using namespace bquant;

// Of the runtime (bquant/Runtime/Runtime.h).
static constexpr llvm::StringLiteral runName = "bquant_rt_run";

LLVMFuncOp bquant::addFunction(OpBuilder &builder, SymbolTable &symbols,
                               Location loc, const Twine &name, Type result,
                               ArrayRef<Type> arguments) {
  auto function = LLVMFuncOp::create(builder, loc, name.str(),
                                     LLVMFunctionType::get(result, arguments));
  function.setPassthroughAttr(
      builder.getArrayAttr({builder.getStringAttr("bquant-entry")}));
  symbols.insert(function);
  return function;
}

LLVMFuncOp bquant::getRuntime(SymbolTable &symbols, Location loc,
                              StringRef name, Type result,
                              ArrayRef<Type> arguments) {
  if (auto runtime = symbols.lookup<LLVMFuncOp>(name))
    return runtime;
  Block &module = symbols.getOp()->getRegion(0).front();
  OpBuilder builder = OpBuilder::atBlockEnd(&module);
  auto runtime = LLVMFuncOp::create(builder, loc, name,
                                    LLVMFunctionType::get(result, arguments));
  symbols.insert(runtime);
  return runtime;
}

namespace {
/// Writes the body of an entry point: int32_t NAME(void *const *inputs, void
/// *const *outputs, void *arena, int32_t threads[, int64_t batch])
class EntryPointBuilder {
public:
  EntryPointBuilder(OpBuilder &builder, SymbolTable &symbols,
                    const Entry &entry)
      : b(getLoc(entry), builder), symbols(symbols), entry(entry),
        ptr(LLVMPointerType::get(b.getContext())), i32(b.getI32Type()),
        i64(b.getI64Type()) {}

  void build(StringRef name);

private:
  static Location getLoc(const Entry &entry) {
    LLVMFuncOp function = entry.code.function;
    return function.getLoc();
  }

  Value createConstant(Type type, int64_t value) {
    return ConstantOp::create(b, type, b.getIntegerAttr(type, value));
  }
  Value createCompare(ICmpPredicate predicate, Value left, Value right) {
    return ICmpOp::create(b, predicate, left, right);
  }
  Block *createReturn(int32_t code);
  void leaveIf(Value condition, Block *target);
  void loadPointers();
  Value isBadArena();
  Value callBlocks();
  Value callCode(const EntryCode &code, Value first, Value end);
  Value callRuntime(const EntryCode &code, Value first, Value end);

  ImplicitLocOpBuilder b;
  SymbolTable &symbols;
  const Entry &entry;
  Type ptr, i32, i64;
  LLVMFuncOp function;
  Value inputs, outputs, arena, threads, batch;
  /// Returns that an argument is wrong.
  Block *bad = nullptr;
  /// To all arrays, inputs first.
  SmallVector<Value> pointers;
};
} // namespace

Block *EntryPointBuilder::createReturn(int32_t code) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&function.getBody(), function.getBody().end());
  ReturnOp::create(b, createConstant(i32, code));
  return block;
}

/// Goes on in a new block if `condition` does not hold.
void EntryPointBuilder::leaveIf(Value condition, Block *target) {
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *next = b.createBlock(bad);
  b.restoreInsertionPoint(here);
  CondBrOp::create(b, condition, target, next);
  b.setInsertionPointToEnd(next);
}

void EntryPointBuilder::build(StringRef name) {
  bool hasBatch = entry.code.arrays.haveBatch();
  SmallVector<Type> types = {ptr, ptr, ptr, i32};
  if (hasBatch)
    types.push_back(i64);
  function = addFunction(b, symbols, b.getLoc(), name, i32, types);
  OpBuilder::InsertionGuard guard(b);
  Block *first = function.addEntryBlock(b);
  inputs = function.getArgument(0);
  outputs = function.getArgument(1);
  arena = function.getArgument(2);
  threads = function.getArgument(3);
  bad = createReturn(1);
  Block *lacking = createReturn(2);

  b.setInsertionPointToEnd(first);
  leaveIf(createCompare(ICmpPredicate::slt, threads, createConstant(i32, 1)),
          bad);
  if (hasBatch) {
    batch = function.getArgument(4);
    Value none = createConstant(i64, 0);
    leaveIf(createCompare(ICmpPredicate::slt, batch, none), bad);
    leaveIf(createCompare(ICmpPredicate::eq, batch, none), createReturn(0));
  }
  loadPointers();
  if (entry.code.network || entry.getBytes() > 0)
    leaveIf(isBadArena(), bad);
  Value ok = CallOp::create(b, entry.supported, ValueRange()).getResult();
  leaveIf(createCompare(ICmpPredicate::eq, ok, createConstant(i32, 0)),
          lacking);
  ReturnOp::create(b, entry.block ? callBlocks()
                                  : callCode(entry.code, Value(), batch));
}

/// No pointer may be null, nor an array of pointers that there are any in.
void EntryPointBuilder::loadPointers() {
  Value null = ZeroOp::create(b, ptr);
  auto leaveIfNull = [&](Value pointer) {
    leaveIf(createCompare(ICmpPredicate::eq, pointer, null), bad);
  };
  size_t numInputs = entry.code.arrays.numInputs;
  size_t numOutputs = entry.code.arrays.sampleBytes.size() - numInputs;
  for (auto [array, count] :
       {std::pair(inputs, numInputs), {outputs, numOutputs}}) {
    if (count > 0)
      leaveIfNull(array);
    for (size_t i = 0; i < count; ++i) {
      Value address = GEPOp::create(b, ptr, ptr, array,
                                    ArrayRef<GEPArg>{static_cast<int>(i)});
      pointers.push_back(LoadOp::create(b, ptr, address));
      leaveIfNull(pointers.back());
    }
  }
}

/// Whether the call's arena is none, or not aligned, though it needs one.
Value EntryPointBuilder::isBadArena() {
  Value zero = createConstant(i64, 0);
  Value address = PtrToIntOp::create(b, i64, arena);
  Value low = AndOp::create(b, address, createConstant(i64, 63));
  Value null = createCompare(ICmpPredicate::eq, address, zero);
  Value odd = createCompare(ICmpPredicate::ne, low, zero);
  Value isBad = OrOp::create(b, null, odd);
  if (!entry.code.network)
    return isBad;
  // It depends on the number of threads whether there is any.
  Value bytes = CallOp::create(b, entry.arenaBytes, threads).getResult();
  Value any = createCompare(ICmpPredicate::ne, bytes, zero);
  return AndOp::create(b, any, isBad);
}

/// Calls for whole blocks, and then for the samples that are left.
Value EntryPointBuilder::callBlocks() {
  Value zero = createConstant(i64, 0), ok = createConstant(i32, 0);
  Value samples = createConstant(i64, entry.blockSamples);
  Value count = UDivOp::create(b, batch, samples);
  Value whole = MulOp::create(b, count, samples);
  Value code = emitIfDifferent(b, b.getLoc(), count, zero, ok, [&] {
    return callCode(*entry.block, Value(), count);
  });
  // What is left of a call that has failed is none.
  Value failed = createCompare(ICmpPredicate::ne, code, ok);
  whole = SelectOp::create(b, failed, batch, whole);
  return emitIfDifferent(b, b.getLoc(), whole, batch, code,
                         [&] { return callCode(entry.code, whole, batch); });
}

/// Calls `code` for the samples, or blocks, from `first`, if that is not 0, to
/// before `end`; once if there is no batch. Returns what the call of the entry
/// point returns.
Value EntryPointBuilder::callCode(const EntryCode &code, Value first,
                                  Value end) {
  if (code.network)
    return callRuntime(code, first, end);
  SmallVector<Value> all(pointers);
  all.push_back(arena);
  if (code.slice) { // of one thread
    Value offset = createConstant(i64, *code.slice);
    all.push_back(GEPOp::create(b, ptr, b.getI8Type(), all.back(),
                                ArrayRef<GEPArg>{offset}));
  }
  if (!end)
    CallOp::create(b, code.function, all);
  else
    callForEach(b, code.function, first ? first : createConstant(i64, 0), end,
                all, code.arrays.sampleBytes);
  return createConstant(i32, 0);
}

/// bquant_rt_run(&NETWORK, inputs, outputs, arena, threads, batch, &POOL)
Value EntryPointBuilder::callRuntime(const EntryCode &code, Value first,
                                     Value end) {
  LLVMFuncOp run = getRuntime(symbols, b.getLoc(), runName, i32,
                              {ptr, ptr, ptr, ptr, i32, i64, ptr});
  Value ownInputs = inputs, ownOutputs = outputs;
  Value count = end ? end : createConstant(i64, 1);
  if (first) {
    SmallVector<Value> moved(pointers);
    for (auto [pointer, bytes] : llvm::zip(moved, code.arrays.sampleBytes))
      pointer = moveToSample(b, b.getLoc(), pointer, first, bytes);
    ArrayRef<Value> all(moved);
    size_t numInputs = code.arrays.numInputs;
    ownInputs = storePointers(b, b.getLoc(), all.take_front(numInputs));
    ownOutputs = storePointers(b, b.getLoc(), all.drop_front(numInputs));
    count = SubOp::create(b, end, first);
  }
  Value network = AddressOfOp::create(b, code.network);
  Value pool = AddressOfOp::create(b, entry.pool);
  return CallOp::create(b, run,
                        ValueRange{network, ownInputs, ownOutputs, arena,
                                   threads, count, pool})
      .getResult();
}

void bquant::addEntryPoint(OpBuilder &builder, SymbolTable &symbols,
                           StringRef name, const Entry &entry) {
  EntryPointBuilder(builder, symbols, entry).build(name);
}
