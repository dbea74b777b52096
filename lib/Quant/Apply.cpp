//===- Apply.cpp - Planes and decoded values of an array ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are worked on in pieces that the cache holds. A piece first becomes
// codes, a byte per value; signs, words and decoded values are made of these.
// Each step is a loop that compilers vectorize, with the arithmetic of
// bquant/Quant/Cascade.h.
//
//===----------------------------------------------------------------------===//

#include "Finite.h"
#include "Parallel.h"
#include "WithPlanes.h"
#include "bquant/Quant/Cascade.h"
#include "bquant/Quant/Quantize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace bquant::quant;

/// The least work, in values, that is worth a thread.
static constexpr int64_t grainValues = 65536;
/// The most values of a piece: whole words.
static constexpr int64_t pieceSize = 512;

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
  for (int64_t g = 0; g < groups; ++g)
    if (std::isnan(thresholds[g]))
      return Failure{"expected thresholds that are no NaN, but got nan at " +
                     formatShape({0, g})};
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

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// What quantizes an array, as loops over values take it: a row per plane,
/// threshold or rank, and a column per group.
struct Tables {
  int64_t planes, groups;
  /// What each plane's sign is multiplied by.
  const float *factors;
  /// Null for the sign cascade.
  const float *thresholds;
  /// The planes of each rank, plane i as bit i.
  std::vector<uint8_t> codes;
  /// Null for 0.
  const float *offsets;
  /// Of ratio planes, whose signs are summed before they are multiplied.
  int32_t ratios[Scheme::maxPlanes];
  const float *ratioScalars;
  std::vector<float> ratioFactors;

  Tables(const Planes &planes, const Parameters &parameters, int64_t groups);
};

/// Values of one group, or of consecutive ones: a part of a row that starts
/// with a word, or whole rows.
struct Piece {
  const float *values;
  int64_t size, group;
};
} // namespace

static const float *pointerOf(const std::vector<float> &values) {
  return values.empty() ? nullptr : values.data();
}

Tables::Tables(const Planes &planes, const Parameters &parameters,
               int64_t groups)
    : planes(planes.count), groups(groups), factors(parameters.scalars.data()),
      thresholds(pointerOf(parameters.thresholds)), codes(parameters.codes),
      offsets(pointerOf(parameters.offsets)), ratioScalars(nullptr) {
  if (!planes.ratios.empty()) {
    std::copy(planes.ratios.begin(), planes.ratios.end(), ratios);
    ratioScalars = factors;
    for (int64_t ratio : planes.ratios)
      for (int64_t group = 0; group < groups; ++group)
        ratioFactors.push_back(float(ratio) * ratioScalars[group]);
    factors = ratioFactors.data();
  }
  for (uint8_t &code : codes)
    code = planesOfCode(code, planes.count);
}

/// The codes of the sign cascade, see cascadeCode. Step: of groups, 0 or 1.
template <int K, int Step>
static BQUANT_INLINE void cascadeCodes(const Tables &tables, const Piece &piece,
                                       uint8_t *__restrict codes) {
  const float *factors = tables.factors + piece.group;
  for (int64_t c = 0; c < piece.size; ++c) {
    float r = piece.values[c];
    unsigned code = 0;
    for (int64_t i = 0; i < K; ++i) {
      bool positive = r >= 0.0f;
      float factor = factors[i * tables.groups + c * Step];
      code |= unsigned(positive) << i;
      r = positive ? r - factor : r + factor;
    }
    codes[c] = code;
  }
}

/// The codes by the number of thresholds that are at most the value: each
/// threshold changes some planes.
template <int Step>
static BQUANT_INLINE void rankCodes(const Tables &tables, const Piece &piece,
                                    uint8_t *__restrict codes) {
  const float *thresholds = tables.thresholds + piece.group;
  const uint8_t *before = tables.codes.data() + piece.group;
  for (int64_t c = 0; c < piece.size; ++c)
    codes[c] = before[c * Step];
  for (int64_t rank = 1; rank < int64_t(1) << tables.planes; ++rank) {
    const uint8_t *after = before + tables.groups;
    for (int64_t c = 0; c < piece.size; ++c) {
      uint8_t change = before[c * Step] ^ after[c * Step];
      codes[c] ^= piece.values[c] < thresholds[c * Step] ? 0 : change;
    }
    before = after;
    thresholds += tables.groups;
  }
}

/// The same by bisection: for many thresholds.
template <int Step>
static BQUANT_INLINE void searchCodes(const Tables &tables, const Piece &piece,
                                      uint8_t *__restrict codes) {
  const float *thresholds = tables.thresholds + piece.group;
  int32_t ranks[pieceSize] = {};
  // All values at once, without branches that depend on them.
  for (int32_t half = 1 << (tables.planes - 1); half; half /= 2)
    for (int64_t c = 0; c < piece.size; ++c) {
      int64_t threshold = (ranks[c] + half - 1) * tables.groups + c * Step;
      ranks[c] += int32_t(!(piece.values[c] < thresholds[threshold])) * half;
    }
  for (int64_t c = 0; c < piece.size; ++c)
    codes[c] = tables.codes[ranks[c] * tables.groups + piece.group + c * Step];
}

