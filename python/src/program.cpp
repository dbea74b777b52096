//===- program.cpp - Calling compiled code from Python --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays go in and out by pointer. Inputs are checked against the signature:
// another type of element is a TypeError, another shape or order of elements a
// ValueError; nothing is converted behind the caller's back.
//
//===----------------------------------------------------------------------===//

#include "program.h"

#include "bindings.h"
#include "bquant-c/Profile.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <vector>

namespace nb = nanobind;
using namespace bquant::python;

using Input = nb::ndarray<nb::ro, nb::device::cpu>;
using Output = nb::ndarray<nb::numpy>;
/// A size, or none for the batch.
using Size = std::optional<size_t>;
/// Name, NumPy's name of the element type, shape.
using Description = std::tuple<std::string, std::string, std::vector<Size>>;

static constexpr size_t arenaAlignment = 64;

namespace {
struct Tensor {
  std::string name, type;
  nb::dlpack::dtype dtype;
  std::vector<Size> shape;

  explicit Tensor(const Description &description);
  bool hasBatch() const { return !shape.empty() && !shape.front(); }
  std::vector<size_t> shapeOf(size_t batch) const;
};

/// Where the time of a call goes.
class Profile {
public:
  explicit Profile(BQuantProfile *profile) : profile(profile) {}
  ~Profile() { bquantProfileDestroy(profile); }
  Profile(const Profile &) = delete;

  std::string print(const std::string &format) const {
    return take(checked(bquantProfilePrint, profile, format.c_str()));
  }

private:
  BQuantProfile *profile;
};

/// The arrays of a call.
struct Arrays {
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<const void *> from;
  std::vector<void *> to;
  size_t batch;
};

/// One function of a program, ready to be called by any number of threads, each
/// call with at most as many of its own as `threads` of the constructor.
class Function {
public:
  Function(std::shared_ptr<Program> program, const std::string &name,
           const std::vector<Description> &inputs,
           const std::vector<Description> &outputs, int32_t threads);
  ~Function();
  Function(const Function &) = delete;

  nb::object call(const nb::args &arguments, int32_t threads);
  std::shared_ptr<Profile> profile(const Program &clocked,
                                   const nb::list &arguments, int32_t calls);

private:
  /// Checks the inputs, and makes arrays for the outputs.
  Arrays getArrays(const nb::handle &arguments) const;
  const void *inputPointer(const Tensor &tensor, const nb::handle &argument,
                           Input &array) const;
  size_t getBatch(const std::vector<Input> &arrays) const;
  /// An arena that nobody uses at the moment; a new one where all are in use.
  void *takeArena();
  void giveArena(void *arena);

  std::shared_ptr<Program> program;
  std::string name;
  std::vector<Tensor> inputs, outputs;
  // One of the two is null.
  BQuantEntry entry = nullptr;
  BQuantBatchEntry batchEntry = nullptr;
  size_t arenaBytes = 0;
  std::mutex mutex;
  std::vector<void *> arenas;
};
} // namespace

static nb::dlpack::dtype dtypeOf(const std::string &name) {
  using nb::dlpack::dtype;
  using Code = nb::dlpack::dtype_code;
  const std::pair<const char *, dtype> types[] = {
      {"float16", {uint8_t(Code::Float), 16, 1}},
      {"float32", {uint8_t(Code::Float), 32, 1}},
      {"float64", {uint8_t(Code::Float), 64, 1}},
      {"int8", {uint8_t(Code::Int), 8, 1}},
      {"int16", {uint8_t(Code::Int), 16, 1}},
      {"int32", {uint8_t(Code::Int), 32, 1}},
      {"int64", {uint8_t(Code::Int), 64, 1}},
      {"uint8", {uint8_t(Code::UInt), 8, 1}},
      {"uint16", {uint8_t(Code::UInt), 16, 1}},
      {"uint32", {uint8_t(Code::UInt), 32, 1}},
      {"uint64", {uint8_t(Code::UInt), 64, 1}},
      {"bool", {uint8_t(Code::Bool), 8, 1}}};
  for (const auto &[key, type] : types)
    if (name == key)
      return type;
  throw nb::type_error(("element type " + name + " is not supported").c_str());
}

[[noreturn]] static void throwNoMemory(const std::string &what,
                                       const std::string &bytes) {
  PyErr_SetString(PyExc_MemoryError, ("expected memory for " + what +
                                      ", but there are no " + bytes + " bytes")
                                         .c_str());
  throw nb::python_error();
}

static std::string nameOf(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  std::string bits = std::to_string(type.bits);
  switch (Code(type.code)) {
  case Code::Float:
    return "float" + bits;
  case Code::Int:
    return "int" + bits;
  case Code::UInt:
    return "uint" + bits;
  case Code::Complex:
    return "complex" + bits;
  case Code::Bfloat:
    return "bfloat" + bits;
  case Code::Bool:
    return "bool";
  default:
    return "a type of " + bits + " bits";
  }
}

