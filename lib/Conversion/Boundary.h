//===- Boundary.h - Where converted values meet others ----------*- C++ -*-===//
// Private to lib/Conversion.

#ifndef BQUANT_LIB_CONVERSION_BOUNDARY_H
#define BQUANT_LIB_CONVERSION_BOUNDARY_H

#include "mlir/Transforms/DialectConversion.h"

namespace bquant {

/// Fails, with an error at the op, unless scaled-binary values go from bquant
/// ops to bquant ops only. `constraint` numbers the message.
llvm::LogicalResult checkUses(mlir::Operation *root,
                              llvm::StringRef constraint);

/// Casts between a value and its parts, where an op stays unconverted.
void addPartMaterializations(mlir::TypeConverter &converter);

/// Converts the bquant ops below `root` that `getReasonToStay` gives no reason
/// for (an empty string), and remarks on the others.
llvm::LogicalResult convertBQuantOps(
    mlir::Operation *root, const mlir::TypeConverter &converter,
    mlir::RewritePatternSet &&patterns,
    llvm::function_ref<std::string(mlir::Operation *)> getReasonToStay);

/// A missed remark under the category "bquant".
void remarkMissed(mlir::Operation *op, llvm::StringRef name,
                  const llvm::Twine &reason);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BOUNDARY_H
