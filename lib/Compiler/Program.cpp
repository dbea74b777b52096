//===- Program.cpp - Compiled code that can be called ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Program.h"
#include "JSON.h"
#include "Support/ForeignText.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Emission/JIT.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace bquant;

/// None for a type that crosses no compiled function's interface.
static std::optional<int64_t> getElementBytes(llvm::StringRef dtype) {
  return llvm::StringSwitch<std::optional<int64_t>>(dtype)
      .Cases({"bool", "int8", "uint8"}, 1)
      .Cases({"float16", "bfloat16", "int16", "uint16"}, 2)
      .Cases({"float32", "int32", "uint32"}, 4)
      .Cases({"float64", "int64", "uint64"}, 8)
      .Default(std::nullopt);
}

int64_t ArrayInfo::elementBytes() const {
  std::optional<int64_t> bytes = getElementBytes(dtype);
  assert(bytes && "expected an element type of compiled functions");
  return *bytes;
}

int64_t ArrayInfo::numElements() const {
  int64_t result = 1;
  for (int64_t size : shape)
    result *= size;
  return result;
}

std::optional<int64_t> ArrayInfo::numBytes() const {
  int64_t result = elementBytes();
  for (int64_t size : shape)
    if (llvm::MulOverflow(result, size, result))
      return std::nullopt;
  return result;
}

ArrayInfo ArrayInfo::ofBatch(int64_t batch) const {
  ArrayInfo result = *this;
  if (hasBatch())
    result.shape.front() = batch;
  return result;
}

bool bquant::loadOpenMP() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&bquant::loadOpenMP), &self))
    return false;
  llvm::SmallString<128> path(self.dli_fname);
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "libomp.so.5");
  // For good, and out of the way of other OpenMP runtimes: its GOMP_ functions
  // would replace libgomp's.
  return dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

int32_t FunctionInfo::call(const void *const *in, void *const *out, void *arena,
                           int32_t threads, int64_t batch) const {
  auto call = [&] {
    return entry ? entry(in, out, arena, threads)
                 : batchEntry(in, out, arena, threads, batch);
  };
  int32_t code = call();
  return code == codeWithoutOpenMP && loadOpenMP() ? call() : code;
}

