//===- Reciprocal.h - Division by a multiplication and an fma ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RECIPROCAL_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RECIPROCAL_H

#include <optional>

namespace bquant {

/// The reciprocal of a number as a sum.
struct Reciprocal {
  float high, low;
};

/// A reciprocal by which fma(x, high, x * low), or x * high where `low` is 0,
/// rounded to a whole number, is x / divisor for every float x, NaN and both
/// infinities and zeros included; if there is one.
std::optional<Reciprocal> findReciprocal(float divisor);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_RECIPROCAL_H
