//===- ToolRoutes.cpp - The whole routes ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the tools run them, called as C programs call them.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "GuardedBuffer.h"
#include "Routes.h"
#include "bquant/Compiler/Program.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>
#include <thread>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
/// The C calling convention of compiled functions.
class ToolProgram : public Compiled {
public:
  explicit ToolProgram(std::unique_ptr<Program> program, int32_t threads = 1)
      : program(std::move(program)), threads(threads) {}

  llvm::Error call(StringRef name, const std::vector<Array> &inputs,
                   std::vector<Array> &outputs) override {
    llvm::Expected<const FunctionInfo *> function = program->find(name);
    if (!function)
      return function.takeError();
    // What memory holds before a call must not matter, and beside what belongs
    // to the call there is nothing of ours: the page after it may not be
    // touched, or, every other call, the one before.
    auto guard = calls++ % 2 == 0 ? GuardedBuffer::Guard::After
                                  : GuardedBuffer::Guard::Before;
    std::vector<std::unique_ptr<GuardedBuffer>> buffers;
    auto makeBuffer = [&](size_t bytes, size_t alignment) {
      buffers.push_back(
          std::make_unique<GuardedBuffer>(bytes, alignment, guard));
      return buffers.back()->data();
    };
    SmallVector<const void *> in;
    SmallVector<void *> out;
    for (const Array &input : inputs) {
      unsigned char *data = makeBuffer(bytesOf(input), kElementBytes);
      std::memcpy(data, dataOf(input), bytesOf(input));
      in.push_back(data);
    }
    for (const Array &output : outputs)
      out.push_back(makeBuffer(bytesOf(output), kElementBytes));
    constexpr size_t kArenaAlignment = 64;
    void *arena = makeBuffer((*function)->arenaBytes(threads), kArenaAlignment);
    int64_t batch = 0;
    for (auto [info, input] : llvm::zip_equal((*function)->inputs, inputs))
      if (info.hasBatch())
        batch = input.shape.front();
    if ((*function)->setParallel)
      (*function)->setParallel(runThreads, nullptr);
    int32_t status = 0;
    int64_t allocations = countAllocations([&] {
      status = (*function)->call(in.data(), out.data(), arena, threads, batch);
    });
    if (status != 0)
      return llvm::createStringError("expected status 0, but got " +
                                     llvm::Twine(status));
    if (allocations != 0 && threads == 1) // else they are the pool's
      return llvm::createStringError("expected no allocation in a call, but "
                                     "got " +
                                     llvm::Twine(allocations));
    if (!llvm::all_of(buffers, [](const auto &b) { return b->isIntact(); }))
      return llvm::createStringError("expected no write beside an array");
    for (auto [data, input] : llvm::zip_equal(in, inputs))
      if (std::memcmp(data, dataOf(input), bytesOf(input)) != 0)
        return llvm::createStringError("expected no write to an input");
    for (auto [data, output] : llvm::zip_equal(out, outputs))
      std::memcpy(const_cast<void *>(dataOf(output)), data, bytesOf(output));
    return llvm::Error::success();
  }

private:
  std::unique_ptr<Program> program;
  int32_t threads;
  unsigned calls = 0;

  static constexpr size_t kElementBytes = 4;
  /// Of what it holds: two f16 are one integer.
  static size_t bytesOf(const Array &array) {
    return array.isInt ? array.ints.size() * sizeof(int32_t)
                       : array.floats.size() * sizeof(float);
  }

  /// A pool: a thread for each.
  static void runThreads(void *, int32_t count,
                         void (*body)(void *context, int32_t thread),
                         void *context) {
    std::vector<std::thread> pool;
    for (int32_t i = 0; i < count; ++i)
      pool.emplace_back(body, context, i);
    for (std::thread &thread : pool)
      thread.join();
  }
};
} // namespace

