//===- Versions.cpp - Code for several CPUs in one module -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each version is the program compiled alone:
//
//   define i32 @net(...)              define i32 @net(...)
//   define i32 @net_supported()       define i32 @net_supported()
//
// become
//
//   define internal i32 @net.haswell(...)
//   define internal i32 @net_supported.haswell()
//   define internal i32 @net.znver4(...)
//   define internal i32 @net_supported.znver4()
//
//   define i32 @net(...) {
//     %version = call i32 @bquant_rt_choose(ptr @__bquant_versions, i32 2,
//                                           ptr @__bquant_version)
//     switch i32 %version, label %none [i32 0, label %haswell
//                                       i32 1, label %znver4]
//   haswell:
//     %0 = tail call i32 @net.haswell(...)
//     ret i32 %0
//   ...
//   none:
//     ret i32 2
//   }
//
// and the same for net_supported and the other functions. A constructor chooses
// as soon as the code is loaded. The JIT calls no constructors: there the first
// call chooses. Resolvers (ifunc) would do without the switch, but
// run before the library's own relocations are made, and what loads foreign
// libraries refuses them (lib/Compiler/Exports.cpp).
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "bquant/Codegen/Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Transforms/IPO/ConstantMerge.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace bquant;
namespace json = llvm::json;

llvm::SmallVector<std::string>
bquant::getSignatures(llvm::ArrayRef<Version> versions) {
  llvm::SmallVector<std::string> result =
      getSignatures(versions.front().module);
  if (versions.size() == 1)
    return result;
  // Our own texts: they parse.
  auto parse = [](llvm::StringRef text) {
    return llvm::cantFail(json::parse(text));
  };
  json::Array cpus;
  for (const Version &version : versions)
    cpus.push_back(version.target.cpu);
  for (auto [i, text] : llvm::enumerate(result)) {
    json::Value merged = parse(text);
    json::Object &function = *merged.getAsObject();
    // Enough for each of them.
    int64_t bytes = 0;
    for (const Version &version : versions) {
      json::Value other = parse(getSignatures(version.module)[i]);
      bytes = std::max(bytes, *other.getAsObject()->getInteger("arena_bytes"));
    }
    function["arena_bytes"] = bytes;
    function["versions"] = json::Array(cpus);
    text = llvm::formatv("{0}", merged).str();
  }
  return result;
}

static std::string getVersionName(llvm::StringRef name, const Target &target) {
  return (name + "." + target.cpu).str();
}

/// Gives all that the code of a version defines names of its own, and drops the
/// signatures: there is one for all versions.
static void setApart(llvm::Module &code, const Target &target) {
  for (llvm::GlobalVariable &global :
       llvm::make_early_inc_range(code.globals()))
    if (global.getSection() == kSignatureSection)
      global.eraseFromParent();
  for (llvm::GlobalValue &value : code.global_values())
    if (!value.isDeclaration() && !value.getName().starts_with("llvm."))
      value.setName(getVersionName(value.getName(), target));
}

/// Hides all that is defined. Versions may share constants: no code compares
/// addresses of them.
static void hide(llvm::Module &code) {
  for (llvm::GlobalValue &value : code.global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm."))
      continue;
    if (!value.hasLocalLinkage())
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
    auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    if (global && global->isConstant())
      global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  }
}

namespace {
/// Adds the public functions to the code of all versions.
class Dispatcher {
public:
  Dispatcher(llvm::Module &code, llvm::ArrayRef<Version> versions)
      : code(code), versions(versions), builder(code.getContext()) {}

  llvm::Error run();

private:
  void createTable(llvm::StringRef symbol);
  llvm::Function *create(llvm::StringRef name, llvm::FunctionType *type,
                         llvm::GlobalValue::LinkageTypes linkage);
  llvm::Value *createChoice();
  void dispatch(llvm::Function *function, llvm::Constant *none,
                llvm::function_ref<llvm::Value *(const Version &)> get);
  llvm::Error addCall(llvm::StringRef name, int64_t none);
  llvm::Error addVersion(llvm::StringRef symbol);
  void addSignature(llvm::StringRef symbol, llvm::StringRef text);
  void addConstructor();
  llvm::Error checkFree(llvm::StringRef name) const;
  llvm::Function *find(llvm::StringRef name, const Version &version) const {
    return code.getFunction(getVersionName(name, version.target));
  }

