//===- Arrays.cpp - Arrays of any floats, and what quantizes them ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"

using namespace bquant::fuzz;
using namespace bquant::quant;

Array::Array(Bytes &bytes) {
  std::vector<int64_t> shape, axes;
  int64_t size = 1;
  for (unsigned i = 0, rank = 1 + bytes.below(4); i < rank; ++i) {
    shape.push_back(1 + bytes.below(i + 1 == rank ? 70 : 7));
    size *= shape.back();
  }
  unsigned subset = bytes.below(1 << shape.size());
  for (size_t i = 0; i < shape.size(); ++i)
    if ((subset >> i) & 1)
      axes.push_back(i);
  Result<Grouping> result = Grouping::get(shape, axes);
  check(bool(result), "a grouping", result.error());
  if (size > 1 << 10)
    return;
  grouping = *result;
  values = takeFloats(bytes, size);
  firstBad = std::find_if_not(values.begin(), values.end(),
                              [](float x) { return std::isfinite(x); }) -
             values.begin();
  for (int64_t i = 0; i < size; ++i)
    groupOf.push_back(grouping->getRun(i).group);
}

std::vector<float> Array::getGroup(int64_t group) const {
  std::vector<float> result;
  for (size_t i = 0; i < values.size(); ++i)
    if (groupOf[i] == group)
      result.push_back(values[i]);
  return result;
}

std::string Array::getMessage() const {
  float value = values[firstBad];
  std::vector<int64_t> index(grouping->shape().size());
  int64_t position = firstBad;
  for (size_t d = index.size(); d-- > 0; position /= grouping->shape()[d])
    index[d] = position % grouping->shape()[d];
  return std::string("expected finite values, but got ") +
         (std::isnan(value) ? "nan"
          : value > 0       ? "inf"
                            : "-inf") +
         " at " + formatShape(index);
}

bool bquant::fuzz::areValid(const Parameters &parameters, const Planes &planes,
                            int64_t groups) {
  const auto &[scalars, offsets, thresholds, codes] = parameters;
  auto all = [](const auto &values, auto isValid) {
    return std::all_of(values.begin(), values.end(), isValid);
  };
  auto isFinite = [](float x) { return std::isfinite(x); };
  if (int64_t(scalars.size()) != planes.numScalars() * groups ||
      !all(scalars, [&](float x) { return isFinite(x) && x >= 0; }))
    return false;
  if (!offsets.empty() &&
      (int64_t(offsets.size()) != groups || !all(offsets, isFinite)))
    return false;
  if (thresholds.empty() && codes.empty())
    return true;
  if (int64_t(thresholds.size()) != (planes.numCodes() - 1) * groups ||
      int64_t(codes.size()) != planes.numCodes() * groups ||
      !all(codes, [&](uint8_t code) { return code < planes.numCodes(); }))
    return false;
  for (int64_t group = 0; group < groups; ++group) {
    float last = -INFINITY;
    for (float threshold : getColumn(thresholds, group, groups)) {
      if (!(last <= threshold)) // nor NaN
        return false;
      last = threshold;
    }
  }
  return true;
}

/// The code and the value of x by Cascade.h, with the parameters of its group.
static std::pair<unsigned, float> applyToOne(float x, const Planes &planes,
                                             const Parameters &own) {
  std::vector<float> factors = own.scalars;
  if (!planes.ratios.empty()) {
    factors.clear();
    for (int64_t ratio : planes.ratios)
      factors.push_back(float(ratio) * own.scalars[0]);
  }
  unsigned code = cascadeCode(x, factors.data(), planes.count);
  if (!own.thresholds.empty()) {
    auto rank =
        std::upper_bound(own.thresholds.begin(), own.thresholds.end(), x) -
        own.thresholds.begin();
    code = planesOfCode(own.codes[rank], planes.count);
  }
  if (!planes.ratios.empty()) {
    float value = decodeRatios(code, planes.ratios, own.scalars[0]);
    return {code, own.offsets.empty() ? value : own.offsets[0] + value};
  }
  return {code, own.offsets.empty()
                    ? decodeIndependent(code, factors.data(), planes.count)
                    : decodeIndependent(code, factors.data(), planes.count,
                                        own.offsets[0])};
}

