//===- CrossRoute.cpp - Code for AArch64, run by qemu ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrossRoute.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Emission/Emit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

static constexpr const char *kCompiler = "aarch64-linux-gnu-gcc",
                            *kEmulator = "qemu-aarch64";

std::string bquant::test::getMissingCrossTool() {
  for (const char *tool : {kCompiler, kEmulator})
    if (!llvm::sys::findProgramByName(tool))
      return tool;
  return "";
}

static llvm::Error runProgram(ArrayRef<std::string> command) {
  auto program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return llvm::errorCodeToError(program.getError());
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, {},
                                         0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  return llvm::createStringError("expected status 0 of " + command.front() +
                                 ", but got " + llvm::Twine(status) + message);
}

namespace {
/// A directory with a library for AArch64 and a program that calls it.
class Emulated : public Compiled {
public:
  ~Emulated() override { llvm::sys::fs::remove_directories(directory); }

  llvm::Error create(ModuleOp module, Strategy strategy,
                     const TargetOptions &target) {
    // The emulator has not every CPU that has a feature.
    cpu = target.features.empty() ? target.cpu : "max";
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("bquant-cross", directory))
      return llvm::errorCodeToError(code);
    CompileOptions options;
    options.verifyEach = true;
    options.strategy = strategy;
    options.target = target;
    AtomicFiles files;
    if (llvm::Error error = compileToFile(
            module, in("net.so"), EmitKind::Shared, options, files, nullptr))
      return error;
    if (llvm::Error error = files.commit())
      return error;
    signatures = getSignatures(module);
    return runProgram({kCompiler, "-O1", BQUANT_CROSS_RUN, "-o", in("run")});
  }

  llvm::Error call(StringRef name, const std::vector<Array> &inputs,
                   std::vector<Array> &outputs) override {
    std::vector<std::string> command = {
        kEmulator,    "-L",       "/usr/aarch64-linux-gnu",
        "-cpu",       cpu,        in("run"),
        in("net.so"), name.str(), getBatch(name, inputs)};
    auto add = [&](const Array &array, const Twine &file) {
      command.push_back(in(file));
      std::error_code code;
      llvm::raw_fd_ostream os(command.back(), code);
      os << getBytes(array);
    };
    for (auto [index, input] : llvm::enumerate(inputs))
      add(input, "input" + Twine(index));
    command.push_back("--");
    size_t firstOutput = command.size();
    for (auto [index, output] : llvm::enumerate(outputs))
      add(output, "output" + Twine(index));
    if (llvm::Error error = runProgram(command))
      return error;
    for (auto [index, output] : llvm::enumerate(outputs)) {
      auto bytes = llvm::MemoryBuffer::getFile(command[firstOutput + index]);
      if (!bytes)
        return llvm::errorCodeToError(bytes.getError());
      llvm::copy((*bytes)->getBuffer(),
                 const_cast<char *>(getBytes(output).data()));
    }
    return llvm::Error::success();
  }

private:
  std::string in(const Twine &file) const {
    return (directory + "/" + file).str();
  }

  static StringRef getBytes(const Array &array) {
    if (array.isInt)
      return {reinterpret_cast<const char *>(array.ints.data()),
              array.ints.size() * sizeof(array.ints[0])};
    return {reinterpret_cast<const char *>(array.floats.data()),
            array.floats.size() * sizeof(float)};
  }

  /// As the function's signature says; 0 without one.
  std::string getBatch(StringRef name, const std::vector<Array> &inputs) const {
    for (const std::string &text : signatures) {
      llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
      const llvm::json::Object &function = *value.getAsObject();
      if (function.getString("name") != name)
        continue;
      for (auto [input, array] :
           llvm::zip_equal(*function.getArray("inputs"), inputs)) {
        const llvm::json::Array *shape = input.getAsObject()->getArray("shape");
        if (!shape->empty() && shape->front().getAsNull())
          return std::to_string(array.shape.front());
      }
    }
    return "0";
  }

  std::string cpu;
  llvm::SmallString<128> directory;
  SmallVector<std::string> signatures;
};
} // namespace

Route bquant::test::getCrossRoute(Strategy strategy,
                                  const TargetOptions &target) {
  return {stringify(strategy).str() + " for " + target.cpu + ", emulated",
          [strategy, target](OwningOpRef<ModuleOp> module)
              -> llvm::Expected<std::unique_ptr<Compiled>> {
            auto result = std::make_unique<Emulated>();
            if (llvm::Error error = result->create(*module, strategy, target))
              return std::move(error);
            return result;
          }};
}
