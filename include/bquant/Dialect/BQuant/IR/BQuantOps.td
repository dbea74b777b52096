//===- BQuantOps.td - Operations of the bquant dialect -----*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_OPS_TD
#define BQUANT_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "bquant/Dialect/BQuant/IR/BQuantAttrs.td"
include "bquant/Dialect/BQuant/IR/BQuantTypes.td"
include "bquant/Dialect/Packed/IR/KernelAttrs.td"

class BQuant_Op<string mnemonic, list<Trait> traits = []>
    : Op<BQuant_Dialect, mnemonic, traits>;

def BQuant_F32Tensor : RankedTensorOf<[F32]>;
def BQuant_I32Tensor : RankedTensorOf<[I32]>;
def BQuant_I1Tensor : RankedTensorOf<[I1]>;
def BQuant_F32OrI32Tensor : RankedTensorOf<[F32, I32]>;
def BQuant_F32OrSBTensor : AnyTypeOf<[BQuant_SBTensor, BQuant_F32Tensor]>;

def BQuant_Reify
    : DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def BQuant_SignOp : BQuant_Op<"sign", [Pure, SameOperandsAndResultType]> {
  let summary = "signs of a float tensor, as +1.0 and -1.0";
  let description = [{
    `sign(x)` is +1.0 where `x >= 0`, so for +0.0 and -0.0 too, and -1.0
    elsewhere, so for NaN too. Any shape.

    ```mlir
    %s = bquant.sign %x : tensor<1x8x8x64xf32>
    ```
  }];
  let arguments = (ins BQuant_F32Tensor:$input);
  let results = (outs BQuant_F32Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}

def BQuant_QuantizeOp : BQuant_Op<"quantize",
    [Pure, AttrSizedOperandSegments, BQuant_Reify]> {
  let summary = "numbers to a scaled-binary tensor";
  let description = [{
    Exactly one of three forms.

    - `scheme`: the scalars are solved from the data; at compile time where the
      input is a constant, else at run time ("online"). At run time the schemes
      are ls of 1, 2 and T, gf and twn. Zeros give scalars 0. NaN or an infinity
      among the values that share scalars makes all these scalars the same NaN,
      so that what is computed from them is NaN.
    - `scalars` alone: a sign cascade with stored scalars,
      `r_1 = x, s_i = sign r_i, r_{i+1} = r_i - v_i s_i`, each product and
      difference rounded to f32. For ratio planes `v_i = m_i v`.
    - `thresholds` and `codes`: the planes of an element are the bits of
      `codes[n]`, plane 1 the highest bit, where n is the number of thresholds
      `t <= x`. Thresholds are sorted ascending, NaN means never; their shape is
      N, or C x N with a row for each index of the last dimension. `scalars` are
      what the planes decode with.

    A result with offset takes it by `offset`. The input is of f32; with
    thresholds also of i32. Scalars have the shape k x d[axes...] (1 x d[axes...]
    for ratio planes), the offset d[axes...].

    ```mlir
    %0 = bquant.quantize %x scheme(<ls, 2>)
        : tensor<8x64xf32> -> !bquant.tensor<8x64, 2, axes = [0]>
    %1 = bquant.quantize %x scalars(%v : tensor<2xf32>)
        : tensor<8x64xf32> -> !bquant.tensor<8x64, 2>
    %2 = bquant.quantize %a thresholds(%t : tensor<64x1xi32>) codes [0, 1]
        scalars(%v : tensor<1xf32>)
        : tensor<8x64xi32> -> !bquant.tensor<8x64, 1>
    ```
  }];
  let arguments = (ins BQuant_F32OrI32Tensor:$input,
      OptionalAttr<BQuant_SchemeAttr>:$scheme,
      Optional<BQuant_F32OrI32Tensor>:$thresholds,
      OptionalAttr<DenseI64ArrayAttr>:$codes,
      Optional<BQuant_F32Tensor>:$scalars,
      Optional<BQuant_F32Tensor>:$offset);
  let results = (outs BQuant_SBTensor:$result);
  // "Exactly one" is the verifier's: the generic form needs it anyway.
  let assemblyFormat = [{
    $input (`scheme` `(` $scheme^ `)`)?
    (`thresholds` `(` $thresholds^ `:` type($thresholds) `)`)?
    (`codes` $codes^)?
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    attr-dict `:` type($input) `->` custom<SBTensor>(type($result))
  }];
  let builders = [
    /// A sign cascade with stored scalars.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "::mlir::Value":$scalars)>,
    /// Scalars solved from the data.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "::bquant::SchemeAttr":$scheme)>,
    /// Ranks among thresholds. `offset` may be null.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
                   "::mlir::Value":$thresholds,
                   "::llvm::ArrayRef<int64_t>":$codes,
                   "::mlir::Value":$scalars, "::mlir::Value":$offset)>];
  let hasVerifier = 1;
}

