//===- MatchLevelFilter.h - Constant filters of a few levels ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELFILTER_H
#define BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELFILTER_H

#include "MatchCascade.h"

namespace bquant {

/// Whether the elements of a constant are not mostly nothing beside the largest
/// of their filter, as those of a permutation or a centering are: planes take a
/// small sum of floats as the difference of large ones.
bool isDenseFilter(mlir::Value tensor);

/// A constant that is quantized already, to levels that are not alike on both
/// sides of zero: for each index of the first dimension its elements are
///
///   two values, c - v and c + v (AdaBin), or
///   a, 0 and -b, of scales of their own (TTQ).
///
/// What the planes stand for may differ from them by the rounding of a sum.
/// `strict`: of many elements a filter.
std::optional<Cascade> matchSkewedFilter(mlir::Value tensor, bool strict);

/// A constant whose elements are, for each index of the first dimension, sums
/// of a few signs by scalars of their own, up to the rounding of such a sum: of
/// four planes at most (LS-k, GF-k, LQ-Net), or of one for each step between
/// six levels at most (ABC-Net).
std::optional<Cascade> matchSignSumFilter(mlir::Value tensor);

/// A constant whose elements are whole multiples of a step, of the tensor or
/// for each index of its first dimension, and in a range of at most 256: what
/// integers of 8 bits, a scale and a zero point come to. `lhs` is what it is
/// multiplied by, of one scalar; sums that an i32 may not hold are left.
/// `strict`: they are off by the rounding of the scale alone, and not by that
/// of a residue, too.
std::optional<Cascade> matchUniformFilter(mlir::Value tensor, SBTensorType lhs,
                                          bool strict);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_MATCHLEVELFILTER_H
