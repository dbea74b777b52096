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

#include "SampleLoops.h"
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
/// A function with the code of an entry point.
struct Code {
  LLVMFuncOp function;
  /// From one call to the next: of a sample, or of a block of samples.
  EntryArrays arrays;
  /// The arena of one thread, and where in it the slice is, if it has one.
  int64_t bytes;
  std::optional<int64_t> slice;
  /// Null where all calls run on one thread.
  GlobalOp network = nullptr;
};

/// What an entry point is made of.
struct Entry {
  Code code;
  /// On a block of so many samples, if there is one.
  std::optional<Code> block;
  int64_t blockSamples = 1;
  LLVMFuncOp supported = nullptr, arenaBytes = nullptr;
  GlobalOp pool = nullptr;

  int64_t getBytes() const {
    return block ? std::max(code.bytes, block->bytes) : code.bytes;
  }
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
  /// Functions on a block of samples, by the name of that on one.
  DenseMap<StringAttr, LLVMFuncOp> blocks;

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

    blocks.clear();
    SmallVector<LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVMFuncOp>()) {
      if (!function->hasAttr("bquant.signature"))
        continue;
      if (auto block =
              function->getAttrOfType<DictionaryAttr>(bquant::kBlockName))
        blocks[block.getAs<StringAttr>("of")] = function;
      else
        functions.push_back(function);
    }
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

    Entry entry;
    if (LLVMFuncOp block = blocks.lookup(signature.getAs<StringAttr>("name"))) {
      auto attr = block->getAttrOfType<DictionaryAttr>(bquant::kBlockName);
      entry.blockSamples = attr.getAs<IntegerAttr>("samples").getInt();
      FailureOr<Code> code = takeCode(block, signature, entry.blockSamples);
      if (failed(code))
        return failure();
      entry.block = *code;
    }
    FailureOr<Code> code = takeCode(inner, signature, 1);
    if (failed(code))
      return failure();
    entry.code = *code;
    auto canShare = [&](const Code &code) {
      LLVMFuncOp function = code.function;
      return code.slice && function->hasAttr(bquant::kGroupsName);
    };
    bool threaded = threads > 1 && canShare(entry.code) &&
                    (!entry.block || canShare(*entry.block));
    auto inputs = signature.getAs<ArrayAttr>("inputs");
    auto outputs = signature.getAs<ArrayAttr>("outputs");
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    llvm::json::Object description{{"name", name},
                                   {"symbol", symbol},
                                   {"inputs", bquant::describeArrays(inputs)},
                                   {"outputs", bquant::describeArrays(outputs)},
                                   {"arena_bytes", entry.getBytes()},
                                   {"max_threads", threaded ? threads : 1}};
    std::string json;
    llvm::raw_string_ostream(json) << llvm::json::Value(std::move(description));
    addString(builder, inner.getLoc(), symbol + "_signature", json,
              Linkage::External);
    entry.supported = addSupported(builder, inner.getLoc(), symbol);
    if (threaded) {
      auto addNetwork = [&](Code &code, const Twine &name) {
        code.network =
            bquant::addNetwork(*symbols, code.function, name.str(), code.arrays,
                               threads, claimNanoseconds);
      };
      addNetwork(entry.code, symbol);
      if (entry.block)
        addNetwork(*entry.block, symbol + "_block");
      LLVMFuncOp setParallel =
          addFunction(builder, inner.getLoc(), symbol + "_set_parallel",
                      LLVMVoidType::get(&getContext()), {ptr, ptr});
      entry.pool = bquant::addPool(*symbols, setParallel, symbol);
    }
    entry.arenaBytes = addArenaBytes(builder, symbol, entry);
    addEntry(builder, symbol, entry);
    return success();
  }

  /// What `function` is to its entry point, which hides it.
  FailureOr<Code> takeCode(LLVMFuncOp function, DictionaryAttr signature,
                           int64_t samples) {
    auto inputs = signature.getAs<ArrayAttr>("inputs");
    auto outputs = signature.getAs<ArrayAttr>("outputs");
    auto arena = function->getAttrOfType<IntegerAttr>(bquant::kArenaBytesName);
    auto slice = function->getAttrOfType<IntegerAttr>(bquant::kSliceBytesName);
    if (!arena)
      return function.emitError("expected the attribute '")
             << bquant::kArenaBytesName << "'";
    size_t numPointers = inputs.size() + outputs.size() + (slice ? 2 : 1);
    if (function.getNumArguments() != numPointers ||
        !llvm::all_equal(function.getArgumentTypes()) ||
        function.getArgumentTypes().front() != ptr)
      return function.emitError("expected ")
             << numPointers << " pointers as arguments, but got "
             << function.getFunctionType();
    function.setLinkage(Linkage::Internal);
    function->removeAttr("bquant.signature");
    Code code{function, {inputs.size(), {}}, arena.getInt(), std::nullopt};
    for (ArrayAttr values : {inputs, outputs})
      for (auto value : values.getAsRange<DictionaryAttr>()) {
        std::optional<int64_t> bytes = bquant::getSampleBytes(value);
        if (bytes)
          *bytes *= samples;
        code.arrays.sampleBytes.push_back(bytes);
      }
    if (slice) {
      code.slice = arena.getInt();
      code.bytes += slice.getInt();
    }
    return code;
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
    LLVMFuncOp inner = entry.code.function;
    Location loc = inner.getLoc();
    LLVMFuncOp function =
        addFunction(builder, loc, name + "_arena_bytes", i64, {i32});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    auto getBytes = [&](const Code &code) -> Value {
      OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
      Value network = AddressOfOp::create(builder, loc, code.network);
      return CallOp::create(
                 builder, loc,
                 getRuntime(atEnd, loc, arenaBytesName, i64, {ptr, i32}),
                 ValueRange{network, function.getArgument(0)})
          .getResult();
    };
    Value bytes;
    if (!entry.code.network)
      bytes = createConstant(builder, loc, i64, entry.getBytes());
    else
      bytes = getBytes(entry.code);
    if (entry.code.network && entry.block)
      bytes = UMaxOp::create(builder, loc, bytes, getBytes(*entry.block));
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

  /// The entry point; codes are as in the runtime. With a batch it takes its
  /// size: of none there is nothing to do.
  void addEntry(OpBuilder &builder, StringRef name, const Entry &parts) {
    LLVMFuncOp inner = parts.code.function;
    Location loc = inner.getLoc();
    bool hasBatch = parts.code.arrays.haveBatch();
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
    size_t numInputs = parts.code.arrays.numInputs;
    SmallVector<Value> arguments;
    for (auto [array, count] :
         {std::pair(function.getArgument(0), numInputs),
          std::pair(function.getArgument(1),
                    parts.code.arrays.sampleBytes.size() - numInputs)}) {
      if (count > 0)
        leaveIfNull(array);
      for (size_t i = 0; i < count; ++i) {
        Value address = GEPOp::create(builder, loc, ptr, ptr, array,
                                      ArrayRef<GEPArg>{static_cast<int>(i)});
        arguments.push_back(LoadOp::create(builder, loc, ptr, address));
        leaveIfNull(arguments.back());
      }
    }
    if (parts.code.network || parts.getBytes() > 0)
      leaveIf(isBadArena(builder, parts, function), bad);
    Value ok =
        CallOp::create(builder, loc, parts.supported, ValueRange()).getResult();
    Value no = createConstant(builder, loc, i32, 0);
    leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::eq, ok, no), lacking);
    if (parts.block)
      ReturnOp::create(builder, loc,
                       callBlocks(builder, parts, function, arguments, batch));
    else
      ReturnOp::create(builder, loc,
                       callCode(builder, parts, parts.code, function, arguments,
                                Value(), batch));
  }

  /// Calls for whole blocks, and then for the samples that are left.
  Value callBlocks(OpBuilder &builder, const Entry &parts, LLVMFuncOp function,
                   ArrayRef<Value> arguments, Value batch) {
    Location loc = function.getLoc();
    Value zero = createConstant(builder, loc, i64, 0);
    Value ok = createConstant(builder, loc, i32, 0);
    Value samples = createConstant(builder, loc, i64, parts.blockSamples);
    Value count = UDivOp::create(builder, loc, batch, samples);
    Value whole = MulOp::create(builder, loc, count, samples);
    Value code = bquant::emitIfDifferent(builder, loc, count, zero, ok, [&] {
      return callCode(builder, parts, *parts.block, function, arguments,
                      Value(), count);
    });
    // What is left of a call that has failed is none.
    Value failed = ICmpOp::create(builder, loc, ICmpPredicate::ne, code, ok);
    whole = SelectOp::create(builder, loc, failed, batch, whole);
    return bquant::emitIfDifferent(builder, loc, whole, batch, code, [&] {
      return callCode(builder, parts, parts.code, function, arguments, whole,
                      batch);
    });
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
    if (!parts.code.network)
      return bad;
    // It depends on the number of threads whether there is any.
    Value bytes =
        CallOp::create(builder, loc, parts.arenaBytes, function.getArgument(3))
            .getResult();
    Value any = ICmpOp::create(builder, loc, ICmpPredicate::ne, bytes, zero);
    return AndOp::create(builder, loc, any, bad);
  }

  /// Calls `code` for the samples, or blocks, from `first`, if that is not 0,
  /// to before `end`; once if there is no batch. `arguments` are the pointers
  /// to all arrays. Returns what the call of the entry point returns.
  Value callCode(OpBuilder &builder, const Entry &parts, const Code &code,
                 LLVMFuncOp function, ArrayRef<Value> arguments, Value first,
                 Value end) {
    Location loc = function.getLoc();
    if (code.network)
      return callRuntime(builder, parts, code, function, arguments, first, end);
    SmallVector<Value> all(arguments);
    all.push_back(function.getArgument(2));
    if (code.slice) { // of one thread
      Value offset = createConstant(builder, loc, i64, *code.slice);
      all.push_back(GEPOp::create(builder, loc, ptr, builder.getI8Type(),
                                  all.back(), ArrayRef<GEPArg>{offset}));
    }
    if (!end)
      CallOp::create(builder, loc, code.function, all);
    else
      bquant::callForEach(builder, code.function,
                          first ? first : createConstant(builder, loc, i64, 0),
                          end, all, code.arrays.sampleBytes);
    return createConstant(builder, loc, i32, 0);
  }

  /// bquant_rt_run(&NETWORK, inputs, outputs, arena, threads, batch, &POOL)
  Value callRuntime(OpBuilder &builder, const Entry &parts, const Code &code,
                    LLVMFuncOp function, ArrayRef<Value> pointers, Value first,
                    Value end) {
    Location loc = function.getLoc();
    OpBuilder atEnd = OpBuilder::atBlockEnd(getOperation().getBody());
    LLVMFuncOp run = getRuntime(atEnd, loc, runName, i32,
                                {ptr, ptr, ptr, ptr, i32, i64, ptr});
    SmallVector<Value> arguments{
        AddressOfOp::create(builder, loc, code.network)};
    llvm::append_range(arguments, function.getArguments().take_front(4));
    Value batch = end ? end : createConstant(builder, loc, i64, 1);
    if (first) {
      SmallVector<Value> moved(pointers);
      for (auto [pointer, bytes] : llvm::zip(moved, code.arrays.sampleBytes))
        pointer = bquant::moveToSample(builder, loc, pointer, first, bytes);
      ArrayRef<Value> all(moved);
      size_t numInputs = code.arrays.numInputs;
      arguments[1] =
          bquant::storePointers(builder, loc, all.take_front(numInputs));
      arguments[2] =
          bquant::storePointers(builder, loc, all.drop_front(numInputs));
      batch = SubOp::create(builder, loc, end, first);
    }
    arguments.push_back(batch);
    arguments.push_back(AddressOfOp::create(builder, loc, parts.pool));
    return CallOp::create(builder, loc, run, arguments).getResult();
  }
};
} // namespace