template <typename Sizes>
static std::string shapeText(const Sizes &sizes, size_t rank) {
  std::string text = "(";
  for (size_t d = 0; d < rank; ++d)
    text += (d ? ", " : "") + sizes(d);
  return text + (rank == 1 ? ",)" : ")");
}

Tensor::Tensor(const Description &description)
    : name(std::get<0>(description)), type(std::get<1>(description)),
      dtype(dtypeOf(type)), shape(std::get<2>(description)) {}

std::vector<size_t> Tensor::shapeOf(size_t batch) const {
  std::vector<size_t> result;
  result.reserve(shape.size());
  for (Size size : shape)
    result.push_back(size.value_or(batch));
  return result;
}

Function::Function(std::shared_ptr<Program> program, const std::string &name,
                   const std::vector<Description> &inputs,
                   const std::vector<Description> &outputs, int32_t threads)
    : program(std::move(program)), name(name),
      inputs(inputs.begin(), inputs.end()),
      outputs(outputs.begin(), outputs.end()) {
  bool batch = false;
  for (const auto *tensors : {&this->inputs, &this->outputs})
    for (const Tensor &tensor : *tensors)
      batch |= tensor.hasBatch();
  if (batch)
    batchEntry =
        checked(bquantProgramBatchEntry, this->program->get(), name.c_str());
  else
    entry = checked(bquantProgramEntry, this->program->get(), name.c_str());
  checked(bquantProgramArenaBytes, this->program->get(), name.c_str(), threads,
          &arenaBytes);
  giveArena(takeArena());
}

Function::~Function() {
  for (void *arena : arenas)
    std::free(arena);
}

void *Function::takeArena() {
  if (arenaBytes == 0)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  if (arenas.empty()) {
    // Of the last multiples the next one would be 0.
    void *arena = nullptr;
    if (arenaBytes <= -arenaAlignment)
      arena = std::aligned_alloc(
          arenaAlignment, (arenaBytes + arenaAlignment - 1) & -arenaAlignment);
    if (!arena)
      throwNoMemory("the arena", std::to_string(arenaBytes));
    return arena;
  }
  void *arena = arenas.back();
  arenas.pop_back();
  return arena;
}

void Function::giveArena(void *arena) {
  if (!arena)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  arenas.push_back(arena);
}

const void *Function::inputPointer(const Tensor &tensor,
                                   const nb::handle &argument,
                                   Input &array) const {
  std::string which = "input '" + tensor.name + "': expected ";
  if (!nb::try_cast(argument, array)) {
    auto type = nb::cast<std::string>(argument.type().attr("__name__"));
    throw nb::type_error(
        (which + "an array in this machine's memory, but got " + type).c_str());
  }
  if (array.dtype() != tensor.dtype)
    throw nb::type_error(
        (which + tensor.type + ", but got " + nameOf(array.dtype())).c_str());
  auto expected = [&](size_t d) {
    return tensor.shape[d] ? std::to_string(*tensor.shape[d]) : "batch";
  };
  auto actual = [&](size_t d) { return std::to_string(array.shape(d)); };
  bool same = array.ndim() == tensor.shape.size();
  for (size_t d = 0; same && d < tensor.shape.size(); ++d)
    same = !tensor.shape[d] || array.shape(d) == *tensor.shape[d];
  if (!same)
    throw nb::value_error((which + "the shape " +
                           shapeText(expected, tensor.shape.size()) +
                           ", but got " + shapeText(actual, array.ndim()))
                              .c_str());
  int64_t stride = 1;
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    if (array.shape(d) != 1 && array.size() != 0 && array.stride(d) != stride)
      throw nb::value_error(
          (which + "a contiguous array, but got one with strides").c_str());
    stride *= int64_t(array.shape(d));
  }
  return array.data();
}

/// The leading size of all inputs that have a batch; 0 without.
size_t Function::getBatch(const std::vector<Input> &arrays) const {
  std::optional<size_t> first;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!inputs[i].hasBatch())
      continue;
    size_t batch = arrays[i].shape(0);
    if (first && arrays[*first].shape(0) != batch)
      throw nb::value_error(
          ("input '" + inputs[i].name + "': expected the batch " +
           std::to_string(arrays[*first].shape(0)) + " of '" +
           inputs[*first].name + "', but got " + std::to_string(batch))
              .c_str());
    if (!first)
      first = i;
  }
  return first ? arrays[*first].shape(0) : 0;
}

