//===- WrapEntryPoints.cpp - The C interface of public functions ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds NAME, NAME_arena_bytes, NAME_supported and NAME_signature for each
// function NAME with a `bquant.signature`, and NAME_set_parallel for one that
// runs on several threads; see the description in Passes.td.
//
// Upstream's --llvm-request-c-wrappers gives a function taking pointers to
// memref descriptors, structs that a C caller would have to fill in, and knows
// no CPU check, batch, threads or signature.
//
//===----------------------------------------------------------------------===//

#include "Signature.h"
#include "ThreadedNetwork.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace bquant {
#define GEN_PASS_DEF_WRAPENTRYPOINTS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace mlir::LLVM;
using bquant::EntryArrays;

// Of the runtime (bquant/Runtime/Runtime.h).
static constexpr llvm::StringLiteral supportsName = "bquant_rt_supports";
static constexpr llvm::StringLiteral arenaBytesName = "bquant_rt_arena_bytes";
static constexpr llvm::StringLiteral runName = "bquant_rt_run";

namespace {
/// What an entry point is made of.
struct Entry {
  LLVMFuncOp inner;
  EntryArrays arrays;
  /// The arena of one thread, and where in it the slice is, if it has one.
  int64_t bytes;
  std::optional<int64_t> slice;
  LLVMFuncOp supported;
  LLVMFuncOp arenaBytes = nullptr;
  /// Null where all calls run on one thread.
  GlobalOp network = nullptr, pool = nullptr;
};

class WrapEntryPoints
    : public bquant::impl::WrapEntryPointsBase<WrapEntryPoints> {
public:
  using Base::Base;

private:
  Type ptr, i32, i64;
  /// What the CPU has to have, as in `+avx2,+fma`.
  std::string features;
  SymbolTable *symbols = nullptr;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    if (threads < 1) {
      getOperation().emitError("expected at least 1 thread, but got ")
          << threads.getValue();
      return signalPassFailure();
    }
    ptr = LLVMPointerType::get(context);
    i32 = IntegerType::get(context, 32);
    i64 = IntegerType::get(context, 64);
    SymbolTable table(getOperation());
    symbols = &table;
    FailureOr<std::optional<bquant::Target>> target =
        bquant::getModuleTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (*target)
      features = (*target)->getRequired();

    SmallVector<LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVMFuncOp>())
      if (function->hasAttr("bquant.signature"))
        functions.push_back(function);
    for (LLVMFuncOp function : functions)
      if (failed(wrap(function)))
        return signalPassFailure();
  }

  LogicalResult wrap(LLVMFuncOp inner) {
    auto signature = inner->getAttrOfType<DictionaryAttr>("bquant.signature");
    StringRef name = signature.getAs<StringAttr>("name").getValue();
    std::string symbol = bquant::toCName(name);
    for (const char *suffix :
         {"", "_arena_bytes", "_supported", "_signature", "_set_parallel"})
      if (symbols->lookup((symbol + suffix).c_str()))
        return inner.emitError("expected a function name that leaves '")
               << symbol << suffix << "' free";

    auto inputs = signature.getAs<ArrayAttr>("inputs");
    auto outputs = signature.getAs<ArrayAttr>("outputs");
    auto arena = inner->getAttrOfType<IntegerAttr>(bquant::kArenaBytesName);
    auto slice = inner->getAttrOfType<IntegerAttr>(bquant::kSliceBytesName);
    if (!arena)
      return inner.emitError("expected the attribute '")
             << bquant::kArenaBytesName << "'";
    size_t numPointers = inputs.size() + outputs.size() + (slice ? 2 : 1);
    if (inner.getNumArguments() != numPointers ||
        !llvm::all_equal(inner.getArgumentTypes()) ||
        inner.getArgumentTypes().front() != ptr)
      return inner.emitError("expected ")
             << numPointers << " pointers as arguments, but got "
             << inner.getFunctionType();
    inner.setLinkage(Linkage::Internal);
    inner->removeAttr("bquant.signature");

    EntryArrays arrays{inputs.size(), {}};
    for (ArrayAttr values : {inputs, outputs})
      for (auto value : values.getAsRange<DictionaryAttr>())
        arrays.sampleBytes.push_back(bquant::getSampleBytes(value));
    bool threaded = threads > 1 && slice && inner->hasAttr(bquant::kGroupsName);
    int64_t bytes = arena.getInt() + (slice ? slice.getInt() : 0);
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    llvm::json::Object description{{"name", name},
                                   {"symbol", symbol},
                                   {"inputs", bquant::describeArrays(inputs)},
                                   {"outputs", bquant::describeArrays(outputs)},
                                   {"arena_bytes", bytes},
                                   {"max_threads", threaded ? threads : 1}};
    std::string json;
    llvm::raw_string_ostream(json) << llvm::json::Value(std::move(description));
    addString(builder, inner.getLoc(), symbol + "_signature", json,
              Linkage::External);
    LLVMFuncOp supported = addSupported(builder, inner.getLoc(), symbol);
    Entry entry{inner, arrays, bytes, std::nullopt, supported};
    if (slice)
      entry.slice = arena.getInt();
    if (threaded) {
      entry.network = bquant::addNetwork(*symbols, inner, symbol, arrays,
                                         threads, claimNanoseconds);
      LLVMFuncOp setParallel =
          addFunction(builder, inner.getLoc(), symbol + "_set_parallel",
                      LLVMVoidType::get(&getContext()), {ptr, ptr});
      entry.pool = bquant::addPool(*symbols, setParallel, symbol);
    }
    entry.arenaBytes = addArenaBytes(builder, symbol, entry);
    addEntry(builder, symbol, entry);
    return success();
  }

  GlobalOp addString(OpBuilder &builder, Location loc, const Twine &name,
                     StringRef text, Linkage linkage) {
    std::string bytes = text.str();
    bytes.push_back('\0');
    auto global = GlobalOp::create(
        builder, loc, LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, linkage, name.str(), builder.getStringAttr(bytes));
    symbols->insert(global);
    return global;
  }

  LLVMFuncOp addFunction(OpBuilder &builder, Location loc, const Twine &name,
                         Type result, ArrayRef<Type> arguments) {
    auto function = LLVMFuncOp::create(
        builder, loc, name.str(), LLVMFunctionType::get(result, arguments));
    function.setPassthroughAttr(
        builder.getArrayAttr({builder.getStringAttr("bquant-entry")}));
    symbols->insert(function);
    return function;
  }

  /// A function of the runtime.
  LLVMFuncOp getRuntime(OpBuilder &builder, Location loc, StringRef name,
                        Type result, ArrayRef<Type> arguments) {
    auto runtime = symbols->lookup<LLVMFuncOp>(name);
    if (!runtime) {
      runtime = LLVMFuncOp::create(builder, loc, name,
                                   LLVMFunctionType::get(result, arguments));
      symbols->insert(runtime);
    }
    return runtime;
  }

  /// size_t NAME_arena_bytes(int32_t threads) { return BYTES; }
  /// or what the runtime says, for more than one thread.
  LLVMFuncOp addArenaBytes(OpBuilder &builder, StringRef name,
                           const Entry &entry) {
    LLVMFuncOp inner = entry.inner;
    Location loc = inner.getLoc();
    LLVMFuncOp function =
        addFunction(builder, loc, name + "_arena_bytes", i64, {i32});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    Value bytes;
    if (entry.network) {
      OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
      Value network = AddressOfOp::create(builder, loc, entry.network);
      bytes = CallOp::create(
                  builder, loc,
                  getRuntime(atEnd, loc, arenaBytesName, i64, {ptr, i32}),
                  ValueRange{network, function.getArgument(0)})
                  .getResult();
    } else {
      bytes = createConstant(builder, loc, i64, entry.bytes);
    }
    ReturnOp::create(builder, loc, bytes);
    return function;
  }

  /// int32_t NAME_supported(void) { return bquant_rt_supports(FEATURES,
  /// &STATE);
  /// }
  LLVMFuncOp addSupported(OpBuilder &builder, Location loc, StringRef name) {
    LLVMFuncOp runtime =
        getRuntime(builder, loc, supportsName, i32, {ptr, ptr});
    GlobalOp text = addString(builder, loc, "__bquant_" + name + "_features",
                              features, Linkage::Internal);
    auto state = GlobalOp::create(
        builder, loc, i32, /*isConstant=*/false, Linkage::Internal,
        ("__bquant_" + name + "_state").str(), builder.getI32IntegerAttr(0));
    symbols->insert(state);

    LLVMFuncOp function =
        addFunction(builder, loc, name + "_supported", i32, {});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    Value arguments[] = {AddressOfOp::create(builder, loc, text),
                         AddressOfOp::create(builder, loc, state)};
    auto call = CallOp::create(builder, loc, runtime, arguments);
    ReturnOp::create(builder, loc, call.getResult());
    return function;
  }

  Value createConstant(OpBuilder &builder, Location loc, Type type,
                       int64_t value) {
    return ConstantOp::create(builder, loc, type,
                              builder.getIntegerAttr(type, value));
  }

  /// Calls `inner` for each sample of the batch, and goes on behind the loop:
  ///   loop(i):  inner(a + i * bytes, ...); if (i + 1 != batch) loop(i + 1)
  void callForEachSample(OpBuilder &builder, LLVMFuncOp inner, Value batch,
                         ArrayRef<Value> arguments,
                         ArrayRef<std::optional<int64_t>> sampleBytes) {
    Location loc = inner.getLoc();
    Block *before = builder.getInsertionBlock();
    Region *region = before->getParent();
    Block *loop = builder.createBlock(region, std::next(before->getIterator()),
                                      {i64}, {loc});
    Block *done = builder.createBlock(region, std::next(loop->getIterator()));
    builder.setInsertionPointToEnd(before);
    BrOp::create(builder, loc, createConstant(builder, loc, i64, 0), loop);

    builder.setInsertionPointToEnd(loop);
    Value sample = loop->getArgument(0);
    SmallVector<Value> moved(arguments);
    for (auto [argument, bytes] : llvm::zip(moved, sampleBytes))
      argument = bquant::moveToSample(builder, loc, argument, sample, bytes);
    CallOp::create(builder, loc, inner, moved);
    Value next = AddOp::create(builder, loc, sample,
                               createConstant(builder, loc, i64, 1));
    Value more = ICmpOp::create(builder, loc, ICmpPredicate::ne, next, batch);
    CondBrOp::create(builder, loc, more, loop, ValueRange{next}, done,
                     ValueRange());
    builder.setInsertionPointToEnd(done);
  }

  /// The entry point; codes are as in the runtime. With a batch it takes its
  /// size: of none there is nothing to do.
  void addEntry(OpBuilder &builder, StringRef name, const Entry &parts) {
    LLVMFuncOp inner = parts.inner;
    Location loc = inner.getLoc();
    bool hasBatch = parts.arrays.haveBatch();
    SmallVector<Type> types = {ptr, ptr, ptr, i32};
    if (hasBatch)
      types.push_back(i64);
    LLVMFuncOp function = addFunction(builder, loc, name, i32, types);
    OpBuilder::InsertionGuard guard(builder);
    Block *entry = function.addEntryBlock(builder);
    Block *bad = builder.createBlock(&function.getBody());
    Block *lacking = builder.createBlock(&function.getBody());
    Block *empty =
        hasBatch ? builder.createBlock(&function.getBody()) : nullptr;
    auto returnCode = [&](Block *block, int32_t code) {
      builder.setInsertionPointToEnd(block);
      ReturnOp::create(builder, loc, createConstant(builder, loc, i32, code));
    };
    returnCode(bad, 1);
    returnCode(lacking, 2);
    if (hasBatch)
      returnCode(empty, 0);

    builder.setInsertionPointToEnd(entry);
    Value null = ZeroOp::create(builder, loc, ptr);
    // Goes on in a new block if `condition` does not hold, else to `target`.
    auto leaveIf = [&](Value condition, Block *target) {
      OpBuilder::InsertPoint here = builder.saveInsertionPoint();
      Block *next = builder.createBlock(bad);
      builder.restoreInsertionPoint(here);
      CondBrOp::create(builder, loc, condition, target, next);
      builder.setInsertionPointToEnd(next);
    };
    auto leaveIfNull = [&](Value pointer) {
      leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::eq, pointer, null),
              bad);
    };

    leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::slt,
                           function.getArgument(3),
                           createConstant(builder, loc, i32, 1)),
            bad);
    Value batch = hasBatch ? function.getArgument(4) : Value();
    if (batch) {
      Value none = createConstant(builder, loc, i64, 0);
      leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::slt, batch, none),
              bad);
      leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::eq, batch, none),
              empty);
    }
    size_t numInputs = parts.arrays.numInputs;
    SmallVector<Value> arguments;
    for (auto [array, count] :
         {std::pair(function.getArgument(0), numInputs),
          std::pair(function.getArgument(1),
                    parts.arrays.sampleBytes.size() - numInputs)}) {
      if (count > 0)
        leaveIfNull(array);
      for (size_t i = 0; i < count; ++i) {
        Value address = GEPOp::create(builder, loc, ptr, ptr, array,
                                      ArrayRef<GEPArg>{static_cast<int>(i)});
        arguments.push_back(LoadOp::create(builder, loc, ptr, address));
        leaveIfNull(arguments.back());
      }
    }
    if (parts.network || parts.bytes > 0)
      leaveIf(isBadArena(builder, parts, function), bad);
    Value ok =
        CallOp::create(builder, loc, parts.supported, ValueRange()).getResult();
    Value no = createConstant(builder, loc, i32, 0);
    leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::eq, ok, no), lacking);
    if (parts.network) {
      Value samples = batch ? batch : createConstant(builder, loc, i64, 1);
      Value code = callRuntime(builder, parts, function, samples);
      ReturnOp::create(builder, loc, code);
      return;
    }
    arguments.push_back(function.getArgument(2));
    if (parts.slice) { // of one thread
      Value offset = createConstant(builder, loc, i64, *parts.slice);
      arguments.push_back(GEPOp::create(builder, loc, ptr, builder.getI8Type(),
                                        arguments.back(),
                                        ArrayRef<GEPArg>{offset}));
    }
    if (hasBatch)
      callForEachSample(builder, inner, batch, arguments,
                        parts.arrays.sampleBytes);
    else
      CallOp::create(builder, loc, inner, arguments);
    ReturnOp::create(builder, loc, no);
  }

  /// Whether the call's arena is none, or not aligned, though it needs one.
  Value isBadArena(OpBuilder &builder, const Entry &parts,
                   LLVMFuncOp function) {
    Location loc = function.getLoc();
    Value zero = createConstant(builder, loc, i64, 0);
    Value address =
        PtrToIntOp::create(builder, loc, i64, function.getArgument(2));
    Value low = AndOp::create(builder, loc, address,
                              createConstant(builder, loc, i64, 63));
    Value null = ICmpOp::create(builder, loc, ICmpPredicate::eq, address, zero);
    Value odd = ICmpOp::create(builder, loc, ICmpPredicate::ne, low, zero);
    Value bad = OrOp::create(builder, loc, null, odd);
    if (!parts.network)
      return bad;
    // It depends on the number of threads whether there is any.
    Value bytes =
        CallOp::create(builder, loc, parts.arenaBytes, function.getArgument(3))
            .getResult();
    Value any = ICmpOp::create(builder, loc, ICmpPredicate::ne, bytes, zero);
    return AndOp::create(builder, loc, any, bad);
  }

  /// return bquant_rt_run(&NETWORK, inputs, outputs, arena, threads, batch,
  /// &POOL);
  Value callRuntime(OpBuilder &builder, const Entry &parts, LLVMFuncOp function,
                    Value batch) {
    Location loc = function.getLoc();
    OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
    LLVMFuncOp run = getRuntime(atEnd, loc, runName, i32,
                                {ptr, ptr, ptr, ptr, i32, i64, ptr});
    Value network = AddressOfOp::create(builder, loc, parts.network);
    SmallVector<Value> arguments{network};
    llvm::append_range(arguments, function.getArguments().take_front(4));
    arguments.push_back(batch);
    arguments.push_back(AddressOfOp::create(builder, loc, parts.pool));
    return CallOp::create(builder, loc, run, arguments).getResult();
  }
};
} // namespace
