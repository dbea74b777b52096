//===- Routes.cpp - Ways to compile a module ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two conversions, with nothing of the project behind them: upstream's
// bufferization, plain loops and execution engine.
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Emission/Emit.h"
#include "bquant/InitAll.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <cstdlib>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

bool bquant::test::verifyEach = true;

void bquant::test::registerRouteDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  bquant::registerAllDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

/// Results become memrefs that the caller passes.
static void passResults(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    Operation *terminator = function.front().getTerminator();
    OpBuilder b(terminator);
    for (Value value : terminator->getOperands()) {
      auto type = cast<RankedTensorType>(value.getType());
      Value out = function.front().addArgument(
          MemRefType::get(type.getShape(), type.getElementType()),
          value.getLoc());
      auto write = bufferization::MaterializeInDestinationOp::create(
          b, value.getLoc(), TypeRange(), value, out);
      write.setRestrict(true);
      write.setWritable(true);
    }
    terminator->setOperands({});
    function.setFunctionType(
        b.getFunctionType(function.front().getArgumentTypes(), TypeRange()));
  }
}

static void addBufferization(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

/// A copy between strides would call MLIR's runtime.
static void lowerCopies(ModuleOp module) {
  module.walk([](memref::CopyOp copy) {
    OpBuilder b(copy);
    linalg::CopyOp::create(b, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  });
}

/// Tiles of a layout, which have no bufferization.
static void lowerPacks(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      (void)linalg::lowerPack(rewriter, pack);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      (void)linalg::lowerUnPack(rewriter, unpack);
  });
}