BQUANT_VECTOR_CLONES
static void findCodes(const Tables &tables, const Piece &piece, int64_t step,
                      uint8_t *codes) {
  constexpr int64_t mostPlanesByRank = 4;
  if (tables.thresholds && tables.planes > mostPlanesByRank)
    return step ? searchCodes<1>(tables, piece, codes)
                : searchCodes<0>(tables, piece, codes);
  if (tables.thresholds)
    return step ? rankCodes<1>(tables, piece, codes)
                : rankCodes<0>(tables, piece, codes);
  withPlanes(tables.planes, [&](auto planes) __attribute__((always_inline)) {
    step ? cascadeCodes<planes, 1>(tables, piece, codes)
         : cascadeCodes<planes, 0>(tables, piece, codes);
  });
}

/// The values of codes, see decodeIndependent and decodeRatios.
template <int K, int Step>
static BQUANT_INLINE void decodeCodes(const Tables &tables, const Piece &piece,
                                      const uint8_t *codes,
                                      float *__restrict decoded) {
  const float *offsets =
      tables.offsets ? tables.offsets + piece.group : nullptr;
  if (tables.ratioScalars) {
    const float *scalars = tables.ratioScalars + piece.group;
    for (int64_t c = 0; c < piece.size; ++c) {
      int32_t sum = 0;
      for (int64_t i = 0; i < K; ++i)
        sum += (codes[c] >> i) & 1 ? tables.ratios[i] : -tables.ratios[i];
      decoded[c] = float(sum) * scalars[c * Step];
    }
    for (int64_t c = 0; offsets && c < piece.size; ++c)
      decoded[c] = offsets[c * Step] + decoded[c];
    return;
  }
  const float *factors = tables.factors + piece.group;
  auto term = [&](int64_t c, int64_t i) __attribute__((always_inline)) {
    float factor = factors[i * tables.groups + c * Step];
    return (codes[c] >> i) & 1 ? factor : -factor;
  };
  for (int64_t c = 0; c < piece.size; ++c) {
    float value = term(c, 0);
    if (offsets)
      value = offsets[c * Step] + value;
    for (int64_t i = 1; i < K; ++i)
      value += term(c, i);
    decoded[c] = value;
  }
}

BQUANT_VECTOR_CLONES
static void decode(const Tables &tables, const Piece &piece, int64_t step,
                   const uint8_t *codes, float *decoded) {
  withPlanes(tables.planes, [&](auto planes) __attribute__((always_inline)) {
    step ? decodeCodes<planes, 1>(tables, piece, codes, decoded)
         : decodeCodes<planes, 0>(tables, piece, codes, decoded);
  });
}

BQUANT_VECTOR_CLONES
static void writeSigns(const uint8_t *codes, int64_t size, int64_t plane,
                       int8_t *__restrict signs) {
  for (int64_t c = 0; c < size; ++c)
    signs[c] = int8_t(2 * ((codes[c] >> plane) & 1) - 1);
}

/// Packs the codes of up to 32 values, of which `codes` holds 32, to a word per
/// plane.
template <typename WordOf>
static BQUANT_INLINE void packWord(const uint8_t *codes, int64_t size,
                                   int64_t planes, WordOf wordOf) {
  using Bytes = uint8_t __attribute__((ext_vector_type(32)));
  using Bools = bool __attribute__((ext_vector_type(32)));
  Bytes bytes;
  std::memcpy(&bytes, codes, sizeof(bytes));
  uint32_t used = size < 32 ? (1u << size) - 1 : ~0u;
  for (int64_t i = 0; i < planes; ++i) {
    auto isSet =
        __builtin_convertvector((bytes & uint8_t(1 << i)) != Bytes(0), Bools);
    wordOf(i) = __builtin_bit_cast(uint32_t, isSet) & used;
  }
}

/// Writes the words of a row, or of a part of it: plane i to words[i * stride].
BQUANT_VECTOR_CLONES
static void writeWords(const uint8_t *codes, int64_t size, int64_t planes,
                       int64_t stride, uint32_t *words) {
  for (int64_t c = 0; c < size; c += 32, ++words)
    packWord(codes + c, size - c, planes,
             [&](int64_t i) __attribute__((always_inline)) -> uint32_t & {
               return words[i * stride];
             });
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

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

/// Quantizes rows of an array.
struct ArrayQuantizer {
  const float *x;
  const Grouping &grouping;
  const Tables &tables;
  const Outputs &outputs;
  /// Of each row; null where they are not wanted.
  FitSums *sums;

  /// From `row` to before `last`.
  void run(int64_t row, int64_t last) const;

private:
  void run(int64_t position, const Piece &piece, int64_t step) const;
};
} // namespace

