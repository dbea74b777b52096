//===- Run.cpp - Call a network on arrays of NumPy ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "Tools.h"
#include "bquant/Compiler/Npy.h"
#include "bquant/Compiler/Profile.h"
#include "bquant/Compiler/Program.h"
#include "bquant/Emission/Emit.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/AlignOf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <cmath>
#include <random>

namespace cl = llvm::cl;
using namespace bquant;

namespace {
struct Options : CompileFlags {
  cl::opt<std::string> network{
      cl::Positional, cl::Required,
      cl::desc("<.mlir, .mlirbc, or a library that bquant-compile wrote>"),
      cl::cat(category)};
  cl::list<std::string> inputs{
      "input",
      cl::desc("Inputs in the order of the signature (default: random ones, of "
               "one sample where they have a batch: floats uniform in [-1, 1], "
               "integers of random bits)"),
      cl::value_desc("x.npy"), cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::desc("Of random inputs"),
                         cl::cat(category)};
  cl::list<std::string> outputs{
      "output", cl::desc("Outputs in the order of the signature"),
      cl::value_desc("y.npy"), cl::cat(category)};
  cl::opt<std::string> functionName{
      "function", cl::desc("Which function (default: the only one)"),
      cl::cat(category)};
  cl::opt<unsigned> repeat{
      "repeat", cl::init(0),
      cl::desc("Call it that often and print the least and median time"),
      cl::cat(category)};
  cl::opt<std::string> profile{
      "profile", cl::ValueOptional,
      cl::desc("Of a module: where the time of a call goes, layer by layer, on "
               "standard output or in a .txt, .json or .html file (medians of "
               "--repeat calls, default 20)"),
      cl::value_desc("file"), cl::cat(category)};

  Options() : CompileFlags("bquant-run options") {}
};
} // namespace

namespace {
struct FreeDeleter {
  void operator()(void *pointer) const { std::free(pointer); }
};
using Buffer = std::unique_ptr<void, FreeDeleter>;
} // namespace

/// At least one byte, aligned for every use.
static llvm::Expected<Buffer> allocate(std::optional<uint64_t> bytes,
                                       llvm::StringRef what) {
  Buffer buffer;
  if (bytes && *bytes < std::numeric_limits<uint64_t>::max() - 64)
    buffer.reset(std::aligned_alloc(64, llvm::alignTo(*bytes + 1, 64)));
  if (buffer)
    return std::move(buffer);
  return llvm::createStringError(
      "expected memory for " + what + ", but there are no " +
      (bytes ? std::to_string(*bytes) : "so many") + " bytes");
}

static llvm::Expected<std::unique_ptr<Program>>
compile(const Options &options, mlir::MLIRContext &context, llvm::StringRef cpu,
        bool clockLayers) {
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      parseFileOfTool("bquant-run", options.network, context);
  if (!module)
    return module.takeError();
  CompileOptions how = options.get();
  how.target.cpu = cpu.str();
  how.clockLayers = clockLayers;
  ProgressLine line;
  how.progress = line.get("bquant-run");
  return Program::compile(**module, how);
}

/// Whether a file is a library, by its name or its first bytes. A file called
/// .so that is no library gets the loader's error, which says why. A pipe is
/// not looked into, since what is read from it is gone.
static bool isLibrary(llvm::StringRef path) {
  if (llvm::sys::path::extension(path) == ".so")
    return true;
  if (!llvm::sys::fs::is_regular_file(path))
    return false;
  llvm::StringRef magic(llvm::ELF::ElfMagic);
  auto start = llvm::MemoryBuffer::getFileSlice(path, magic.size(), 0);
  return start && (*start)->getBuffer() == magic;
}

static llvm::Expected<std::unique_ptr<Program>>
getProgram(const Options &options, mlir::MLIRContext &context) {
  if (isLibrary(options.network)) {
    if (options.profile.getNumOccurrences())
      return llvm::createStringError(
          "expected a module to profile, since a library's code has no clocks, "
          "but got '" +
          options.network + "'");
    if (std::string given = options.listGiven(); !given.empty())
      return llvm::createStringError("expected no " + given +
                                     " with a library, which is compiled "
                                     "already, but got '" +
                                     options.network + "'");
    return Program::load(options.network);
  }
  return compile(options, context, options.cpu, /*clockLayers=*/false);
}

