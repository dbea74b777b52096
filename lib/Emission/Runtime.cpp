//===- Runtime.cpp - The runtime inside compiled code ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   declare void @bquant_rt_solve(...)
//
// becomes
//
//   define internal void @bquant_rt_solve(...) { ... }
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/Emit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace bquant;

static const unsigned char x86Runtime[] = {
#include "runtime-x86_64-linux-gnu.inc"
};
static const unsigned char aarch64Runtime[] = {
#include "runtime-aarch64-linux-gnu.inc"
};

static llvm::MemoryBufferRef getRuntime(const llvm::Triple &triple) {
  llvm::ArrayRef<unsigned char> bytes = x86Runtime;
  if (triple.isAArch64())
    bytes = aarch64Runtime;
  return {llvm::toStringRef(bytes), "runtime"};
}

/// What code generation calls by name (lib/Runtime/Half.c), which no pass on IR
/// sees.
static constexpr llvm::StringLiteral conversions[] = {
    "__truncsfhf2", "__truncdfhf2", "__truncsfbf2", "__truncdfbf2",
    "__extendhfsf2"};

static bool hasFloatOf16Bits(const llvm::Module &module) {
  auto isOne = [](const llvm::Value *value) {
    return value->getType()->getScalarType()->is16bitFPTy();
  };
  return llvm::any_of(module, [&](const llvm::Function &function) {
    return llvm::any_of(
        llvm::instructions(function), [&](const llvm::Instruction &op) {
          return isOne(&op) || llvm::any_of(op.operand_values(), isOne);
        });
  });
}

static void declareConversions(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::StringRef name : conversions) {
    llvm::Type *half = name.ends_with("bf2") ? llvm::Type::getBFloatTy(context)
                                             : llvm::Type::getHalfTy(context);
    llvm::Type *other = name.contains("df") ? llvm::Type::getDoubleTy(context)
                                            : llvm::Type::getFloatTy(context);
    if (name.starts_with("__extend"))
      std::swap(half, other);
    module.getOrInsertFunction(name, half, other);
  }
}

/// Whether a function of the runtime is one that others call.
static bool isEntry(llvm::StringRef name) {
  return name.starts_with("bquant_rt_") ||
         llvm::is_contained(conversions, name);
}

llvm::Error
bquant::linkRuntime(llvm::Module &module,
                    llvm::function_ref<void(llvm::Module &)> prepare) {
  bool converts = module.getTargetTriple().isX86() && hasFloatOf16Bits(module);
  if (converts)
    declareConversions(module);
  // What is called of it, alone.
  auto called = std::make_unique<llvm::Module>("runtime", module.getContext());
  called->setTargetTriple(module.getTargetTriple());
  called->setDataLayout(module.getDataLayout());
  for (llvm::Function &function : module)
    if (function.isDeclaration() && isEntry(function.getName()))
      llvm::Function::Create(function.getFunctionType(),
                             llvm::GlobalValue::ExternalLinkage,
                             function.getName(), called.get());
  if (called->empty())
    return llvm::Error::success();
  llvm::Expected<std::unique_ptr<llvm::Module>> runtime =
      llvm::getLazyBitcodeModule(getRuntime(module.getTargetTriple()),
                                 module.getContext());
  if (!runtime)
    return runtime.takeError();
  // The same machine, perhaps by another name or as Android has it: what the
  // runtime calls of a C library lies alike in both.
  (*runtime)->setTargetTriple(module.getTargetTriple());
  (*runtime)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(*called, std::move(*runtime),
                                llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("expected to link the runtime");
  // They run before the CPU has been checked.
  for (llvm::StringRef name :
       {"bquant_rt_supports", "bquant_rt_choose", "bquant_rt_arena_bytes"})
    if (llvm::Function *function = called->getFunction(name))
      function->addFnAttr("bquant-entry");
  llvm::internalizeModule(*called, [](const llvm::GlobalValue &value) {
    return isEntry(value.getName());
  });
  prepare(*called);

  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(called),
                                llvm::Linker::LinkOnlyNeeded, internalize))
    return llvm::createStringError("expected to link the runtime");
  // By this name from all parts of the module, perhaps of several in one file.
  if (converts)
    for (llvm::StringRef name : conversions) {
      llvm::Function *function = module.getFunction(name);
      function->setLinkage(llvm::GlobalValue::WeakODRLinkage);
      function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  return llvm::Error::success();
}
