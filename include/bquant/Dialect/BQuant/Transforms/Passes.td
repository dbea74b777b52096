//===- Passes.td - Passes on bquant ops --------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_TD

include "bquant/Dialect/BQuant/Transforms/SetTarget/Passes.td"
include "bquant/Dialect/BQuant/Transforms/BatchToSample/Passes.td"
include "bquant/Dialect/BQuant/Transforms/Raise/Passes.td"
include "bquant/Dialect/BQuant/Transforms/Decide/Passes.td"
include "bquant/Dialect/BQuant/Transforms/Solve/Passes.td"
include "bquant/Dialect/BQuant/Transforms/Fold/Passes.td"

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_TD
