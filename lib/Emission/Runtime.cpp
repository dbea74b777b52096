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

llvm::Error
bquant::linkRuntime(llvm::Module &module,
                    llvm::function_ref<void(llvm::Module &)> prepare) {
  // What is called of it, alone.
  auto called = std::make_unique<llvm::Module>("runtime", module.getContext());
  called->setTargetTriple(module.getTargetTriple());
  called->setDataLayout(module.getDataLayout());
  for (llvm::Function &function : module)
    if (function.isDeclaration() &&
        function.getName().starts_with("bquant_rt_"))
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
    return value.getName().starts_with("bquant_rt_");
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
  return llvm::Error::success();
}
