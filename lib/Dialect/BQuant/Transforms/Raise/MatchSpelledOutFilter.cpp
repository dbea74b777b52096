//===- MatchSpelledOutFilter.cpp - Filters that are multiplied out --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSpelledOutFilter.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/MonotoneIntervals.h"
#include "Dialect/BQuant/Analysis/Shapes.h"
#include "bquant/Quant/Cascade.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

using Floats = SmallVector<float, 4>;

/// The distinct magnitudes of at most `limit`, descending; none if there are
/// more or one is not finite.
static Floats getMagnitudes(ArrayRef<float> values, size_t limit) {
  Floats found;
  for (float value : values) {
    float magnitude = std::fabs(value);
    if (llvm::is_contained(found, magnitude))
      continue;
    if (!std::isfinite(magnitude) || found.size() == limit)
      return {};
    found.push_back(magnitude);
  }
  llvm::sort(found, std::greater<float>());
  return found;
}

/// A zero of either sign is a zero.
static bool holds(ArrayRef<float> magnitudes, ArrayRef<float> scalars) {
  return llvm::all_of(magnitudes, [&](float m) {
    return quant::roundTrip(m, scalars.data(), scalars.size()) == m &&
           quant::roundTrip(-m, scalars.data(), scalars.size()) == -m;
  });
}

/// Scalars near the given ones, which hold in real numbers: sums are rounded,
/// so the very ones may be some units away.
static Floats searchNear(ArrayRef<float> magnitudes, ArrayRef<double> near) {
  constexpr int kReach = 3;
  Floats scalars;
  SmallVector<int32_t, 4> center;
  for (double v : near) {
    if (!(v >= 0))
      return {};
    center.push_back(toOrdered(float(v)));
    scalars.push_back(float(v));
  }
  if (holds(magnitudes, scalars))
    return scalars;
  SmallVector<int, 4> step(near.size(), -kReach);
  while (true) {
    bool valid = true;
    for (auto [i, s] : llvm::enumerate(step)) {
      int32_t ordered = center[i] + s;
      valid &= ordered >= 0;
      if (valid)
        scalars[i] = fromOrdered(ordered);
    }
    if (valid && holds(magnitudes, scalars))
      return scalars;
    size_t i = 0;
    while (i < step.size() && ++step[i] > kReach)
      step[i++] = -kReach;
    if (i == step.size())
      return {};
  }
}

/// Scalars of `planes` planes that give these magnitudes (descending).
static Floats fit(ArrayRef<float> m, int planes) {
  if (planes == 1)
    return m.size() == 1 ? Floats{m[0]} : Floats();
  // Fewer magnitudes than the planes have: the last scalars are 0.
  if (m.size() <= size_t(1) << (planes - 2)) {
    Floats scalars = fit(m, planes - 1);
    if (!scalars.empty())
      scalars.push_back(0);
    return scalars;
  }
  if (planes == 2) {
    double a = m[0], b = m[1];
    return m.size() == 2 ? searchNear(m, {(a + b) / 2, (a - b) / 2}) : Floats();
  }
  // v1 + v2 + v3 >= v1 + v2 - v3 >= v1 - v2 + v3 >= |v1 - v2 - v3|. Of three
  // magnitudes, the one that is missing is unknown.
  double a = m[0], b = m[1], c = m[2];
  auto search = [&](double v1, double v2, double v3) {
    return searchNear(m, {v1, v2, v3});
  };
  if (m.size() == 4) {
    Floats scalars = search((a + m[3]) / 2, (b - m[3]) / 2, (a - b) / 2);
    return scalars.empty() ? search((b + c) / 2, (a - c) / 2, (a - b) / 2)
                           : scalars;
  }
  if (m.size() != 3)
    return {};
  for (auto [v1, v2, v3] :
       {std::tuple((b + c) / 2, (a - c) / 2, (a - b) / 2),
        std::tuple((a + c) / 2, (b - c) / 2, (a - b) / 2),
        std::tuple((a + c) / 2, (a - b) / 2, (b - c) / 2)}) {
    Floats scalars = search(v1, v2, v3);
    if (!scalars.empty())
      return scalars;
  }
  return {};
}

std::optional<Cascade> bquant::matchSpelledOutFilter(Value tensor,
                                                     bool strict) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() < 2 || !canBeScaledBinary(type.getShape()))
    return std::nullopt;
  SmallVector<float> values = getConstantFloats(tensor);
  if (values.empty())
    return std::nullopt;
  constexpr int kMaxPlanes = 3;
  int64_t rows = type.getDimSize(0), size = values.size() / rows;
  SmallVector<Floats> magnitudes;
  size_t most = 1;
  llvm::DenseSet<uint32_t> distinct; // In the whole tensor.
  for (int64_t row = 0; row < rows; ++row) {
    ArrayRef<float> own = ArrayRef(values).slice(row * size, size);
    magnitudes.push_back(getMagnitudes(own, 1 << (kMaxPlanes - 1)));
    if (magnitudes.back().empty())
      return std::nullopt;
    most = std::max(most, magnitudes.back().size());
    for (float magnitude : magnitudes.back())
      distinct.insert(llvm::bit_cast<uint32_t>(magnitude));
  }
  // Few elements have few magnitudes by chance: those of a filter, or, since
  // nine taps rarely show all levels that filters share, of the tensor.
  size_t shown = strict ? rows * most : distinct.size();
  bool mixed = llvm::any_of(values, [](float v) { return v < 0; }) &&
               llvm::any_of(values, [](float v) { return v > 0; });
  if ((strict || most > 1) && (!mixed || values.size() < 4 * shown))
    return std::nullopt;

  auto build = [&](ArrayRef<int64_t> ratios,
                   ArrayRef<Floats> scalars) -> Cascade {
    int64_t planes = ratios.empty() ? scalars.front().size() : ratios.size();
    auto quantized =
        SBTensorType::get(tensor.getContext(), type.getShape(), planes, ratios,
                          /*axes=*/{0}, /*hasOffset=*/false);
    SmallVector<float> table;
    for (size_t plane = 0; plane < scalars.front().size(); ++plane)
      for (const Floats &own : scalars)
        table.push_back(own[plane]);
    Cascade cascade;
    cascade.input = tensor;
    cascade.scalars = DenseElementsAttr::get(quantized.getScalarsType(),
                                             ArrayRef<float>(table));
    cascade.type = quantized;
    return cascade;
  };
  // Ternary: the greater of two magnitudes is 2v, and the other is 0.
  SmallVector<Floats> scalars;
  bool ternary = most == 2;
  for (const Floats &own : magnitudes) {
    float v = own.front() / 2;
    ternary &= (own.size() == 1 || own.back() == 0) && v * 2 == own.front();
    scalars.push_back({v});
  }
  if (ternary)
    return build({1, 1}, scalars);
  for (int planes = 1; planes <= kMaxPlanes; ++planes) {
    scalars.clear();
    for (const Floats &own : magnitudes) {
      scalars.push_back(fit(own, planes));
      if (scalars.back().empty())
        break;
    }
    if (scalars.size() == magnitudes.size() && !scalars.back().empty())
      return build({}, scalars);
  }
  return std::nullopt;
}
