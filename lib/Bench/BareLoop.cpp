//===- BareLoop.cpp - A kernel's inner loop and nothing else --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop is a product of one tile as --bquant-vectorize would write it, but
// that its partial sums are never flushed. Operands are the function's, so that
// nothing of it can be folded:
//
//   func.func @limit(%input, %filter) {
//     %sums = scf.for (turns) iter_args(%zeros) {
//       scf.for (steps) { read; the kernel's step }
//     }
//   }
//
// A kernel that emits whole tiles has one in place of the loop over the steps.
//
//===----------------------------------------------------------------------===//

#include "BareLoop.h"
#include "Dialect/Packed/Transforms/Vectorize/ProductStep.h"
#include "Dialect/Packed/Transforms/Vectorize/RolledLoop.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Target/ModuleTarget.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace mlir;
using namespace bquant;
using namespace bquant::bench;
using namespace bquant::packed;

/// Half of the smallest first-level cache.
static constexpr int64_t kOperandBytes = 16 << 10;
/// Of a call, about.
static constexpr int64_t kSteps = 10000;
static constexpr llvm::StringLiteral kLoopName = "limit";

//===----------------------------------------------------------------------===//
// The operands
//===----------------------------------------------------------------------===//

/// Elements of the input that a step takes: `scalar` counts two words at once.
static int64_t getStepElements(KernelAttrInterface kernel) {
  if (auto scalar = dyn_cast<ScalarAttr>(kernel))
    return scalar.getBits() / kWordBits;
  return kernel.getStepSize();
}

int64_t bench::getPositions(KernelAttrInterface kernel) {
  return kernel.getInputChannels() * getStepElements(kernel);
}

static RankedTensorType getInputType(KernelAttrInterface kernel,
                                     int64_t steps) {
  SmallVector<int64_t> shape{kernel.getRows(), steps * getStepElements(kernel)};
  MLIRContext *context = kernel.getContext();
  if (kernel.isDepthwise()) {
    shape.append({1, kernel.getChannels()});
    return RankedTensorType::get(shape,
                                 kernel.getFilterLayout().getElementType());
  }
  if (!kernel.sumsFloats())
    return RankedTensorType::get(shape, kernel.getLayout().getElementType(),
                                 kernel.getLayout());
  if (kernel.readsTables())
    shape.push_back(int64_t(1) << kernel.getInputChannels());
  Type element = Float32Type::get(context);
  if (isa<BF16Attr>(kernel))
    element = BFloat16Type::get(context);
  return RankedTensorType::get(shape, element);
}

static RankedTensorType getFilterType(KernelAttrInterface kernel,
                                      int64_t steps) {
  FilterLayoutAttrInterface layout = kernel.getFilterLayout();
  int64_t blocks = kernel.getChannels() / layout.getBlock(),
          elements =
              steps * getStepElements(kernel) / kernel.getStepOfElement();
  return RankedTensorType::get({blocks, elements, layout.countLanes()},
                               layout.getElementType(), layout);
}

