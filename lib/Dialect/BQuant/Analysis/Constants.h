//===- Constants.h - Constant tensors, read and made ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_CONSTANTS_H
#define BQUANT_LIB_ANALYSIS_CONSTANTS_H

#include "Dialect/BQuant/IR/RawElements.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// Whether `value` is an `arith.constant` of dense elements or a dense
/// resource, or reaches one through tensor.expand_shape, tensor.collapse_shape
/// and linalg.transpose. Resources are no DenseElementsAttr, so no folder takes
/// these ops away.
bool isConstantTensor(mlir::Value value);

/// The f32 values of such a constant, row-major in the shape of `value`; empty
/// if it is none, is not of f32 or its resource holds no such data.
llvm::SmallVector<float> getConstantFloats(mlir::Value value);

/// Words as an attribute of the type: dense elements if they are few, else a
/// dense resource, so that no text of them is printed in decimals and nothing
/// hashes them.
mlir::ElementsAttr getWordsAttr(mlir::RankedTensorType type,
                                llvm::ArrayRef<uint32_t> words);

/// f32 values as dense elements.
mlir::DenseElementsAttr getFloatsAttr(mlir::RankedTensorType type,
                                      llvm::ArrayRef<float> values);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_CONSTANTS_H