std::vector<float> bquant::fuzz::checkApplied(const Array &array,
                                              const Planes &planes,
                                              const Parameters &parameters) {
  const Grouping &grouping = *array.grouping;
  int64_t n = array.values.size(), k = planes.count,
          groups = grouping.numGroups();
  std::vector<uint32_t> words[2];
  std::vector<int8_t> signs[2];
  std::vector<float> decoded[2];
  Fit fit[2];
  std::string messages[2];
  for (int i : {0, 1}) {
    words[i].resize(numWords(grouping, planes));
    signs[i].resize(k * n);
    decoded[i].resize(n);
    auto failure = applyParameters(
        array.values.data(), grouping, planes, parameters,
        {words[i].data(), signs[i].data(), decoded[i].data(), &fit[i]},
        i ? 3 : 1);
    if (failure) {
      checkMessage(failure->message);
      messages[i] = failure->message;
    }
  }
  check(messages[0] == messages[1], messages[0], messages[1]);
  // Without outputs there are the same checks.
  auto failure =
      applyParameters(array.values.data(), grouping, planes, parameters, {});
  check((failure ? failure->message : "") == messages[0], messages[0],
        failure ? failure->message : "nothing");
  if (!array.isFinite()) {
    check(messages[0] == array.getMessage(), array.getMessage(), messages[0]);
    return {};
  }
  bool isRefused =
      !messages[0].empty() &&
      messages[0].find("expected decoded values") == std::string::npos;
  check(isRefused == !areValid(parameters, planes, groups),
        "a refusal of what is not valid alone", messages[0]);
  if (isRefused)
    return {};

  std::vector<Parameters> own;
  for (int64_t group = 0; group < groups; ++group)
    own.push_back({getColumn(parameters.scalars, group, groups),
                   getColumn(parameters.offsets, group, groups),
                   getColumn(parameters.thresholds, group, groups),
                   getColumn(parameters.codes, group, groups)});
  bool fits = true;
  for (int64_t i = 0; i < n; ++i) {
    auto [code, value] =
        applyToOne(array.values[i], planes, own[array.groupOf[i]]);
    fits &= std::isfinite(value) != 0;
    if (!messages[0].empty())
      continue;
    checkSame(decoded[0][i], value, "the value of a code");
    int64_t channels = grouping.rowLength(), rowWords = (channels + 31) / 32;
    for (int64_t p = 0; p < k; ++p) {
      int sign = (code >> p) & 1 ? 1 : -1;
      check(signs[0][p * n + i] == sign, "the sign of a code");
      int64_t row = (p * n + i) / channels, channel = i % channels;
      uint32_t word = words[0][row * rowWords + channel / 32];
      check(((word >> (channel % 32)) & 1) == uint32_t(sign > 0),
            "the bit of a code");
      if (channel + 1 == channels && channels % 32)
        check(word >> (channels % 32) == 0, "unused bits of 0");
    }
  }
  check(fits == messages[0].empty(), "an error for values beyond f32's alone",
        messages[0]);
  if (!fits)
    return {};
  check(words[0] == words[1] && signs[0] == signs[1] &&
            std::memcmp(decoded[0].data(), decoded[1].data(), 4 * n) == 0 &&
            fit[0].error == fit[1].error && fit[0].angle == fit[1].angle,
        "the same on several threads");
  check(std::isfinite(fit[0].error) && fit[0].error >= 0, "a finite error",
        std::to_string(fit[0].error));
  check(fit[0].angle >= 0 && fit[0].angle <= 180, "an angle",
        std::to_string(fit[0].angle));
  return decoded[0];
}
