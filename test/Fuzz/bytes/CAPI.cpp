//===- CAPI.cpp - Calls of the C API in any order -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input says which functions are called with which arguments, within what
// the headers allow: a failure comes with its reason, a success without one.
//
//===----------------------------------------------------------------------===//

#include "bquant-c/BQuant.h"
#include "bquant-c/Profile.h"
#include "bquant-c/Quant.h"
#include "bquant-c/Version.h"

#include "Fuzz.h"

#include <filesystem>
#include <memory>
#include <unistd.h>
#include <vector>

using namespace bquant::fuzz;

static const char *const sources[] = {
    "func.func @add(%x: tensor<4xf32> {bquant.name = \"x\"}) -> tensor<4xf32> "
    "{\n"
    "  %w = arith.constant dense_resource<w> : tensor<4xf32>\n"
    "  %y = arith.addf %x, %w : tensor<4xf32>\n"
    "  return %y : tensor<4xf32>\n"
    "}\n",
    "func.func @abs(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
    "  %y = math.absf %x : tensor<?x2xf32>\n"
    "  return %y : tensor<?x2xf32>\n"
    "}\n"
    "func.func @\"a b\"(%x: tensor<1xi32>) -> tensor<1xi32> {\n"
    "  return %x : tensor<1xi32>\n"
    "}\n",
    "func.func @net(%x: tensor<2x40xf32>) -> tensor<2x3xf32> {\n"
    "  %f = arith.constant dense<0.25> : tensor<3x40xf32>\n"
    "  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<3x40xf32>\n"
    "      -> !bquant.tensor<3x40, 1, axes = [0]>\n"
    "  %q = bquant.quantize %x scheme(<gf, 2>) : tensor<2x40xf32>\n"
    "      -> !bquant.tensor<2x40, 2>\n"
    "  %y = bquant.matmul %q, %w : (!bquant.tensor<2x40, 2>,\n"
    "      !bquant.tensor<3x40, 1, axes = [0]>) -> tensor<2x3xf32>\n"
    "  return %y : tensor<2x3xf32>\n"
    "}\n",
    "func.func @f(%x: tensor<2xf32>) { return }\n"};

static const char *const stages[] = {
    "import", "raise",     "solve", "fold",      "select", "pack",
    "tile",   "vectorize", "llvm",  "emulation", ""};

/// All functions together on two places for modules and two for programs.
namespace {
class Session {
public:
  explicit Session(Bytes &bytes) : bytes(bytes) {}
  ~Session() {
    for (BQuantModule *module : modules)
      bquantModuleDestroy(module);
    for (BQuantProgram *program : programs)
      bquantProgramDestroy(program);
    unlink(path.c_str());
    unlink((path.substr(0, path.size() - 2) + "h").c_str());
  }

  void step();

private:
  char **takeError() {
    asksForError = bytes.below(8) != 7;
    return asksForError ? &error : nullptr;
  }
  /// What takeError asked for, after a call; true if it succeeded.
  bool finish(bool succeeded) {
    check(!succeeded || !error, "no error after a success", error ? error : "");
    check(succeeded || !asksForError || (error && *error),
          "an error after a failure");
    bquantStringFree(error);
    error = nullptr;
    return succeeded;
  }
  /// A string that the library gave.
  bool finish(char *string) {
    bool succeeded = finish(string != nullptr);
    bquantStringFree(string);
    return succeeded;
  }

  template <typename T> T *&pick(T *(&slots)[2]) {
    return slots[bytes.below(2)];
  }

  BQuantCompileOptions takeOptions();
  void parse();
  void runPipeline();
  void lower();
  void compile();
  void jit();
  void askProgram();
  void call();
  void saveAndLoad();
  void quantize();
  void cascade();
  void rankOne();

  Bytes &bytes;
  /// None where a failure or lowering left one that is not to be used again.
  BQuantModule *modules[2] = {};
  BQuantProgram *programs[2] = {};
  char *error = nullptr;
  bool asksForError = true;
  std::string texts[3];
  std::string path = std::filesystem::temp_directory_path() /
                     ("bquant-fuzz-" + std::to_string(getpid()) + ".so");
};
} // namespace

static void destroy(BQuantModule *&module) {
  bquantModuleDestroy(module);
  module = nullptr;
}

