//===- Passes.td - Conversions -----------------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder each.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_PASSES_TD
#define BQUANT_CONVERSION_PASSES_TD

include "bquant/Conversion/TosaToLinalg/Passes.td"
include "bquant/Conversion/LinalgToProduct/Passes.td"
include "bquant/Conversion/BQuantToPacked/Passes.td"
include "bquant/Conversion/BQuantToReference/Passes.td"
include "bquant/Conversion/PackedToLinalg/Passes.td"
include "bquant/Conversion/SolveToRuntime/Passes.td"

#endif // BQUANT_CONVERSION_PASSES_TD