/// Floats uniform in [-1, 1], integers of random bits.
static void fill(const ArrayInfo &info, char *data, std::mt19937_64 &random) {
  auto *semantics = llvm::StringSwitch<const llvm::fltSemantics *>(info.dtype)
                        .Case("float16", &llvm::APFloat::IEEEhalf())
                        .Case("bfloat16", &llvm::APFloat::BFloat())
                        .Case("float32", &llvm::APFloat::IEEEsingle())
                        .Case("float64", &llvm::APFloat::IEEEdouble())
                        .Default(nullptr);
  int64_t bytes = info.elementBytes();
  for (int64_t i = 0, e = info.numElements(); i < e; ++i) {
    uint64_t bits = random();
    if (info.dtype == "bool")
      bits &= 1;
    if (semantics) {
      // 24 bits with a sign: exact in f32.
      llvm::APFloat value(std::ldexp(double(int64_t(bits) >> 40), -23));
      bool ignored;
      value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &ignored);
      bits = value.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(data + i * bytes, &bits, bytes);
  }
}

/// "1 input", "2 inputs".
static std::string count(size_t number, llvm::StringRef what) {
  return (llvm::Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

static llvm::Error checkCode(const Options &options, int32_t code) {
  if (code == 0)
    return llvm::Error::success();
  return llvm::createStringError(options.network + ": " + explainCode(code));
}

/// Calls the function and prints times if asked to.
static llvm::Error call(const Options &options, const FunctionInfo &function,
                        llvm::ArrayRef<const void *> in,
                        llvm::ArrayRef<void *> out, void *arena,
                        int64_t batch) {
  if (llvm::Error error =
          checkCode(options, function.call(in.data(), out.data(), arena,
                                           options.threads, batch)))
    return error;
  if (options.profile.getNumOccurrences())
    return llvm::Error::success();
  std::vector<double> seconds;
  for (unsigned i = 0; i < options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    function.call(in.data(), out.data(), arena, options.threads, batch);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    seconds.push_back(time.count());
  }
  if (seconds.empty())
    return llvm::Error::success();
  llvm::sort(seconds);
  llvm::outs() << llvm::format("%u calls: min %.6g s, median %.6g s\n",
                               options.repeat.getValue(), seconds.front(),
                               seconds[seconds.size() / 2]);
  return llvm::Error::success();
}

/// Writes where the time of `options.repeat` calls goes, to standard output or
/// to `files`.
static llvm::Error profile(const Options &options, mlir::MLIRContext &context,
                           const Program &program, const FunctionInfo &function,
                           llvm::ArrayRef<const void *> in,
                           llvm::ArrayRef<void *> out, void *arena,
                           int64_t batch, AtomicFiles &files) {
  // Of several versions the one that runs.
  llvm::Expected<std::unique_ptr<Program>> clocked =
      compile(options, context,
              function.version ? function.version() : options.cpu.getValue(),
              /*clockLayers=*/true);
  if (!clocked)
    return clocked.takeError();
  llvm::Expected<Reports> reports = program.readReport();
  if (!reports)
    return reports.takeError();
  llvm::Expected<Profile> profile = Profile::measure(
      program, **clocked, function.name, *reports->get().front(),
      std::max<int64_t>(batch, 1), options.repeat ? options.repeat : 20,
      [&](const FunctionInfo &function) {
        return function.call(in.data(), out.data(), arena, /*threads=*/1,
                             batch);
      });
  if (!profile)
    return profile.takeError();
  if (options.profile.empty()) {
    llvm::outs() << profile->toText();
    return llvm::Error::success();
  }
  llvm::StringRef format = llvm::sys::path::extension(options.profile);
  return files.add(options.profile, [&](llvm::raw_pwrite_stream &os) {
    os << (format == ".txt"    ? profile->toText()
           : format == ".json" ? profile->toJSON()
                               : profile->toHTML());
  });
}

static llvm::Error run(const Options &options, mlir::MLIRContext &context) {
  if (options.threads < 1)
    return llvm::createStringError("expected at least 1 thread, but got " +
                                   llvm::Twine(options.threads));
  llvm::StringRef format = llvm::sys::path::extension(options.profile);
  if (!options.profile.empty() &&
      !llvm::is_contained({".txt", ".json", ".html"}, format))
    return llvm::createStringError(
        "expected a profile that ends in .txt, .json or .html, but got '" +
        options.profile + "'");
  llvm::Expected<std::unique_ptr<Program>> program =
      getProgram(options, context);
  if (!program)
    return program.takeError();
  std::string name = options.functionName;
  if (name.empty()) {
    if ((*program)->getFunctions().size() != 1)
      return llvm::createStringError(
          options.network +
          ": expected one function or --function=NAME, but got " +
          llvm::Twine((*program)->getFunctions().size()) + " functions");
    name = (*program)->getFunctions().front().name;
  }
  llvm::Expected<const FunctionInfo *> found = (*program)->find(name);
  if (!found)
    return found.takeError();
  const FunctionInfo &function = **found;
  bool given = !options.inputs.empty();
  if (given && options.inputs.size() != function.inputs.size())
    return llvm::createStringError(
        "expected " + count(function.inputs.size(), "input") + " of '" + name +
        "', an --input for each, or none, but got " +
        llvm::Twine(options.inputs.size()));
  if (given && options.seed.getNumOccurrences())
    return llvm::createStringError(
        "expected either --input or --seed, but got both");
  if (!options.outputs.empty() &&
      options.outputs.size() != function.outputs.size())
    return llvm::createStringError(
        "expected " + count(function.outputs.size(), "output") + " of '" +
        name + "', an --output for each, or none, but got " +
        llvm::Twine(options.outputs.size()));
  // Before it is asked to run: the call would only return a number.
  if (!function.supported())
    return checkCode(options, 2);

  std::vector<Buffer> memory;
  auto add = [&](std::optional<uint64_t> bytes,
                 llvm::StringRef what) -> llvm::Error {
    llvm::Expected<Buffer> buffer = allocate(bytes, what);
    if (!buffer)
      return buffer.takeError();
    memory.push_back(std::move(*buffer));
    return llvm::Error::success();
  };
  llvm::SmallVector<const void *> in;
  llvm::SmallVector<void *> out;
  // The first input that has a batch says what it is for all.
  const ArrayInfo *first = nullptr;
  int64_t batch = given ? 0 : 1;
  std::mt19937_64 random(options.seed);
  if (!given && !function.inputs.empty()) {
    llvm::errs() << "inputs: random, seed " << options.seed
                 << " (give --input for your own)\n";
    for (const ArrayInfo &info : function.inputs) {
      ArrayInfo sample = info.ofBatch(batch);
      if (llvm::Error error = add(sample.numBytes(), "'" + info.name + "'"))
        return error;
      fill(sample, static_cast<char *>(memory.back().get()), random);
      in.push_back(memory.back().get());
    }
  }
  for (auto [info, path] : llvm::zip(function.inputs, options.inputs)) {
    llvm::Expected<NpyArray> array = readNpy(path, info);
    if (!array)
      return array.takeError();
    if (info.hasBatch() && !first) {
      first = &info;
      batch = array->info.shape.front();
    } else if (info.hasBatch() && array->info.shape.front() != batch) {
      return llvm::createStringError(
          path + ": expected the batch " + llvm::Twine(batch) + " of '" +
          first->name + "' for '" + info.name + "', but got " +
          llvm::Twine(array->info.shape.front()));
    }
    if (llvm::Error error = add(array->data.size(), "'" + info.name + "'"))
      return error;
    llvm::copy(array->data, static_cast<char *>(memory.back().get()));
    in.push_back(memory.back().get());
  }
  std::vector<ArrayInfo> results;
  for (const ArrayInfo &info : function.outputs) {
    results.push_back(info.ofBatch(batch));
    if (llvm::Error error =
            add(results.back().numBytes(), "'" + info.name + "'"))
      return error;
    out.push_back(memory.back().get());
  }
  if (llvm::Error error =
          add(function.arenaBytes(options.threads), "the arena"))
    return error;
  void *arena = memory.back().get();
  if (llvm::Error error = call(options, function, in, out, arena, batch))
    return error;
  AtomicFiles files(AtomicFiles::OnSignal::Remove);
  files.keep(options.network);
  for (const std::string &input : options.inputs)
    files.keep(input);
  if (options.profile.getNumOccurrences())
    if (llvm::Error error = profile(options, context, **program, function, in,
                                    out, arena, batch, files))
      return error;
  for (size_t index = 0; index < options.outputs.size(); ++index)
    if (llvm::Error error =
            files.add(options.outputs[index], [&](llvm::raw_pwrite_stream &os) {
              writeNpy(os, results[index], out[index]);
            }))
      return error;
  return files.commit();
}

int bquant::runMain(int argc, char **argv) {
  return runTool(argc, argv, "bquant-run", "bquant runner\n", run);
}
