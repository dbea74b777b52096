//===- MatchLevelFilter.cpp - Constant filters of a few levels ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the numbers count, not how a producer came to them. An element becomes
// its rank among the levels of its filter, and the ranks are quantized:
//
//   dense<[[0.5, -0.25], [0.5, 0.5]]>  (steps of 0.25 from -0.5)
// becomes
//   bquant.quantize dense<[[4., 1.], [4., 4.]]> thresholds([1, 2, .. 7])
//       codes [0, 1, .. 7] scalars(0.125) offset(0.375)
//
//===----------------------------------------------------------------------===//

#include "MatchLevelFilter.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Shapes.h"
#include "bquant/Quant/LevelPlanes.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>
#include <set>

using namespace mlir;
using namespace bquant;

namespace {
/// A constant filter, row by row of the first dimension.
struct Rows {
  RankedTensorType type;
  SmallVector<float> values;
  int64_t count, size;

  ArrayRef<float> operator[](int64_t row) const {
    return ArrayRef(values).slice(row * size, size);
  }
};
} // namespace

static std::optional<Rows> readRows(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() < 2 || !canBeScaledBinary(type.getShape()))
    return std::nullopt;
  Rows rows{type, getConstantFloats(tensor), type.getDimSize(0), 0};
  if (rows.values.empty() ||
      !llvm::all_of(rows.values, [](float v) { return std::isfinite(v); }))
    return std::nullopt;
  rows.size = rows.values.size() / rows.count;
  return rows;
}

/// Ranks among levels that are quantized in the filter's place. `offset` may be
/// all zeros.
static Cascade build(Value tensor, SBTensorType bare, ArrayRef<float> ranks,
                     ArrayRef<int64_t> codes, ArrayRef<float> scalars,
                     ArrayRef<float> offset) {
  bool hasOffset = llvm::any_of(offset, [](float c) { return c != 0; });
  auto type =
      SBTensorType::get(bare.getContext(), bare.getShape(), bare.getPlanes(),
                        bare.getRatios(), bare.getAxes(), hasOffset);
  Type f32 = Float32Type::get(bare.getContext());
  SmallVector<float> thresholds;
  for (size_t rank = 1; rank < codes.size(); ++rank)
    thresholds.push_back(rank);
  Cascade cascade;
  cascade.input = tensor;
  cascade.ranks =
      getFloatsAttr(cast<RankedTensorType>(tensor.getType()), ranks);
  cascade.type = type;
  cascade.scalars = getFloatsAttr(type.getScalarsType(), scalars);
  cascade.thresholds = getFloatsAttr(
      RankedTensorType::get(int64_t(thresholds.size()), f32), thresholds);
  cascade.codes.assign(codes.begin(), codes.end());
  if (hasOffset)
    cascade.offset = getFloatsAttr(type.getOffsetType(), offset);
  return cascade;
}

static SBTensorType getRowType(RankedTensorType type, int64_t planes) {
  return SBTensorType::get(type.getContext(), type.getShape(), planes, {},
                           /*axes=*/{0}, /*hasOffset=*/false);
}

bool bquant::isDenseFilter(Value tensor) {
  constexpr double kShare = 1.0 / 16;
  std::optional<Rows> rows = readRows(tensor);
  if (!rows)
    return false;
  double share = 0;
  for (int64_t row = 0; row < rows->count; ++row) {
    double sum = 0, largest = 0;
    for (float value : (*rows)[row]) {
      sum += std::fabs(double(value));
      largest = std::max(largest, std::fabs(double(value)));
    }
    share += largest == 0 ? 0 : sum / largest / double(rows->size);
  }
  return share >= kShare * double(rows->count);
}

