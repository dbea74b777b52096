//===- Quantize.h - Quantize an array ---------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row-major f32 array is quantized in two steps: solveScalars finds the
// scalars of each group, applyScalars computes planes, decoded values and the
// error from scalars, however they were found. quantize does both.
//
// Layouts, with k planes and C the last dimension:
//   scalars  f32  [numScalars, axes...]: one row a scalar, groups row-major
//   words    u32  [k, shape[:-1]..., ceil(C / 32)]: channel c is bit c mod 32
//                 of word c div 32, 1 for +1; unused bits are 0
//   signs    i8   [k, shape...], +1 or -1
//
// Groups and rows are worked on in parallel; results do not depend on the
// number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_QUANTIZE_H
#define BQUANT_QUANT_QUANTIZE_H

#include "bquant/Quant/Grouping.h"
#include "bquant/Quant/Scheme.h"

#include <cstdint>
#include <vector>

namespace bquant::quant {

/// How well x^q fits x, over the whole array, in double.
struct Fit {
  /// ||x - x^q||^2 / ||x||^2; 0 where x is all zero.
  double error = 0;
  /// The angle between x and x^q in degrees; 0 where both are all zero, 90
  /// where one is.
  double angle = 0;
};

/// Solves the scalars of every group and writes them, [numScalars, groups].
/// Returns the number of groups that are all zero, whose scalars are 0: worth a
/// warning. Fails for NaN and Inf in `x` and for a scheme of rule Given.
Result<int64_t> solveScalars(const float *x, const Grouping &grouping,
                             const Scheme &scheme, float *scalars,
                             unsigned threads = 1);

/// Where applyScalars writes to; what is null is not computed.
struct Outputs {
  uint32_t *words = nullptr;
  int8_t *signs = nullptr;
  /// The decoded values, f32, in the array's shape.
  float *decoded = nullptr;
};

/// Computes the sign cascade with the f32 `scalars`, [numScalars, groups].
/// Fails for NaN and Inf in `x`, and for scalars that are not finite or less
/// than 0.
Result<Fit> applyScalars(const float *x, const Grouping &grouping,
                         const Planes &planes, const float *scalars,
                         const Outputs &outputs, unsigned threads = 1);

/// The number of 32-bit words of all planes.
int64_t numWords(const Grouping &grouping, const Planes &planes);

/// A quantized array.
struct Quantized {
  Planes planes;
  std::vector<int64_t> shape, axes;
  /// [planes.numScalars(), groups]
  std::vector<float> scalars;
  /// [planes.count, shape[:-1]..., ceil(C / 32)]
  std::vector<uint32_t> words;
  Fit fit;
  /// Groups whose values are all zero.
  int64_t zeroGroups = 0;

  /// The planes as int8 +1 and -1, [planes.count, shape...].
  std::vector<int8_t> signs() const;
};

/// Solves and applies. `scalars` are those of a scheme of rule Given,
/// [numScalars, groups], and empty otherwise.
Result<Quantized> quantize(const float *x, const Grouping &grouping,
                           const Scheme &scheme, unsigned threads = 1,
                           const std::vector<float> &scalars = {});

} // namespace bquant::quant

#endif // BQUANT_QUANT_QUANTIZE_H