static void addPlainLoops(OpPassManager &pm) {
  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createCSEPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

/// All dialects at once: most of the time of these tests is MLIR's own.
static LogicalResult convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

namespace {
/// The buffers of compiled code, which frees none of them.
struct Heap {
  ~Heap() { release(); }
  void release() {
    for (void *block : blocks)
      std::free(block);
    blocks.clear();
  }
  std::vector<void *> blocks;
};

class Jitted : public Compiled {
public:
  explicit Jitted(std::unique_ptr<ExecutionEngine> engine)
      : engine(std::move(engine)) {}

  llvm::Error call(StringRef name, const std::vector<Array> &inputs,
                   std::vector<Array> &outputs) override;

  static Heap heap;

private:
  std::unique_ptr<ExecutionEngine> engine;
};
} // namespace

Heap Jitted::heap;

static void *allocate(size_t size) {
  void *block = std::malloc(size);
  Jitted::heap.blocks.push_back(block);
  return block;
}

const void *bquant::test::dataOf(const Array &array) {
  return array.isInt ? static_cast<const void *>(array.ints.data())
                     : array.floats.data();
}

llvm::Error Jitted::call(StringRef name, const std::vector<Array> &inputs,
                         std::vector<Array> &outputs) {
  SmallVector<void *> pointers, args;
  // Bufferization may choose an argument as the place of another value.
  std::vector<Array> copies = inputs;
  for (const Array &input : copies)
    pointers.push_back(const_cast<void *>(dataOf(input)));
  for (const Array &output : outputs)
    pointers.push_back(const_cast<void *>(dataOf(output)));
  for (void *&pointer : pointers)
    args.push_back(&pointer);
  llvm::Error error = engine->invokePacked(name, args);
  heap.release();
  return error;
}

static llvm::Expected<std::unique_ptr<Compiled>>
compilePlain(OwningOpRef<ModuleOp> module, const TargetOptions &target,
             function_ref<void(OpPassManager &)> convert) {
  lowerPacks(*module);
  PassManager pm(module->getContext());
  pm.enableVerifier(verifyEach);
  pm.addPass(createSetTarget({target.triple, target.cpu, target.features}));
  convert(pm);
  pm.addPass(createInlineLayers()); // After `convert`: tools keep layers.
  pm.addPass(createLowerMaxNum());  // Of two zeros llvm.maxnum gives either.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(pm.run(*module)))
    return llvm::createStringError("the conversion failed");
  passResults(*module);
  PassManager buffers(module->getContext()), loops(module->getContext());
  buffers.enableVerifier(verifyEach);
  loops.enableVerifier(verifyEach);
  addBufferization(buffers);
  loops.addPass(createLowerSolve());
  addPlainLoops(loops);
  if (failed(buffers.run(*module)))
    return llvm::createStringError("bufferization failed");
  lowerCopies(*module);
  if (failed(loops.run(*module)) || failed(convertToLLVM(*module)))
    return llvm::createStringError("the way to LLVM failed");
  module->walk([](LLVM::LLVMFuncOp function) {
    if (!function.isExternal())
      function->setAttr("llvm.emit_c_interface",
                        UnitAttr::get(function.getContext()));
  });

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  ExecutionEngineOptions options;
  auto translateWithRuntime =
      [](Operation *op,
         llvm::LLVMContext &context) -> std::unique_ptr<llvm::Module> {
    std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(op, context);
    result->setTargetTriple(llvm::Triple(llvm::sys::getProcessTriple()));
    llvm::cantFail(linkRuntime(*result, [](llvm::Module &) {}));
    return result;
  };
  options.llvmModuleBuilder = translateWithRuntime;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  // options.jitCodeGenOptLevel has no effect on the engine's own machine.
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto engine = ExecutionEngine::create(*module, options, std::move(*machine));
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner("malloc")] = {llvm::orc::ExecutorAddr::fromPtr(&allocate),
                                   llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  return std::make_unique<Jitted>(std::move(*engine));
}

/// What products of linalg mean, and the kernels of the others.
static void addKernels(OpPassManager &pm) {
  buildSelectPipeline(pm, RouteOptions());
}

Route bquant::test::getReferenceRoute(const TargetOptions &target) {
  return {"reference", [target](OwningOpRef<ModuleOp> module) {
            return compilePlain(std::move(module), target,
                                [](OpPassManager &pm) {
                                  addKernels(pm);
                                  pm.addPass(createConvertBQuantToReference());
                                  pm.addPass(createDecomposePacked());
                                  pm.addPass(createLowerPack());
                                });
          }};
}

Route bquant::test::getUpstreamRoute() {
  return {"upstream", [](OwningOpRef<ModuleOp> module) {
            return compilePlain(
                std::move(module), TargetOptions(), [](OpPassManager &pm) {
                  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                                              TosaToLinalgNamedOptions(),
                                              std::nullopt);
                  OpPassManager &func = pm.nest<func::FuncOp>();
                  func.addPass(createTosaToSCFPass());
                  func.addPass(createTosaToTensorPass());
                  TosaToArithPassOptions arith;
                  arith.includeApplyRescale = true;
                  func.addPass(createTosaToArithPass(arith));
                  func.addPass(createConvertElementwiseToLinalgPass());
                  pm.addPass(createSolveScalars());
                  pm.addPass(createConvertBQuantToReference());
                });
          }};
}

Route bquant::test::getPlainReferenceRoute() {
  return {"the reference in plain loops", [](OwningOpRef<ModuleOp> module) {
            return compilePlain(std::move(module), TargetOptions(),
                                [](OpPassManager &pm) {
                                  RouteOptions options;
                                  options.strategy = Strategy::Reference;
                                  options.fold = false;
                                  options.assumptions.exactResidues = true;
                                  buildRoute(pm, getReferenceStages(), options,
                                             "reference-loops");
                                });
          }};
}

Route bquant::test::getWordsRoute(bool fold, const TargetOptions &target) {
  return {fold ? "folded, words in plain loops" : "words in plain loops",
          [fold, target](OwningOpRef<ModuleOp> module) {
            return compilePlain(std::move(module), target,
                                [fold](OpPassManager &pm) {
                                  pm.addPass(createSplitFilterOffsets());
                                  if (fold)
                                    pm.addPass(createFoldSignCascades());
                                  addKernels(pm);
                                  pm.addPass(createConvertBQuantToPacked());
                                  pm.addPass(createVerifyWords());
                                  pm.addPass(createDecomposePacked());
                                  pm.addPass(createLowerPack());
                                });
          }};
}
