//===- compile.cpp - Modules and their compilation for Python -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/BQuant.h"

#include "bindings.h"
#include "program.h"

#include <memory>
#include <mutex>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <vector>

namespace nb = nanobind;
using namespace bquant::python;

using Blob = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

namespace {
/// A module and the arrays that its resources point to.
class Module {
public:
  static std::shared_ptr<Module> parse(const nb::bytes &source,
                                       const std::string &name,
                                       const nb::dict &resources);
  static std::shared_ptr<Module> parseFile(const std::string &path);
  ~Module() { bquantModuleDestroy(module); }

  std::string print(bool elide);
  void run(const std::string &pipeline);
  void lower(const std::string &stage, const nb::kwargs &options);
  std::shared_ptr<Program> jit(const nb::kwargs &options);
  std::string compile(const std::string &path, const std::string &emit,
                      const nb::kwargs &options);

private:
  explicit Module(BQuantModule *module) : module(module) {}

  BQuantModule *module;
  std::vector<Blob> blobs;
  std::mutex mutex; // one thread at a time uses a module
};

/// The options of a compilation and the strings they point to.
struct Options {
  std::optional<std::string> strategy, triple, cpu, features, assume,
      floatPrecision, sysroot, entryName;
  BQuantCompileOptions options = {};

  explicit Options(const nb::kwargs &arguments) {
    options.size = sizeof(options);
    for (auto [key, value] : arguments) {
      auto name = nb::cast<std::string>(key);
      if (name == "threads")
        options.threads = nb::cast<int32_t>(value);
      else if (name == "strict")
        options.strict = nb::cast<bool>(value);
      else if (name == "verify_folding")
        options.verifyFolding = nb::cast<bool>(value);
      else if (name == "verify_each")
        options.verifyEach = nb::cast<bool>(value);
      else if (name == "clock_layers")
        options.clockLayers = nb::cast<bool>(value);
      else if (name == "progress")
        setProgress(value);
      else if (auto *text = find(name))
        *text = nb::cast<std::optional<std::string>>(value);
      else
        throw nb::type_error(("expected strategy, triple, cpu, features, "
                              "assume, float_precision, sysroot, entry_name, "
                              "threads, strict, verify_folding, verify_each, "
                              "clock_layers or progress, but got " +
                              name)
                                 .c_str());
    }
    auto pointer = [](const std::optional<std::string> &text) {
      return text ? text->c_str() : nullptr;
    };
    options.strategy = pointer(strategy);
    options.targetTriple = pointer(triple);
    options.targetCPU = pointer(cpu);
    options.targetFeatures = pointer(features);
    options.assume = pointer(assume);
    options.floatPrecision = pointer(floatPrecision);
    options.sysroot = pointer(sysroot);
    options.entryName = pointer(entryName);
  }
  Options(const Options &) = delete;

private:
  nb::object progress;

  /// None, or a function of the stage, how many functions are written, and of
  /// how many. What it raises is written to sys.stderr.
  void setProgress(const nb::handle &function) {
    if (function.is_none())
      return;
    progress = nb::borrow(function);
    options.progressContext = this;
    options.progress = [](void *context, const char *stage, int32_t done,
                          int32_t all) {
      nb::gil_scoped_acquire acquire;
      try {
        static_cast<Options *>(context)->progress(stage, done, all);
      } catch (nb::python_error &error) {
        error.discard_as_unraisable("the progress of a compilation");
      }
    };
  }

  std::optional<std::string> *find(const std::string &name) {
    return name == "strategy"          ? &strategy
           : name == "triple"          ? &triple
           : name == "cpu"             ? &cpu
           : name == "features"        ? &features
           : name == "assume"          ? &assume
           : name == "float_precision" ? &floatPrecision
           : name == "sysroot"         ? &sysroot
           : name == "entry_name"      ? &entryName
                                       : nullptr;
  }
};
} // namespace

std::shared_ptr<Module> Module::parse(const nb::bytes &source,
                                      const std::string &name,
                                      const nb::dict &resources) {
  std::vector<Blob> arrays;
  std::vector<std::string> keys;
  for (auto [key, value] : resources) {
    keys.push_back(nb::cast<std::string>(key));
    arrays.push_back(nb::cast<Blob>(value));
  }
  std::vector<BQuantBlob> blobs;
  blobs.reserve(arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i)
    blobs.push_back({keys[i].c_str(), arrays[i].data(), arrays[i].nbytes(),
                     size_t(arrays[i].itemsize())});
  char *error = nullptr;
  BQuantModule *module =
      bquantModuleParse(static_cast<const char *>(source.data()), source.size(),
                        name.c_str(), blobs.data(), blobs.size(), &error);
  check(!module, error);
  auto result = std::shared_ptr<Module>(new Module(module));
  result->blobs = std::move(arrays);
  return result;
}

