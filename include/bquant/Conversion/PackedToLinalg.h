//===- PackedToLinalg.h - Products of packed values to linalg ---*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_PACKEDTOLINALG_H
#define BQUANT_CONVERSION_PACKEDTOLINALG_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace bquant {

/// `bquant.float_product` to `linalg.generic`; of words, with
/// `bquant_packed.unpack` before it.
void populateDecomposeFloatProductPatterns(mlir::RewritePatternSet &patterns);

/// `bquant.packed_product` to `linalg.generic`, by what its kernel says that a
/// step means.
void populateDecomposePackedProductPatterns(mlir::RewritePatternSet &patterns);

void populateDecomposeTableProductPatterns(mlir::RewritePatternSet &patterns);

} // namespace bquant

#endif // BQUANT_CONVERSION_PACKEDTOLINALG_H
