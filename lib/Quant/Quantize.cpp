//===- Quantize.cpp - Quantize an array -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Quantize.h"

#include "Namespace.h"
#include "Parallel.h"
#include "bquant/Quant/Cascade.h"
#include "bquant/Quant/Solve.h"

#include <cmath>
#include <cstring>
#include <memory>

using namespace bquant::quant;

/// The least work, in values, that is worth a thread.
static constexpr int64_t grainValues = 16384;

/// "[1, 2]": the index of a value by its position.
static std::string formatIndex(const Grouping &grouping, int64_t position) {
  std::vector<int64_t> index(grouping.shape().size());
  for (size_t d = index.size(); d-- > 0; position /= grouping.shape()[d])
    index[d] = position % grouping.shape()[d];
  return formatShape(index);
}

static std::string formatNonFinite(float value) {
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// Whether there is no NaN and no Inf among the values.
BQUANT_VECTOR_CLONES
static bool areFinite(const float *x, int64_t n) {
  uint32_t most = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof(bits));
    most = std::max(most, bits & 0x7fffffffu);
  }
  return most < 0x7f800000u;
}

/// What there is to say of the first NaN or Inf of an array that has one.
static Failure notFinite(const float *x, const Grouping &grouping) {
  int64_t i = 0;
  while (std::isfinite(x[i]))
    ++i;
  return {"expected finite values, but got " + formatNonFinite(x[i]) + " at " +
          formatIndex(grouping, i)};
}

static std::string formatValue(float value) {
  return std::isfinite(value) ? std::to_string(value) : formatNonFinite(value);
}

static std::optional<Failure> checkSize(const char *what, size_t size,
                                        int64_t rows, int64_t groups) {
  if (int64_t(size) == rows * groups)
    return std::nullopt;
  return Failure{"expected " + std::to_string(rows * groups) + " " + what +
                 ", but got " + std::to_string(size)};
}

/// Holds parameters to what Quantize.h says of them.
static std::optional<Failure> checkParameters(const Parameters &parameters,
                                              const Planes &planes,
                                              int64_t groups) {
  const auto &[scalars, offsets, thresholds, codes] = parameters;
  if (auto failure =
          checkSize("scalars", scalars.size(), planes.numScalars(), groups))
    return failure;
  for (int64_t i = 0, n = scalars.size(); i < n; ++i)
    if (!std::isfinite(scalars[i]) || scalars[i] < 0)
      return Failure{
          "expected scalars that are finite and not negative, but got " +
          formatValue(scalars[i]) + " at " +
          formatShape({i / groups, i % groups})};

  if (!offsets.empty()) {
    if (auto failure = checkSize("offsets", offsets.size(), 1, groups))
      return failure;
    for (int64_t g = 0; g < groups; ++g)
      if (!std::isfinite(offsets[g]))
        return Failure{"expected offsets that are finite, but got " +
                       formatValue(offsets[g]) + " at " + formatShape({g})};
  }

  if (thresholds.empty() && codes.empty())
    return std::nullopt;
  int64_t ranks = planes.numCodes();
  if (auto failure =
          checkSize("thresholds", thresholds.size(), ranks - 1, groups))
    return failure;
  if (auto failure = checkSize("codes", codes.size(), ranks, groups))
    return failure;
  for (int64_t i = groups; i < int64_t(thresholds.size()); ++i)
    if (!(thresholds[i - groups] <= thresholds[i]))
      return Failure{"expected thresholds that ascend, but got " +
                     formatValue(thresholds[i]) + " behind " +
                     formatValue(thresholds[i - groups]) + " at " +
                     formatShape({i / groups, i % groups})};
  for (int64_t i = 0, n = codes.size(); i < n; ++i)
    if (codes[i] >= ranks)
      return Failure{"expected codes of " + std::to_string(planes.count) +
                     " bits, but got " + std::to_string(codes[i]) + " at " +
                     formatShape({i / groups, i % groups})};
  return std::nullopt;
}

