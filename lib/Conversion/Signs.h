//===- Signs.h - Scaled-binary values as i8 signs ---------------*- C++ -*-===//
// Private to lib/Conversion: the reference lowering, as functions, since
// --convert-bquant-to-words takes it for the ops that it has no words for.

#ifndef BQUANT_LIB_CONVERSION_SIGNS_H
#define BQUANT_LIB_CONVERSION_SIGNS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// A value as one tensor of i8 signs, +1 and -1, a plane.
struct Signs {
  SBTensorType type;
  mlir::SmallVector<mlir::Value> planes;
  mlir::Value scalars;
  mlir::Value offset; // Null where the type has none.
};

/// What 1:N conversion of `type` gave: planes, scalars, offset.
Signs getSigns(SBTensorType type, mlir::ValueRange parts);

/// The same as an array, for a replacement.
mlir::SmallVector<mlir::Value> getParts(const Signs &signs);

/// The signs of packed words: bit 1 is +1, bit 0 is -1.
mlir::Value createSigns(mlir::ImplicitLocOpBuilder &b,
                        mlir::RankedTensorType type,
                        mlir::ArrayRef<uint32_t> words);

/// The products in plain loops, plane pair by plane pair. `floats` is the input
/// where it is of f32, else `signs` is.
mlir::Value createConv2D(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                         mlir::Value floats, const Signs *signs,
                         const Signs &filter);
mlir::Value createMatmul(mlir::ImplicitLocOpBuilder &b, MatmulOp op,
                         mlir::Value floats, const Signs *signs,
                         const Signs &rhs);

/// The maximum of codes in plain loops.
Signs createMaxPool2D(mlir::ImplicitLocOpBuilder &b, MaxPool2DOp op,
                      const Signs &input);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_SIGNS_H
