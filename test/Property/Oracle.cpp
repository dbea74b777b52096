//===- Oracle.cpp - The meaning of the ops, on plain arrays ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#pragma STDC FP_CONTRACT OFF

using namespace bquant::test;

int64_t bquant::test::count(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

int64_t bquant::test::findDifference(const Array &expected, const Array &got) {
  for (int64_t n = 0; n < count(expected.shape); ++n) {
    if (expected.isInt) {
      if (expected.ints[n] != got.ints[n])
        return n;
      continue;
    }
    float a = expected.floats[n], b = got.floats[n];
    if (llvm::bit_cast<uint32_t>(a) != llvm::bit_cast<uint32_t>(b) &&
        !(std::isnan(a) && std::isnan(b)))
      return n;
  }
  return -1;
}

std::vector<Array> bquant::test::paint(std::vector<Array> outputs) {
  for (Array &output : outputs) {
    std::fill(output.floats.begin(), output.floats.end(), -12345.678f);
    std::fill(output.ints.begin(), output.ints.end(), -1234567);
  }
  return outputs;
}

int64_t Codes::axisSize() const {
  int64_t size = 1;
  for (int64_t axis : axes)
    size *= shape[axis];
  return size;
}

int64_t Codes::alongAxes(int64_t index) const {
  int64_t at = 0, stride = 1;
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    if (std::find(axes.begin(), axes.end(), int64_t(d)) != axes.end()) {
      at += index % shape[d] * stride;
      stride *= shape[d];
    }
  return at;
}

Codes bquant::test::quantizeByScalars(const Array &x, Codes type) {
  type.shape = x.shape;
  type.codes.clear();
  for (int64_t n = 0; n < count(x.shape); ++n) {
    float r = x.floats[n];
    uint8_t code = 0;
    for (int64_t i = 0; i < type.planes; ++i) {
      float v = type.scalar(type.ratios.empty() ? i : 0, type.alongAxes(n));
      if (!type.ratios.empty())
        v = float(type.ratios[i]) * v;
      bool up = r >= 0;
      code = code << 1 | uint8_t(up);
      r = up ? r - v : r + v;
    }
    type.codes.push_back(code);
  }
  return type;
}

Codes bquant::test::quantizeByThresholds(const Array &x,
                                         const Array &thresholds,
                                         const std::vector<int64_t> &table,
                                         Codes type) {
  type.shape = x.shape;
  type.codes.clear();
  int64_t rows = thresholds.shape.size() == 2 ? thresholds.shape[0] : 1;
  int64_t each = thresholds.shape.back();
  for (int64_t n = 0; n < count(x.shape); ++n) {
    int64_t first = rows == 1 && thresholds.shape.size() == 1
                        ? 0
                        : n % x.shape.back() * each;
    int64_t rank = 0;
    for (int64_t t = first; t < first + each; ++t)
      rank += x.isInt ? thresholds.ints[t] <= x.ints[n]
                      : thresholds.floats[t] <= x.floats[n];
    type.codes.push_back(uint8_t(table[rank]));
  }
  return type;
}

Array bquant::test::dequantize(const Codes &q) {
  Array y{q.shape, false, {}, {}};
  for (int64_t n = 0; n < count(q.shape); ++n) {
    int64_t at = q.alongAxes(n);
    std::vector<float> terms;
    if (!q.offset.empty())
      terms.push_back(q.offset[at]);
    int64_t m = 0;
    for (int64_t i = 0; i < q.planes; ++i) {
      if (q.ratios.empty())
        terms.push_back(q.scalar(i, at) * float(q.sign(n, i)));
      else
        m += q.ratios[i] * q.sign(n, i);
    }
    if (!q.ratios.empty())
      terms.push_back(q.scalar(0, at) * float(m));
    float sum = terms[0];
    for (size_t i = 1; i < terms.size(); ++i)
      sum = sum + terms[i];
    y.floats.push_back(sum);
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// One tap of a sum: element `rhs` of the right-hand side by element `lhs` of
/// the left-hand one, or by a padded position (-1).
struct Tap {
  int64_t lhs, rhs;
};
} // namespace

/// `sum + x * w`, rounded once or twice.
static float addProduct(float x, float w, float sum, bool fused) {
  if (fused)
    return std::fma(x, w, sum);
  float product = x * w;
  return sum + product;
}

Array bquant::test::matmul(const Array &x, const Array &w, bool fused) {
  int64_t rows = x.shape[0], depth = x.shape[1], columns = w.shape[1];
  Array y{{rows, columns}, false, {}, {}};
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t n = 0; n < columns; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum = addProduct(x.floats[m * depth + k], w.floats[k * columns + n],
                         sum, fused);
      y.floats.push_back(sum);
    }
  return y;
}

/// Plane `plane` alone, a few channels at a time.
static float sumGroups(const std::vector<Tap> &taps, const Array &floats,
                       const Codes &rhs, int64_t plane, int64_t terms) {
  int64_t channels = rhs.shape.back();
  float sum = 0;
  for (size_t first = 0; first < taps.size(); first += channels) {
    if (taps[first].lhs < 0)
      continue;
    for (int64_t c = 0; c < channels; c += terms) {
      float group = 0;
      for (int64_t k = c; k < std::min(c + terms, channels); ++k) {
        const Tap &tap = taps[first + k];
        int64_t sign = rhs.sign(tap.rhs, plane);
        // A ternary 0 is +1, then -1.
        if (rhs.ratios == std::vector<int64_t>{1, 1} &&
            rhs.sign(tap.rhs, 0) != rhs.sign(tap.rhs, 1))
          sign = plane == 0 ? 1 : -1;
        float term = floats.floats[tap.lhs] * float(sign);
        group = k == c ? term : group + term;
      }
      sum = sum + group;
    }
  }
  return sum;
}

static float sumGroups(const std::vector<Tap> &taps, const Array &floats,
                       const Codes &rhs, int64_t scalar, SumOrder order) {
  if (rhs.ratios.empty())
    return sumGroups(taps, floats, rhs, scalar, order.terms);
  float sum = 0;
  for (int64_t p = 0; p < rhs.planes; ++p) {
    float term =
        float(rhs.ratios[p]) * sumGroups(taps, floats, rhs, p, order.terms);
    sum = p == 0 ? term : sum + term;
  }
  return sum;
}

/// One element of a product by the planes of `rhs`. The first elements of the
/// operands tell its place along their axes.
static void addElementOfPlanes(Array &result, const std::vector<Tap> &taps,
                               const Codes *codes, const Array *floats,
                               const Codes &rhs, int64_t padValue,
                               int64_t lhsFirst, int64_t rhsFirst,
                               SumOrder order) {
  int64_t x = codes ? codes->alongAxes(lhsFirst) : 0;
  int64_t y = rhs.alongAxes(rhsFirst);
  if (!codes) {
    float sum = 0;
    for (int64_t j = 0; j < rhs.numScalars(); ++j) {
      float dot = 0;
      if (order.terms > 1)
        dot = sumGroups(taps, *floats, rhs, j, order);
      for (size_t t = 0; order.terms == 1 && t < taps.size(); ++t) {
        const Tap &tap = taps[t];
        int64_t m = rhs.sign(tap.rhs, j);
        if (!rhs.ratios.empty()) {
          m = 0;
          for (int64_t p = 0; p < rhs.planes; ++p)
            m += rhs.ratios[p] * rhs.sign(tap.rhs, p);
        }
        if (tap.lhs >= 0)
          dot = addProduct(floats->floats[tap.lhs], float(m), dot, order.fused);
      }
      float term = rhs.scalar(j, y) * dot;
      sum = j == 0 ? term : sum + term;
    }
    result.floats.push_back(sum);
    return;
  }
  auto dot = [&](int64_t i, int64_t j) {
    int64_t sum = 0;
    for (const Tap &tap : taps)
      sum += (tap.lhs < 0 ? padValue : codes->sign(tap.lhs, i)) *
             rhs.sign(tap.rhs, j);
    return sum;
  };
  auto multiple = [](const Codes &side, int64_t i) {
    return side.ratios.empty() ? 1 : side.ratios[i];
  };
  // Sums of dots over the planes that share a scalar.
  std::vector<int64_t> sums(codes->numScalars() * rhs.numScalars(), 0);
  for (int64_t i = 0; i < codes->planes; ++i)
    for (int64_t j = 0; j < rhs.planes; ++j)
      sums[(codes->ratios.empty() ? i : 0) * rhs.numScalars() +
           (rhs.ratios.empty() ? j : 0)] +=
          multiple(*codes, i) * multiple(rhs, j) * dot(i, j);
  if (result.isInt) {
    result.ints.push_back(int32_t(sums[0]));
    return;
  }
  std::vector<float> terms;
  // The offset is at all positions but those that are padded with 0.
  for (int64_t j = 0; !codes->offset.empty() && j < rhs.numScalars(); ++j) {
    int64_t sum = 0;
    for (const Tap &tap : taps)
      for (int64_t p = 0; p < rhs.planes; ++p)
        if ((tap.lhs >= 0 || padValue == 1) && (!rhs.ratios.empty() || p == j))
          sum += multiple(rhs, p) * rhs.sign(tap.rhs, p);
    float factor = codes->offset[x] * rhs.scalar(j, y);
    terms.push_back(factor * float(int32_t(sum)));
  }
  for (int64_t i = 0; i < codes->numScalars(); ++i)
    for (int64_t j = 0; j < rhs.numScalars(); ++j) {
      float factor = codes->scalar(i, x) * rhs.scalar(j, y);
      terms.push_back(factor * float(int32_t(sums[i * rhs.numScalars() + j])));
    }
  float total = terms[0];
  for (size_t n = 1; n < terms.size(); ++n)
    total = total + terms[n];
  result.floats.push_back(total);
}

/// The same with the offset of `rhs`: times the product by +1.
static void addElement(Array &result, const std::vector<Tap> &taps,
                       const Codes *codes, const Array *floats,
                       const Codes &rhs, int64_t padValue, int64_t lhsFirst,
                       int64_t rhsFirst, SumOrder order) {
  addElementOfPlanes(result, taps, codes, floats, rhs, padValue, lhsFirst,
                     rhsFirst, order);
  if (rhs.offset.empty())
    return;
  Codes ones;
  ones.shape = rhs.shape;
  ones.codes.assign(rhs.codes.size(), 1);
  ones.scalars = {1};
  Array sum{{}, false, {}, {}};
  addElementOfPlanes(sum, taps, codes, floats, ones, padValue, lhsFirst,
                     rhsFirst, order);
  float term = rhs.offset[rhs.alongAxes(rhsFirst)] * sum.floats[0];
  result.floats.back() = result.floats.back() + term;
}

int64_t bquant::test::outputSize(const Geometry &g, int d, int64_t size,
                                 int64_t taps) {
  int64_t room = size + g.pads[2 * d] + g.pads[2 * d + 1] -
                 (g.dilations[d] * (taps - 1) + 1);
  return room < 0 ? 0 : room / g.strides[d] + 1;
}

Array bquant::test::conv2d(const Codes *codes, const Array *floats,
                           const Codes &filter, const Geometry &g, bool isInt,
                           SumOrder order) {
  const Shape &in = codes ? codes->shape : floats->shape;
  const Shape &f = filter.shape;
  Array y{{in[0], outputSize(g, 0, in[1], f[1]), outputSize(g, 1, in[2], f[2]),
           f[0]},
          isInt,
          {},
          {}};
  std::vector<Tap> taps;
  for (int64_t n = 0; n < in[0]; ++n)
    for (int64_t oh = 0; oh < y.shape[1]; ++oh)
      for (int64_t ow = 0; ow < y.shape[2]; ++ow)
        for (int64_t o = 0; o < f[0]; ++o) {
          taps.clear();
          int64_t first = o / (f[0] / g.groups) * f[3];
          for (int64_t i = 0; i < f[1]; ++i)
            for (int64_t j = 0; j < f[2]; ++j)
              for (int64_t c = 0; c < f[3]; ++c) {
                int64_t h = oh * g.strides[0] + i * g.dilations[0] - g.pads[0];
                int64_t w = ow * g.strides[1] + j * g.dilations[1] - g.pads[2];
                bool inside = h >= 0 && h < in[1] && w >= 0 && w < in[2];
                taps.push_back(
                    {inside ? ((n * in[1] + h) * in[2] + w) * in[3] + first + c
                            : -1,
                     ((o * f[1] + i) * f[2] + j) * f[3] + c});
              }
          addElement(y, taps, codes, floats, filter, g.padValue,
                     n * in[1] * in[2] * in[3], o * f[1] * f[2] * f[3], order);
        }
  return y;
}

Array bquant::test::matmul(const Codes *codes, const Array *floats,
                           const Codes &rhs, bool isInt, SumOrder order) {
  const Shape &in = codes ? codes->shape : floats->shape;
  bool batched = in.size() == 3;
  int64_t batch = batched ? in[0] : 1, rows = in[in.size() - 2],
          depth = in.back(), columns = rhs.shape[rhs.shape.size() - 2];
  Array y{in, isInt, {}, {}};
  y.shape.back() = columns;
  std::vector<Tap> taps(depth);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n) {
        for (int64_t k = 0; k < depth; ++k)
          taps[k] = {(b * rows + m) * depth + k, (b * columns + n) * depth + k};
        addElement(y, taps, codes, floats, rhs, 0, taps[0].lhs, taps[0].rhs,
                   order);
      }
  return y;
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// For each window the elements of `in` that it holds.
static void
forEachWindow(const Shape &in, Shape &out, const int64_t window[2],
              const Geometry &g,
              const std::function<void(const std::vector<int64_t> &)> &visit) {
  out = in;
  out[1] = outputSize(g, 0, in[1], window[0]);
  out[2] = outputSize(g, 1, in[2], window[1]);
  std::vector<int64_t> held;
  for (int64_t n = 0; n < out[0]; ++n)
    for (int64_t oh = 0; oh < out[1]; ++oh)
      for (int64_t ow = 0; ow < out[2]; ++ow)
        for (int64_t c = 0; c < out[3]; ++c) {
          held.clear();
          for (int64_t i = 0; i < window[0]; ++i)
            for (int64_t j = 0; j < window[1]; ++j) {
              int64_t h = oh * g.strides[0] + i * g.dilations[0] - g.pads[0];
              int64_t w = ow * g.strides[1] + j * g.dilations[1] - g.pads[2];
              if (h >= 0 && h < in[1] && w >= 0 && w < in[2])
                held.push_back(((n * in[1] + h) * in[2] + w) * in[3] + c);
            }
          visit(held);
        }
}

Codes bquant::test::maxPool2d(const Codes &q, const int64_t window[2],
                              const Geometry &g) {
  Codes y = q;
  y.codes.clear();
  forEachWindow(q.shape, y.shape, window, g, [&](const auto &held) {
    uint8_t best = 0;
    for (int64_t at : held)
      best = std::max(best, q.codes[at]);
    y.codes.push_back(best);
  });
  return y;
}

Array bquant::test::maxPool2d(const Array &x, const int64_t window[2],
                              const Geometry &g) {
  Array y{{}, false, {}, {}};
  forEachWindow(x.shape, y.shape, window, g, [&](const auto &held) {
    float best = x.floats[held.front()];
    for (int64_t at : held) {
      float v = x.floats[at];
      if (std::isnan(v) || v > best ||
          (v == best && std::signbit(best) && !std::signbit(v)))
        best = v;
      if (std::isnan(best))
        break;
    }
    y.floats.push_back(best);
  });
  return y;
}

Array bquant::test::sumPool2d(const Array &x, const int64_t window[2],
                              const Geometry &g) {
  Array y{{}, false, {}, {}};
  forEachWindow(x.shape, y.shape, window, g, [&](const auto &held) {
    float sum = 0;
    for (int64_t at : held)
      sum = sum + x.floats[at];
    y.floats.push_back(sum);
  });
  return y;
}