BQuantCompileOptions Session::takeOptions() {
  static const char *const strategies[] = {
      "auto", "popcount", "table", "bytes", "scalar", "reference", "guess"};
  static const char *const cpus[] = {"haswell",        "znver4",   "x86-64",
                                     "haswell,znver4", "portable", "abacus",
                                     "haswell,,"};
  static const char *const triples[] = {"x86_64-linux-gnu", "aarch64-linux-gnu",
                                        "riscv64-linux-gnu", "nothing"};
  BQuantCompileOptions options = {};
  static const size_t sizes[] = {sizeof(options), sizeof(options) - 8,
                                 offsetof(BQuantCompileOptions, threads), 8, 3};
  unsigned set = bytes.take<uint8_t>();
  options.size = set & 1 ? bytes.pick(sizes) : sizeof(options);
  if (set & 2)
    options.strategy = bytes.pick(strategies);
  if (set & 4)
    options.targetCPU = bytes.pick(cpus);
  if (set & 8)
    options.targetTriple = bytes.pick(triples);
  if (set & 16)
    options.threads = int8_t(bytes.take<uint8_t>());
  if (set & 32) {
    texts[0] = bytes.takeText();
    options.entryName = texts[0].c_str();
  }
  if (set & 64) {
    options.clockLayers = bytes.below(2);
    options.strict = bytes.below(2);
    options.verifyFolding = bytes.below(2);
    options.verifyEach = bytes.below(2);
    if (bytes.below(2))
      options.floatPrecision = bytes.below(2) ? "bf16" : "f32";
  }
  if (set & 128) {
    texts[1] = bytes.takeText();
    options.assume = texts[1].c_str();
    texts[2] = bytes.takeText();
    options.targetFeatures = texts[2].c_str();
  }
  return options;
}

void Session::parse() {
  BQuantModule *&module = pick(modules);
  destroy(module);
  static const float data[4] = {1, 2, 3, 4};
  BQuantBlob blobs[] = {{"w", data, bytes.below(8) ? 16u : 12u, 4},
                        {"unused", data, 4, 4}};
  unsigned kind = bytes.below(std::size(sources) + 1);
  std::string text =
      kind < std::size(sources) ? sources[kind] : bytes.takeText();
  char **error = takeError();
  module = bquantModuleParse(text.data(), text.size(),
                             bytes.below(2) ? "net.mlir" : nullptr, blobs,
                             bytes.below(3), error);
  finish(module != nullptr);
}

void Session::runPipeline() {
  BQuantModule *&module = pick(modules);
  if (!module)
    return;
  static const char *const pipelines[] = {"bquant-raise",
                                          "bquant-solve-scalars,canonicalize",
                                          "canonicalize,cse",
                                          "bquant-raise-pipeline",
                                          "builtin.module(bquant-raise)",
                                          "no-such-pass",
                                          ""};
  unsigned kind = bytes.below(std::size(pipelines) + 1);
  std::string text =
      kind < std::size(pipelines) ? pipelines[kind] : bytes.takeText();
  char **error = takeError();
  if (!finish(bquantModuleRunPipeline(module, text.c_str(), error) == 0))
    destroy(module);
}

void Session::lower() {
  BQuantModule *&module = pick(modules);
  if (!module)
    return;
  const char *stage = bytes.below(4) ? bytes.pick(stages) : nullptr;
  BQuantCompileOptions options = takeOptions();
  char **error = takeError();
  bool isLowered =
      finish(bquantModuleLower(module, stage, &options, error) == 0);
  if (isLowered)
    bquantStringFree(bquantModulePrint(module, bytes.below(2)));
  destroy(module); // it is lowered once
}

void Session::compile() {
  BQuantModule *module = pick(modules);
  if (!module)
    return;
  int emit = bytes.below(8);
  BQuantCompileOptions options = takeOptions();
  static const char *const formats[] = {"text", "json", "html", "pdf"};
  char *report = nullptr;
  bool wantsReport = bytes.below(2);
  char **error = takeError();
  if (!finish(bquantModuleCompile(module, path.c_str(), BQuantEmit(emit),
                                  bytes.below(4) ? &options : nullptr,
                                  wantsReport ? &report : nullptr, error) == 0))
    return check(!report, "no report after a failure");
  check(wantsReport == (report != nullptr), "the report that was asked for");
  if (report) {
    error = takeError();
    finish(bquantReportFormat(report, bytes.pick(formats), error));
    bquantStringFree(report);
  }
}

