//===- quant.cpp - The solvers for Python ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Quant.h"

#include "bindings.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace nb = nanobind;
using namespace bquant::python;

/// Any CPU tensor that speaks DLPack or the buffer protocol, without a copy.
using Input = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const uint8_t, nb::c_contig, nb::device::cpu>;
/// One that is written to.
using Result = nb::ndarray<float, nb::c_contig, nb::device::cpu>;
template <typename T> using Output = nb::ndarray<nb::numpy, T>;
/// A tuple whose signature says what it holds.
template <typename... T> using Tuple = nb::typed<nb::tuple, T...>;

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

/// Memory that is not initialized. Large memory is on huge pages, as NumPy's
/// own is where it lies right: to write to new small ones takes the system
/// longer than the solvers take.
static void *allocate(size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr size_t hugePage = size_t(1) << 21;
  if (bytes >= hugePage) {
    size_t size = (bytes + hugePage - 1) / hugePage * hugePage;
    void *memory = std::aligned_alloc(hugePage, size);
    if (memory)
      madvise(memory, size, MADV_HUGEPAGE); // Advice: may be refused.
    return memory;
  }
#endif
  return std::malloc(std::max<size_t>(1, bytes));
}

/// A new NumPy array.
template <typename T>
static Output<T> makeArray(const std::vector<int64_t> &shape) {
  std::vector<size_t> sizes(shape.begin(), shape.end());
  size_t bytes = sizeof(T);
  for (size_t dim : sizes)
    bytes *= dim;
  void *memory = allocate(bytes);
  if (!memory)
    throw std::bad_alloc();
  nb::capsule owner(memory, [](void *p) noexcept { std::free(p); });
  return Output<T>(static_cast<T *>(memory), sizes.size(), sizes.data(), owner);
}

template <typename Array>
static void checkSize(const Array &array, const Input &x) {
  if (array.size() != x.size())
    throw nb::value_error(("expected " + std::to_string(x.size()) +
                           " values, but got " + std::to_string(array.size()))
                              .c_str());
}

static BQuantScheme schemeOf(const std::string &name) {
  BQuantScheme scheme;
  checked(bquantSchemeGet, name.c_str(), &scheme);
  return scheme;
}

static std::pair<int64_t, int64_t> schemeInfo(const std::string &scheme) {
  BQuantScheme info = schemeOf(scheme);
  return {info.numPlanes, info.numScalars};
}

static Tuple<int, int, int, int> schemeRows(const std::string &scheme) {
  BQuantScheme info = schemeOf(scheme);
  return nb::make_tuple(info.numScalars, info.numOffsets, info.numThresholds,
                        info.numCodes);
}

static std::vector<int64_t> schemeRatios(const std::string &scheme) {
  BQuantScheme info = schemeOf(scheme);
  if (info.ratios[0] == 0)
    return {};
  return {info.ratios, info.ratios + info.numPlanes};
}

namespace {
/// The parameters of a quantization, rows over groups; empty arrays stand for
/// none. Holds NumPy arrays, as Python sees them.
struct ParameterArrays {
  Output<float> scalars, offsets, thresholds;
  Output<uint8_t> codes;

  /// Empty ones of the sizes that a scheme has.
  ParameterArrays(const BQuantScheme &scheme, int64_t groups)
      : scalars(makeArray<float>({scheme.numScalars, groups})),
        offsets(makeArray<float>({scheme.numOffsets, groups})),
        thresholds(makeArray<float>({scheme.numThresholds, groups})),
        codes(makeArray<uint8_t>({scheme.numCodes, groups})) {}

  BQuantParameters get() {
    auto pointer = [](auto &array) {
      return array.size() ? array.data() : nullptr;
    };
    return {pointer(scalars), pointer(offsets), pointer(thresholds),
            pointer(codes)};
  }
};
} // namespace

static Tuple<Output<float>, Output<float>, Output<float>, Output<uint8_t>,
             int64_t, std::optional<Output<float>>>
solve(const Input &x, const std::string &scheme,
      const std::vector<int64_t> &axes, int32_t threads, bool copy) {
  Call call(x, axes);
  ParameterArrays solved(schemeOf(scheme), call.groups);
  std::optional<Output<float>> values;
  if (copy)
    values = makeArray<float>(call.shape);
  int64_t zeroGroups = 0;
  BQuantParameters parameters = solved.get();
  checkedWithoutGIL([&](char **error) {
    return bquantSolve(call.array, scheme.c_str(), threads, parameters,
                       copy ? values->data() : nullptr, &zeroGroups, error);
  });
  return nb::make_tuple(std::move(solved.scalars), std::move(solved.offsets),
                        std::move(solved.thresholds), std::move(solved.codes),
                        zeroGroups, std::move(values));
}

