//===- Passes.h - Conversions from bquant -----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_PASSES_H
#define BQUANT_CONVERSION_PASSES_H

#include "bquant/Support/Explain.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace bquant {
#define GEN_PASS_DECL
#include "bquant/Conversion/Passes.h.inc"

/// Scaled-binary values to i8 tensors of signs, one a plane, then the scalars,
/// then the offset where there is one.
void populateBQuantToReferenceConversions(mlir::TypeConverter &converter);

/// Every bquant op with values to plain linalg on i8 and i32. Ops that
/// `verifySolvable` refuses are left.
void populateBQuantToReferencePatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);

/// Fails if neither of the two lowerings can take `op`: a quantize whose scheme
/// cannot be solved at run time.
llvm::LogicalResult verifySolvable(mlir::Operation *op,
                                   ExplainFn explain = silently);

/// `bquant_packed.pack` and `bquant_packed.unpack` to linalg, one bit at a
/// time.
void populateLowerPackPatterns(mlir::RewritePatternSet &patterns);

/// Of `--bquant-lower-relayouts`.
void populateLowerRelayoutPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_REGISTRATION
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_CONVERSION_PASSES_H