void Session::jit() {
  BQuantModule *module = pick(modules);
  if (!module)
    return;
  BQuantProgram *&program = pick(programs);
  bquantProgramDestroy(program);
  BQuantCompileOptions options = takeOptions();
  char **error = takeError();
  program = bquantModuleJit(module, bytes.below(4) ? &options : nullptr, error);
  finish(program != nullptr);
}

void Session::askProgram() {
  BQuantProgram *program = pick(programs);
  if (!program)
    return;
  check(bquantProgramSignature(program)[0] == '[', "a list of functions");
  static const char *const formats[] = {"text", "json", "html", "pdf"};
  const char *format = bytes.below(8) ? bytes.pick(formats) : nullptr;
  char **error = takeError();
  finish(bquantProgramReport(program, format, error));
  size_t arena;
  int supported;
  const char *cpu;
  static const char *const names[] = {"add", "abs", "net", "a b", ""};
  const char *name = bytes.below(8) ? bytes.pick(names) : nullptr;
  int32_t threads = 1 + bytes.below(8);
  error = takeError();
  bool isKnown = finish(
      bquantProgramArenaBytes(program, name, threads, &arena, error) == 0);
  error = takeError();
  check(finish(bquantProgramSupported(program, name, &supported, error) == 0) ==
            isKnown,
        "one answer to whether there is a function");
  error = takeError();
  finish(bquantProgramVersion(program, name, &cpu, error) == 0);
  error = takeError();
  bool isFixed = finish(bquantProgramEntry(program, name, error) != nullptr);
  error = takeError();
  bool isBatch =
      finish(bquantProgramBatchEntry(program, name, error) != nullptr);
  check(int(isFixed) + int(isBatch) == int(isKnown), "one entry point");
}

void Session::call() {
  BQuantProgram *program = pick(programs);
  if (!program)
    return;
  struct Function {
    const char *name;
    bool hasBatch;
    size_t input, output;
  };
  static const Function functions[] = {{"add", false, 4, 4},
                                       {"abs", true, 2, 2},
                                       {"a b", false, 1, 1},
                                       {"net", false, 80, 6}};
  const Function &function = bytes.pick(functions);
  int supported = 0;
  if (bquantProgramSupported(program, function.name, &supported, nullptr) != 0)
    return;
  int32_t threads = 1 + bytes.below(4);
  int64_t batch = int64_t(bytes.below(5)) - 1;
  size_t samples = function.hasBatch ? std::max<int64_t>(batch, 0) : 1;
  // Of their own, so that nothing else is read or written.
  auto *x = new float[function.input * samples];
  auto *y = new float[function.output * samples];
  for (size_t i = 0; i < function.input * samples; ++i)
    x[i] = bytes.take<float>();
  size_t arenaBytes = 0;
  check(bquantProgramArenaBytes(program, function.name, threads, &arenaBytes,
                                nullptr) == 0,
        "the size of the arena");
  void *arena = arenaBytes ? std::aligned_alloc(64, (arenaBytes + 63) / 64 * 64)
                           : nullptr;
  const void *inputs[] = {x};
  void *outputs[] = {y};
  int32_t code;
  if (function.hasBatch)
    code = bquantProgramBatchEntry(program, function.name, nullptr)(
        inputs, outputs, arena, threads, batch);
  else
    code = bquantProgramEntry(program, function.name, nullptr)(inputs, outputs,
                                                               arena, threads);
  if (function.hasBatch && batch < 0)
    check(code == 1, "a bad argument", std::to_string(code));
  else
    check(code == (supported ? 0 : 2) || code == 3, "a call's code",
          std::to_string(code));
  if (code)
    bquantStringFree(bquantExplainCode(code));
  std::free(arena);
  delete[] x;
  delete[] y;
}

void Session::saveAndLoad() {
  BQuantProgram *program = pick(programs);
  if (!program)
    return;
  std::string name = bytes.takeText();
  char **error = takeError();
  if (!finish(bquantProgramSave(program, path.c_str(),
                                name.empty() ? nullptr : name.c_str(),
                                error) == 0))
    return;
  BQuantProgram *&other = pick(programs);
  // Code for another machine is not loaded.
  error = takeError();
  BQuantProgram *loaded = bquantProgramLoad(path.c_str(), error);
  finish(loaded != nullptr);
  bquantProgramDestroy(other);
  other = loaded;
}