std::string bquant::explainCode(int32_t code) {
  switch (code) {
  case 2:
    return "expected a CPU with the features that it was compiled for, but "
           "this one lacks some";
  case codeWithoutOpenMP:
    return "expected LLVM's OpenMP runtime, libomp.so.5, for more than one "
           "thread, but found none: install it, by Debian's libomp5-19, or use "
           "one thread";
  default:
    return "expected code 0 of a call, but got " + std::to_string(code);
  }
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Who wrote the signature is not known: what it says is checked.
static llvm::Expected<ArrayInfo> readArray(const llvm::json::Value &value) {
  const llvm::json::Object *array = value.getAsObject();
  if (!array || !array->getString("name") || !array->getString("dtype") ||
      !array->getArray("shape"))
    return llvm::createStringError("expected name, dtype and shape of an "
                                   "array, but got '" +
                                   quoteJSON(value) + "'");
  ArrayInfo info;
  info.name = array->getString("name")->str();
  info.dtype = array->getString("dtype")->str();
  if (!getElementBytes(info.dtype))
    return llvm::createStringError(
        "expected an element type of compiled functions for '" +
        quoteForeign(info.name) + "', but got '" + quoteForeign(info.dtype) +
        "'");
  for (const llvm::json::Value &size : *array->getArray("shape")) {
    bool batch = size.getAsNull() && info.shape.empty();
    int64_t count = getCount(size).value_or(0);
    if (!batch && count < 1)
      return llvm::createStringError("expected sizes of at least 1 for '" +
                                     quoteForeign(info.name) + "', but got " +
                                     quoteJSON(size));
    info.shape.push_back(batch ? ArrayInfo::anyBatch : count);
  }
  // As many as any NumPy can have.
  constexpr size_t maxRank = 32;
  if (info.shape.size() > maxRank)
    return llvm::createStringError("expected at most " + llvm::Twine(maxRank) +
                                   " sizes for '" + quoteForeign(info.name) +
                                   "', but got " +
                                   llvm::Twine(info.shape.size()));
  ArrayInfo sample = info.hasBatch() ? info.ofBatch(1) : info;
  if (!sample.numBytes())
    return llvm::createStringError(
        "expected fewer than 2^63 bytes for '" + quoteForeign(info.name) +
        "', but got " +
        quoteForeign(
            llvm::formatv("{0:$[x]}", llvm::make_range(sample.shape.begin(),
                                                       sample.shape.end()))
                .str()) +
        " of " + info.dtype);
  return info;
}

static llvm::Error readArrays(const llvm::json::Object &function,
                              llvm::StringRef key,
                              llvm::SmallVector<ArrayInfo> &result) {
  const llvm::json::Array *arrays = function.getArray(key);
  if (!arrays)
    return llvm::createStringError("expected a list of '" + key +
                                   "' in a signature, but got none");
  for (const llvm::json::Value &value : *arrays) {
    llvm::Expected<ArrayInfo> array = readArray(value);
    if (!array)
      return array.takeError();
    result.push_back(std::move(*array));
  }
  return llvm::Error::success();
}

/// That state has as many numbers as elements, and that what updates it is of
/// its type and shape.
static llvm::Error checkState(const llvm::json::Object &function,
                              const FunctionInfo &info) {
  for (auto [value, array] :
       llvm::zip_equal(*function.getArray("inputs"), info.inputs)) {
    const llvm::json::Value *initial = value.getAsObject()->get("initial");
    if (!initial)
      continue;
    const llvm::json::Array *numbers = initial->getAsArray();
    bool isNumber = initial->getAsNumber().has_value();
    if (array.hasBatch() || (!isNumber && !numbers) ||
        (numbers && int64_t(numbers->size()) != array.numElements()) ||
        (numbers && llvm::any_of(*numbers, [](const llvm::json::Value &number) {
           return !number.getAsNumber();
         })))
      return llvm::createStringError(
          "expected a number, or one for each element, as the initial value "
          "of '" +
          quoteForeign(array.name) + "', but got another value");
  }
  for (auto [value, array] :
       llvm::zip_equal(*function.getArray("outputs"), info.outputs)) {
    const llvm::json::Value *updated = value.getAsObject()->get("updates");
    if (!updated)
      continue;
    int64_t index = getCount(*updated).value_or(-1);
    if (index < 0 || index >= int64_t(info.inputs.size()) ||
        info.inputs[index].dtype != array.dtype ||
        info.inputs[index].shape != array.shape)
      return llvm::createStringError(
          "expected '" + quoteForeign(array.name) +
          "' to update an input of its type and shape, but got input " +
          quoteJSON(*updated));
  }
  return llvm::Error::success();
}

/// The CPUs that there is a version for, if the signature has a list.
static llvm::Error readVersions(const llvm::json::Object &function,
                                FunctionInfo &info) {
  const llvm::json::Value *value = function.get("versions");
  if (!value)
    return llvm::Error::success();
  const llvm::json::Array *cpus = value->getAsArray();
  if (!cpus || cpus->empty() ||
      llvm::any_of(*cpus, [](const llvm::json::Value &cpu) {
        return !cpu.getAsString();
      }))
    return llvm::createStringError(
        "expected a list of the CPUs that '" + quoteForeign(info.name) +
        "' has versions for, but got " + quoteJSON(*value));
  for (const llvm::json::Value &cpu : *cpus)
    info.versions.push_back(cpu.getAsString()->str());
  return llvm::Error::success();
}

llvm::Error Program::addSignature(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = parseJSON(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  auto isName = [](std::optional<llvm::StringRef> name) {
    return name && !name->contains('\0');
  };
  if (!object || !isName(object->getString("name")) ||
      !isName(object->getString("symbol")))
    return llvm::createStringError(
        "expected the signature of a compiled function, but got '" +
        quoteForeign(text) + "'");
  FunctionInfo info;
  if (llvm::Error error = readArrays(*object, "inputs", info.inputs))
    return error;
  if (llvm::Error error = readArrays(*object, "outputs", info.outputs))
    return error;
  if (llvm::Error error = checkState(*object, info))
    return error;
  info.name = object->getString("name")->str();
  info.symbol = object->getString("symbol")->str();
  for (const FunctionInfo &other : functions)
    if (llvm::is_contained({other.name, other.symbol}, info.name) ||
        llvm::is_contained({other.name, other.symbol}, info.symbol))
      return llvm::createStringError("expected different names, but got '" +
                                     quoteForeign(info.name) + "' twice");
  // Libraries of older versions say nothing, and use one.
  if (const llvm::json::Value *threads = object->get("max_threads")) {
    int64_t count = getCount(*threads).value_or(0);
    if (count < 1 || count > std::numeric_limits<int32_t>::max())
      return llvm::createStringError("expected at least 1 thread for '" +
                                     quoteForeign(info.name) + "', but got " +
                                     quoteJSON(*threads));
    info.maxThreads = count;
  }
  if (llvm::Error error = readVersions(*object, info))
    return error;
  functions.push_back(std::move(info));
  signatures.push_back(text.str());
  signature.insert(signature.size() - 1,
                   (functions.size() == 1 ? "" : ",") +
                       llvm::formatv("{0}", *value).str());
  return llvm::Error::success();
}

/// Fails if the environment asks for a version that the library does not have.
static llvm::Error checkForcedVersion(const FunctionInfo &info) {
  const char *forced = std::getenv("BQUANT_TARGET_CPU");
  if (info.version() || !forced || !*forced ||
      llvm::is_contained(info.versions, forced))
    return llvm::Error::success();
  return llvm::createStringError("expected BQUANT_TARGET_CPU to be one of " +
                                 quoteForeign(llvm::join(info.versions, ", ")) +
                                 ", but got '" + quoteForeign(forced) + "'");
}

llvm::Expected<Reports> Program::readReport() const {
  llvm::Expected<Reports> reports = readReports();
  if (!reports)
    return reports.takeError();
  // All functions have the same versions.
  if (!functions.empty() && functions.front().version)
    if (const char *cpu = functions.front().version())
      reports->keep(cpu);
  return reports;
}

llvm::Error Program::lookUpFunctions() {
  for (FunctionInfo &info : functions) {
    auto get = [&](auto &function, const char *suffix) -> llvm::Error {
      llvm::Expected<void *> address = lookup(info.symbol + suffix);
      if (!address)
        return address.takeError();
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          *address);
      return llvm::Error::success();
    };
    bool batch =
        llvm::any_of(llvm::concat<const ArrayInfo>(info.inputs, info.outputs),
                     [](const ArrayInfo &array) { return array.hasBatch(); });
    if (llvm::Error error =
            batch ? get(info.batchEntry, "") : get(info.entry, ""))
      return error;
    if (llvm::Error error = get(info.arenaBytes, "_arena_bytes"))
      return error;
    if (llvm::Error error = get(info.supported, "_supported"))
      return error;
    if (info.maxThreads > 1)
      if (llvm::Error error = get(info.setParallel, "_set_parallel"))
        return error;
    if (!info.versions.empty()) {
      if (llvm::Error error = get(info.version, "_version"))
        return error;
      if (llvm::Error error = checkForcedVersion(info))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Program::addHeader(llvm::ArrayRef<std::string> signatures,
                               llvm::StringRef path, AtomicFiles &files) {
  llvm::SmallString<128> header(path);
  llvm::sys::path::replace_extension(header, "h");
  return files.add(header, [&](llvm::raw_pwrite_stream &os) {
    os << emitHeader(signatures);
  });
}

llvm::Expected<const FunctionInfo *> Program::find(llvm::StringRef name) const {
  for (const FunctionInfo &function : functions)
    if (function.name == name || function.symbol == name)
      return &function;
  std::string known;
  for (const FunctionInfo &function : functions)
    known += (known.empty() ? "" : ", ") + function.name;
  return llvm::createStringError("expected one of the functions (" +
                                 llvm::Twine(known) + "), but got '" + name +
                                 "'");
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

namespace {
class CompiledProgram : public Program {
public:
  CompiledProgram(const Target &target, const std::string &sysroot)
      : target(target), sysroot(sysroot) {}

  llvm::Error compile(llvm::ArrayRef<Version> versions,
                      const Progress &progress, const Reports &collected) {
    for (const std::string &signature : bquant::getSignatures(versions))
      if (llvm::Error error = addSignature(signature))
        return error;
    report = collected.toJSON();
    clocksLayers = versions.front().module->hasAttr(kClockedLayersName);
    llvm::Expected<Objects> compiled =
        compileObjects(versions, progress, report);
    if (!compiled)
      return compiled.takeError();
    objects = std::move(*compiled);
    if (!target.isHost()) {
      setForeignTriple(target.triple.str());
      return llvm::Error::success();
    }
    llvm::Expected<std::unique_ptr<JIT>> made = JIT::create(objects, target);
    if (!made)
      return made.takeError();
    jit = std::move(*made);
    if (llvm::Error error = lookUpFunctions())
      return error;
    return addClockedLayers(versions.front().module);
  }

  llvm::Error save(llvm::StringRef path, llvm::StringRef name,
                   AtomicFiles &files) const override {
    if (clocksLayers)
      return llvm::createStringError("expected a program that does not clock "
                                     "its layers, since a library has no "
                                     "clock, but got one that does");
    if (!name.empty())
      return saveRenamed(path, name, files);
    if (llvm::Error error = linkShared(objects, target, sysroot, path, files))
      return error;
    return addHeader(getSignatures(), path, files);
  }

protected:
  llvm::Expected<Reports> readReports() const override {
    return Reports::fromJSON(report);
  }
  llvm::Expected<void *> lookup(llvm::StringRef symbol) override {
    return jit->lookup(symbol);
  }

private:
  /// The same code, whose only function has another name in it.
  llvm::Error saveRenamed(llvm::StringRef path, llvm::StringRef name,
                          AtomicFiles &files) const {
    if (llvm::Error error = checkCName(name))
      return error;
    if (getFunctions().size() != 1)
      return llvm::createStringError("expected one function to be called '" +
                                     name + "', but got " +
                                     llvm::Twine(getFunctions().size()));
    const FunctionInfo &function = getFunctions().front();
    // Our own texts: they parse.
    llvm::json::Value value =
        llvm::cantFail(llvm::json::parse(getSignatures().front()));
    (*value.getAsObject())["name"] = name;
    (*value.getAsObject())["symbol"] = name;
    std::string signature = llvm::formatv("{0}", value).str();
    Reports renamed = llvm::cantFail(readReports());
    renamed.renameFunction(function.name, name);
    llvm::Expected<Objects> code = renameEntryPoint(
        objects, function.symbol, name, signature, renamed.toJSON());
    if (!code)
      return code.takeError();
    if (llvm::Error error = linkShared(*code, target, sysroot, path, files))
      return error;
    return addHeader(signature, path, files);
  }

  /// The layers that the module says it clocks.
  llvm::Error addClockedLayers(mlir::ModuleOp module) {
    auto layers = module->getAttrOfType<mlir::ArrayAttr>(kClockedLayersName);
    if (!layers)
      return llvm::Error::success();
    llvm::Expected<void *> times = lookup(kLayerTimesName);
    if (!times)
      return times.takeError();
    for (auto [i, layer] :
         llvm::enumerate(layers.getAsRange<mlir::ArrayAttr>())) {
      auto text = [layer = layer](unsigned part) {
        return mlir::cast<mlir::StringAttr>(layer[part]).getValue().str();
      };
      clockedLayers.push_back(
          {text(0), text(1), static_cast<const int64_t *>(*times) + i});
    }
    return llvm::Error::success();
  }

  /// Of several versions the first one's: the same machine for a linker.
  Target target;
  std::string sysroot, report;
  /// Of another machine's code, too, which has no times to read.
  bool clocksLayers = false;
  /// What the JIT runs and a library is linked of.
  Objects objects;
  std::unique_ptr<JIT> jit;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>>
Program::compile(mlir::ModuleOp module, const CompileOptions &options) {
  llvm::Expected<llvm::SmallVector<Target>> targets =
      resolveTargets(options.target);
  if (!targets)
    return targets.takeError();
  if (options.clockLayers && targets->size() > 1)
    return llvm::createStringError(
        "expected one CPU for code that clocks its layers, but got '" +
        options.target.cpu + "'");
  Reports reports;
  llvm::Expected<LoweredProgram> lowered =
      lower(module, options, *targets, &reports);
  if (!lowered)
    return lowered.takeError();
  auto result =
      std::make_unique<CompiledProgram>(targets->front(), options.sysroot);
  if (llvm::Error error =
          result->compile(lowered->versions, options.progress, reports))
    return std::move(error);
  return result;
}
