//===- ReshapedTransposes.h - Transposes on both sides of a view -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_RESHAPEDTRANSPOSES_H
#define BQUANT_LIB_TRANSFORMS_RAISE_RESHAPEDTRANSPOSES_H

#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// A transpose of what was transposed before, with dimensions split or joined
/// in between, becomes one.
void populateReshapedTransposePatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_RESHAPEDTRANSPOSES_H
