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

#include "EntryPoint.h"
#include "Signature.h"
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
using bquant::Entry;
using bquant::EntryCode;

// Of the runtime (bquant/Runtime/Runtime.h).
static constexpr llvm::StringLiteral supportsName = "bquant_rt_supports";
static constexpr llvm::StringLiteral arenaBytesName = "bquant_rt_arena_bytes";

namespace {
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
    features = *target ? (*target)->getRequired() : "";
    if (*target && failed(verifyVectors(**target)))
      return signalPassFailure();

    blocks.clear();
    SmallVector<LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVMFuncOp>()) {
      if (!function->hasAttr(bquant::kSignatureName))
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
    auto signature =
        inner->getAttrOfType<DictionaryAttr>(bquant::kSignatureName);
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
      FailureOr<EntryCode> code =
          takeCode(block, signature, entry.blockSamples);
      if (failed(code))
        return failure();
      entry.block = *code;
    }
    FailureOr<EntryCode> code = takeCode(inner, signature, 1);
    if (failed(code))
      return failure();
    entry.code = *code;
    auto canShare = [&](const EntryCode &code) {
      LLVMFuncOp function = code.function;
      return code.slice && function->hasAttr(bquant::kGroupsName);
    };
    bool threaded = threads > 1 && canShare(entry.code) &&
                    (!entry.block || canShare(*entry.block));
    auto inputs = signature.getAs<ArrayAttr>("inputs");
    auto outputs = signature.getAs<ArrayAttr>("outputs");
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    llvm::json::Object description{{"name", llvm::json::fixUTF8(name)},
                                   {"symbol", symbol},
                                   {"inputs", bquant::describeArrays(inputs)},
                                   {"outputs", bquant::describeArrays(outputs)},
                                   {"arena_bytes", entry.getBytes()},
                                   {"max_threads", threaded ? threads : 1}};
    if (auto digest =
            getOperation()->getAttrOfType<StringAttr>(bquant::kDigestName))
      description["digest"] = digest.getValue();
    std::string json;
    llvm::raw_string_ostream(json) << llvm::json::Value(std::move(description));
    addString(builder, inner.getLoc(), symbol + "_signature", json,
              Linkage::External)
        .setSection(bquant::kSignatureSection);
    entry.supported = addSupported(builder, inner.getLoc(), symbol);
    if (threaded) {
      auto addNetwork = [&](EntryCode &code, const Twine &name) {
        code.network =
            bquant::addNetwork(*symbols, code.function, name.str(), code.arrays,
                               threads, claimNanoseconds);
      };
      addNetwork(entry.code, symbol);
      if (entry.block)
        addNetwork(*entry.block, symbol + "_block");
      LLVMFuncOp setParallel = bquant::addFunction(
          builder, *symbols, inner.getLoc(), symbol + "_set_parallel",
          LLVMVoidType::get(&getContext()), {ptr, ptr});
      entry.pool = bquant::addPool(*symbols, setParallel, symbol);
    }
    entry.arenaBytes = addArenaBytes(builder, symbol, entry);
    bquant::addEntryPoint(builder, *symbols, symbol, entry);
    return success();
  }

  /// What `function` is to its entry point, which hides it.
  FailureOr<EntryCode> takeCode(LLVMFuncOp function, DictionaryAttr signature,
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
    function->removeAttr(bquant::kSignatureName);
    EntryCode code{function, {inputs.size(), {}}, arena.getInt(), std::nullopt};
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

  /// LLVM ends the process where a CPU has no vectors of such a size.
  LogicalResult verifyVectors(const bquant::Target &target) {
    if (target.triple.isAArch64() && target.has("sve"))
      return success();
    WalkResult result = getOperation().walk([](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto vector = dyn_cast<VectorType>(type);
            vector && vector.isScalable()) {
          op->emitError("expected vectors of fixed size, since the CPU has no "
                        "others, but got ")
              << type;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// size_t NAME_arena_bytes(int32_t threads) { return BYTES; }
  /// or what the runtime says, for more than one thread.
  LLVMFuncOp addArenaBytes(OpBuilder &builder, StringRef name,
                           const Entry &entry) {
    LLVMFuncOp inner = entry.code.function;
    Location loc = inner.getLoc();
    LLVMFuncOp function = bquant::addFunction(
        builder, *symbols, loc, name + "_arena_bytes", i64, {i32});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    auto getBytes = [&](const EntryCode &code) -> Value {
      Value network = AddressOfOp::create(builder, loc, code.network);
      return CallOp::create(builder, loc,
                            bquant::getRuntime(*symbols, loc, arenaBytesName,
                                               i64, {ptr, i32}),
                            ValueRange{network, function.getArgument(0)})
          .getResult();
    };
    Value bytes;
    if (!entry.code.network)
      bytes = ConstantOp::create(builder, loc, i64,
                                 builder.getI64IntegerAttr(entry.getBytes()));
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
        bquant::getRuntime(*symbols, loc, supportsName, i32, {ptr, ptr});
    GlobalOp text = addString(builder, loc, "__bquant_" + name + "_features",
                              features, Linkage::Internal);
    auto state = GlobalOp::create(
        builder, loc, i32, /*isConstant=*/false, Linkage::Internal,
        ("__bquant_" + name + "_state").str(), builder.getI32IntegerAttr(0));
    symbols->insert(state);

    LLVMFuncOp function = bquant::addFunction(builder, *symbols, loc,
                                              name + "_supported", i32, {});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    Value arguments[] = {AddressOfOp::create(builder, loc, text),
                         AddressOfOp::create(builder, loc, state)};
    auto call = CallOp::create(builder, loc, runtime, arguments);
    ReturnOp::create(builder, loc, call.getResult());
    return function;
  }
};
} // namespace