Result<int64_t> bquant::quant::solveParameters(const float *x,
                                               const Grouping &grouping,
                                               const Scheme &scheme,
                                               Parameters &parameters,
                                               unsigned threads) {
  if (scheme.rule == Scheme::Rule::Given)
    return Failure{"expected scalars for the scheme " + scheme.str() +
                   ", but got none"};

  int64_t groups = grouping.numGroups(), n = grouping.groupSize();
  const Planes &planes = scheme.planes;
  int64_t rows = planes.numScalars();
  int64_t ranks = scheme.isFoldable() ? 0 : planes.numCodes();
  int64_t numThresholds = ranks ? ranks - 1 : 0;
  parameters.scalars.resize(rows * groups);
  parameters.offsets.resize(planes.hasOffset ? groups : 0);
  parameters.thresholds.resize(numThresholds * groups);
  parameters.codes.resize(ranks * groups);

  std::atomic<int64_t> zeroGroups{0};
  std::atomic<bool> isFinite{true};
  parallelFor(groups, grainValues / n, threads, [&](int64_t g, int64_t last) {
    std::vector<float> gathered(grouping.isContiguous() ? 0 : n);
    // Not initialized: often little of it is needed.
    std::unique_ptr<uint64_t[]> scratch(
        new uint64_t[(solveScratchBytes(scheme, n) + 7) / 8]);
    std::vector<float> scalars(rows), thresholds(numThresholds);
    std::vector<uint8_t> codes(ranks);
    float offset = 0;
    for (; g < last; ++g) {
      const float *values = x + g * n;
      if (!grouping.isContiguous()) {
        grouping.gather(x, g, gathered.data());
        values = gathered.data();
      }
      // Here, so that the solver has them in the cache. NaN and Inf would spoil
      // a whole group without a trace.
      if (!areFinite(values, n)) {
        isFinite = false;
        return;
      }
      Solution solution{scalars.data(), &offset, nullptr, nullptr};
      if (ranks) {
        solution.thresholds = thresholds.data();
        solution.codes = codes.data();
      }
      solve(scheme, values, n, solution, scratch.get());
      bool allZero = true;
      for (int64_t i = 0; i < rows; ++i) {
        parameters.scalars[i * groups + g] = scalars[i];
        allZero &= scalars[i] == 0.0f;
      }
      if (planes.hasOffset)
        parameters.offsets[g] = offset;
      for (int64_t i = 0; i < numThresholds; ++i)
        parameters.thresholds[i * groups + g] = thresholds[i];
      for (int64_t i = 0; i < ranks; ++i)
        parameters.codes[i * groups + g] = codes[i];
      for (int64_t i = 0; i < n && allZero; ++i)
        allZero = values[i] == 0.0f;
      zeroGroups += allZero;
    }
  });
  if (!isFinite)
    return notFinite(x, grouping);
  return zeroGroups.load();
}

namespace {
/// Sums over x and x^q that give error and angle.
struct FitSums {
  double xx = 0, qq = 0, xq = 0, ee = 0;

  void add(double x, double q) {
    xx += x * x;
    qq += q * q;
    xq += x * q;
    ee += (x - q) * (x - q);
  }
  void add(const FitSums &other) {
    xx += other.xx;
    qq += other.qq;
    xq += other.xq;
    ee += other.ee;
  }
  Fit fit() const {
    constexpr double degrees = 57.295779513082320877;
    Fit fit;
    fit.error = xx > 0 ? ee / xx : 0;
    if (xx > 0 && qq > 0) {
      double cosine = xq / (std::sqrt(xx) * std::sqrt(qq));
      fit.angle = std::acos(std::fmin(1.0, std::fmax(-1.0, cosine))) * degrees;
    } else if (xx > 0 || qq > 0) {
      fit.angle = 90;
    }
    return fit;
  }
};

/// Works out the planes of rows of the array.
class RowQuantizer {
public:
  RowQuantizer(const float *x, const Grouping &grouping, const Planes &planes,
               const Parameters &parameters, const Outputs &outputs)
      : x(x), grouping(grouping), planes(planes), outputs(outputs),
        rowLength(grouping.rowLength()), rowWords((rowLength + 31) / 32),
        factors(grouping.numGroups() * planes.count),
        thresholds(parameters.thresholds.size()),
        codes(parameters.codes.size()) {
    // What belongs to one group side by side.
    int64_t groups = grouping.numGroups(), k = planes.count;
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t i = 0; i < k; ++i)
        factors[g * k + i] =
            planes.ratios.empty()
                ? parameters.scalars[i * groups + g]
                : float(planes.ratios[i]) * parameters.scalars[g];
    int64_t numThresholds = planes.numCodes() - 1;
    for (size_t i = 0; i < thresholds.size(); ++i)
      thresholds[i % groups * numThresholds + i / groups] =
          parameters.thresholds[i];
    for (size_t i = 0; i < codes.size(); ++i)
      codes[i % groups * planes.numCodes() + i / groups] =
          planesOfCode(parameters.codes[i], k);
    ratioScalars = planes.ratios.empty() ? nullptr : parameters.scalars.data();
    offsets = parameters.offsets.empty() ? nullptr : parameters.offsets.data();
  }

