//===- MachineLimits.cpp - What one thread can do at best -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are read by a loop of eight registers, each combined with a sum of its
// own, so that nothing waits but for the bytes:
//
//   for (block = 0; block < blocks; ++block)
//     for each register r:                        // unrolled
//       sum[r] ^= data[block][r]
//
//===----------------------------------------------------------------------===//

#include "MachineLimits.h"
#include "Limit.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cstring>

using namespace bquant;
using namespace bquant::bench;
using llvm::formatv;

/// Of each loop the best of so many runs counts.
static constexpr int kRuns = 9;
static constexpr int64_t kRegisters = 8;

static std::string writeReadLoop(int64_t bits) {
  std::string type = formatv("vector<{0}xi64>", bits / 64), text, types, zeros,
              sums, next;
  for (int64_t i = 0; i < kRegisters; ++i) {
    types += ", " + type;
    zeros += ", %z";
    sums += formatv(", %s{0}: {1}", i, type);
    next += formatv(", %n{0}", i);
  }
  llvm::raw_string_ostream os(text);
  os << formatv("llvm.func @read(%blocks: i64, %data: !llvm.ptr, %out: "
                "!llvm.ptr) {{\n"
                "  %zero = llvm.mlir.constant(0 : i64) : i64\n"
                "  %one = llvm.mlir.constant(1 : i64) : i64\n"
                "  %z = llvm.mlir.zero : {0}\n"
                "  llvm.br ^block(%zero{1} : i64{2})\n"
                "^block(%block: i64{3}):\n",
                type, zeros, types, sums);
  for (int64_t i = 0; i < kRegisters; ++i)
    os << formatv("  %p{0} = llvm.getelementptr %data[%block, {0}] : "
                  "(!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<{2} x {1}>\n"
                  "  %v{0} = llvm.load %p{0} : !llvm.ptr -> {1}\n"
                  "  %n{0} = llvm.xor %s{0}, %v{0} : {1}\n",
                  i, type, kRegisters);
  os << formatv("  %next = llvm.add %block, %one : i64\n"
                "  %more = llvm.icmp \"slt\" %next, %blocks : i64\n"
                "  llvm.cond_br %more, ^block(%next{0} : i64{1}), ^end\n"
                "^end:\n",
                next, types);
  for (int64_t i = 0; i < kRegisters; ++i)
    os << formatv("  %o{0} = llvm.getelementptr %out[{0}] : (!llvm.ptr) -> "
                  "!llvm.ptr, {1}\n"
                  "  llvm.store %n{0}, %o{0} : {1}, !llvm.ptr\n",
                  i, type);
  os << "  llvm.return\n}\n";
  return text;
}

namespace {
/// Reads an array over and over.
class ReadLoop {
public:
  static llvm::Expected<ReadLoop> create(const Target &target,
                                         mlir::MLIRContext *context) {
    context->loadDialect<mlir::LLVM::LLVMDialect>();
    int64_t bits = TargetDescription(target).vectorBits;
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(writeReadLoop(bits), context);
    llvm::Expected<CompiledLoop> compiled =
        compileForThisMachine(*module, "read", target);
    if (!compiled)
      return compiled.takeError();
    return ReadLoop(std::move(*compiled), kRegisters * bits / 8);
  }

  /// Bytes a second, of an array of about `bytes`. Compiled code has no type
  /// before it.
  LLVM_NO_SANITIZE("function")
  double measure(int64_t bytes) const {
    int64_t blocks = bytes / blockBytes;
    std::unique_ptr<void, decltype(&std::free)> data(
        std::aligned_alloc(64, blocks * blockBytes), &std::free);
    // A page that nobody has written is the one page of zeros.
    std::memset(data.get(), 1, blocks * blockBytes);
    alignas(64) char out[kRegisters * 64];
    int64_t turns = llvm::divideCeil(int64_t(64) << 20, bytes);
    double best = 0;
    for (int run = 0; run < kRuns; ++run) {
      auto start = std::chrono::steady_clock::now();
      for (int64_t turn = 0; turn < turns; ++turn)
        loop(blocks, data.get(), out);
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      best = std::max(best, double(turns * blocks * blockBytes) / time.count());
    }
    return best;
  }

private:
  ReadLoop(CompiledLoop compiled, int64_t blockBytes)
      : jit(std::move(compiled.jit)),
        loop(reinterpret_cast<decltype(loop)>(compiled.address)),
        blockBytes(blockBytes) {}

  std::unique_ptr<JIT> jit;
  void (*loop)(int64_t blocks, const void *data, void *out);
  int64_t blockBytes;
};
} // namespace

/// Bytes that lie in the cache behind the first, and in none.
static constexpr int64_t kL2Bytes = 192 << 10, kMemoryBytes = 256 << 20;

llvm::Error bench::printMachineLimits(const Target &target,
                                      mlir::MLIRContext *context,
                                      llvm::raw_ostream &os) {
  llvm::SmallVector<std::pair<llvm::StringRef, double>> kernels;
  for (llvm::StringRef name : {"popcount", "table", "bytes", "scalar", "fma"}) {
    llvm::Expected<KernelAttrInterface> kernel =
        getLimitKernel(name, target, context);
    if (!kernel) {
      llvm::consumeError(kernel.takeError());
      continue;
    }
    auto limit = BareLoop::create(*kernel, target);
    if (!limit)
      return limit.takeError();
    double best = 0;
    for (int run = 0; run < kRuns; ++run)
      best = std::max(best, (*limit)->measureMacs());
    kernels.emplace_back(name, best);
  }
  auto loop = ReadLoop::create(target, context);
  if (!loop)
    return loop.takeError();

  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("cpu", target.cpu);
    json.attribute("vector_bits", TargetDescription(target).vectorBits);
    json.attributeObject("gmac_per_s", [&] {
      for (auto [name, macs] : kernels)
        json.attribute(name, macs / 1e9);
    });
    json.attributeObject("gbyte_per_s", [&] {
      json.attribute("L2", loop->measure(kL2Bytes) / 1e9);
      json.attribute("memory", loop->measure(kMemoryBytes) / 1e9);
    });
  });
  os << "\n";
  return llvm::Error::success();
}
