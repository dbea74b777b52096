//===- GenericBuilder.h - Constants, slices and linalg ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib: short ways to write constants, slices and generics.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_IR_GENERICBUILDER_H
#define BQUANT_LIB_DIALECT_BQUANT_IR_GENERICBUILDER_H

#include "RawElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

//===----------------------------------------------------------------------===//
// Constants of 4-byte elements, and slices
//===----------------------------------------------------------------------===//

/// An `arith.constant` of `type`, whose elements have 4 bytes.
mlir::Value createConstant(mlir::ImplicitLocOpBuilder &b,
                           mlir::RankedTensorType type,
                           mlir::ArrayRef<uint32_t> bits);

/// The same of a filter's words. Equal ones become a resource: of dense
/// elements upstream folds slices, and each region of a convolution would keep
/// a filter of its own.
mlir::Value createFilter(mlir::ImplicitLocOpBuilder &b,
                         mlir::RankedTensorType type,
                         mlir::ArrayRef<uint32_t> words);

/// An `arith.constant` of the values of a dense attribute or resource of f32.
/// Resources become dense elements, which folders see.
mlir::Value createFloats(mlir::ImplicitLocOpBuilder &b,
                         mlir::ElementsAttr values);

/// `source[offsets][sizes][strides]` without the leading `dropped` dimensions,
/// which have size 1. A dynamic size means all of the dimension. A slice of a
/// constant is a constant; a slice of all is the source.
mlir::Value createSlice(mlir::ImplicitLocOpBuilder &b, mlir::Value source,
                        mlir::ArrayRef<int64_t> offsets,
                        mlir::ArrayRef<int64_t> sizes,
                        mlir::ArrayRef<int64_t> strides = {},
                        unsigned dropped = 0);

/// `plane` with pads (top, bottom, left, right) of `value` in dimensions 1 and
/// 2.
mlir::Value createPad(mlir::ImplicitLocOpBuilder &b, mlir::Value plane,
                      mlir::ArrayRef<int64_t> pads, mlir::TypedAttr value);

/// `value` with `padding` after dimension `d`, up to `size`.
mlir::Value padTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, unsigned d,
                  int64_t size, mlir::TypedAttr padding);

/// A constant resource as one of `type`, which has as many elements: upstream
/// folds reshapes of dense elements alone. Null of other values.
mlir::Value reshapeResource(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                            mlir::RankedTensorType type);

/// Dimension `d` as dimensions of `sizes`, of which one may be dynamic. A
/// resource stays one.
mlir::Value splitDimension(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                           unsigned d, mlir::ArrayRef<int64_t> sizes);

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

/// The inputs of a generic under construction.
class Inputs {
public:
  Inputs() = default;
  /// Values that have all loops as their dimensions.
  explicit Inputs(mlir::ValueRange values);

  /// What a body reads: a block argument, or a constant.
  class Handle {
  public:
    mlir::Value get(mlir::OpBuilder &b, mlir::Location loc,
                    mlir::ValueRange args) const;

  private:
    friend class Inputs;
    mlir::TypedAttr constant;
    unsigned index = 0;
  };

  Handle add(mlir::Value value, mlir::AffineMap map);

  /// `tensor[row, loops...]` for a tensor of f32 or i32: a constant in the body
  /// where it does not depend on the loops. `rank` is the number of loops.
  Handle addRow(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor, int64_t row,
                mlir::ArrayRef<int64_t> loops, int64_t rank);

  mlir::SmallVector<mlir::Value> values;
  mlir::SmallVector<mlir::AffineMap> maps;
};

using Body = mlir::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// The body of a generic with one result.
using OneBody = mlir::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One parallel loop for each of `sizes`, and a result of each element type, or
/// of the element type and the encoding of a tensor type.
mlir::SmallVector<mlir::Value>
createElementwise(mlir::ImplicitLocOpBuilder &b,
                  mlir::ArrayRef<mlir::OpFoldResult> sizes,
                  mlir::TypeRange elements, const Inputs &inputs, Body body);
mlir::Value createElementwise(mlir::ImplicitLocOpBuilder &b,
                              mlir::ArrayRef<mlir::OpFoldResult> sizes,
                              mlir::Type element, const Inputs &inputs,
                              OneBody body);
/// The same of inputs of one shape.
mlir::SmallVector<mlir::Value> createElementwise(mlir::ImplicitLocOpBuilder &b,
                                                 mlir::TypeRange elements,
                                                 mlir::ValueRange inputs,
                                                 Body body);
mlir::Value createElementwise(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                              mlir::ValueRange inputs, OneBody body);

/// Results that start from 0 and have the first `sizes.size()` loops; the other
/// `reductions` loops are reductions. The accumulators are the last arguments.
mlir::SmallVector<mlir::Value>
createReduction(mlir::ImplicitLocOpBuilder &b,
                mlir::ArrayRef<mlir::OpFoldResult> sizes, unsigned reductions,
                mlir::TypeRange elements, const Inputs &inputs, Body body);
mlir::Value createReduction(mlir::ImplicitLocOpBuilder &b,
                            mlir::ArrayRef<mlir::OpFoldResult> sizes,
                            unsigned reductions, mlir::Type element,
                            const Inputs &inputs, OneBody body);

/// A map of `rank` loops to some of them.
mlir::AffineMap getLoopMap(mlir::MLIRContext *context, int64_t rank,
                           mlir::ArrayRef<int64_t> loops);

mlir::Value createI32(mlir::OpBuilder &b, mlir::Location loc, int64_t value);
mlir::Value createF32(mlir::OpBuilder &b, mlir::Location loc, float value);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_IR_GENERICBUILDER_H
