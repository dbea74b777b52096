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

#include <deque>
#include <memory>
#include <mutex>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
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
  static std::shared_ptr<Module> parseFile(const nb::object &path);
  ~Module() { bquantModuleDestroy(module); }

  std::string print(bool elide);
  void run(const std::string &pipeline);
  void lower(const std::string &stage, const nb::kwargs &options);
  std::shared_ptr<Program> jit(const nb::kwargs &options);
  std::string compile(const nb::object &path, const std::string &emit,
                      const nb::kwargs &options);

private:
  explicit Module(BQuantModule *module) : module(module) {}

  /// Calls C on the module, while threads may run that do not use it.
  template <typename Function, typename... Arguments>
  auto call(Function function, Arguments... arguments) {
    nb::gil_scoped_release release;
    std::lock_guard<std::mutex> lock(mutex);
    return checked(function, module, arguments...);
  }

  BQuantModule *module;
  std::vector<Blob> blobs;
  std::mutex mutex; // one thread at a time uses a module
};

/// Members by what Python calls them: as the command line, with underscores.
using Texts = std::pair<const char *, const char *BQuantCompileOptions::*>;
constexpr Texts kTexts[] = {
    {"strategy", &BQuantCompileOptions::strategy},
    {"target_triple", &BQuantCompileOptions::targetTriple},
    {"target_cpu", &BQuantCompileOptions::targetCPU},
    {"target_features", &BQuantCompileOptions::targetFeatures},
    {"target_sysroot", &BQuantCompileOptions::sysroot},
    {"assume", &BQuantCompileOptions::assume},
    {"float_precision", &BQuantCompileOptions::floatPrecision},
    {"entry_name", &BQuantCompileOptions::entryName},
};
using Numbers = std::pair<const char *, int32_t BQuantCompileOptions::*>;
constexpr Numbers kNumbers[] = {
    {"threads", &BQuantCompileOptions::threads},
    {"strict", &BQuantCompileOptions::strict},
    {"verify_folding", &BQuantCompileOptions::verifyFolding},
    {"verify_each", &BQuantCompileOptions::verifyEach},
    {"clock_layers", &BQuantCompileOptions::clockLayers},
};

/// The options of a compilation and the strings they point to.
struct Options {
  BQuantCompileOptions options = {};

  explicit Options(const nb::kwargs &arguments) {
    options.size = sizeof(options);
    for (auto [key, value] : arguments)
      set(nb::cast<std::string>(key), value);
  }
  Options(const Options &) = delete;

private:
  nb::object progress;
  std::deque<std::string> strings; // which stay where they are

  void set(const std::string &name, const nb::handle &value) {
    if (name == "progress")
      return setProgress(value);
    std::string names;
    for (auto [key, member] : kTexts) {
      if (name == key) {
        if (!value.is_none())
          options.*member =
              strings.emplace_back(nb::cast<std::string>(value)).c_str();
        return;
      }
      names += key + std::string(", ");
    }
    for (auto [key, member] : kNumbers) {
      if (name == key) {
        options.*member = nb::cast<int32_t>(value);
        return;
      }
      names += key + std::string(", ");
    }
    throw nb::type_error(
        ("expected one of " + names + "progress, but got " + name).c_str());
  }

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
  auto result = std::shared_ptr<Module>(new Module(
      checked(bquantModuleParse, static_cast<const char *>(source.data()),
              source.size(), name.c_str(), blobs.data(), blobs.size())));
  result->blobs = std::move(arrays);
  return result;
}

std::shared_ptr<Module> Module::parseFile(const nb::object &path) {
  return std::shared_ptr<Module>(
      new Module(checked(bquantModuleParseFile, encodePath(path).c_str())));
}

std::string Module::print(bool elide) {
  std::lock_guard<std::mutex> lock(mutex);
  return take(bquantModulePrint(module, elide));
}

void Module::run(const std::string &pipeline) {
  call(bquantModuleRunPipeline, pipeline.c_str());
}

void Module::lower(const std::string &stage, const nb::kwargs &arguments) {
  Options options(arguments);
  call(bquantModuleLower, stage.c_str(), &options.options);
}

std::shared_ptr<Program> Module::jit(const nb::kwargs &arguments) {
  Options options(arguments);
  return std::make_shared<Program>(call(bquantModuleJit, &options.options));
}

/// The values of an option, by its name on the command line.
static nb::typed<nb::list, std::string> getValues(const std::string &option) {
  const char *values = bquantOptionValues(option.c_str());
  if (!values)
    throw nb::value_error(
        ("expected an option that takes names, but got " + option).c_str());
  return nb::borrow<nb::list>(nb::str(values).attr("split")(", "));
}

std::string Module::compile(const nb::object &path, const std::string &emit,
                            const nb::kwargs &arguments) {
  Options options(arguments);
  auto kind = BQuantEmit(nb::cast<int>(getValues("emit").attr("index")(emit)));
  char *report = nullptr;
  call(bquantModuleCompile, encodePath(path).c_str(), kind, &options.options,
       &report);
  return take(report);
}

void bquant::python::bindCompile(nb::module_ &m) {
  m.def("version", [] { return bquantVersion(); });
  m.def("option_values", getValues, nb::arg("option"),
        "The values of an option, by its name on the command line, as "
        "float-precision.");
  m.def(
      "format_report",
      [](const std::string &json, const std::string &format) {
        return take(checked(bquantReportFormat, json.c_str(), format.c_str()));
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
      .def_static("parse_file", &Module::parseFile, nb::arg("path"),
                  nb::sig("def parse_file(path: str) -> Module"))
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
