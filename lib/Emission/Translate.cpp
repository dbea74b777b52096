//===- Translate.cpp - The LLVM dialect to optimized LLVM IR --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

using namespace bquant;

void bquant::setEntryTarget(llvm::Function &function, const Target &target) {
  function.addFnAttr("target-cpu",
                     target.triple.isX86() ? "x86-64" : "generic");
  function.addFnAttr("target-features", "");
}

static void setFunctionTargets(llvm::Module &module, const Target &target) {
  bool x86 = target.triple.isX86();
  std::string vectorBits = std::to_string(TargetDescription(target).vectorBits);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setDoesNotThrow();
    if (function.hasFnAttribute("bquant-entry")) {
      setEntryTarget(function, target);
      function.removeFnAttr("bquant-entry");
      continue;
    }
    function.removeFnAttr("tune-cpu");
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    // LLVM prefers 256 bits for many CPUs; our vectors are what they should be.
    if (x86)
      function.addFnAttr("prefer-vector-width", vectorBits);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     const llvm::PipelineTuningOptions &tuning) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

llvm::Error bquant::addRuntime(llvm::Module &module, const Target &target,
                               llvm::TargetMachine &machine) {
  return linkRuntime(module, [&](llvm::Module &runtime) {
    setFunctionTargets(runtime, target);
    // As clang has it.
    llvm::PipelineTuningOptions tuning;
    tuning.SLPVectorization = true;
    optimize(runtime, machine, tuning);
  });
}

/// Whether LLVM may unroll or vectorize a loop stays a discardable attribute of
/// its branch on the way from scf, where the translation does not look for it.
static void keepLoopAnnotations(mlir::ModuleOp module) {
  constexpr llvm::StringLiteral name = "llvm.loop_annotation";
  module.walk([&](mlir::LLVM::BrOp branch) {
    if (auto loop = branch->getAttrOfType<mlir::LLVM::LoopAnnotationAttr>(name))
      branch.setLoopAnnotationAttr(loop);
    branch->removeDiscardableAttr(name);
  });
}

llvm::Expected<std::unique_ptr<llvm::Module>>
bquant::translate(mlir::ModuleOp module, const Target &target,
                  llvm::TargetMachine &machine, const Progress &progress,
                  llvm::LLVMContext &context) {
  if (progress)
    progress("optimize", 0, 0);
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  keepLoopAnnotations(module);
  std::unique_ptr<llvm::Module> result =
      mlir::translateModuleToLLVMIR(module, context);
  if (!result)
    return llvm::createStringError("translation to LLVM IR failed");
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  setFunctionTargets(*result, target);
  if (llvm::Error error = addRuntime(*result, target, machine))
    return std::move(error);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(*result, &os))
    return llvm::createStringError("expected valid LLVM IR, but got: " +
                                   llvm::Twine(message));
  // The loops of the network are tiled as they should be.
  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  optimize(*result, machine, tuning);
  return result;
}
