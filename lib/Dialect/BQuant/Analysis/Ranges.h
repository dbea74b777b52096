//===- Ranges.h - What a value of a chain can be ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_RANGES_H
#define BQUANT_LIB_ANALYSIS_RANGES_H

#include "SwitchPoints.h"

namespace bquant::chains {

/// The range of a node's result, given those of its operands (null where there
/// is none). Rounding is monotone, so bounds computed in f32 hold in f32.
FloatRange findRange(const ChainNode &node, const FloatRange *a,
                     const FloatRange *b, const FloatRange *c);

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_RANGES_H
