//===- Quantize.h - Quantize an array ---------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row-major f32 array is quantized in two steps: solveParameters finds the
// scalars of each group and what else the planes depend on, applyParameters
// computes planes, decoded values and the error from such parameters, however
// they were found. quantize does both.
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
#include <optional>
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

/// What quantizes an array: rows over its groups, [rows, groups].
struct Parameters {
  /// [planes.numScalars(), groups]
  std::vector<float> scalars;
  /// [groups]; empty stands for 0.
  std::vector<float> offsets;
  /// [2^k - 1, groups], ascending, and [2^k, groups]: the number of thresholds
  /// that are at most x selects the code, whose bits are the planes, plane 1
  /// the highest. Both are empty where the sign cascade gives the planes.
  std::vector<float> thresholds;
  std::vector<uint8_t> codes;
};

/// Solves every group. Returns the number of groups that are all zero and whose
/// scalars are 0: worth a warning. Fails for NaN and Inf in `x` and for a
/// scheme of rule Given. Where `copy` is not null, it gets a copy of the
/// values, made while they are in the cache.
Result<int64_t> solveParameters(const float *x, const Grouping &grouping,
                                const Scheme &scheme, Parameters &parameters,
                                unsigned threads = 1, float *copy = nullptr);

/// Where applyParameters writes to; what is null is not computed.
struct Outputs {
  uint32_t *words = nullptr;
  int8_t *signs = nullptr;
  /// The decoded values, f32, in the array's shape.
  float *decoded = nullptr;
  Fit *fit = nullptr;
};

/// Computes the planes and what follows from them. Fails for NaN and Inf in
/// `x`, for parameters of other sizes than the planes need, scalars that are
/// not finite or less than 0, offsets that are not finite, thresholds that do
/// not ascend and codes of more bits than planes, and for decoded values that
/// f32 does not hold: without outputs this is all it does.
std::optional<Failure> applyParameters(const float *x, const Grouping &grouping,
                                       const Planes &planes,
                                       const Parameters &parameters,
                                       const Outputs &outputs,
                                       unsigned threads = 1);

/// The number of 32-bit words of all planes.
int64_t numWords(const Grouping &grouping, const Planes &planes);

/// A quantized array.
struct Quantized {
  Planes planes;
  std::vector<int64_t> shape, axes;
  Parameters parameters;
  /// [planes.count, shape[:-1]..., ceil(C / 32)]
  std::vector<uint32_t> words;
  Fit fit;
  /// Groups whose values are all zero.
  int64_t zeroGroups = 0;

  /// The planes as int8 +1 and -1, [planes.count, shape...].
  std::vector<int8_t> signs() const;
};

/// Solves and applies. `given` are the parameters of a scheme of rule Given;
/// those of other schemes are solved, and `given` has no scalars.
Result<Quantized> quantize(const float *x, const Grouping &grouping,
                           const Scheme &scheme, unsigned threads = 1,
                           const Parameters &given = {});

} // namespace bquant::quant

#endif // BQUANT_QUANT_QUANTIZE_H
