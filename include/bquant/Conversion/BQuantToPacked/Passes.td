//===- Passes.td - Values to packed ones -------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_BQUANTTOPACKED_PASSES_TD
#define BQUANT_CONVERSION_BQUANTTOPACKED_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertBQuantToPacked : Pass<"convert-bquant-to-packed"> {
  let summary = "scaled-binary values to packed planes, products to packed products";
  let description = [{
    A value becomes one packed tensor for each plane (ternary: mask and sign,
    whose bit is 0 where the mask's is), its scalars and its offset. The planes
    lie in the layouts that the kernels of its uses want: i32 `words`, also where
    none wants any, or bytes, `nibbles`; in one after the other where these are
    several. The type of a plane says its layout
    (`tensor<8x3xi32, #bquant_packed.layout.words>`), also of one that a cast takes
    from outside. No bquant op is left but `bquant.solve`:

    - a quantize is one elementwise generic with an i1 result for each plane,
      and one pack; a dequantize is one unpack and one elementwise generic;
    - scalars solved at run time are means in generics, in f64: 32 partial sums
      over the values that share scalars, value i in sum i mod 32, for each of
      eight runs of many values, then the sum of these, as the solvers sum. Schemes that have to sort are `bquant.solve`;
    - a product is one `bquant_packed.product` by its kernel, over
      (n, oh, ow, oc, kh, taps of a row and their elements) or (m, n, elements),
      for all pairs of planes, an elementwise generic `K - 2 P` and one that
      applies the scalars;
    - a filter lies as its kernel reads it: a constant becomes another one, of
      another value `bquant_packed.relayout` makes it. A constant of codes has the
      bits that the largest code takes, and `bquant_packed.unpack_codes` after it;
    - a convolution with padding is peeled by border classes, the regions of the
      result whose windows see the same taps: each is a product on slices with
      K of its own, put together by `tensor.insert_slice`. Where `pad_value` is
      1, the padded taps add a constant for each filter;
    - groups of channels read slices of the input where each has whole elements
      of the layout, share one under a mask where they divide it, and are packed
      anew otherwise. For the kernel `depthwise` the input is unpacked to bytes, a
      channel a lane;
    - an input's offset adds a number for each filter and border class;
    - a product of a float input is a `bquant_packed.product` by the filter's
      words along the output channels, so that a word is a mask of 32 of them: one
      f32 sum for each scalar of the filter;
    - filters of floats and of signs with a kernel, also of products that were
      there before, are laid out in blocks of channels, and the last two loops are
      one where the input has its taps and channels side by side;
    - linalg's product of bytes with the attribute `bquant.kernel` is a
      `bquant_packed.product` of codes, which are the bytes plus 128; its sums start
      from -128 times the sum of each filter, plus the bias that its only reader adds;
    - max pooling is logic on the words of all taps, or the maximum of codes.

    Expects scaled-binary values to stay between bquant ops, and products to have
    a kernel (`--bquant-select-kernels`). A product without one stays, with a
    `missed` remark, and so does a quantize whose scheme a network cannot solve.

    ```mlir
    %0 = bquant.matmul %x, %w kernel(#bquant_packed.popcount<rows = 8, channels = 32, bits = 512>)
        : (!bquant.tensor<8x64, 1>, !bquant.tensor<10x64, 1>) -> tensor<8x10xf32>
    ```
    becomes, with the words `%xw : tensor<8x2xi32>` and the filter
    `%ww : tensor<1x2x32xi32>`, 10 of whose 32 lanes are in use,
    ```mlir
    %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 8, channels = 32, bits = 512>)
        ins(%xw : tensor<8x2xi32>) filters(%ww : tensor<1x2x32xi32>)
        outs(%zero : tensor<8x10xi32>)
        maps = [affine_map<(m, n, k) -> (m, k)>,
                affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<8x10xi32>
    %dot = linalg.generic ins(%p : tensor<8x10xi32>) { 64 - 2 * p }
    %0 = linalg.generic ins(%dot, %v, %w : tensor<8x10xi32>, tensor<f32>, tensor<f32>)
        outs(%empty : tensor<8x10xf32>) { mulf, sitofp, mulf }
    ```
  }];
  let options = [Option<"rollback", "rollback", "bool", "false",
      "By the driver that can undo a pattern. The result is the same.">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def VerifyWords : Pass<"bquant-verify-words"> {
  let summary = "check that no scaled-binary value is left";
  let description = [{
    Ends packing, and the reference's part: an error at every bquant op but
    `bquant.solve`, so that a layer that cannot be compiled is reported at its source
    location, and not as a failure of a later stage. A quantize whose scheme cannot be solved at run time says so.
    Changes nothing.

    ```mlir
    %q = bquant.quantize %x scheme(<ls, 3>) : ...  // error: [verify_words_c2] ...
    ```
  }];
}

#endif // BQUANT_CONVERSION_BQUANTTOPACKED_PASSES_TD
