//===- BareLoop.cpp - A kernel's inner loop and nothing else --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop is written in the LLVM dialect, operands and trip counts given at
// run time, so that nothing of it can be folded:
//
//   for (turn = 0; turn < turns; ++turn)
//     for (step = 0; step < steps; ++step)
//       for each row r, register c:               // unrolled
//         sum[r][c] += count(input[step][r], filter[step][c])
//
// Bytes widened to 16 bits are two vectors, the even and the odd ones.
//
//===----------------------------------------------------------------------===//

#include "BareLoop.h"
#include "LoopWriter.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace bquant;
using namespace bquant::bench;

/// Half of the smallest first-level cache.
static constexpr int64_t kOperandBytes = 16 << 10;

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

int64_t bench::getLaneBits(StepKind kind) {
  switch (kind) {
  case StepKind::PopcountLanes:
  case StepKind::ByteDots:
  case StepKind::BytePairs:
  case StepKind::WidePairs:
  case StepKind::Fma:
  case StepKind::BF16Dots:
  case StepKind::SumTable:
    return 32;
  case StepKind::PopcountBytes:
  case StepKind::Table:
  case StepKind::Depthwise:
    return 8;
  case StepKind::Scalar:
    return 64;
  }
  llvm_unreachable("unknown kind of step");
}

bool bench::takesBytes(StepKind kind) {
  return kind == StepKind::ByteDots || kind == StepKind::BytePairs ||
         kind == StepKind::WidePairs;
}

bool bench::takesParts(StepKind kind) {
  return takesBytes(kind) || kind == StepKind::BF16Dots;
}

int64_t Block::getTerms() const { return bits == 512 ? 5 : 3; }

int64_t Block::getIndices() const { return 32 / getTerms(); }

int64_t Block::getLanes() const { return bits / getLaneBits(kind); }

int64_t Block::getPositions() const {
  if (kind == StepKind::BF16Dots)
    return 2;
  if (kind == StepKind::Table || takesBytes(kind))
    return 4;
  if (kind == StepKind::SumTable)
    return getTerms() * getIndices();
  bool one = kind == StepKind::Fma || kind == StepKind::Depthwise;
  return one ? 1 : getLaneBits(kind);
}

int64_t Block::getInputBits() const {
  if (takesParts(kind))
    return 32;
  if (kind == StepKind::SumTable)
    return getIndices() * (32 << getTerms());
  return kind == StepKind::Depthwise ? registers * bits : getLaneBits(kind);
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

bool BareLoop::canRun(StepKind kind, const Target &target) {
  TargetDescription description(target);
  switch (kind) {
  case StepKind::Table:
    return target.triple.isX86() && description.byteShuffleBits;
  case StepKind::ByteDots:
    return description.hasByteDotProducts;
  case StepKind::BF16Dots:
    return description.hasBF16DotProducts;
  case StepKind::BytePairs:
  case StepKind::WidePairs:
    return description.bytePairBits;
  case StepKind::SumTable:
    return description.lanePermuteBits;
  default:
    return true;
  }
}

/// What a target lacks that a kind of step cannot run on.
static llvm::StringRef getNeed(StepKind kind) {
  if (kind == StepKind::SumTable)
    return "a permutation of lanes for kernel 'sum_table'";
  if (kind == StepKind::BF16Dots)
    return "dot products of bf16 for kernel 'bf16'";
  return takesBytes(kind) ? "products of bytes for kernel 'bytes'"
                          : "a byte shuffle for kernel 'table'";
}

static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
build(const Block &block, const Target &target, mlir::MLIRContext *context) {
  if (!BareLoop::canRun(block.kind, target))
    return llvm::createStringError(llvm::Twine("expected a target with ") +
                                   getNeed(block.kind) + ", but got CPU '" +
                                   target.cpu + "'");
  context->loadDialect<mlir::LLVM::LLVMDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(writeLoop(block, target),
                                                 context);
}

llvm::Expected<std::string> BareLoop::getAssembly(const Block &block,
                                                  const Target &target,
                                                  mlir::MLIRContext *context) {
  auto module = build(block, target, context);
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

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

static uint8_t *allocate(int64_t bytes) {
  return static_cast<uint8_t *>(
      std::aligned_alloc(64, llvm::alignTo(bytes, 64)));
}

/// Floats between .5 and 1 and their negatives: no step is slower for its
/// operands.
static void fill(uint8_t *data, int64_t bytes) {
  uint32_t seed = 1;
  for (int64_t i = 0; i < bytes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    uint8_t byte = seed >> 24;
    data[i] = i % 4 == 3   ? 0x3f | (byte & 0x80)
              : i % 4 == 2 ? byte & 0x7f
                           : byte;
  }
}

/// Of vectors that a step loads.
static int64_t getStepBytes(const Block &block) {
  int64_t vectors = block.registers;
  if (block.kind == StepKind::SumTable)
    return vectors * block.bits / 8 + block.rows * block.getInputBits() / 8;
  if (block.kind == StepKind::Depthwise)
    vectors += block.rows * block.registers;
  return vectors * block.bits / 8;
}

BareLoop::BareLoop(const Block &block)
    : block(block),
      period(std::clamp<int64_t>(kOperandBytes / getStepBytes(block), 1, 256)),
      inputs(nullptr, &std::free), filters(nullptr, &std::free),
      tables(nullptr, &std::free), sums(nullptr, &std::free) {
  int64_t bytes = block.bits / 8;
  int64_t inputBytes = period * block.rows * block.getInputBits() / 8;
  inputs.reset(allocate(inputBytes));
  fill(inputs.get(), inputBytes);
  filters.reset(allocate(period * block.registers * bytes));
  fill(filters.get(), period * block.registers * bytes);
  sums.reset(allocate(block.rows * block.registers * bytes));
  if (block.kind != StepKind::Table)
    return;
  // The input is the place of a table, in units of eight bytes.
  for (int64_t i = 0; i < inputBytes; ++i)
    inputs.get()[i] = (inputs.get()[i] & 15) * bytes / 8;
  tables.reset(allocate(16 * bytes));
  for (int64_t i = 0; i < 16 * bytes; ++i)
    tables.get()[i] = llvm::popcount(uint32_t(i / bytes ^ i) & 15);
}

llvm::Expected<CompiledLoop>
bench::compileForThisMachine(mlir::ModuleOp module, llvm::StringRef function,
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

llvm::Expected<std::unique_ptr<BareLoop>>
BareLoop::create(const Block &block, const Target &target,
                 mlir::MLIRContext *context) {
  auto module = build(block, target, context);
  if (!module)
    return module.takeError();
  llvm::Expected<CompiledLoop> compiled =
      compileForThisMachine(**module, "limit", target);
  if (!compiled)
    return compiled.takeError();
  std::unique_ptr<BareLoop> result(new BareLoop(block));
  result->jit = std::move(compiled->jit);
  result->loop = reinterpret_cast<decltype(result->loop)>(compiled->address);
  return std::move(result);
}

// What lies before the compiled loop in memory says nothing of its type.
LLVM_NO_SANITIZE("function")
double BareLoop::measure(int64_t steps) const {
  int64_t turns = llvm::divideCeil(steps, period);
  auto start = std::chrono::steady_clock::now();
  loop(turns, period, inputs.get(), filters.get(), tables.get(), sums.get());
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / double(turns * period);
}