void Session::quantize() {
  static const char *const names[] = {
      "ls-1",       "ls-2",   "ls-3",    "ls-T",    "gf-2", "twn", "dorefa-2",
      "dorefa-w-3", "hwgq-2", "given-2", "given-T", "ls-9", "?"};
  const char *name = bytes.pick(names);
  BQuantScheme scheme;
  char **error = takeError();
  if (!finish(bquantSchemeGet(name, &scheme, error) == 0))
    return;
  int64_t shape[4], axes[4], count = 1;
  int64_t rank = bytes.below(4), numAxes = bytes.below(3);
  for (int64_t i = 0; i < rank; ++i)
    shape[i] = bytes.below(6);
  for (int64_t i = 0; i < numAxes; ++i)
    axes[i] = int64_t(bytes.below(6)) - 1;
  for (int64_t i = 0; i < rank; ++i)
    count *= shape[i];
  std::vector<float> x(count), copy(count), decoded(count);
  for (float &value : x)
    value = bytes.take<float>();
  // Room for groups of one value each.
  std::vector<float> scalars(8 * count + 8), offsets(count + 1),
      thresholds(256 * count + 256);
  std::vector<uint8_t> codes(256 * count + 256);
  BQuantArray array = {x.data(), rank, shape, numAxes, axes};
  BQuantParameters parameters = {scalars.data(), offsets.data(),
                                 thresholds.data(), codes.data()};
  int32_t threads = int32_t(bytes.below(4)) - 1;
  int64_t zeroGroups;
  error = takeError();
  if (!finish(bquantSolve(array, name, threads, parameters, copy.data(),
                          &zeroGroups, error) == 0))
    return;
  check(std::memcmp(copy.data(), x.data(), 4 * count) == 0, "a copy");
  if (!scheme.numThresholds)
    parameters.thresholds = nullptr, parameters.codes = nullptr;
  if (!scheme.numOffsets)
    parameters.offsets = nullptr;
  double fit, angle;
  BQuantOutputs outputs = {};
  outputs.decoded = bytes.below(2) ? decoded.data() : nullptr;
  outputs.error = bytes.below(2) ? &fit : nullptr;
  outputs.angle = bytes.below(2) ? &angle : nullptr;
  error = takeError();
  finish(bquantApply(array, name, parameters, threads, outputs, error) == 0);
}

void Session::cascade() {
  float values[12], scalars[16], out[12], gradient[12];
  for (float &value : values)
    value = bytes.take<float>();
  for (float &scalar : scalars)
    scalar = bytes.take<float>();
  for (float &value : gradient)
    value = bytes.take<float>();
  int64_t planes = int64_t(bytes.below(10)) - 1;
  int64_t rows = bytes.below(2) ? planes : bytes.below(9);
  BQuantCascade array = {
      values, 1, 12, scalars, planes, rows, bytes.take<float>()};
  char **error = takeError();
  finish(bquantCascade(array, out, error) == 0);
  error = takeError();
  finish(bquantCascadeGradient(array, BQuantSlope(bytes.below(3)), gradient,
                               out, error) == 0);
  float thresholds[255];
  uint8_t codes[256];
  error = takeError();
  finish(bquantNearestLevels(scalars, planes, thresholds, codes, error) == 0);
}

void Session::rankOne() {
  float values[16];
  for (float &value : values)
    value = bytes.take<float>();
  double rows[4], columns[4], energy;
  char **error = takeError();
  finish(bquantRankOne(values, bytes.below(5), bytes.below(5), bytes.below(2),
                       rows, columns, &energy, error) == 0);
}

void Session::step() {
  static void (Session::*const steps[])() = {
      &Session::parse,      &Session::parse,   &Session::runPipeline,
      &Session::lower,      &Session::compile, &Session::jit,
      &Session::askProgram, &Session::call,    &Session::saveAndLoad,
      &Session::quantize,   &Session::cascade, &Session::rankOne};
  (this->*bytes.pick(steps))();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  Session session(bytes);
  for (int i = 0; i < 8 && !bytes.empty(); ++i)
    session.step();
  return 0;
}