Arrays Function::getArrays(const nb::handle &arguments) const {
  size_t count = nb::len(arguments);
  if (count != inputs.size())
    throw nb::type_error(("expected " + std::to_string(inputs.size()) +
                          " inputs, but got " + std::to_string(count))
                             .c_str());
  Arrays arrays;
  arrays.inputs.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    arrays.from.push_back(
        inputPointer(inputs[i], arguments[i], arrays.inputs[i]));
  arrays.batch = getBatch(arrays.inputs);

  for (const Tensor &tensor : outputs) {
    std::vector<size_t> shape = tensor.shapeOf(arrays.batch);
    size_t bytes = tensor.dtype.bits / 8;
    bool overflows = false;
    for (size_t size : shape)
      overflows |= __builtin_mul_overflow(bytes, size, &bytes);
    std::unique_ptr<char[]> memory;
    if (!overflows)
      memory.reset(new (std::nothrow) char[bytes]);
    if (!memory)
      throwNoMemory("'" + tensor.name + "'",
                    overflows ? "2^64" : std::to_string(bytes));
    nb::capsule owner(memory.get(), [](void *p) noexcept {
      delete[] static_cast<char *>(p);
    });
    arrays.to.push_back(memory.get());
    arrays.outputs.emplace_back(memory.release(), shape.size(), shape.data(),
                                owner, nullptr, tensor.dtype);
  }
  return arrays;
}

nb::object Function::call(const nb::args &arguments, int32_t threads) {
  Arrays arrays = getArrays(arguments);
  void *arena = takeArena();
  auto run = [&] {
    return entry ? entry(arrays.from.data(), arrays.to.data(), arena, threads)
                 : batchEntry(arrays.from.data(), arrays.to.data(), arena,
                              threads, int64_t(arrays.batch));
  };
  int32_t status;
  {
    nb::gil_scoped_release release;
    status = run();
    constexpr int32_t noOpenMP = 3;
    if (status == noOpenMP && bquantLoadOpenMP())
      status = run();
  }
  giveArena(arena);
  if (status)
    throw std::runtime_error(take(bquantExplainCode(status)));

  if (arrays.outputs.size() == 1)
    return nb::cast(std::move(arrays.outputs[0]));
  nb::list all;
  for (Output &output : arrays.outputs)
    all.append(nb::cast(std::move(output)));
  return nb::tuple(all);
}

std::shared_ptr<Profile> Function::profile(const Program &clocked,
                                           const nb::list &arguments,
                                           int32_t calls) {
  Arrays arrays = getArrays(arguments);
  void *arena = takeArena();
  char *error = nullptr;
  BQuantProfile *profile;
  {
    nb::gil_scoped_release release;
    profile = bquantProfileCreate(
        program->get(), clocked.get(), name.c_str(), arrays.from.data(),
        arrays.to.data(), arena,
        /*threads=*/1, entry ? 1 : int64_t(arrays.batch), calls, &error);
  }
  giveArena(arena);
  check(!profile, error);
  return std::make_shared<Profile>(profile);
}

static std::shared_ptr<Program> load(const nb::object &path) {
  return std::make_shared<Program>(
      checkedWithoutGIL(bquantProgramLoad, encodePath(path).c_str()));
}

static std::string report(const Program &program, const std::string &format) {
  return take(checked(bquantProgramReport, program.get(), format.c_str()));
}

static std::optional<std::string> version(const Program &program,
                                          const std::string &name) {
  const char *cpu = nullptr;
  checked(bquantProgramVersion, program.get(), name.c_str(), &cpu);
  return cpu ? std::optional<std::string>(cpu) : std::nullopt;
}

static void save(const Program &program, const nb::object &path,
                 const std::optional<std::string> &name) {
  checked(bquantProgramSave, program.get(), encodePath(path).c_str(),
          name ? name->c_str() : nullptr);
}

void bquant::python::bindProgram(nb::module_ &m) {
  nb::class_<Program>(m, "Program", "Compiled code.")
      .def_static("load", &load, nb::arg("path"),
                  nb::sig("def load(path: str) -> Program"))
      .def_prop_ro(
          "signature",
          [](const Program &program) {
            return bquantProgramSignature(program.get());
          },
          "The functions, as a JSON array.")
      .def("report", &report, nb::arg("format"))
      .def("version", &version, nb::arg("name"),
           "The CPU whose version of a function runs.")
      .def("save", &save, nb::arg("path"), nb::arg("name").none(),
           nb::sig("def save(self, path: str, name: str | None) -> None"));
  nb::class_<Profile>(m, "Profile", "Where the time of a call goes.")
      .def("print", &Profile::print, nb::arg("format"));
  nb::class_<Function>(m, "Function", "A compiled function: arrays to arrays.")
      .def(nb::init<std::shared_ptr<Program>, const std::string &,
                    const std::vector<Description> &,
                    const std::vector<Description> &, int32_t>(),
           nb::arg("program"), nb::arg("name"), nb::arg("inputs"),
           nb::arg("outputs"), nb::arg("threads"))
      .def("__call__", &Function::call, nb::arg("inputs"), nb::arg("threads"),
           nb::sig("def __call__(self, *inputs: typing.Any, threads: int) -> "
                   "typing.Any"))
      .def("profile", &Function::profile, nb::arg("clocked"), nb::arg("inputs"),
           nb::arg("calls"),
           nb::sig("def profile(self, clocked: Program, inputs: "
                   "list[typing.Any], calls: int) -> Profile"));
}