  llvm::Module &code;
  llvm::ArrayRef<Version> versions;
  llvm::IRBuilder<> builder;
  /// Of BQuantRtVersion, and what is chosen among them.
  llvm::GlobalVariable *table = nullptr, *state = nullptr;
  llvm::SmallVector<llvm::Constant *> names;
};
} // namespace

llvm::Error Dispatcher::checkFree(llvm::StringRef name) const {
  if (!code.getNamedValue(name))
    return llvm::Error::success();
  return llvm::createStringError("expected a function name that leaves '" +
                                 name + "' free");
}

/// The versions of one function are those of all.
void Dispatcher::createTable(llvm::StringRef symbol) {
  llvm::Type *ptr = builder.getPtrTy();
  auto *type = llvm::StructType::get(code.getContext(), {ptr, ptr});
  llvm::SmallVector<llvm::Constant *> rows;
  for (const Version &version : versions) {
    names.push_back(
        builder.CreateGlobalString(version.target.cpu, "", 0, &code));
    rows.push_back(llvm::ConstantStruct::get(
        type, {names.back(), find((symbol + "_supported").str(), version)}));
  }
  auto *rowsType = llvm::ArrayType::get(type, rows.size());
  table = new llvm::GlobalVariable(
      code, rowsType, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantArray::get(rowsType, rows), "__bquant_versions");
  state =
      new llvm::GlobalVariable(code, builder.getInt32Ty(), /*isConstant=*/false,
                               llvm::GlobalValue::InternalLinkage,
                               builder.getInt32(0), "__bquant_version");
}

/// With an entry block, where the builder is.
llvm::Function *Dispatcher::create(llvm::StringRef name,
                                   llvm::FunctionType *type,
                                   llvm::GlobalValue::LinkageTypes linkage) {
  auto *function = llvm::Function::Create(type, linkage, name, code);
  function->setDoesNotThrow();
  setEntryTarget(*function, versions.front().target);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(code.getContext(), "entry", function));
  return function;
}

llvm::Value *Dispatcher::createChoice() {
  llvm::Type *ptr = builder.getPtrTy(), *i32 = builder.getInt32Ty();
  llvm::FunctionCallee choose =
      code.getOrInsertFunction("bquant_rt_choose", i32, ptr, i32, ptr);
  return builder.CreateCall(
      choose, {table, builder.getInt32(versions.size()), state}, "version");
}

/// Returns what `get` gives for the chosen version, in a block of its own, or
/// `none`; null stands for void.
void Dispatcher::dispatch(
    llvm::Function *function, llvm::Constant *none,
    llvm::function_ref<llvm::Value *(const Version &)> get) {
  auto addBlock = [&](const llvm::Twine &name) {
    return llvm::BasicBlock::Create(code.getContext(), name, function);
  };
  llvm::BasicBlock *last = addBlock("none");
  llvm::SwitchInst *choice =
      builder.CreateSwitch(createChoice(), last, versions.size());
  auto createReturn = [&](llvm::Value *value) {
    if (value)
      builder.CreateRet(value);
    else
      builder.CreateRetVoid();
  };
  for (auto [i, version] : llvm::enumerate(versions)) {
    llvm::BasicBlock *block = addBlock(version.target.cpu);
    choice->addCase(builder.getInt32(i), block);
    builder.SetInsertPoint(block);
    createReturn(get(version));
  }
  builder.SetInsertPoint(last);
  createReturn(none);
}

/// The public function `name`, which is each version's of that name.
llvm::Error Dispatcher::addCall(llvm::StringRef name, int64_t none) {
  if (llvm::Error error = checkFree(name))
    return error;
  llvm::FunctionType *type = find(name, versions.front())->getFunctionType();
  llvm::Function *function =
      create(name, type, llvm::GlobalValue::ExternalLinkage);
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  llvm::Type *result = type->getReturnType();
  bool isVoid = result->isVoidTy();
  dispatch(function,
           isVoid ? nullptr : llvm::ConstantInt::getSigned(result, none),
           [&](const Version &version) -> llvm::Value * {
             llvm::CallInst *call =
                 builder.CreateCall(find(name, version), arguments);
             call->setTailCall();
             return isVoid ? nullptr : call;
           });
  return llvm::Error::success();
}

