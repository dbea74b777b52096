//===- quant.cpp - The solvers for Python ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Quant.h"

#include "bindings.h"

#include <memory>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <vector>

namespace nb = nanobind;
using namespace bquant::python;

/// Any CPU tensor that speaks DLPack or the buffer protocol, without a copy.
using Input = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
template <typename T> using Output = nb::ndarray<nb::numpy, T>;

namespace {
/// The array of a C call and the memory it points to.
struct Call {
  std::vector<int64_t> shape, axes;
  BQuantArray array;
  int64_t groups = 1;

  Call(const Input &x, std::vector<int64_t> keptAxes)
      : axes(std::move(keptAxes)) {
    for (size_t d = 0; d < x.ndim(); ++d)
      shape.push_back(x.shape(d));
    array = {x.data(), int64_t(shape.size()), shape.data(),
             int64_t(axes.size()), axes.data()};
    // Axes out of range are the C call's to report.
    for (int64_t axis : axes)
      if (axis >= 0 && axis < array.rank)
        groups *= shape[axis];
  }
};
} // namespace

/// A new NumPy array.
template <typename T>
static Output<T> makeArray(const std::vector<int64_t> &shape) {
  std::vector<size_t> sizes(shape.begin(), shape.end());
  size_t size = 1;
  for (size_t dim : sizes)
    size *= dim;
  auto memory = std::make_unique<T[]>(size);
  nb::capsule owner(memory.get(),
                    [](void *p) noexcept { delete[] static_cast<T *>(p); });
  return Output<T>(memory.release(), sizes.size(), sizes.data(), owner);
}

static std::pair<int64_t, int64_t> schemeInfo(const std::string &scheme) {
  BQuantScheme info;
  char *error = nullptr;
  check(bquantSchemeGet(scheme.c_str(), &info, &error), error);
  return {info.numPlanes, info.numScalars};
}

static std::pair<Output<float>, int64_t> solve(const Input &x,
                                               const std::string &scheme,
                                               const std::vector<int64_t> &axes,
                                               int32_t threads) {
  Call call(x, axes);
  auto scalars = makeArray<float>({schemeInfo(scheme).second, call.groups});
  int64_t zeroGroups = 0;
  char *error = nullptr;
  int status;
  {
    nb::gil_scoped_release release;
    status = bquantSolve(call.array, scheme.c_str(), threads, scalars.data(),
                         &zeroGroups, &error);
  }
  check(status, error);
  return {std::move(scalars), zeroGroups};
}

static void checkScalars(const Call &call, const std::string &scheme,
                         const Input &scalars) {
  int64_t expected = schemeInfo(scheme).second * call.groups;
  if (int64_t(scalars.size()) != expected)
    throw nb::value_error(("expected " + std::to_string(expected) +
                           " scalars, but got " +
                           std::to_string(scalars.size()))
                              .c_str());
}

/// Shape of an array with a leading dimension of planes.
static std::vector<int64_t> withPlanes(int64_t planes,
                                       std::vector<int64_t> shape) {
  shape.insert(shape.begin(), planes);
  return shape;
}

static void apply(const Call &call, const std::string &scheme,
                  const Input &scalars, int32_t threads,
                  BQuantOutputs outputs) {
  char *error = nullptr;
  int status;
  {
    nb::gil_scoped_release release;
    status = bquantApply(call.array, scheme.c_str(), scalars.data(), threads,
                         outputs, &error);
  }
  check(status, error);
}

static nb::tuple signs(const Input &x, const std::string &scheme,
                       const std::vector<int64_t> &axes, const Input &scalars,
                       int32_t threads) {
  Call call(x, axes);
  checkScalars(call, scheme, scalars);
  auto planes =
      makeArray<int8_t>(withPlanes(schemeInfo(scheme).first, call.shape));
  double error = 0, angle = 0;
  BQuantOutputs outputs = {nullptr, planes.data(), nullptr, &error, &angle};
  apply(call, scheme, scalars, threads, outputs);
  return nb::make_tuple(std::move(planes), error, angle);
}

static Output<uint32_t> words(const Input &x, const std::string &scheme,
                              const std::vector<int64_t> &axes,
                              const Input &scalars, int32_t threads) {
  Call call(x, axes);
  checkScalars(call, scheme, scalars);
  std::vector<int64_t> shape = withPlanes(schemeInfo(scheme).first, call.shape);
  shape.back() = (shape.back() + 31) / 32;
  auto planes = makeArray<uint32_t>(shape);
  BQuantOutputs outputs = {planes.data(), nullptr, nullptr, nullptr, nullptr};
  apply(call, scheme, scalars, threads, outputs);
  return planes;
}

static Output<float> decode(const Input &x, const std::string &scheme,
                            const std::vector<int64_t> &axes,
                            const Input &scalars, int32_t threads) {
  Call call(x, axes);
  checkScalars(call, scheme, scalars);
  auto decoded = makeArray<float>(call.shape);
  BQuantOutputs outputs = {nullptr, nullptr, decoded.data(), nullptr, nullptr};
  apply(call, scheme, scalars, threads, outputs);
  return decoded;
}

void bquant::python::bindQuant(nb::module_ &m) {
  m.def("scheme_info", &schemeInfo, nb::arg("scheme"),
        "(planes, scalars of a group) of a scheme.");
  m.def("solve", &solve, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
        nb::arg("threads") = 0,
        "(scalars [scalars of a group, groups], groups that are all zero).");
  m.def("signs", &signs, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
        nb::arg("scalars"), nb::arg("threads") = 0,
        "(signs [planes, *x.shape], error, angle).");
  m.def("words", &words, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
        nb::arg("scalars"), nb::arg("threads") = 0,
        "Packed planes [planes, *x.shape[:-1], ceil(x.shape[-1] / 32)].");
  m.def("decode", &decode, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
        nb::arg("scalars"), nb::arg("threads") = 0,
        "The decoded values, of x.shape.");
}