  FitSums run(int64_t row) const {
    FitSums sums;
    const float *values = x + row * rowLength;
    int64_t group = grouping.groupOfRow(row), k = planes.count;
    if (outputs.words)
      for (int64_t i = 0; i < k; ++i)
        std::fill_n(wordsOfPlane(i, row), rowWords, 0u);
    for (int64_t c = 0; c < rowLength;
         ++c, group += grouping.groupStepInRow()) {
      unsigned code = codeOf(values[c], group);
      float decoded = decode(code, group);
      sums.add(values[c], decoded);
      if (outputs.decoded)
        outputs.decoded[row * rowLength + c] = decoded;
      if (outputs.words)
        for (int64_t i = 0; i < k; ++i)
          wordsOfPlane(i, row)[c / 32] |= ((code >> i) & 1u) << (c % 32);
      if (outputs.signs)
        for (int64_t i = 0; i < k; ++i)
          outputs.signs[i * grouping.size() + row * rowLength + c] =
              (code >> i) & 1 ? 1 : -1;
    }
    return sums;
  }

private:
  unsigned codeOf(float value, int64_t group) const {
    if (codes.empty())
      return cascadeCode(value, &factors[group * planes.count], planes.count);
    int64_t numThresholds = planes.numCodes() - 1;
    const float *first = &thresholds[group * numThresholds];
    int64_t rank =
        std::upper_bound(first, first + numThresholds, value) - first;
    return codes[group * planes.numCodes() + rank];
  }

  float decode(unsigned code, int64_t group) const {
    if (ratioScalars) {
      float value = decodeRatios(code, planes.ratios, ratioScalars[group]);
      return offsets ? offsets[group] + value : value;
    }
    const float *v = &factors[group * planes.count];
    return offsets ? decodeIndependent(code, v, planes.count, offsets[group])
                   : decodeIndependent(code, v, planes.count);
  }

  uint32_t *wordsOfPlane(int64_t plane, int64_t row) const {
    return outputs.words + (plane * grouping.numRows() + row) * rowWords;
  }

  const float *x;
  const Grouping &grouping;
  const Planes &planes;
  const Outputs &outputs;
  int64_t rowLength, rowWords;
  std::vector<float> factors, thresholds;
  std::vector<uint8_t> codes;
  const float *ratioScalars, *offsets;
};
} // namespace

Result<Fit> bquant::quant::applyParameters(
    const float *x, const Grouping &grouping, const Planes &planes,
    const Parameters &parameters, const Outputs &outputs, unsigned threads) {
  if (planes.count < 1 || planes.count > Scheme::maxPlanes)
    return Failure{"expected 1 to 8 planes, but got " +
                   std::to_string(planes.count)};
  if (!areFinite(x, grouping.size()))
    return notFinite(x, grouping);
  if (std::optional<Failure> failure =
          checkParameters(parameters, planes, grouping.numGroups()))
    return *failure;

  RowQuantizer quantizer(x, grouping, planes, parameters, outputs);
  // A sum for each row, added in the order of rows, does not depend on which
  // thread took it.
  std::vector<FitSums> sums(grouping.numRows());
  parallelFor(grouping.numRows(), grainValues / grouping.rowLength(), threads,
              [&](int64_t row, int64_t last) {
                for (; row < last; ++row)
                  sums[row] = quantizer.run(row);
              });
  FitSums total;
  for (const FitSums &row : sums)
    total.add(row);
  // Greedy scalars can add up to more than the largest value.
  if (!std::isfinite(total.ee))
    return Failure{"expected decoded values that f32 can hold, but the scalars "
                   "of a group add up to inf"};
  return total.fit();
}

int64_t bquant::quant::numWords(const Grouping &grouping,
                                const Planes &planes) {
  return planes.count * grouping.numRows() * ((grouping.rowLength() + 31) / 32);
}

Result<Quantized> bquant::quant::quantize(const float *x,
                                          const Grouping &grouping,
                                          const Scheme &scheme,
                                          unsigned threads,
                                          const Parameters &given) {
  Quantized q;
  q.planes = scheme.planes;
  q.shape = grouping.shape();
  q.axes = grouping.axes();
  if (scheme.rule == Scheme::Rule::Given) {
    q.parameters = given;
  } else {
    if (!given.scalars.empty())
      return Failure{"expected no scalars for the scheme " + scheme.str() +
                     ", but got " + std::to_string(given.scalars.size())};
    Result<int64_t> zeroGroups =
        solveParameters(x, grouping, scheme, q.parameters, threads);
    if (!zeroGroups)
      return zeroGroups.failure();
    q.zeroGroups = *zeroGroups;
  }

  q.words.resize(numWords(grouping, scheme.planes));
  Outputs outputs;
  outputs.words = q.words.data();
  Result<Fit> fit = applyParameters(x, grouping, scheme.planes, q.parameters,
                                    outputs, threads);
  if (!fit)
    return fit.failure();
  q.fit = *fit;
  return q;
}

std::vector<int8_t> Quantized::signs() const {
  int64_t rowLength = shape.back(), rowWords = (rowLength + 31) / 32;
  int64_t rows = int64_t(words.size()) / rowWords;
  std::vector<int8_t> signs(rows * rowLength);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t c = 0; c < rowLength; ++c)
      signs[row * rowLength + c] =
          (words[row * rowWords + c / 32] >> (c % 32)) & 1 ? 1 : -1;
  return signs;
}
