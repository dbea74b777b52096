//===- NegativePads.h - Pads that leave elements out ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_NEGATIVEPADS_H
#define BQUANT_LIB_SUPPORT_NEGATIVEPADS_H

#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// tensor.pad by less than nothing becomes a slice of its source, and a pad by
/// at least nothing of that. Upstream's patterns insert the source at a
/// negative offset instead.
void populateSplitNegativePadPatterns(mlir::RewritePatternSet &patterns,
                                      mlir::PatternBenefit benefit = 1);

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_NEGATIVEPADS_H
