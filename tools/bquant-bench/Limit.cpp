//===- Limit.cpp - What a strategy can do at best -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limit.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace bquant;
using namespace bquant::bench;

namespace {
/// `rows` inputs times `columns` filters, each a sum of its own.
struct Block {
  int rows, columns;
  /// LLVM type of a filter and of a sum, bits in an element and in all.
  std::string type;
  int elementBits, bits;
};
} // namespace

/// Steps over which the operands repeat.
static constexpr int kPeriod = 16;

/// The loop in the LLVM dialect.
static std::string getLoop(const Block &block) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string element = "i" + std::to_string(block.elementBits);
  bool isVector = block.bits != block.elementBits;
  int sums = block.rows * block.columns;
  auto forSums = [&](const char *separator, auto fn) {
    for (int i = 0; i < sums; ++i) {
      os << (i ? separator : "");
      fn(i);
    }
  };
  os << "llvm.func @limit(%n: i64, %a: !llvm.ptr, %b: !llvm.ptr, %out: "
        "!llvm.ptr) {\n"
        "  %zero = llvm.mlir.constant(0 : i64) : i64\n"
        "  %one = llvm.mlir.constant(1 : i64) : i64\n"
        "  %mask = llvm.mlir.constant("
     << kPeriod - 1 << " : i64) : i64\n  %z = llvm.mlir.zero : " << block.type
     << "\n  %u = llvm.mlir.undef : " << block.type
     << "\n  %first = llvm.mlir.constant(0 : i32) : i32\n  llvm.br ^loop(%zero";
  forSums("", [&](int) { os << ", %z"; });
  os << " : i64";
  forSums("", [&](int) { os << ", " << block.type; });
  os << ")\n^loop(%i: i64";
  forSums("", [&](int i) { os << ", %s" << i << ": " << block.type; });
  os << "):\n  %at = llvm.and %i, %mask : i64\n";
  auto load = [&](char name, int index, const std::string &type, int count) {
    os << llvm::formatv(
        "  %p{0}{1} = llvm.getelementptr %{0}[%at, {1}] : (!llvm.ptr, i64) -> "
        "!llvm.ptr, !llvm.array<{2} x {3}>\n"
        "  %{0}{1} = llvm.load %p{0}{1} : !llvm.ptr -> {3}\n",
        name, index, count, type);
  };
  for (int c = 0; c < block.columns; ++c)
    load('b', c, block.type, block.columns);
  for (int r = 0; r < block.rows; ++r) {
    load('a', r, element, block.rows);
    std::string row = "%a" + std::to_string(r);
    if (isVector) {
      os << llvm::formatv(
          "  %e{0} = llvm.insertelement %a{0}, %u[%first : "
          "i32] : {1}\n  %v{0} = llvm.shufflevector %e{0}, %u [",
          r, block.type);
      for (int l = 0; l < block.bits / block.elementBits; ++l)
        os << (l ? ", 0" : "0");
      os << "] : " << block.type << "\n";
      row = "%v" + std::to_string(r);
    }
    for (int c = 0; c < block.columns; ++c)
      os << llvm::formatv("  %x{0} = llvm.xor {1}, %b{2} : {3}\n"
                          "  %c{0} = llvm.intr.ctpop(%x{0}) : ({3}) -> {3}\n"
                          "  %n{0} = llvm.add %s{0}, %c{0} : {3}\n",
                          r * block.columns + c, row, c, block.type);
  }
  os << "  %next = llvm.add %i, %one : i64\n"
        "  %more = llvm.icmp \"slt\" %next, %n : i64\n"
        "  llvm.cond_br %more, ^loop(%next";
  forSums("", [&](int i) { os << ", %n" << i; });
  os << " : i64";
  forSums("", [&](int) { os << ", " << block.type; });
  os << "), ^done {loop_annotation = #llvm.loop_annotation<unroll = "
        "<disable = true>>}\n^done:\n";
  for (int i = 0; i < sums; ++i)
    os << llvm::formatv("  %o{0} = llvm.getelementptr %out[{0}] : (!llvm.ptr) "
                        "-> !llvm.ptr, {1}\n  llvm.store %n{0}, %o{0} {{"
                        "alignment = 8 : i64} : {1}, !llvm.ptr\n",
                        i, block.type);
  os << "  llvm.return\n}\n";
  return text;
}

llvm::Expected<std::unique_ptr<Limit>>
Limit::create(llvm::StringRef strategy, const Target &target,
              mlir::MLIRContext *context) {
  int bits = TargetDescription(target).vectorBits;
  Block block =
      strategy == "popcount"
          ? Block{6, 4, llvm::formatv("vector<{0}xi32>", bits / 32), 32, bits}
          : Block{2, 2, "i64", 64, 64};
  context->loadDialect<mlir::LLVM::LLVMDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(getLoop(block), context);
  if (!module)
    return llvm::createStringError("expected a loop for strategy " + strategy);
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*module, target);
  if (!jit)
    return jit.takeError();
  llvm::Expected<void *> loop = (*jit)->lookup("limit");
  if (!loop)
    return loop.takeError();
  auto limit = std::make_unique<Limit>();
  limit->jit = std::move(*jit);
  limit->loop = reinterpret_cast<decltype(limit->loop)>(*loop);
  limit->macsAStep = double(block.rows) * block.columns * block.bits;
  return limit;
}

double Limit::measure() const {
  // Large enough for every block, and not all zero.
  alignas(64) static uint32_t operands[2][kPeriod * 128];
  alignas(64) uint32_t sums[24 * 16];
  static bool filled = [] {
    uint32_t seed = 1;
    for (auto &operand : operands)
      for (uint32_t &word : operand)
        word = seed = seed * 1664525u + 1013904223u;
    return true;
  }();
  (void)filled;
  constexpr int64_t steps = 10000;
  auto start = std::chrono::steady_clock::now();
  loop(steps, operands[0], operands[1], sums);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return macsAStep * double(steps) / time.count();
}
