//===- BQuantTypes.td - The scaled-binary tensor -----------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TYPES_TD
#define BQUANT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "bquant/Dialect/BQuant/IR/BQuantDialect.td"

// No ValueSemantics: with it arith.addf and others would take the type.
def BQuant_SBTensor
    : TypeDef<BQuant_Dialect, "SBTensor", [ShapedTypeInterface]> {
  let mnemonic = "tensor";
  let summary = "scaled-binary tensor";
  let description = [{
    The value `c + sum_i v_i s_i` with k planes of signs `s_i` and scalars
    `v_i >= 0`.

    ```
    type   ::= `!bquant.tensor` `<` shape `,` planes
               (`,` `axes` `=` `[` int (`,` int)* `]`)? (`,` `offset`)? `>`
    planes ::= k | `[` m_1 (`,` m_i)+ `]`
    ```

    `k` planes have scalars of their own. Ratio planes `[m_1, ..., m_k]` share
    one scalar v: v_i = m_i v; ternary is `[1, 1]`, uniform 2-bit `[2, 1]`. The
    ratios have no common divisor. Scalars are shared along every dimension
    that `axes` does not name.

    Only the first of several dimensions may be dynamic, no dimension is 0.
    Values of this type live between bquant ops of one region: they cross no
    call, no block argument and no return.

    ```mlir
    !bquant.tensor<1x56x56x64, 2>                  // two scalars for the tensor
    !bquant.tensor<8x56x56x64, 2, axes = [0]>      // for each sample
    !bquant.tensor<64x3x3x64, 1, axes = [0]>       // for each filter
    !bquant.tensor<1x56x56x64, [1, 1]>             // ternary
    !bquant.tensor<1x56x56x64, [2, 1], offset>     // uniform, with offset
    !bquant.tensor<64x3x3x64, 1, axes = [0], offset>  // and of each filter
    ```
  }];
  let parameters = (ins
      ArrayRefParameter<"int64_t", "size of each dimension">:$shape,
      TypeParameter<"int64_t", "planes of signs">:$planes,
      OptionalArrayRefParameter<"int64_t",
          "ratio of each plane, empty with independent scalars">:$ratios,
      OptionalArrayRefParameter<"int64_t",
          "dimensions along which scalars are not shared">:$axes,
      TypeParameter<"bool", "whether there is an offset">:$hasOffset);
  // By hand: two optional groups that both start with a comma are beyond ODS.
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    // ShapedType; getShape() is the parameter's accessor.
    ::mlir::Type getElementType() const;
    bool hasRank() const { return true; }
    /// Other element types than f32 give a builtin tensor.
    ::mlir::ShapedType cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape,
                                 ::mlir::Type elementType) const;

    bool hasRatios() const { return !getRatios().empty(); }
    bool isTernary() const {
      return getRatios() == ::llvm::ArrayRef<int64_t>{1, 1};
    }
    /// One plane, or all scalars are multiples of one.
    bool hasOneScalar() const { return getPlanes() == 1 || hasRatios(); }
    /// The largest |sum_i m_i s_i|, m_i = 1 for independent scalars.
    int64_t getLargestMultiple() const;
    /// k, or 1 for ratio planes.
    int64_t getNumScalars() const { return hasRatios() ? 1 : getPlanes(); }
    /// One plane: tensor<d0 x ... x ceil(C / 32) x i32>.
    ::mlir::RankedTensorType getPlaneType() const;
    /// All planes: tensor<k x d0 x ... x ceil(C / 32) x i32>.
    ::mlir::RankedTensorType getWordsType() const;
    /// tensor<k x d[axes...] x f32>; 1 instead of k for ratio planes.
    ::mlir::RankedTensorType getScalarsType() const;
    /// tensor<d[axes...] x f32>.
    ::mlir::RankedTensorType getOffsetType() const;
  }];
}

#endif // BQUANT_TYPES_TD
