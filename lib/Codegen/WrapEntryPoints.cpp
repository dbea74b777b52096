//===- WrapEntryPoints.cpp - The C interface of public functions ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds NAME, NAME_arena_bytes, NAME_supported and NAME_signature for each
// function NAME with a `bquant.signature`; see the description in Passes.td.
//
// Upstream's --llvm-request-c-wrappers gives a function taking pointers to
// memref descriptors, structs that a C caller would have to fill in, and knows
// no CPU check, batch, threads or signature.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/JSON.h"

namespace bquant {
#define GEN_PASS_DEF_WRAPENTRYPOINTS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace mlir::LLVM;

/// In the runtime: true if the CPU has all of `features`; remembers the
/// answer in *state (0: not asked yet).
static constexpr llvm::StringLiteral supportsName = "bquant_rt_supports";

namespace {
/// A name that C takes for an exported function.
std::string toCName(StringRef name) {
  static const llvm::StringRef reserved[] = {
      "auto",    "break",    "case",      "char",   "const",    "continue",
      "default", "do",       "double",    "else",   "enum",     "extern",
      "float",   "for",      "goto",      "if",     "inline",   "int",
      "long",    "main",     "register",  "return", "restrict", "short",
      "signed",  "sizeof",   "static",    "struct", "switch",   "typedef",
      "union",   "unsigned", "void",      "while",  "volatile", "bool",
      "class",   "delete",   "namespace", "new",    "operator", "template",
      "this",    "typename", "using",     "virtual"};
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result = "_" + result;
  llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::LibFunc ignored;
  if (llvm::is_contained(reserved, result) ||
      library.getLibFunc(result, ignored))
    result += "_net";
  return result;
}

/// NumPy's name of an element type that may cross the interface.
StringRef toDType(Type type) {
  if (type.isF16())
    return "float16";
  if (type.isBF16())
    return "bfloat16";
  if (type.isF32())
    return "float32";
  if (type.isF64())
    return "float64";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "bool";
  case 8:
    return type.isUnsignedInteger() ? "uint8" : "int8";
  case 16:
    return type.isUnsignedInteger() ? "uint16" : "int16";
  case 32:
    return type.isUnsignedInteger() ? "uint32" : "int32";
  default:
    return type.isUnsignedInteger() ? "uint64" : "int64";
  }
}

llvm::json::Array toJSON(ArrayAttr values) {
  llvm::json::Array result;
  for (auto value : values.getAsRange<DictionaryAttr>()) {
    auto type =
        cast<RankedTensorType>(cast<TypeAttr>(value.get("type")).getValue());
    llvm::json::Array shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? llvm::json::Value(nullptr)
                                                  : llvm::json::Value(size));
    result.push_back(llvm::json::Object{
        {"name", cast<StringAttr>(value.get("name")).getValue()},
        {"dtype", toDType(type.getElementType())},
        {"shape", std::move(shape)}});
  }
  return result;
}

