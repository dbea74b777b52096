//===- WithPlanes.h - The number of planes as a constant --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_WITHPLANES_H
#define BQUANT_LIB_QUANT_WITHPLANES_H

#include "Lanes.h"
#include "bquant/Quant/Scheme.h"

#include <type_traits>

namespace bquant::quant {
inline namespace BQUANT_SOLVERS {

/// Calls `function` with the number of planes, 1 to 8, as a constant: loops
/// over planes are then unrolled in those over values.
template <int K = 1, typename Function>
BQUANT_INLINE void withPlanes(int64_t planes, Function function) {
  if (planes == K)
    return function(std::integral_constant<int, K>());
  if constexpr (K < Scheme::maxPlanes)
    withPlanes<K + 1>(planes, function);
}

} // namespace BQUANT_SOLVERS
} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_WITHPLANES_H
