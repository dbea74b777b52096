//===- MatchSpelledOutFilter.h - Filters that are multiplied out -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_MATCHSPELLEDOUTFILTER_H
#define BQUANT_LIB_TRANSFORMS_RAISE_MATCHSPELLEDOUTFILTER_H

#include "MatchCascade.h"

namespace bquant {

/// A constant that is quantized already: for each index of the first dimension
/// its elements have few magnitudes, and they are the values, in every bit, of
/// one to three planes (one; ternary; two; three, the first that will do).
/// Magnitudes are never merged, however near they are.
///
/// `strict`: look only at what cannot be chance, both signs and many elements
/// of a filter for each magnitude.
std::optional<Cascade> matchSpelledOutFilter(mlir::Value tensor, bool strict);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_MATCHSPELLEDOUTFILTER_H