std::optional<Cascade> bquant::matchSkewedFilter(Value tensor, bool strict) {
  std::optional<Rows> rows = readRows(tensor);
  // Few elements have few values by chance.
  if (!rows || rows->size < (strict ? 16 : 4))
    return std::nullopt;
  SmallVector<std::set<float>> levels;
  bool two = true, three = true;
  for (int64_t row = 0; row < rows->count; ++row) {
    std::set<float> &own = levels.emplace_back();
    for (float value : (*rows)[row])
      if (own.insert(value + 0.0f).second && own.size() > 3)
        return std::nullopt;
    if (quant::losesLevel({own.begin(), own.end()}))
      return std::nullopt;
    two &= own.size() <= 2;
    three &= own.size() <= 2 || own.count(0.0f);
    three &= std::count_if(own.begin(), own.end(),
                           [](float v) { return v > 0; }) <= 1 &&
             std::count_if(own.begin(), own.end(),
                           [](float v) { return v < 0; }) <= 1;
  }
  if (strict && llvm::all_of(levels, [](const std::set<float> &own) {
        return own.size() == 1;
      }))
    return std::nullopt; // As of a mean.
  SmallVector<float> ranks, first, second, offset;
  if (two) {
    for (auto [row, own] : llvm::enumerate(levels)) {
      float low = *own.begin(), high = *own.rbegin();
      offset.push_back(float((double(low) + high) / 2));
      first.push_back(float((double(high) - low) / 2));
      for (float value : (*rows)[row])
        ranks.push_back(value != low);
    }
    return build(tensor, getRowType(rows->type, 1), ranks, {0, 1}, first,
                 offset);
  }
  if (!three)
    return std::nullopt;
  // a / 2 s_1 + b / 2 s_2 + (a - b) / 2: s_1 is +1 for a, s_2 is -1 for -b.
  for (auto [row, own] : llvm::enumerate(levels)) {
    float a = std::max(*own.rbegin(), 0.0f), b = -std::min(*own.begin(), 0.0f);
    first.push_back(a / 2);
    second.push_back(b / 2);
    offset.push_back(float((double(a) - b) / 2));
    for (float value : (*rows)[row])
      ranks.push_back(value < 0 ? 0 : value == 0 ? 1 : 2);
  }
  llvm::append_range(first, second);
  return build(tensor, getRowType(rows->type, 2), ranks, {0, 1, 3}, first,
               offset);
}

//===----------------------------------------------------------------------===//
// Sums of signs
//===----------------------------------------------------------------------===//

namespace {
/// What the levels of a row are: offset +- v_1 +- v_2 ...
struct SignSums {
  SmallVector<double> scalars;
  double offset = 0;

  /// All of them by their code, the first sign in its highest bit.
  SmallVector<double, 32> getSums() const {
    SmallVector<double, 32> sums{offset};
    for (double v : scalars) {
      SmallVector<double, 32> longer;
      for (double sum : sums)
        longer.append({sum - v, sum + v});
      sums = longer;
    }
    return sums;
  }
};
} // namespace

/// What a level may be off from a sum that was rounded as often as it has
/// scalars, which are solved from such levels: a part of the largest.
static constexpr double kSumRounding = 0x1p-20;

/// The code of the sum nearest to `level`; none where that is not near.
static std::optional<int64_t> findCode(ArrayRef<double> sums, double level,
                                       double rounding) {
  const double *nearest = llvm::min_element(sums, [&](double a, double b) {
    return std::fabs(a - level) < std::fabs(b - level);
  });
  if (std::fabs(*nearest - level) > rounding)
    return std::nullopt;
  return nearest - sums.begin();
}

/// Completes `found` to `planes` scalars, ascending, the next ones among
/// `candidates`, which ascend, too. The last one is what the largest magnitude
/// leaves: the sum of all scalars, or, where no element has it, of all but the
/// least.
static bool complete(SignSums &found, size_t planes,
                     ArrayRef<double> candidates, ArrayRef<double> magnitudes) {
  SmallVector<double> &v = found.scalars;
  double largest = magnitudes.front(), rounding = kSumRounding * largest;
  double sum = std::accumulate(v.begin(), v.end(), 0.0);
  if (v.size() + 1 < planes) {
    for (; !candidates.empty(); candidates = candidates.drop_front()) {
      double next = candidates.front(), least = v.empty() ? next : v.front();
      if (sum + 2 * next > largest + 2 * least + rounding)
        return false; // More than is left for it and the last one.
      v.push_back(next);
      if (complete(found, planes, candidates, magnitudes))
        return true;
      v.pop_back();
    }
    return false;
  }
  for (double least : {0.0, v.empty() ? 0.0 : v.front()}) {
    double last = largest + 2 * least - sum;
    if (last < 0)
      continue;
    v.push_back(last);
    SmallVector<double, 32> sums = found.getSums();
    if (llvm::all_of(magnitudes, [&](double m) {
          return findCode(sums, m, rounding).has_value();
        }))
      return true;
    v.pop_back();
  }
  return false;
}

/// The levels of a row, ascending, as sums of `planes` signs.
static std::optional<SignSums> findSignSums(ArrayRef<double> levels,
                                            size_t planes) {
  // Two sums that one sign tells apart differ by twice its scalar.
  constexpr size_t kMostSolved = 4;
  SmallVector<double> magnitudes = llvm::map_to_vector(
      levels, [](double level) { return std::fabs(level); });
  llvm::sort(magnitudes, std::greater<double>());
  magnitudes.erase(llvm::unique(magnitudes), magnitudes.end());
  SignSums found;
  if (planes <= kMostSolved && magnitudes.size() <= size_t(1) << (planes - 1)) {
    SmallVector<double> candidates{0};
    for (double a : magnitudes)
      for (double b : magnitudes)
        if (a > b)
          candidates.push_back((a - b) / 2);
    llvm::sort(candidates);
    double near = kSumRounding / 8 * magnitudes.front();
    candidates.erase(
        llvm::unique(candidates,
                     [&](double a, double b) { return b - a <= near; }),
        candidates.end());
    if (complete(found, planes, candidates, magnitudes))
      return found;
  }
  // A sign for each step from one level to the next.
  if (levels.size() > planes + 1)
    return std::nullopt;
  for (size_t i = 1; i < levels.size(); ++i)
    found.scalars.push_back((levels[i] - levels[i - 1]) / 2);
  found.scalars.resize(planes, 0);
  double offset = (levels.front() + levels.back()) / 2;
  if (std::fabs(offset) > kSumRounding * magnitudes.front())
    found.offset = offset;
  return found;
}

