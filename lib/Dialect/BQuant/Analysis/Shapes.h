//===- Shapes.h - What shapes scaled-binary tensors have --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_SHAPES_H
#define BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_SHAPES_H

#include "mlir/Support/LLVM.h"

namespace bquant {

/// Whether a scaled-binary tensor may have such a shape: no dimension is 0,
/// only the first of several is dynamic, and the elements can be counted.
/// Patterns ask before they build a type.
bool canBeScaledBinary(mlir::ArrayRef<int64_t> shape);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_SHAPES_H
