//===- SumResidualCascade.h - Cascades with r = x - sum of terms -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_SUMRESIDUALCASCADE_H
#define BQUANT_LIB_TRANSFORMS_RAISE_SUMRESIDUALCASCADE_H

#include "MatchCascade.h"

namespace bquant {

/// Takes the remainders from the sum of terms, those of the planes for which
/// `fromSum` says so: `cascade` gets thresholds, or, of a constant, stays as it
/// is if its planes are those of `bquant.quantize`. Fails if it cannot be
/// raised.
llvm::LogicalResult useSumResiduals(Cascade &cascade,
                                    llvm::ArrayRef<bool> fromSum,
                                    ExplainFn explain);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_SUMRESIDUALCASCADE_H