/// A C array of given rows over groups, null for none. The C call reads what it
/// points to, and no more.
template <typename Array>
static auto rowsOf(const char *what, const Array *array, int64_t rows,
                   int64_t groups) {
  using Scalar = std::remove_const_t<typename Array::Scalar>;
  if (!array || array->size() == 0)
    return static_cast<Scalar *>(nullptr);
  if (int64_t(array->size()) != rows * groups)
    throw nb::value_error(("expected " + std::to_string(rows * groups) + " " +
                           what + ", but got " + std::to_string(array->size()))
                              .c_str());
  return const_cast<Scalar *>(array->data());
}

namespace {
/// Parameters from Python: arrays of rows over groups.
struct GivenParameters {
  Input scalars;
  std::optional<Input> offsets, thresholds;
  std::optional<Codes> codes;

  BQuantParameters get(const Call &call, const BQuantScheme &info) const {
    int64_t ranks = int64_t(1) << info.numPlanes;
    BQuantParameters parameters = {};
    parameters.scalars =
        rowsOf("scalars", &scalars, info.numScalars, call.groups);
    parameters.offsets =
        rowsOf("offsets", offsets ? &*offsets : nullptr, 1, call.groups);
    parameters.thresholds =
        rowsOf("thresholds", thresholds ? &*thresholds : nullptr, ranks - 1,
               call.groups);
    parameters.codes =
        rowsOf("codes", codes ? &*codes : nullptr, ranks, call.groups);
    return parameters;
  }
};
} // namespace

/// Shape of an array with a leading dimension of planes.
static std::vector<int64_t> withPlanes(int64_t planes,
                                       std::vector<int64_t> shape) {
  shape.insert(shape.begin(), planes);
  return shape;
}

/// Applies the parameters of a call to its array.
using Apply = std::function<void(BQuantOutputs)>;

static void checkData(const Call &, int64_t, const Apply &apply) { apply({}); }

static std::pair<double, double> fit(const Call &, int64_t,
                                     const Apply &apply) {
  double error = 0, angle = 0;
  apply({nullptr, nullptr, nullptr, &error, &angle});
  return {error, angle};
}

static Output<int8_t> signs(const Call &call, int64_t numPlanes,
                            const Apply &apply) {
  auto planes = makeArray<int8_t>(withPlanes(numPlanes, call.shape));
  apply({nullptr, planes.data(), nullptr, nullptr, nullptr});
  return planes;
}

static Output<uint32_t> words(const Call &call, int64_t numPlanes,
                              const Apply &apply) {
  std::vector<int64_t> shape = withPlanes(numPlanes, call.shape);
  shape.back() = (shape.back() + 31) / 32;
  auto planes = makeArray<uint32_t>(shape);
  apply({planes.data(), nullptr, nullptr, nullptr, nullptr});
  return planes;
}

static Output<float> decode(const Call &call, int64_t, const Apply &apply) {
  auto decoded = makeArray<float>(call.shape);
  apply({nullptr, nullptr, decoded.data(), nullptr, nullptr});
  return decoded;
}

static Tuple<Output<float>, Output<uint8_t>>
nearestLevels(const Input &scalars) {
  if (scalars.ndim() != 1)
    throw nb::value_error(("expected scalars of rank 1, but got rank " +
                           std::to_string(scalars.ndim()))
                              .c_str());
  int64_t planes = scalars.shape(0);
  int64_t ranks = planes <= 8 ? int64_t(1) << planes : 1; // Else an error.
  auto thresholds = makeArray<float>({ranks - 1});
  auto codes = makeArray<uint8_t>({ranks});
  checked(bquantNearestLevels, scalars.data(), planes, thresholds.data(),
          codes.data());
  return nb::make_tuple(std::move(thresholds), std::move(codes));
}

/// The cascade of flat values in `groups` runs, each with a column of scalars.
static BQuantCascade cascadeOf(const Input &x, const std::string &scheme,
                               const Input &scalars, double clamp) {
  BQuantScheme info = schemeOf(scheme);
  int64_t groups = scalars.size() / std::max<int64_t>(1, info.numScalars);
  if (groups == 0 || x.size() % groups != 0 ||
      int64_t(scalars.size()) != groups * info.numScalars)
    throw nb::value_error(("expected " + std::to_string(info.numScalars) +
                           " scalars of each group, but got " +
                           std::to_string(scalars.size()))
                              .c_str());
  return {x.data(),       groups,         int64_t(x.size()) / groups,
          scalars.data(), info.numPlanes, info.numScalars,
          float(clamp)};
}

static void cascade(const Input &x, const std::string &scheme,
                    const Input &scalars, double clamp, Result &out) {
  BQuantCascade array = cascadeOf(x, scheme, scalars, clamp);
  checkSize(out, x);
  checkedWithoutGIL(
      [&](char **error) { return bquantCascade(array, out.data(), error); });
}