void ArrayQuantizer::run(int64_t row, int64_t last) const {
  int64_t rowLength = grouping.rowLength();
  int64_t most =
      rowLength > pieceSize ? pieceSize : pieceSize / rowLength * rowLength;
  for (int64_t position = row * rowLength, end = last * rowLength;
       position < end;) {
    auto [group, step, size] = grouping.getRun(position);
    for (int64_t runEnd = std::min(end, position + size); position < runEnd;) {
      int64_t left = rowLength > pieceSize ? rowLength - position % rowLength
                                           : runEnd - position;
      Piece piece{x + position, std::min(most, left), group};
      run(position, piece, step);
      position += piece.size;
      group += step * piece.size;
    }
  }
}

void ArrayQuantizer::run(int64_t position, const Piece &piece,
                         int64_t step) const {
  int64_t rowLength = grouping.rowLength(), rowWords = (rowLength + 31) / 32;
  // What packs a word reads 32 codes.
  uint8_t codes[pieceSize + 32];
  std::memset(codes + piece.size, 0, 32);
  findCodes(tables, piece, step, codes);

  for (int64_t i = 0; outputs.signs && i < tables.planes; ++i)
    writeSigns(codes, piece.size, i,
               outputs.signs + i * grouping.size() + position);
  for (int64_t c = 0; outputs.words && c < piece.size; c += rowLength) {
    int64_t row = (position + c) / rowLength,
            first = (position + c) % rowLength;
    writeWords(codes + c, std::min(piece.size - c, rowLength), tables.planes,
               grouping.numRows() * rowWords,
               outputs.words + row * rowWords + first / 32);
  }
  if (!outputs.decoded && !sums)
    return;
  float buffer[pieceSize];
  float *decoded = outputs.decoded ? outputs.decoded + position : buffer;
  decode(tables, piece, step, codes, decoded);
  for (int64_t c = 0; sums && c < piece.size;) {
    // In the order of the values, whatever the pieces.
    int64_t end = std::min(piece.size, c + rowLength);
    FitSums row = sums[(position + c) / rowLength];
    for (int64_t i = c; i < end; ++i)
      row.add(piece.values[i], decoded[i]);
    sums[(position + c) / rowLength] = row;
    c = end;
  }
}

/// Whether no sum of a group's terms can be more than f32 holds.
static bool areSumsSmall(const Tables &tables) {
  for (int64_t group = 0; group < tables.groups; ++group) {
    double sum = tables.offsets ? std::fabs(tables.offsets[group]) : 0;
    for (int64_t i = 0; i < tables.planes; ++i)
      sum += tables.factors[i * tables.groups + group];
    if (!(sum < 0x1p127))
      return false;
  }
  return true;
}

std::optional<Failure> bquant::quant::applyParameters(
    const float *x, const Grouping &grouping, const Planes &planes,
    const Parameters &parameters, const Outputs &outputs, unsigned threads) {
  if (planes.count < 1 || planes.count > Scheme::maxPlanes)
    return Failure{"expected 1 to 8 planes, but got " +
                   std::to_string(planes.count)};
  if (!areFinite(x, grouping.size()))
    return notFinite(x, grouping);
  if (std::optional<Failure> failure =
          checkParameters(parameters, planes, grouping.numGroups()))
    return failure;

  Tables tables(planes, parameters, grouping.numGroups());
  bool isFitNeeded = outputs.fit || !areSumsSmall(tables);
  if (!isFitNeeded && !outputs.words && !outputs.signs && !outputs.decoded)
    return std::nullopt;
  // A sum for each row, added in the order of rows, does not depend on which
  // thread took it.
  std::vector<FitSums> sums(isFitNeeded ? grouping.numRows() : 0);
  ArrayQuantizer quantizer{x, grouping, tables, outputs,
                           isFitNeeded ? sums.data() : nullptr};
  parallelFor(grouping.numRows(), grainValues / grouping.rowLength(), threads,
              [&](int64_t row, int64_t last) { quantizer.run(row, last); });
  FitSums total;
  for (const FitSums &row : sums)
    total.add(row);
  // Greedy scalars can add up to more than the largest value.
  if (!std::isfinite(total.ee))
    return Failure{"expected decoded values that f32 can hold, but the scalars "
                   "of a group add up to inf"};
  if (outputs.fit)
    *outputs.fit = total.fit();
  return std::nullopt;
}

int64_t bquant::quant::numWords(const Grouping &grouping,
                                const Planes &planes) {
  return planes.count * grouping.numRows() * ((grouping.rowLength() + 31) / 32);
}
