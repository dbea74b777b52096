//===- FindLayers.h - Which ops share a loop nest ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_FINDLAYERS_H
#define BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_FINDLAYERS_H

#include "Dialect/Packed/Transforms/Tile/TileLayers.h"

namespace bquant {

/// The layers of a block, last to first.
std::vector<Layer> findLayers(mlir::Block &block);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_TRANSFORMS_FORMLAYERS_FINDLAYERS_H
