//===- Layers.h - The layers of a network -----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_LAYERS_H
#define BQUANT_LIB_ANALYSIS_LAYERS_H

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "mlir/IR/Operation.h"

namespace bquant {

/// The layers below `root`, products still being bquant's and linalg's
/// operations, in the order of the program. `reference`: bits are what the
/// reference computes with, and keeps as bytes. `addDecisions` puts in what its
/// caller knows besides: the kernel and what follows from it.
std::vector<LayerFacts> describeLayers(
    mlir::Operation *root, bool reference,
    llvm::function_ref<void(mlir::Operation *layer, LayerFacts &facts)>
        addDecisions = {});

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_LAYERS_H