std::shared_ptr<Module> Module::parseFile(const std::string &path) {
  char *error = nullptr;
  BQuantModule *module = bquantModuleParseFile(path.c_str(), &error);
  check(!module, error);
  return std::shared_ptr<Module>(new Module(module));
}

std::string Module::print(bool elide) {
  std::lock_guard<std::mutex> lock(mutex);
  return take(bquantModulePrint(module, elide));
}

void Module::run(const std::string &pipeline) {
  char *error = nullptr;
  int status;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(mutex);
    status = bquantModuleRunPipeline(module, pipeline.c_str(), &error);
  }
  check(status, error);
}

void Module::lower(const std::string &stage, const nb::kwargs &arguments) {
  Options options(arguments);
  char *error = nullptr;
  int status;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(mutex);
    status = bquantModuleLower(module, stage.c_str(), &options.options, &error);
  }
  check(status, error);
}

std::shared_ptr<Program> Module::jit(const nb::kwargs &arguments) {
  Options options(arguments);
  char *error = nullptr;
  BQuantProgram *program;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(mutex);
    program = bquantModuleJit(module, &options.options, &error);
  }
  check(!program, error);
  return std::make_shared<Program>(program);
}

static BQuantEmit emitKind(const std::string &name) {
  const std::pair<const char *, BQuantEmit> kinds[] = {
      {"shared", BQUANT_EMIT_SHARED}, {"obj", BQUANT_EMIT_OBJECT},
      {"asm", BQUANT_EMIT_ASSEMBLY},  {"llvm", BQUANT_EMIT_LLVM},
      {"mlir", BQUANT_EMIT_MLIR},     {"header", BQUANT_EMIT_HEADER}};
  for (auto [kind, value] : kinds)
    if (name == kind)
      return value;
  throw nb::value_error(
      ("expected shared, obj, asm, llvm, mlir or header, but got " + name)
          .c_str());
}

std::string Module::compile(const std::string &path, const std::string &emit,
                            const nb::kwargs &arguments) {
  Options options(arguments);
  BQuantEmit kind = emitKind(emit);
  char *report = nullptr, *error = nullptr;
  int status;
  {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(mutex);
    status = bquantModuleCompile(module, path.c_str(), kind, &options.options,
                                 &report, &error);
  }
  check(status, error);
  return take(report);
}

void bquant::python::bindCompile(nb::module_ &m) {
  m.def("version", [] { return bquantVersion(); });
  m.def(
      "format_report",
      [](const std::string &json, const std::string &format) {
        char *error = nullptr;
        char *text = bquantReportFormat(json.c_str(), format.c_str(), &error);
        check(!text, error);
        return take(text);
      },
      nb::arg("json"), nb::arg("format"),
      "What `Module.compile` returned, as text, json or html.");
  nb::class_<Module>(m, "Module", "An MLIR module.")
      .def_static("parse", &Module::parse, nb::arg("source"), nb::arg("name"),
                  nb::arg("resources"),
                  nb::sig("def parse(source: bytes, name: str, resources: "
                          "collections.abc.Mapping[str, "
                          "numpy.typing.NDArray[typing.Any]]) -> Module"),
                  "From text or bytecode; `resources` maps keys of "
                  "dense_resource to arrays, which are kept, not copied.")
      .def_static("parse_file", &Module::parseFile, nb::arg("path"))
      .def("print", &Module::print, nb::arg("elide") = false)
      .def("run", &Module::run, nb::arg("pipeline"))
      .def("lower", &Module::lower, nb::arg("stage"), nb::arg("options"),
           nb::sig("def lower(self, stage: str, **options: typing.Any) -> "
                   "None"),
           "The module itself, up to and including a stage.")
      .def("jit", &Module::jit,
           nb::sig("def jit(self, **options: typing.Any) -> Program"))
      .def("compile", &Module::compile, nb::arg("path"), nb::arg("emit"),
           nb::arg("options"),
           nb::sig("def compile(self, path: str, emit: str, **options: "
                   "typing.Any) -> str"),
           "Writes a file; returns the report as JSON.");
}
