//===- Passes.td - From linalg to bquant ops ---------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks reach bquant as linalg on tensors in which a binary layer is written
// out in float: signs by comparison and select, sums of scalars times signs,
// and a float convolution or matrix product of those. The pipeline
// `bquant-raise` of these passes is the one place that recognises them, for
// every producer. In the order of the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

/// What may be taken for granted of signs, and what not.
defvar assumptions = [
  Option<"assumeNoNaN", "assume-no-nan", "bool", "false",
    "take signs that treat NaN otherwise than bquant.sign for it">,
  Option<"assumeNoZero", "assume-no-zero", "bool", "false",
    "take signs that treat zero otherwise than bquant.sign for it">,
  Option<"assumeExactResidues", "assume-exact-residues", "bool", "false",
    "take straight-through residues (q - c) + c for q">,
  Option<"strictNaN", "strict-nan", "bool", "false",
    "leave signs alone that give NaN neither sign">
];

defvar raisedDialects = ["::bquant::BQuantDialect",
                         "::mlir::arith::ArithDialect",
                         "::mlir::linalg::LinalgDialect",
                         "::mlir::tensor::TensorDialect"];

def LowerLinalgPack : Pass<"bquant-lower-linalg-pack"> {
  let summary = "linalg.pack and linalg.unpack to pads, reshapes and transposes";
  let description = [{
    Compilers that lay data in tiles write them. Tiles become dimensions, which all
    that is known of moves sees; those of a size known at run time stay.

    ```mlir
    %y = linalg.pack %x inner_dims_pos = [1] inner_tiles = [4] into %e
        : tensor<4x8xf32> -> tensor<4x2x4xf32>
    ```
    becomes
    ```mlir
    %y = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 2, 4]
        : tensor<4x8xf32> into tensor<4x2x4xf32>
    ```
    and a transpose, where other dimensions lie between.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def PrepareForRaising : Pass<"bquant-prepare-for-raising"> {
  let summary = "one form for what producers write differently";
  let description = [{
    The passes of raising recognise one form of each idea. This one makes it of
    what producers write: resources of at most `max-dense` elements become dense
    constants (folders do not see resources), named elementwise ops, broadcasts
    and reductions `linalg.generic`, comparisons of bits are xors, numbers move
    into the bodies, parameters lose their dimensions of size 1, concatenations
    become slices, and so does what a negative padding leaves out; products of a
    batch of one lose it; zero points of linalg's products of bytes become sums of
    windows and filters; 1-D convolutions become 2-D ones and grouped
    channels-first ones channels-last between transposes. Then the module is
    canonicalized, by the patterns of the dialects that are at hand only, and
    equal values become one.

    ```mlir
    %v = arith.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32>
    %e = tensor.empty() : tensor<1x2x4x4xf32>
    %b = linalg.broadcast ins(%c : tensor<1x2x4xf32>)
        outs(%e : tensor<1x2x4x4xf32>) dimensions = [3]
    %y = linalg.generic {indexing_maps = [#i, affine_map<(n, c, h, w) -> (0, c, 0, 0)>, #i], ...}
        ins(%b, %v : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(...) { arith.mulf }
    ```
    becomes
    ```mlir
    %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %e = tensor.empty() : tensor<1x2x4x4xf32>
    %b = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h)>, #i], ...}
        ins(%c : tensor<1x2x4xf32>) outs(%e : tensor<1x2x4x4xf32>) { linalg.yield }
    %y = linalg.generic {indexing_maps = [#i, affine_map<(n, c, h, w) -> (c)>, #i], ...}
        ins(%b, %v : tensor<1x2x4x4xf32>, tensor<2xf32>) outs(...) { arith.mulf }
    ```
  }];
  let options = [Option<"maxDense", "max-dense", "int64_t", "65536",
      "resource constants of at most so many elements become dense">];
  let dependentDialects = !listconcat(raisedDialects,
                                      ["::mlir::affine::AffineDialect"]);
}

def ChannelsLast : Pass<"bquant-channels-last"> {
  let summary = "from NCHW to NHWC";
  let description = [{
    Both operands of a binary product have to lie along the reduction, so bquant
    is channels-last: feature maps NHWC, filters OHWI. Most producers write
    NCHW. This pass turns `linalg.conv_2d_nchw_fchw`, its grouped and depthwise
    kin and `linalg.pooling_nchw_*` to their channels-last forms, together with
    every elementwise op, padding, fill and quantization connected with them.
    Constant filters are transposed at compile time. Signatures stay as they
    are: a transpose remains at an argument, at a result, and at an op that
    knows no layout (a reshape where only dimensions of size 1 move). Reductions
    over the image read the transposed counterpart.
    `linalg.transpose` between the two layouts is taken as a border as well, so
    networks whose producer put transposes around each convolution lose them.

    The order in which anything is summed does not change: every result is equal
    in every bit, but for convolutions, whose reduction runs over i, j, c instead
    of c, i, j.

    ```mlir
    %y = linalg.conv_2d_nchw_fchw ins(%x, %f : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
        outs(%zero : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    return %y : tensor<1x4x6x6xf32>
    ```
    becomes
    ```mlir
    %t = linalg.transpose ins(%x : tensor<1x3x8x8xf32>)
        outs(%e : tensor<1x8x8x3xf32>) permutation = [0, 2, 3, 1]
    %z = linalg.conv_2d_nhwc_fhwc ins(%t, %g : tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>)
        outs(%zeros : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
    %y = linalg.transpose ins(%z : tensor<1x6x6x4xf32>)
        outs(%r : tensor<1x4x6x6xf32>) permutation = [0, 3, 1, 2]
    return %y : tensor<1x4x6x6xf32>
    ```
    Expects the forms of `bquant-prepare-for-raising`, which also erases what is
    dead afterwards.
  }];
  let dependentDialects = raisedDialects;
}

def FlattenColumns : Pass<"bquant-flatten-columns"> {
  let summary = "flattened images keep their channels last";
  let description = [{
    A flattened image has its columns in the order of NCHW, for which a
    channels-last image would have to be transposed at run time. The transpose
    moves down through elementwise ops to a matrix product by a constant, whose
    columns are permuted instead, at compile time. For that, matrix products by
    a constant of K x N take it as N x K.

    The order of a sum changes, as with `bquant-channels-last`. Each consumer of
    an image flattens it anew; `bquant-prepare-for-raising` makes them one.

    ```mlir
    %t = linalg.transpose ins(%x : tensor<1x4x4x8xf32>) outs(%e : tensor<1x8x4x4xf32>)
        permutation = [0, 3, 1, 2]
    %f = tensor.collapse_shape %t [[0], [1, 2, 3]] : tensor<1x8x4x4xf32> into tensor<1x128xf32>
    %y = linalg.matmul ins(%f, %w : tensor<1x128xf32>, tensor<128x10xf32>) outs(...)
    ```
    becomes
    ```mlir
    %f = tensor.collapse_shape %x [[0], [1, 2, 3]] : tensor<1x4x4x8xf32> into tensor<1x128xf32>
    %y = linalg.matmul indexing_maps = [(m, n, k) -> (m, k), (n, k), (m, n)]
        ins(%f, %permuted : tensor<1x128xf32>, tensor<10x128xf32>) outs(...)
    ```
  }];
  let dependentDialects = raisedDialects;
}

def DropResidues : Pass<"bquant-drop-residues"> {
  let summary = "what is written for a gradient to what it means";
  let description = [{
    `(round(y) - y) + y`, whose difference was written without a gradient, is
    `round(y)` up to rounding: that is what its author means. Without the residue
    a quantizer's levels are few, and a product of them can be raised. Each one
    that goes leaves a remark. The pipeline of raising has this pass unless it is
    `strict`.

    ```mlir
    %y = linalg.generic {indexing_maps = [#i, #i, #i], ...}
        ins(%r, %c : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %s = arith.addf %d, %b : f32
      linalg.yield %s : f32
    } -> tensor<2x8xf32>
    ```
    becomes `%r`, if that is rounded, or a sign that cannot be proved to be the sum
    in every bit.

    `0.5 * (|x| - |x - a| + a)` with a number a > 0 (PACT: Choi and others, PACT:
    Parameterized Clipping Activation for Quantized Neural Networks, (1)), which
    loses the bits of a beside a large x, becomes `clamp(x, 0, a)`.
  }];
  let dependentDialects = raisedDialects;
}

def StepsBeforeMoves : Pass<"bquant-steps-before-moves"> {
  let summary = "what has few values is computed before it is moved";
  let description = [{
    A sign may be compared on one axis order and multiplied on another, and a
    value be cast before it is flattened and scaled after: its expression is in
    two parts then, and each by itself says little. So elementwise ops whose
    input is moved (transposed, reshaped, sliced, padded with a number, put
    together) and has few values (comparisons, signs, steps, quantized values)
    are computed before the move. No value changes.

    ```mlir
    %t = linalg.transpose ins(%bits : tensor<1x64x20xi1>) outs(%e : tensor<1x20x64xi1>)
        permutation = [0, 2, 1]
    %s = linalg.generic {...} ins(%t : tensor<1x20x64xi1>) outs(%f : tensor<1x20x64xf32>) {
    ^bb0(%b: i1, %o: f32):
      %c = arith.uitofp %b : i1 to f32
      linalg.yield %c : f32
    } -> tensor<1x20x64xf32>
    ```
    becomes
    ```mlir
    %s = linalg.generic {...} ins(%bits : tensor<1x64x20xi1>) outs(%g : tensor<1x64x20xf32>) {
    ^bb0(%b: i1, %o: f32):
      %c = arith.uitofp %b : i1 to f32
      linalg.yield %c : f32
    } -> tensor<1x64x20xf32>
    %t = linalg.transpose ins(%s : tensor<1x64x20xf32>) outs(%h : tensor<1x20x64xf32>)
        permutation = [0, 2, 1]
    ```
  }];
  let dependentDialects = raisedDialects;
}

def RaiseSigns : Pass<"bquant-raise-signs"> {
  let summary = "sign idioms to bquant.sign";
  let description = [{
    Elementwise expressions that give +1 for x >= 0 and -1 for others become
    `bquant.sign`. The expression is evaluated for the kinds of x that
    comparisons with zero tell apart, with what is known of x (a constant's
    elements, the bounds of a clamp), so any spelling will do: comparisons,
    `2 * (x >= 0) - 1`, `sign(x) + (x == 0)`, `copysign`, straight-through
    residues `(s - c) + c` with a bounded c. The ops may be fused or not.

    One that gives NaN neither sign is raised with a remark (option
    `strict-nan`); one that treats 0 or NaN otherwise is left (`sign(x)` of most
    frameworks is 0 at 0) unless an option says that there is none.

    ```mlir
    %s = linalg.generic {indexing_maps = [#i, #i], ...}
        ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.cmpf oge, %a, %zero : f32
      %r = arith.select %c, %one, %minus_one : f32
      linalg.yield %r : f32
    } -> tensor<2x8xf32>
    ```
    becomes
    ```mlir
    %s = bquant.sign %x : tensor<2x8xf32>
    ```
  }];
  let options = assumptions;
  let dependentDialects = raisedDialects;
}

def FoldConstants : Pass<"bquant-fold-constants"> {
  let summary = "compute what depends on constants alone";
  let description = [{
    `mean(abs(w))` of a constant filter, for example: a `linalg.generic` of
    arithmetic that IEEE 754 defines is run as the program would at run time, in
    the order of its loops, so that it has the same bits. Signs and transposes of
    constants are computed too. Asserts that hold for the constants go.

    With `keep-cascades` sign cascades stay as they are written, and so does
    what nearly is one: a filter's cascade says more than the numbers it comes
    to. What a cascade is depends on what signs may take for granted.

    ```mlir
    %w = arith.constant dense<[[1.0, -2.0], [3.0, -6.0]]> : tensor<2x2xf32>
    %a = linalg.generic {...} ins(%w : tensor<2x2xf32>) outs(...) { math.absf } -> tensor<2x2xf32>
    %s = linalg.generic {... iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<2x2xf32>) outs(%zeros : tensor<2xf32>) { arith.addf } -> tensor<2xf32>
    ```
    becomes
    ```mlir
    %s = arith.constant dense<[3.0, 9.0]> : tensor<2xf32>
    ```
  }];
  let options = !listconcat([
    Option<"keepCascades", "keep-cascades", "bool", "false",
      "leave sign cascades, and signs, as they are written">], assumptions);
  let dependentDialects = raisedDialects;
}

def RaiseMaxPools : Pass<"bquant-raise-max-pools"> {
  let summary = "max-pools of cascades to bquant.max_pool_2d";
  let description = [{
    A product that reads the maximum of quantized values reads quantized values:
    a channels-last float max-pool of a sign cascade (see
    `bquant-raise-products`), or of a `bquant.dequantize`, whose values rise with its codes becomes a pool of
    the codes. Pools whose result is quantized are left to
    `bquant-fold-sign-cascades`.

    ```mlir
    %s = bquant.sign %x : tensor<1x4x4x8xf32>
    %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, ...}
        ins(%s, %window : tensor<1x4x4x8xf32>, tensor<2x2xf32>) outs(%least : tensor<1x2x2x8xf32>)
    ```
    becomes
    ```mlir
    %q = bquant.quantize %x scalars(%one : tensor<1xf32>)
        : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 1>
    %m = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2]
        : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x2x2x8, 1>
    %p = bquant.dequantize %m : !bquant.tensor<1x2x2x8, 1> -> tensor<1x2x2x8xf32>
    ```
  }];
  let options = assumptions;
  let dependentDialects = raisedDialects;
}

def RaiseProducts : Pass<"bquant-raise-products"> {
  let summary = "fake-quantized convolutions and matrix products to bquant ops";
  let description = [{
    Raises `linalg.conv_2d_nhwc_fhwc`, grouped convolutions, `linalg.matmul` and
    contractions of its form whose filter is a sign cascade with constant
    scalars (or a `bquant.dequantize`), and whose input is one too or is float,
    to `bquant.conv_2d` and `bquant.matmul`. Constant filters may be multiplied
    out: up to three planes are recognised by their magnitudes, which are
    compared in every bit, and behind a quantized input those of sums of signs,
    up to their rounding, too. Inputs may be scalars times an expression that is not
    bquant's sign but has few values all the same: `where(x > 0, 1, -1)` is one
    plane, `sign(x)` with its 0 is ternary, a rounded and bounded value has
    evenly spaced levels and an offset. A padding of zeros becomes `pads`, and so
    does one of the value of +1 of a single plane; a bias is added after the
    product (also for products that stay float). Quantized values that are
    reshaped, transposed, sliced or padded by another of their values are
    quantized after the move; thresholds of each channel go with their elements,
    or, if they would vary along another dimension than the last, the decoded
    values are quantized again. What is computed, by
    constants, of values that thresholds quantize has other levels and the same
    thresholds.

    A cascade is `v1 s1 + v2 s2 + ...`, `s_i = sign r_i`, `r_1 = x`,
    `r_{i+1} = r_i - v_i s_i`, or ternary `(s1 + s2) v`, with scalars that are
    constants >= 0, one for the tensor or one for each index of the first
    dimension; it may start at `0 +`. Remainders `x - (v1 s1 + ...)` round
    otherwise: they become thresholds. The ops may be fused or not.
    `bquant.quantize` has the value of what was written in every bit.

    A remark tells of each product that is raised. One that looks quantized and
    stays float gets the reason as its attribute `bquant.stays_float`, which
    `bquant-explain-floats` turns into a remark; the first reason stays, whatever
    is computed of its operands later.

    ```mlir
    #c = affine_map<(d0, d1, d2, d3) -> (d0)>
    #i = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
    %filter = linalg.generic {indexing_maps = [#i, #c, #i], ...}
        ins(%latent, %v : tensor<8x3x3x4xf32>, tensor<8xf32>) outs(...) {
    ^bb0(%x: f32, %u: f32, %o: f32):
      %b = arith.cmpf oge, %x, %zero : f32
      %s = arith.select %b, %one, %minus_one : f32
      %f = arith.mulf %u, %s : f32
      linalg.yield %f : f32
    }
    %y = linalg.conv_2d_nhwc_fhwc ins(%padded, %filter : ...) outs(%zeros : ...)
    ```
    becomes
    ```mlir
    %w = bquant.quantize %latent scalars(%u : tensor<1x8xf32>)
        : tensor<8x3x3x4xf32> -> !bquant.tensor<8x3x3x4, 1, axes = [0]>
    %y = bquant.conv_2d %x, %w pads = [1, 1, 1, 1]
        : (tensor<1x8x8x4xf32>, !bquant.tensor<8x3x3x4, 1, axes = [0]>)
        -> tensor<1x8x8x8xf32>
    ```
  }];
  let options = assumptions;
  let dependentDialects = raisedDialects;
}

def RaiseDepthwise : Pass<"bquant-raise-depthwise"> {
  let summary = "grouped convolutions of single channels to depthwise ones";
  let description = [{
    What is left after `bquant-raise-products`. Importers write every convolution
    of groups alike, whose binary form has groups, too. Of one channel a group the
    last loop has a single iteration; as a depthwise convolution it is that over
    channels, which then lie in the lanes of registers. Where a channel has
    several filters (also in `linalg.depthwise_conv_2d_nhwc_hwcm`), it is repeated
    for each of them. The order of each sum stays.

    ```mlir
    %y = linalg.conv_2d_nhwgc_gfhwc
        ins(%x, %f : tensor<1x9x9x64x1xf32>, tensor<64x1x3x3x1xf32>)
        outs(%zeros : tensor<1x7x7x64x1xf32>)
    ```
    becomes
    ```mlir
    %a = tensor.collapse_shape %x [[0], [1], [2], [3, 4]]
    %b = tensor.collapse_shape (linalg.transpose %f) [[0], [1], [2, 3, 4]]
    %z = linalg.depthwise_conv_2d_nhwc_hwc
        ins(%a, %b : tensor<1x9x9x64xf32>, tensor<3x3x64xf32>)
        outs(%zeros' : tensor<1x7x7x64xf32>)
    %y = tensor.expand_shape %z [[0], [1], [2], [3, 4]]
    ```
    of a constant filter with the transposition done.
  }];
  let dependentDialects = raisedDialects;
}

def ExplainFloats : Pass<"bquant-explain-floats"> {
  let summary = "remarks why signs and products stayed float";
  let description = [{
    A `missed` remark for each sign that takes 0 or NaN elsewhere than bquant's
    does, for each product that stayed float, and for the float input of a
    bquant product. The reasons of products are those that
    `bquant-raise-products` left on them, and go; a product without is explained
    by what it multiplies now. Nothing else changes.

    ```mlir
    %y = linalg.matmul {bquant.stays_float = "linalg.matmul stays float: the input is quantized, but the filter is float"}
        ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(...)
    ```
    becomes, with that remark,
    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(...)
    ```
  }];
  let options = assumptions;
  let dependentDialects = raisedDialects;
}

def VerifyRaised : Pass<"bquant-verify-raised"> {
  let summary = "check that raising left what later stages know";
  let description = [{
    Fails, at the op's location, where something is left that no later stage
    knows: a channels-first convolution or pooling, a scaled-binary value in an
    op of another dialect or in a block argument.

    ```mlir
    func.func @f(%q: !bquant.tensor<8x64, 1>)  // an error
    ```
    It changes nothing.
  }];
}

def DropAsserts : Pass<"bquant-drop-asserts"> {
  let summary = "leave asserts out";
  let description = [{
    A compiled network has no way to end the process it lives in, and an assert
    would become a call of `abort`. So each `cf.assert` goes, with a `missed`
    remark; where its condition does not hold, the operations around it compute
    on by IEEE 754, as PyTorch does. Asserts that hold whatever the input is are
    gone before, without one: `--bquant-fold-constants` evaluates those on
    constants.

    ```mlir
    %y = linalg.generic ins(%x) outs(%e) {
      %ok = arith.cmpf one, %a, %zero : f32
      cf.assert %ok, "unimplemented: tensor with zero element"
      %r = arith.divf %one, %a : f32
    }
    ```
    becomes
    ```mlir
    %y = linalg.generic ins(%x) outs(%e) {
      %r = arith.divf %one, %a : f32
    }
    ```
  }];
}

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_RAISE_PASSES_TD
