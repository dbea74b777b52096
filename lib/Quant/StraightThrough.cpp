//===- StraightThrough.cpp - The cascade in training ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/StraightThrough.h"

#include "WithPlanes.h"

using namespace bquant::quant;

namespace {
/// The scalars of one group, as the loops over its values take them.
template <int K> struct Scalars {
  float v[K];

  BQUANT_INLINE Scalars(const CascadeArray &x, int64_t group) {
    for (int i = 0; i < K; ++i)
      v[i] = x.scalars[(x.isTernary ? 0 : i) * x.groups + group];
  }
};
} // namespace

/// As torch.clamp: NaN stays.
static BQUANT_INLINE float clamped(float x, float bound) {
  float y = x < -bound ? -bound : x;
  return y > bound ? bound : y;
}

template <int K>
static BQUANT_INLINE void cascadeOf(const CascadeArray &x, float *out) {
  for (int64_t group = 0; group < x.groups; ++group) {
    Scalars<K> scalars(x, group);
    const float *values = x.values + group * x.size;
    float *to = out + group * x.size;
    for (int64_t i = 0; i < x.size; ++i) {
      float r = clamped(values[i], x.clamp), sum = 0;
      for (int k = 0; k < K; ++k) {
        float term = r >= 0.0f ? scalars.v[k] : -scalars.v[k];
        sum = k == 0 ? term : sum + term;
        r -= term;
      }
      to[i] = sum;
    }
  }
}

template <Slope S> static BQUANT_INLINE float slopeAt(float r) {
  // Torch's hardtanh has a slope of 0 at its bounds, the sign one of 1.
  float magnitude = __builtin_fabsf(r);
  if constexpr (S == Slope::ApproxSign)
    return magnitude <= 1.0f ? 2.0f - 2.0f * magnitude : 0.0f;
  return magnitude <= 1.0f ? 1.0f : 0.0f;
}

template <int K, Slope S>
static BQUANT_INLINE void gradientOf(const CascadeArray &x,
                                     const float *gradient, float *out) {
  for (int64_t group = 0; group < x.groups; ++group) {
    Scalars<K> scalars(x, group);
    const float *values = x.values + group * x.size;
    const float *from = gradient + group * x.size;
    float *to = out + group * x.size;
    for (int64_t i = 0; i < x.size; ++i) {
      float r = clamped(values[i], x.clamp), rest = 1.0f, sum = 0.0f;
      for (int k = 0; k < K && S != Slope::Identity; ++k) {
        float part = scalars.v[k] * slopeAt<S>(r) * rest;
        r -= r >= 0.0f ? scalars.v[k] : -scalars.v[k];
        rest -= part;
        sum += part;
      }
      if (S == Slope::Identity)
        sum = 1.0f;
      to[i] = __builtin_fabsf(values[i]) <= x.clamp ? from[i] * sum : 0.0f;
    }
  }
}

BQUANT_VECTOR_CLONES
void bquant::quant::cascade(const CascadeArray &x, float *out) {
  withPlanes(x.planes, [&](auto planes) __attribute__((always_inline)) {
    cascadeOf<planes>(x, out);
  });
}

BQUANT_VECTOR_CLONES
void bquant::quant::cascadeGradient(const CascadeArray &x, Slope slope,
                                    const float *gradient, float *out) {
  withPlanes(x.planes, [&](auto planes) __attribute__((always_inline)) {
    switch (slope) {
    case Slope::HardTanh:
      return gradientOf<planes, Slope::HardTanh>(x, gradient, out);
    case Slope::Identity:
      return gradientOf<planes, Slope::Identity>(x, gradient, out);
    case Slope::ApproxSign:
      return gradientOf<planes, Slope::ApproxSign>(x, gradient, out);
    }
  });
}
