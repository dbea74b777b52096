//===- Passes.h - Conversions from bquant -----------------------*- C++ -*-===//

#ifndef BQUANT_CONVERSION_PASSES_H
#define BQUANT_CONVERSION_PASSES_H

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
/// `getReasonWithoutReference` names are left.
void populateBQuantToReferencePatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);

/// Why the reference lowering cannot take `op`; empty if it can.
std::string getReasonWithoutReference(mlir::Operation *op);

#define GEN_PASS_REGISTRATION
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_CONVERSION_PASSES_H
