//===- CompareSelected.h - Selections by sign as maxima ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to --bquant-vectorize.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_COMPARESELECTED_H
#define BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_COMPARESELECTED_H

#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// x > 0 ? x : c x is x > c x ? x : c x for a c between 0 and 1.
void populateCompareSelectedPatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_VECTORIZE_COMPARESELECTED_H