/// The whole route, as bquant-compile runs it.
Route bquant::test::getToolRoute(Strategy strategy, const TargetOptions &target,
                                 int32_t threads,
                                 FloatPrecision floatPrecision) {
  std::string name = stringify(strategy).str();
  if (!target.cpu.empty())
    name += " for " + target.cpu;
  if (threads > 1)
    name += " on " + std::to_string(threads) + " threads";
  return {
      name,
      [strategy, target, threads, floatPrecision](OwningOpRef<ModuleOp> module)
          -> llvm::Expected<std::unique_ptr<Compiled>> {
        CompileOptions options;
        options.verifyEach = verifyEach;
        options.strategy = strategy;
        options.target = target;
        options.threads = threads;
        options.verifyTiles = true;
        options.floatPrecision = floatPrecision;
        options.claimNanoseconds = 0;
        auto program = Program::compile(*module, options);
        if (!program)
          return program.takeError();
        return std::make_unique<ToolProgram>(std::move(*program), threads);
      }};
}

Route bquant::test::getKernelRoute(const std::string &name,
                                   std::function<size_t(size_t)> choose,
                                   const TargetOptions &target,
                                   int32_t threads) {
  Route route = getToolRoute(Strategy::Auto, target, threads);
  auto compile = route.compile;
  route.name = name + ", " + route.name;
  route.compile = [choose, target, compile](OwningOpRef<ModuleOp> module)
      -> llvm::Expected<std::unique_ptr<Compiled>> {
    auto machine = resolveTarget(target);
    if (!machine)
      return machine.takeError();
    module->walk([&](Operation *op) {
      std::optional<ProductShape> shape = getProductShape(op);
      if (!shape)
        return;
      SmallVector<KernelAttrInterface> kernels =
          getKernels(module->getContext(), *shape, TargetDescription(*machine));
      // Sums of floats stay in the order that the program expects, or that of
      // the kernel that is selected.
      if (KernelAttrInterface given = getKernel(op))
        llvm::erase_if(kernels, [&](KernelAttrInterface kernel) {
          return given.sumsFloats() &&
                 kernel.getInputChannels() != given.getInputChannels();
        });
      else if (isa<RankedTensorType>(op->getOperand(0).getType()))
        return;
      op->setAttr("kernel", kernels[choose(kernels.size())]);
    });
    return compile(std::move(module));
  };
  return route;
}

Route bquant::test::getLibraryRoute(Strategy strategy) {
  return {"library, " + stringify(strategy).str(),
          [strategy](OwningOpRef<ModuleOp> module)
              -> llvm::Expected<std::unique_ptr<Compiled>> {
            llvm::SmallString<128> directory;
            if (std::error_code code = llvm::sys::fs::createUniqueDirectory(
                    "bquant-property", directory))
              return llvm::errorCodeToError(code);
            llvm::scope_exit remove(
                [&] { llvm::sys::fs::remove_directories(directory); });
            std::string path = (directory + "/net.so").str();
            CompileOptions options;
            options.verifyEach = verifyEach;
            options.strategy = strategy;
            AtomicFiles files;
            if (llvm::Error error = compileToFile(
                    *module, path, EmitKind::Shared, options, files, nullptr))
              return std::move(error);
            if (llvm::Error error = files.commit())
              return std::move(error);
            auto program = Program::load(path);
            if (!program)
              return program.takeError();
            return std::make_unique<ToolProgram>(std::move(*program));
          }};
}

std::vector<Route> bquant::test::getFastRoutes(const TargetOptions &target) {
  std::vector<Route> routes = {getToolRoute(Strategy::Scalar, target)};
  if (auto machine = resolveTarget(target)) {
    if (TargetDescription(*machine).getStrategies().size() > 1)
      routes.push_back(getToolRoute(Strategy::Auto, target));
  } else {
    llvm::consumeError(machine.takeError());
  }
  return routes;
}

std::vector<TargetOptions> bquant::test::getTargets() {
  std::vector<TargetOptions> targets(1);
  if (auto host = resolveTarget(targets.front())) {
    for (llvm::StringRef cpu : {"x86-64-v2", "haswell"}) {
      TargetOptions other;
      other.cpu = cpu.str();
      if (host->triple.isX86() &&
          llvm::cantFail(resolveTarget(other)).runsHere())
        targets.push_back(other);
    }
  } else {
    llvm::consumeError(host.takeError());
  }
  return targets;
}
