//===- GenericForms.h - One form for the generics of layers -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_GENERICFORMS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_GENERICFORMS_H

#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// The patterns that fuse an elementwise generic into its only reader, another
/// one that reads each element once.
void populateLayerFusionPatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_GENERICFORMS_H