static int64_t getBytes(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Steps before the operands repeat: an odd number, so that rows do not lie
/// whole cache lines apart and share their banks.
static int64_t getPeriod(KernelAttrInterface kernel) {
  int64_t bytes = getBytes(getInputType(kernel, /*steps=*/1)) +
                  getBytes(getFilterType(kernel, /*steps=*/1));
  return std::max<int64_t>(1, kOperandBytes / bytes) | 1;
}

static int64_t getTurns(KernelAttrInterface kernel) {
  return llvm::divideCeil(kSteps, getPeriod(kernel));
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

static ProductOp createProduct(ImplicitLocOpBuilder &b,
                               KernelAttrInterface kernel, bool fused,
                               ValueRange operands, Value init) {
  AffineExpr m, n, k;
  bindDims(b.getContext(), m, n, k);
  AffineExpr block = n.floorDiv(kernel.getBlock());
  SmallVector<AffineExpr> input{m, k};
  if (kernel.isDepthwise())
    input.push_back(block);
  int64_t each = kernel.getStepOfElement();
  AffineMap maps[] = {
      AffineMap::get(3, 0, input, b.getContext()),
      AffineMap::get(3, 0, {block, k.floorDiv(each)}, b.getContext())};
  return ProductOp::create(b, kernel, fused, operands[0], operands[1],
                           /*levels=*/ValueRange(), init, maps,
                           /*ratios=*/DenseI64ArrayAttr());
}

/// All partial sums in one register, so that none is left out.
static Value combine(ImplicitLocOpBuilder &b, ValueRange sums) {
  Value all;
  for (Value sum : sums) {
    auto type = cast<VectorType>(sum.getType());
    int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
    Value words = vector::BitCastOp::create(
        b, VectorType::get(bits / kWordBits, b.getI32Type()), sum);
    all = all ? arith::XOrIOp::create(b, all, words).getResult() : words;
  }
  Value init = tensor::EmptyOp::create(
      b, cast<VectorType>(all.getType()).getShape(), b.getI32Type());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return vector::TransferWriteOp::create(b, all, init, zero,
                                         ArrayRef<bool>{true})
      .getResult();
}

static SmallVector<Value>
createLoop(ImplicitLocOpBuilder &b, int64_t end, int64_t step,
           ValueRange values,
           llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  scf::ForOp loop = createRolledLoop(b, b.getLoc(), end, step, values);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop.getResults();
}

/// The tile over and over, added to what it starts from. Fails for a kernel
/// whose tiles are loops over steps.
static FailureOr<Value> createTiles(ImplicitLocOpBuilder &b,
                                    KernelAttrInterface kernel,
                                    ValueRange operands, Value init) {
  scf::ForOp loop =
      createRolledLoop(b, b.getLoc(), getTurns(kernel), /*step=*/1, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ProductOp product = createProduct(b, kernel, /*fused=*/false, operands,
                                    loop.getRegionIterArg(0));
  FailureOr<SmallVector<Value>> tile = kernel.emitTile(b, product);
  product.erase();
  if (failed(tile)) {
    loop.erase();
    return failure();
  }
  scf::YieldOp::create(b, *tile);
  return loop.getResult(0);
}

static Value createSteps(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                         bool fused, ValueRange operands, Value init) {
  ProductOp product = createProduct(b, kernel, fused, operands, init);
  ProductStep step(b, product, kernel);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  int64_t each = kernel.getStepSize(), end = getPeriod(kernel) * each;
  auto takeSteps = [&](Value, ValueRange values) {
    return createLoop(b, end, each, values, [&](Value k, ValueRange partials) {
      return step.emitStep({zero, zero, k}, partials);
    });
  };
  SmallVector<Value> sums = createLoop(b, getTurns(kernel), /*step=*/1,
                                       step.createPartials(), takeSteps);
  product.erase();
  return combine(b, sums);
}

static OwningOpRef<ModuleOp> build(KernelAttrInterface kernel,
                                   const Target &target) {
  MLIRContext *context = kernel.getContext();
  context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                       func::FuncDialect, linalg::LinalgDialect,
                       math::MathDialect, scf::SCFDialect,
                       tensor::TensorDialect, vector::VectorDialect>();
  ImplicitLocOpBuilder b(UnknownLoc::get(context), context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
  setModuleTarget(*module, target);
  b.setInsertionPointToEnd(module->getBody());
  int64_t period = getPeriod(kernel);
  SmallVector<Type> operands{getInputType(kernel, period),
                             getFilterType(kernel, period)};
  auto func = func::FuncOp::create(b, kLoopName,
                                   b.getFunctionType(operands, TypeRange()));
  Block *block = func.addEntryBlock();
  b.setInsertionPointToEnd(block);
  Type element = kernel.sumsFloats() ? Type(b.getF32Type()) : b.getI32Type();
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  Value sums = tensor::EmptyOp::create(
      b, {kernel.getRows(), kernel.getChannels()}, element);
  Value init = linalg::FillOp::create(b, zero, sums).getResult(0);
  bool fused =
      kernel.sumsFloats() && TargetDescription(target).fusesMultiplyAdd;
  FailureOr<Value> tiles = createTiles(b, kernel, block->getArguments(), init);
  Value result = succeeded(tiles) ? *tiles
                                  : createSteps(b, kernel, fused,
                                                block->getArguments(), init);
  func::ReturnOp::create(b, result);
  func.setType(b.getFunctionType(operands, result.getType()));
  return module;
}

/// The loop in the LLVM dialect, with the C interface of compiled functions.
static llvm::Expected<OwningOpRef<ModuleOp>> lower(KernelAttrInterface kernel,
                                                   const Target &target) {
  OwningOpRef<ModuleOp> module = build(kernel, target);
  if (llvm::Error error = bquant::lower(*module, CompileOptions(), target,
                                        /*report=*/nullptr))
    return std::move(error);
  return module;
}

llvm::Expected<std::string> BareLoop::getAssembly(KernelAttrInterface kernel,
                                                  const Target &target) {
  auto module = ::lower(kernel, target);
  if (!module)
    return module.takeError();
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  if (llvm::Error error =
          emitCode(Version{**module, target}, CodeKind::Assembly,
                   /*progress=*/nullptr, os))
    return std::move(error);
  return text.str().str();
}

llvm::Expected<CompiledLoop>
bench::compileForThisMachine(ModuleOp module, llvm::StringRef function,
                             const Target &target) {
  if (!target.runsHere())
    return llvm::createStringError("expected a CPU with the features of '" +
                                   target.cpu + "', but this one lacks some");
  llvm::Expected<Objects> objects = compileObjects(Version{module, target});
  if (!objects)
    return objects.takeError();
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*objects, target);
  if (!jit)
    return jit.takeError();
  llvm::Expected<void *> address = (*jit)->lookup(function);
  if (!address)
    return address.takeError();
  return CompiledLoop{std::move(*jit), *address};
}

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

static uint8_t *allocate(int64_t bytes) {
  return static_cast<uint8_t *>(
      std::aligned_alloc(64, llvm::alignTo(bytes, 64)));
}

/// Random bytes, each changed by `limit`.
static uint8_t *
createData(RankedTensorType type,
           llvm::function_ref<uint8_t(uint8_t, int64_t)> limit) {
  int64_t bytes = getBytes(type);
  uint8_t *data = allocate(bytes);
  uint32_t seed = 1;
  for (int64_t i = 0; i < bytes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = limit(seed >> 24, i);
  }
  return data;
}

/// Floats between .5 and 1 and their negatives: no step is slower for its
/// operands.
static uint8_t limitFloat(uint8_t byte, int64_t i) {
  return i % 4 == 3 ? 0x3f | (byte & 0x80) : i % 4 == 2 ? byte & 0x7f : byte;
}

/// Four bits as the layout `nibbles` has them. Of other bits each step takes
/// any.
static uint8_t limitNibble(uint8_t byte, int64_t) { return byte & 0x3c; }

BareLoop::BareLoop(KernelAttrInterface kernel)
    : kernel(kernel), input(nullptr, &std::free), filter(nullptr, &std::free),
      sums(nullptr, &std::free) {
  int64_t period = getPeriod(kernel);
  input.reset(createData(getInputType(kernel, period),
                         kernel.sumsFloats() ? limitFloat : limitNibble));
  filter.reset(createData(getFilterType(kernel, period), limitFloat));
  // Those of whole tiles, or a register.
  sums.reset(allocate(
      std::max<int64_t>(kernel.getRows() * kernel.getChannels() * 4, 64)));
}

llvm::Expected<std::unique_ptr<BareLoop>>
BareLoop::create(KernelAttrInterface kernel, const Target &target) {
  auto module = ::lower(kernel, target);
  if (!module)
    return module.takeError();
  llvm::Expected<CompiledLoop> compiled =
      compileForThisMachine(**module, kLoopName, target);
  if (!compiled)
    return compiled.takeError();
  std::unique_ptr<BareLoop> result(new BareLoop(kernel));
  result->jit = std::move(compiled->jit);
  result->loop = reinterpret_cast<decltype(result->loop)>(compiled->address);
  return std::move(result);
}

// What lies before the compiled loop in memory says nothing of its type.
LLVM_NO_SANITIZE("function")
double BareLoop::measure() const {
  const void *inputs[] = {input.get(), filter.get()};
  void *outputs[] = {sums.get()};
  auto start = std::chrono::steady_clock::now();
  [[maybe_unused]] int32_t code =
      loop(inputs, outputs, /*arena=*/nullptr, /*threads=*/1);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  assert(code == 0 && "expected a loop without an arena");
  return time.count() / double(getTurns(kernel) * getPeriod(kernel));
}

double BareLoop::measureMacs() const {
  return double(kernel.getRows() * kernel.getChannels() *
                getPositions(kernel)) /
         measure();
}