/// The scalars of each row, and each element by its code.
static Cascade buildSignSums(Value tensor, const Rows &rows,
                             ArrayRef<SignSums> found, size_t planes) {
  SmallVector<float> ranks, scalars, offsets;
  for (auto [row, own] : llvm::enumerate(found)) {
    SmallVector<double, 32> sums = own.getSums();
    for (float value : rows[row])
      ranks.push_back(*findCode(sums, value, HUGE_VAL));
    offsets.push_back(own.offset);
  }
  for (size_t plane = 0; plane < planes; ++plane)
    for (const SignSums &own : found)
      scalars.push_back(own.scalars[plane]);
  auto codes = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(1) << planes));
  return build(tensor, getRowType(rows.type, planes), ranks, codes, scalars,
               offsets);
}

std::optional<Cascade> bquant::matchSignSumFilter(Value tensor) {
  constexpr size_t kMostPlanes = 5, kMostLevels = 16, kElementsOfLevel = 2;
  std::optional<Rows> rows = readRows(tensor);
  if (!rows)
    return std::nullopt;
  SmallVector<SmallVector<double>> levels;
  for (int64_t row = 0; row < rows->count; ++row) {
    std::set<double> own;
    for (float value : (*rows)[row])
      if (own.insert(value + 0.0f).second && own.size() > kMostLevels)
        return std::nullopt;
    if (quant::losesLevel({own.begin(), own.end()}))
      return std::nullopt;
    // Few elements have few values by chance.
    if (own.size() * kElementsOfLevel > size_t(rows->size))
      return std::nullopt;
    levels.emplace_back(own.begin(), own.end());
  }
  for (size_t planes = 1; planes <= kMostPlanes; ++planes) {
    SmallVector<SignSums> found;
    for (ArrayRef<double> own : levels) {
      std::optional<SignSums> sums = findSignSums(own, planes);
      if (!sums)
        break;
      llvm::sort(sums->scalars, std::greater<double>());
      found.push_back(*sums);
    }
    if (found.size() == levels.size())
      return buildSignSums(tensor, *rows, found, planes);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Whole multiples of a step
//===----------------------------------------------------------------------===//

/// The most that two integers of 8 bits differ by.
static constexpr int64_t kMost = 255;

/// The step of which all values are whole multiples, each rounded to f32, the
/// largest kMost times at most; 0 of zeros alone, none if there is none.
static std::optional<double> findStep(ArrayRef<float> values, bool strict) {
  std::set<float> magnitudes{0.0f};
  for (float value : values)
    if (magnitudes.insert(std::fabs(value)).second &&
        magnitudes.size() > 2 * size_t(kMost) + 1) // Some are rounded apart.
      return std::nullopt;
  double largest = *magnitudes.rbegin(), gap = largest;
  if (largest == 0)
    return 0.0;
  // What residues and differences of levels round; what a scale alone does.
  constexpr double kNear = 0.02, kRounding = 0x1p-22, kStrict = 0x1p-23;
  double rounding = strict ? 0 : kRounding * largest;
  for (auto it = magnitudes.begin(), next = std::next(it);
       next != magnitudes.end(); ++it, ++next)
    if (double between = double(*next) - *it; between > 2 * rounding)
      gap = std::min(gap, between);
  // The least gap may be some steps. Of differences only some bits are left.
  for (int part = 1; part <= kMost; ++part) {
    double multiple = std::round(largest / (gap / part));
    if (multiple > kMost)
      return std::nullopt;
    double step = largest / multiple;
    auto fits = [&](float value) {
      double n = std::round(value / step);
      return std::fabs(value / step - n) <= kNear &&
             std::fabs(value - n * step) <=
                 std::max(rounding, kStrict * std::fabs(value));
    };
    if (llvm::all_of(magnitudes, fits))
      return step;
  }
  return std::nullopt;
}

namespace {
/// A filter's elements as multiples of its steps.
struct Multiples {
  SmallVector<double> steps; // One, or one for each row.
  SmallVector<int64_t> values;
  SmallVector<std::pair<int64_t, int64_t>> ranges; // Of each row.

  /// Odd ones alone lie two steps apart, on both sides of zero.
  int64_t getStride() const {
    return llvm::all_of(values, [](int64_t n) { return n % 2 != 0; }) ? 2 : 1;
  }
};
} // namespace

/// `steps`: one, or one for each row.
static Multiples getMultiples(const Rows &rows, ArrayRef<double> steps) {
  Multiples multiples{llvm::to_vector(steps), {}, {}};
  for (int64_t row = 0; row < rows.count; ++row) {
    double step = steps[steps.size() == 1 ? 0 : row];
    std::pair<int64_t, int64_t> range(kMost + 1, -kMost - 1);
    for (float value : rows[row]) {
      int64_t n = step == 0 ? 0 : std::llround(value / step);
      multiples.values.push_back(n);
      range = {std::min(range.first, n), std::max(range.second, n)};
    }
    multiples.ranges.push_back(range);
  }
  return multiples;
}

static std::optional<Multiples> findMultiples(const Rows &rows, bool strict) {
  auto fit = [](const Multiples &multiples) {
    return llvm::all_of(multiples.ranges, [&](auto range) {
      return (range.second - range.first) / multiples.getStride() <= kMost;
    });
  };
  // A row is not lost beside larger ones.
  auto keepsRows = [&](const Multiples &multiples) {
    return llvm::all_of(llvm::enumerate(multiples.ranges), [&](auto range) {
      return range.value() != std::pair<int64_t, int64_t>(0, 0) ||
             llvm::all_of(rows[range.index()], [](float v) { return v == 0; });
    });
  };
  if (std::optional<double> step = findStep(rows.values, strict)) {
    Multiples multiples = getMultiples(rows, *step);
    if (fit(multiples) && keepsRows(multiples))
      return multiples;
  }
  SmallVector<double> steps;
  for (int64_t row = 0; row < rows.count; ++row) {
    std::optional<double> step = findStep(rows[row], strict);
    if (!step)
      return std::nullopt;
    steps.push_back(*step);
  }
  Multiples multiples = getMultiples(rows, steps);
  return fit(multiples) ? std::optional(multiples) : std::nullopt;
}

/// Whether a row has two levels and one is nothing beside the other. Of several
/// it is a 0 that was rounded.
static bool losesLevel(ArrayRef<float> row) {
  std::set<float> levels;
  for (float value : row)
    if (levels.insert(value).second && levels.size() > 2)
      return false;
  return quant::losesLevel({levels.begin(), levels.end()});
}

std::optional<Cascade>
bquant::matchUniformFilter(Value tensor, SBTensorType lhs, bool strict) {
  std::optional<Rows> rows = readRows(tensor);
  if (!rows)
    return std::nullopt;
  for (int64_t row = 0; row < rows->count; ++row)
    if (losesLevel((*rows)[row]))
      return std::nullopt;
  std::optional<Multiples> found = findMultiples(*rows, strict);
  if (!found)
    return std::nullopt;
  int64_t stride = found->getStride(), span = 1;
  for (auto [low, high] : found->ranges)
    span = std::max(span, (high - low) / stride);
  int64_t planes = llvm::Log2_64(span) + 1, most = (int64_t(1) << planes) - 1;
  // From the same multiple for all rows, if it will do.
  int64_t shared = stride == 2 ? -most : -(most + 1) / 2;
  if (!llvm::all_of(found->ranges, [&](auto range) {
        return range.first >= shared && range.second <= shared + most * stride;
      }))
    shared = 0;
  SmallVector<int64_t> ratios, codes, axes;
  for (int64_t plane = planes - 1; planes > 1 && plane >= 0; --plane)
    ratios.push_back(int64_t(1) << plane);
  for (int64_t code = 0; code <= most; ++code)
    codes.push_back(code);
  SmallVector<float> scalars, offset, ranks;
  SmallVector<int64_t> lows;
  for (auto [row, range] : llvm::enumerate(found->ranges))
    lows.push_back(shared ? shared : range.first);
  // One scalar serves all rows only with one offset.
  if (found->steps.size() > 1 || !llvm::all_equal(lows))
    axes = {0};
  for (int64_t row = 0; row < (axes.empty() ? 1 : rows->count); ++row) {
    double step = found->steps[found->steps.size() == 1 ? 0 : row];
    scalars.push_back(float(step * stride / 2));
    offset.push_back(float(step * (lows[row] + stride * most / 2.0)));
  }
  for (auto [i, n] : llvm::enumerate(found->values)) {
    int64_t rank = (n - lows[i / rows->size]) / stride;
    ranks.push_back(float(rank));
  }
  double bound = double(most) * lhs.getLargestMultiple() * rows->size;
  if (bound > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return build(tensor,
               SBTensorType::get(tensor.getContext(), rows->type.getShape(),
                                 planes, ratios, axes, /*hasOffset=*/false),
               ranks, codes, scalars, offset);
}
