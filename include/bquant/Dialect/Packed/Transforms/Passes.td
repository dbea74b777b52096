//===- Passes.td - Passes on packed values and layers ------*- tablegen -*-===//
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

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_TD

include "bquant/Dialect/Packed/Transforms/SelectKernels/Passes.td"
include "bquant/Dialect/Packed/Transforms/FloatProducts/Passes.td"
include "bquant/Dialect/Packed/Transforms/FormLayers/Passes.td"
include "bquant/Dialect/Packed/Transforms/Tile/Passes.td"
include "bquant/Dialect/Packed/Transforms/Vectorize/Passes.td"
include "bquant/Dialect/Packed/Transforms/Bufferize/Passes.td"

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_TD