/// const char *NAME_version(void)
llvm::Error Dispatcher::addVersion(llvm::StringRef symbol) {
  std::string name = (symbol + "_version").str();
  if (llvm::Error error = checkFree(name))
    return error;
  llvm::PointerType *ptr = builder.getPtrTy();
  llvm::Function *function =
      create(name, llvm::FunctionType::get(ptr, /*isVarArg=*/false),
             llvm::GlobalValue::ExternalLinkage);
  dispatch(function, llvm::ConstantPointerNull::get(ptr),
           [&](const Version &version) {
             return names[&version - versions.begin()];
           });
  return llvm::Error::success();
}

void Dispatcher::addSignature(llvm::StringRef symbol, llvm::StringRef text) {
  llvm::Constant *bytes =
      llvm::ConstantDataArray::getString(code.getContext(), text);
  auto *global = new llvm::GlobalVariable(
      code, bytes->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, bytes, symbol + "_signature");
  global->setSection(kSignatureSection);
  global->setAlignment(llvm::Align(1));
}

void Dispatcher::addConstructor() {
  llvm::Function *function =
      create("__bquant_choose",
             llvm::FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false),
             llvm::GlobalValue::InternalLinkage);
  createChoice();
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(code, function, /*Priority=*/65535);
}

llvm::Error Dispatcher::run() {
  llvm::SmallVector<std::string> signatures = getSignatures(versions);
  for (const std::string &signature : signatures) {
    json::Value parsed = llvm::cantFail(json::parse(signature));
    const json::Object &function = *parsed.getAsObject();
    std::string symbol = function.getString("symbol")->str();
    if (!table)
      createTable(symbol);
    constexpr int64_t noCPU = 2; // BQUANT_RT_NO_CPU
    if (llvm::Error error = addCall(symbol, noCPU))
      return error;
    for (const char *suffix : {"_arena_bytes", "_supported"})
      if (llvm::Error error = addCall(symbol + suffix, 0))
        return error;
    if (*function.getInteger("max_threads") > 1)
      if (llvm::Error error = addCall(symbol + "_set_parallel", 0))
        return error;
    if (llvm::Error error = addVersion(symbol))
      return error;
    addSignature(symbol, signature);
  }
  addConstructor();
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::Module>>
bquant::translateVersions(llvm::ArrayRef<Version> versions,
                          const Progress &progress,
                          llvm::LLVMContext &context) {
  auto code = std::make_unique<llvm::Module>("LLVMDialectModule", context);
  const Target &oldest = versions.front().target;
  std::unique_ptr<llvm::TargetMachine> machine = oldest.createMachine();
  code->setTargetTriple(machine->getTargetTriple());
  code->setDataLayout(machine->createDataLayout());
  for (const Version &version : versions) {
    std::unique_ptr<llvm::TargetMachine> own = version.target.createMachine();
    llvm::Expected<std::unique_ptr<llvm::Module>> translated =
        translate(version.module, version.target, *own, progress, context);
    if (!translated)
      return translated.takeError();
    setApart(**translated, version.target);
    if (llvm::Linker::linkModules(*code, std::move(*translated)))
      return llvm::createStringError("expected to link the version for '" +
                                     version.target.cpu + "'");
  }
  hide(*code); // Only now: what is hidden is linked where it is called.
  if (llvm::Error error = Dispatcher(*code, versions).run())
    return std::move(error);
  if (llvm::Error error = addRuntime(*code, oldest, *machine))
    return std::move(error);
  llvm::ModuleAnalysisManager none;
  llvm::ConstantMergePass().run(*code, none);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(*code, &os))
    return llvm::createStringError("expected valid LLVM IR, but got: " +
                                   llvm::Twine(message));
  return code;
}