/// From one sample to the next, in bytes; none for an array that all samples
/// share.
std::optional<int64_t> getSampleBytes(DictionaryAttr value) {
  auto type =
      cast<RankedTensorType>(cast<TypeAttr>(value.get("type")).getValue());
  if (type.hasStaticShape())
    return std::nullopt;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape().drop_front())
    bytes *= size;
  return bytes;
}

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
    std::string symbol = toCName(name);
    for (const char *suffix : {"", "_arena_bytes", "_supported", "_signature"})
      if (symbols->lookup((symbol + suffix).c_str()))
        return inner.emitError("expected a function name that leaves '")
               << symbol << suffix << "' free";

    auto inputs = signature.getAs<ArrayAttr>("inputs");
    auto outputs = signature.getAs<ArrayAttr>("outputs");
    auto arena = inner->getAttrOfType<IntegerAttr>("bquant.arena_bytes");
    if (!arena)
      return inner.emitError("expected the attribute 'bquant.arena_bytes'");
    if (inner.getNumArguments() != inputs.size() + outputs.size() + 1 ||
        !llvm::all_equal(inner.getArgumentTypes()) ||
        inner.getArgumentTypes().front() != ptr)
      return inner.emitError("expected ")
             << inputs.size() + outputs.size() + 1
             << " pointers as arguments, but got " << inner.getFunctionType();
    inner.setLinkage(Linkage::Internal);
    inner->removeAttr("bquant.signature");
    inner->removeAttr("bquant.arena_bytes");

    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    llvm::json::Object description{{"name", name},
                                   {"symbol", symbol},
                                   {"inputs", toJSON(inputs)},
                                   {"outputs", toJSON(outputs)},
                                   {"arena_bytes", arena.getInt()}};
    std::string json;
    llvm::raw_string_ostream(json) << llvm::json::Value(std::move(description));
    addString(builder, inner.getLoc(), symbol + "_signature", json,
              Linkage::External);
    LLVMFuncOp supported = addSupported(builder, inner.getLoc(), symbol);
    addArenaBytes(builder, inner.getLoc(), symbol, arena.getInt());
    addEntry(builder, inner, symbol, inputs, outputs, arena.getInt(),
             supported);
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

  /// size_t NAME_arena_bytes(int32_t threads) { return BYTES; }
  /// As much for any number: a call runs on one thread.
  void addArenaBytes(OpBuilder &builder, Location loc, StringRef name,
                     int64_t bytes) {
    LLVMFuncOp function =
        addFunction(builder, loc, name + "_arena_bytes", i64, {i32});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    ReturnOp::create(builder, loc,
                     ConstantOp::create(builder, loc, i64,
                                        builder.getI64IntegerAttr(bytes)));
  }

  /// int32_t NAME_supported(void) { return bquant_rt_supports(FEATURES,
  /// &STATE);
  /// }
  LLVMFuncOp addSupported(OpBuilder &builder, Location loc, StringRef name) {
    auto runtime = symbols->lookup<LLVMFuncOp>(supportsName);
    if (!runtime) {
      runtime = LLVMFuncOp::create(builder, loc, supportsName,
                                   LLVMFunctionType::get(i32, {ptr, ptr}));
      symbols->insert(runtime);
    }
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

  /// Calls `inner` for each sample of the batch, with the arrays that have one
  /// moved on each time, and goes on behind the loop.
  ///
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
      if (bytes) {
        Value offset = MulOp::create(builder, loc, sample,
                                     createConstant(builder, loc, i64, *bytes));
        argument = GEPOp::create(builder, loc, ptr, builder.getI8Type(),
                                 argument, ArrayRef<GEPArg>{offset});
      }
    CallOp::create(builder, loc, inner, moved);
    Value next = AddOp::create(builder, loc, sample,
                               createConstant(builder, loc, i64, 1));
    Value more = ICmpOp::create(builder, loc, ICmpPredicate::ne, next, batch);
    CondBrOp::create(builder, loc, more, loop, ValueRange{next}, done,
                     ValueRange());
    builder.setInsertionPointToEnd(done);
  }

  /// The entry point: no thread and bad pointers return 1, a lacking CPU
  /// returns
  /// 2. With a batch it takes its size: a negative one returns 1, and with none
  /// there is nothing to do.
  void addEntry(OpBuilder &builder, LLVMFuncOp inner, StringRef name,
                ArrayAttr inputs, ArrayAttr outputs, int64_t arenaBytes,
                LLVMFuncOp supported) {
    Location loc = inner.getLoc();
    SmallVector<std::optional<int64_t>> sampleBytes;
    for (ArrayAttr arrays : {inputs, outputs})
      for (auto array : arrays.getAsRange<DictionaryAttr>())
        sampleBytes.push_back(getSampleBytes(array));
    bool hasBatch = llvm::any_of(
        sampleBytes, [](std::optional<int64_t> b) { return b.has_value(); });
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
    SmallVector<Value> arguments;
    for (auto [array, count] :
         {std::pair(function.getArgument(0), inputs.size()),
          std::pair(function.getArgument(1), outputs.size())}) {
      if (count > 0)
        leaveIfNull(array);
      for (size_t i = 0; i < count; ++i) {
        Value address = GEPOp::create(builder, loc, ptr, ptr, array,
                                      ArrayRef<GEPArg>{static_cast<int>(i)});
        arguments.push_back(LoadOp::create(builder, loc, ptr, address));
        leaveIfNull(arguments.back());
      }
    }
    Value arena = function.getArgument(2);
    if (arenaBytes > 0) {
      leaveIfNull(arena);
      Value address = PtrToIntOp::create(builder, loc, i64, arena);
      Value low = AndOp::create(builder, loc, address,
                                createConstant(builder, loc, i64, 63));
      Value zero = createConstant(builder, loc, i64, 0);
      leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::ne, low, zero), bad);
    }
    arguments.push_back(arena);

    Value ok =
        CallOp::create(builder, loc, supported, ValueRange()).getResult();
    Value no = createConstant(builder, loc, i32, 0);
    leaveIf(ICmpOp::create(builder, loc, ICmpPredicate::eq, ok, no), lacking);
    if (hasBatch)
      callForEachSample(builder, inner, batch, arguments, sampleBytes);
    else
      CallOp::create(builder, loc, inner, arguments);
    ReturnOp::create(builder, loc, no);
  }
};
} // namespace