static void cascadeGradient(const Input &x, const std::string &scheme,
                            const Input &scalars, double clamp,
                            const std::string &slope, const Input &gradient,
                            Result &out) {
  static constexpr std::pair<const char *, BQuantSlope> slopes[] = {
      {"hardtanh", BQuantSlopeHardTanh},
      {"identity", BQuantSlopeIdentity},
      {"approx_sign", BQuantSlopeApproxSign}};
  const auto *found =
      std::find_if(std::begin(slopes), std::end(slopes),
                   [&](auto &each) { return slope == each.first; });
  if (found == std::end(slopes))
    throw nb::value_error(("no slope is named " + slope).c_str());
  BQuantCascade array = cascadeOf(x, scheme, scalars, clamp);
  checkSize(out, x);
  checkSize(gradient, x);
  checkedWithoutGIL([&](char **error) {
    return bquantCascadeGradient(array, found->second, gradient.data(),
                                 out.data(), error);
  });
}

static Tuple<Output<double>, Output<double>, double> rankOne(const Input &x,
                                                             bool xnor) {
  if (x.ndim() != 2)
    throw nb::value_error(
        ("expected a matrix, but got rank " + std::to_string(x.ndim()))
            .c_str());
  int64_t m = x.shape(0), n = x.shape(1);
  auto rows = makeArray<double>({m}), columns = makeArray<double>({n});
  double energy = 0;
  checkedWithoutGIL([&](char **error) {
    return bquantRankOne(x.data(), m, n, xnor, rows.data(), columns.data(),
                         &energy, error);
  });
  return nb::make_tuple(std::move(rows), std::move(columns), energy);
}

/// Defines a function that takes an array and its parameters.
template <typename T>
static void defineApply(nb::module_ &m, const char *name,
                        T (*function)(const Call &, int64_t, const Apply &),
                        const char *doc) {
  auto define = [function](const Input &x, const std::string &scheme,
                           const std::vector<int64_t> &axes,
                           const Input &scalars,
                           const std::optional<Input> &offsets,
                           const std::optional<Input> &thresholds,
                           const std::optional<Codes> &codes, int32_t threads) {
    Call call(x, axes);
    BQuantScheme info = schemeOf(scheme);
    BQuantParameters parameters =
        GivenParameters{scalars, offsets, thresholds, codes}.get(call, info);
    return function(call, info.numPlanes, [&](BQuantOutputs outputs) {
      checkedWithoutGIL([&](char **error) {
        return bquantApply(call.array, scheme.c_str(), parameters, threads,
                           outputs, error);
      });
    });
  };
  m.def(name, define, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
        nb::arg("scalars"), nb::arg("offsets") = nb::none(),
        nb::arg("thresholds") = nb::none(), nb::arg("codes") = nb::none(),
        nb::arg("threads") = 0, doc);
}

void bquant::python::bindQuant(nb::module_ &m) {
  m.def("scheme_info", &schemeInfo, nb::arg("scheme"),
        "(planes, scalars of a group) of a scheme.");
  m.def("scheme_ratios", &schemeRatios, nb::arg("scheme"),
        "The integers m_i of planes with v_i = m_i v, else [].");
  m.def(
      "solve", &solve, nb::arg("x"), nb::arg("scheme"), nb::arg("axes"),
      nb::arg("threads") = 0, nb::arg("copy") = false,
      "(scalars, offsets, thresholds, codes, groups that are all zero, a copy "
      "of x or None): the arrays [rows, groups], with no rows where the "
      "scheme has none.");
  m.def("scheme_rows", &schemeRows, nb::arg("scheme"),
        "(scalars, offsets, thresholds, codes) of a group.");
  m.def("nearest_levels", &nearestLevels, nb::arg("scalars"),
        "(thresholds, codes) of the nearest of the values +-v_1 +- v_2 ..");
  m.def("cascade", &cascade, nb::arg("x"), nb::arg("scheme"),
        nb::arg("scalars"), nb::arg("clamp"), nb::arg("out"),
        "Writes the cascade of clamped values, [groups * size], with scalars "
        "[rows, groups].");
  m.def("cascade_gradient", &cascadeGradient, nb::arg("x"), nb::arg("scheme"),
        nb::arg("scalars"), nb::arg("clamp"), nb::arg("slope"),
        nb::arg("gradient"), nb::arg("out"),
        "Writes the gradient times the slope of `cascade`.");
  m.def("rank_one", &rankOne, nb::arg("x"), nb::arg("xnor"),
        "(scales of rows, scales of columns, energy) of a matrix.");
  defineApply(m, "check", &checkData,
              "Raises a ValueError for values and parameters that cannot be "
              "applied.");
  defineApply(m, "fit", &fit, "(error, angle).");
  defineApply(m, "signs", &signs, "Signs, [planes, *x.shape].");
  defineApply(m, "words", &words,
              "Packed planes [planes, *x.shape[:-1], "
              "ceil(x.shape[-1] / 32)].");
  defineApply(m, "decode", &decode, "The decoded values, of x.shape.");
}