def BQuant_ConstantOp : BQuant_Op<"constant", [Pure]> {
  let summary = "scaled-binary constant: packed planes and scalars";
  let description = [{
    `words` holds all planes in the layout `words`, k x d0 x ... x ceil(C / 32),
    whatever the planes are (ratio planes too: the bits are the signs s_i).
    Unused bits are 0. It is a dense resource or dense elements. Not
    ConstantLike, since no attribute of builtin type is its value: patterns
    match the op by name.

    ```mlir
    %0 = bquant.constant words(dense_resource<w> : tensor<1x64x3x3x2xi32>)
        scalars(dense<0.5> : tensor<1x64xf32>)
        : !bquant.tensor<64x3x3x64, 1, axes = [0]>
    ```
  }];
  let arguments = (ins ElementsAttr:$words, ElementsAttr:$scalars,
                       OptionalAttr<ElementsAttr>:$offset);
  let results = (outs BQuant_SBTensor:$result);
  let assemblyFormat = [{
    `words` `(` $words `)` `scalars` `(` $scalars `)`
    (`offset` `(` $offset^ `)`)? attr-dict `:` custom<SBTensor>(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// All words; a splat is expanded.
    ::llvm::SmallVector<uint32_t> getWordValues();
    /// All scalars; a splat is expanded.
    ::llvm::SmallVector<float> getScalarValues();
  }];
}

def BQuant_DequantizeOp : BQuant_Op<"dequantize", [Pure, BQuant_Reify]> {
  let summary = "back to float";
  let description = [{
    `c + sum_i v_i s_i` in f32: the terms in the order of the planes, each
    product and sum rounded (c first where there is one). Ratio planes: the sum
    `m = sum_i m_i s_i` is an integer, the result is `v m` (`c + v m`).

    ```mlir
    %0 = bquant.dequantize %q : !bquant.tensor<8x64, 2> -> tensor<8x64xf32>
    ```
  }];
  let arguments = (ins BQuant_SBTensor:$input);
  let results = (outs BQuant_F32Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` custom<SBTensor>(type($input)) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def BQuant_Conv2DOp : BQuant_Op<"conv_2d", [Pure, BQuant_Reify]> {
  let summary = "2-D convolution with a scaled-binary filter";
  let description = [{
    NHWC by OHWI to NHWO:

        y[n,h,w,o] = sum_{i,j,c} x[n, h sh + i dh - top, w sw + j dw - left, c]
                                 f[o,i,j,c]

    Scalars of the input are shared or vary with n, those of the filter with o.
    `pads` are top, bottom, left, right. A padded position holds `pad_value`: 0
    contributes 0, whatever the input's offset; 1 is for one-plane inputs only and
    means the sign +1, so the value +v (c + v).

    Each pair of planes gives `dot = K - 2 popcount(a xor b)` in i32, K the
    number of taps that are not zero padding.
    The i32 holds every sum: K over all taps, times the sum of the ratios of
    each side that has some, is at most 2^31 - 1. A result of i32 is
    `sum_ij m_i n_j dot_ij`, scalars not applied, and needs one plane or ratio
    planes on both sides. A result of f32 is

    - one plane or ratio planes on both sides: `(v w) D`, v w rounded once and
      D the i32 result above, converted to f32;
    - else `sum_i sum_j (v_i w_j) dot_ij`, i outer, j inner, each v_i w_j rounded
      once, each product and sum rounded, no fma; ratio planes on one side
      count as one i with `dot = sum m_i dot_i`.

    An input with offset c has no result of i32. The terms above are then added,
    in their order, to `t = sum_j (c w_j) W_j`, W_j the sum of the filter's signs
    s_j (for ratio planes of `sum_j n_j s_j`) over the K taps, converted to f32:
    `t + (v w) D`, each c w_j, product and sum rounded. For an image t differs
    only between border classes.

    A filter with offset d adds `d S` to the f32 result above, product and sum
    rounded; it has no result of i32 either. S is the product of the same input
    by one plane of +1 of scalar 1, with the result that this page gives it: the
    sum of the decoded input over the window, to which padding of 0 adds nothing,
    once a position (and group) for all filters. `--bquant-split-filter-offsets`
    writes it so.

    `kernel` says how the counts are computed (`--bquant-select-kernels`).

    A float input gives one f32 accumulator for each scalar of the filter, to which
    each tap adds x s (for ratio planes x `sum_i m_i s_i`) in the order i, j, c, by
    an fma where the target has one, else product and sum each rounded; then
    `sum_j w_j acc_j`. By a kernel of several terms (`#bquant_packed.sum_table`) each
    plane has an accumulator, to which (x_0 s_0 + x_1 s_1) + .. of so many
    neighbouring channels are added; ratio planes have `sum_i m_i acc_i`. There a
    ternary 0 is +1 in the first plane and -1 in the second, however it is written.

    ```mlir
    %0 = bquant.conv_2d %x, %w strides = [2, 2] pads = [1, 1, 1, 1]
        : (!bquant.tensor<1x56x56x64, 2>,
           !bquant.tensor<64x3x3x64, 1, axes = [0]>) -> tensor<1x28x28x64xf32>
    ```
  }];
  let arguments = (ins BQuant_F32OrSBTensor:$input, BQuant_SBTensor:$filter,
      DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
      DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
      DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads,
      DefaultValuedAttr<I64Attr, "1">:$groups,
      DefaultValuedAttr<I64Attr, "0">:$pad_value,
      OptionalAttr<Packed_KernelAttr>:$kernel);
  let results = (outs BQuant_F32OrI32Tensor:$result);
  // A group anchored on a default-valued attribute is elided at the default.
  let assemblyFormat = [{
    $input `,` $filter (`strides` `=` $strides^)? (`dilations` `=` $dilations^)?
    (`pads` `=` $pads^)? (`groups` `=` $groups^)?
    (`pad_value` `=` $pad_value^)? (`kernel` `(` $kernel^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def BQuant_MatmulOp : BQuant_Op<"matmul", [Pure, BQuant_Reify]> {
  let summary = "matrix product with a scaled-binary right-hand side";
  let description = [{
    M x K by N x K to M x N, both operands along the reduction; or, batched,
    B x M x K by B x N x K to B x M x N. Planes, scalars and results as in
    `bquant.conv_2d`; scalars and the offset of the left-hand side may vary along
    every dimension but the reduction, and so may those of the right-hand side; an
    offset of either side is what it is there. `kernel` as of `bquant.conv_2d`.

    ```mlir
    %0 = bquant.matmul %x, %w
        : (!bquant.tensor<8x512, 2>, !bquant.tensor<10x512, 1, axes = [0]>)
        -> tensor<8x10xf32>
    ```
  }];
  let arguments = (ins BQuant_F32OrSBTensor:$lhs, BQuant_SBTensor:$rhs,
      OptionalAttr<Packed_KernelAttr>:$kernel);
  let results = (outs BQuant_F32OrI32Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`kernel` `(` $kernel^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def BQuant_MaxPool2DOp : BQuant_Op<"max_pool_2d", [Pure, BQuant_Reify]> {
  let summary = "maximum of codes over a window";
  let description = [{
    The lexicographic maximum of the codes (plane 1 first) over each window of
    an NHWC tensor. It equals quantizing the float maximum by the same cascade,
    since a cascade's code is monotone in x. `pads` are top, bottom, left,
    right; a padded position does not take part, and each window holds at least
    one position of the image. Scalars and offset of the result are the
    input's. With one plane it is an `or` of words.

    ```mlir
    %0 = bquant.max_pool_2d %q window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
        : !bquant.tensor<1x56x56x64, 2> -> !bquant.tensor<1x28x28x64, 2>
    ```
  }];
  let arguments = (ins BQuant_SBTensor:$input,
      DenseI64ArrayAttr:$window,
      DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
      DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilations,
      DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pads);
  let results = (outs BQuant_SBTensor:$result);
  let assemblyFormat = [{
    $input `window` `=` $window (`strides` `=` $strides^)?
    (`dilations` `=` $dilations^)? (`pads` `=` $pads^)? attr-dict
    `:` custom<SBTensor>(type($input)) `->` custom<SBTensor>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}


//===----------------------------------------------------------------------===//
// Solvers at run time
//===----------------------------------------------------------------------===//

def BQuant_F32Buffer : AnyTypeOf<[RankedTensorOf<[F32]>, MemRefOf<[F32]>],
                                 "tensor or memref of f32">;
def BQuant_F32OrI8Buffer
    : AnyTypeOf<[RankedTensorOf<[F32, I8]>, MemRefOf<[F32, I8]>],
                "tensor or memref of f32 or i8">;

def BQuant_SolveOp : BQuant_Op<"solve",
    [DestinationStyleOpInterface,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "scalars by a solver of the run-time library";
  let description = [{
    Solves a scheme for each row of a G x N input, the N values that share a set
    of scalars; N is below 2^58. Destination style, on tensors or, behind
    bufferization, on memrefs without gaps. The outs are, in this order,

    - the scalars, k x G, 1 x G for ternary;
    - for twn the thresholds, 3 x G, ascending along the first dimension;
    - where the solver needs some, scratch memory, bytes that hold nothing
      before and behind.

    Schemes that a network cannot solve (ls of 3 and more planes) are refused.

    ```mlir
    %v, %s = bquant.solve <ls, 2> ins(%x : tensor<8x4096xf32>)
        outs(%init, %bytes : tensor<2x8xf32>, tensor<33472xi8>)
        -> tensor<2x8xf32>, tensor<33472xi8>
    ```
  }];
  let arguments = (ins BQuant_SchemeAttr:$scheme, BQuant_F32Buffer:$input,
                       Variadic<BQuant_F32OrI8Buffer>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $scheme `ins` `(` $input `:` type($input) `)`
    `outs` `(` $inits `:` type($inits) `)` attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The types of the outs, as tensors, for `groups` rows of `n` values.
    static ::llvm::SmallVector<::mlir::RankedTensorType>
    getInitTypes(::bquant::SchemeAttr scheme, int64_t groups, int64_t n);
    /// Whether a network can solve `scheme`.
    static bool canSolve(::bquant::SchemeAttr scheme);
    /// How many parts solve_step has of a row of `n` values; 1 if `scheme` is
    /// not solved in steps.
    static int64_t getNumParts(::bquant::SchemeAttr scheme, int64_t n);
  }];
}

def BQuant_SolveStepOp : BQuant_Op<"solve_step",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a step of a solver of the run-time library";
  let description = [{
    A `bquant.solve` of one row, ls of 2 planes or ternary, behind bufferization,
    in steps that threads can share: begin, count for each part, choose, keep for
    each part, finish. Parts are of 4096 values, and what they find is merged in
    their order, so the scalars are those of `bquant.solve` in every bit. The last
    step writes them; until then what one leaves to the next is in the scratch
    memory.

    ```mlir
    bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>)
        outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    scf.forall (%part) in (2) {
      bquant.solve_step count <ls, 2> part %part ins(%x : memref<1x8192xf32>)
          outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    }
    ```
  }];
  let arguments = (ins BQuant_SolveStepAttr:$step, BQuant_SchemeAttr:$scheme,
                       Optional<Index>:$part, MemRefOf<[F32]>:$input,
                       MemRefOf<[F32]>:$scalars, MemRefOf<[I8]>:$scratch);
  let assemblyFormat = [{
    $step $scheme (`part` $part^)? `ins` `(` $input `:` type($input) `)`
    `outs` `(` $scalars `,` $scratch `:` type($scalars) `,` type($scratch) `)`
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Values in a part, but for the last one.
    static int64_t getPartSize();
    /// Whether `step` is one of a part.
    static bool isOfPart(::bquant::SolveStep step) {
      return step == ::bquant::SolveStep::count ||
             step == ::bquant::SolveStep::keep;
    }
  }];
}


#endif // BQUANT_OPS_TD
