//===- PackedWords.h - Scaled-binary values as packed words -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion. Planes are tensors of i32 words; ternary values
// travel as mask and sign, whose bit is 0 where the mask's is.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDWORDS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDWORDS_H

#include "Conversion/Common/LoweredValue.h"
#include "Dialect/BQuant/Analysis/Layouts.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// Whether `type` travels as mask and sign.
inline bool isMasked(SBTensorType type) { return type.isTernary(); }

/// Tensors of a value in a layout: one for each plane, or of codes one.
inline int64_t countTensors(SBTensorType type, LayoutAttrInterface layout) {
  return layout.packsPlanes() ? type.getPlanes() : 1;
}

/// The code whose bits are those of the planes.
mlir::Value emitCode(mlir::OpBuilder &b, mlir::Location loc, SBTensorType type,
                     mlir::ArrayRef<mlir::Value> bits);

/// Codes with zeros up to whole fours.
mlir::Value createWholeCodes(mlir::ImplicitLocOpBuilder &b, mlir::Value codes);

/// Codes of bits; of those of mask and sign where `type` travels so.
mlir::Value createCodesOfBits(mlir::ImplicitLocOpBuilder &b, SBTensorType type,
                              mlir::ValueRange bits);

/// Whether a code says the bits of all planes, each by itself.
bool haveBits(SBTensorType type);

/// The bits of codes that have some: of planes, or of mask and sign.
mlir::SmallVector<mlir::Value> createBitsOfCodes(mlir::ImplicitLocOpBuilder &b,
                                                 SBTensorType type,
                                                 mlir::Value codes);

/// Codes of planes that are words.
mlir::Value createCodes(mlir::ImplicitLocOpBuilder &b, SBTensorType type,
                        mlir::ValueRange words);

/// The i1 elements of words of one shape, `elements` along the last dimension.
mlir::SmallVector<mlir::Value> createUnpack(mlir::ImplicitLocOpBuilder &b,
                                            mlir::ValueRange words,
                                            int64_t elements);

/// Words of one shape in each of `layouts`: all planes in the first, then all
/// in the next.
mlir::SmallVector<mlir::Value>
createLayouts(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange words,
              int64_t elements, mlir::ArrayRef<LayoutAttrInterface> layouts);

/// The popcount of `words` over all but the first `keep` dimensions, as i32.
mlir::Value createBitCount(mlir::ImplicitLocOpBuilder &b, mlir::Value words,
                           int64_t keep);

/// `constant + sum_i factor_i * value_i` of i32 tensors of one shape.
mlir::Value createLinear(mlir::ImplicitLocOpBuilder &b, int64_t constant,
                         mlir::ArrayRef<std::pair<int64_t, mlir::Value>> terms);

/// Scaled-binary values to tensors of packed planes (ternary: mask, sign), all
/// of them for each layout of the value, then the scalars, then the offset
/// where there is one.
void populateBQuantToPackedConversions(mlir::TypeConverter &converter,
                                       const LayoutAnalysis &layouts);

/// Every bquant op with values to linalg on packed planes,
/// `bquant_packed.pack`, `bquant_packed.unpack` and `bquant_packed.product`.
/// Products without a kernel and ops that `verifySolvable` refuses are left.
void populateBQuantToPackedPatterns(const mlir::TypeConverter &converter,
                                    mlir::RewritePatternSet &patterns,
                                    const LayoutAnalysis &layouts);

/// The products of words.
mlir::Value createConv2DOfWords(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                                KernelAttrInterface kernel,
                                const LoweredValue &input,
                                const LoweredValue &filter);
mlir::Value createMatmulOfWords(mlir::ImplicitLocOpBuilder &b, MatmulOp op,
                                KernelAttrInterface kernel,
                                const LoweredValue &lhs,
                                const LoweredValue &rhs);
/// The same of a float input.
mlir::Value createConv2DOfFloats(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                                 mlir::Value input, const LoweredValue &filter);
mlir::Value createMatmulOfFloats(mlir::ImplicitLocOpBuilder &b, MatmulOp op,
                                 mlir::Value lhs, const LoweredValue &rhs);
/// Of planes in `layout`.
LoweredValue createMaxPool2DOfPlanes(mlir::ImplicitLocOpBuilder &b,
                                     MaxPool2DOp op, const LoweredValue &input,
                                     LayoutAttrInterface layout);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDWORDS_H
