//===- Passes.td - What is quantized on request ------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_DECIDE_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_DECIDE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Quantize : Pass<"bquant-quantize"> {
  let summary = "float products with constant filters to few bits, on request";
  let description = [{
    Post-training quantization of a network that was trained in floats. It
    expects what `--bquant-raise` leaves, and changes what a network computes: no
    pipeline has it.

    Each channels-last convolution and matrix product of f32 by a constant
    becomes a `bquant.conv_2d` or `bquant.matmul`: its filter has scalars for
    each output, which `--bquant-solve-scalars` finds, with the error and the
    angle of each in a remark; its input has scalars for each index of dimension
    0 (a sample; of a matrix product a row), which are solved at run time, so that
    no data to calibrate with is wanted. Zeros that an image is padded with stay
    zeros. `skip` names what stays float: `first`, `last` (in the order of the
    program), or patterns of location names, such as `layer4.*`. A remark tells
    of each product.

    Depthwise convolutions, products of two activations, of inputs without
    elements or with a height and width known at run time alone, and what is
    quantized already stay as they are. A program in which nothing is left to
    quantize is an error.

    ```mlir
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] { 0.0 }
        : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
    %y = linalg.conv_2d_nhwc_fhwc ins(%p, %f : tensor<1x10x10x4xf32>, tensor<8x3x3x4xf32>)
        outs(%zeros : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    ```
    becomes, with `weights=ls-1 activations=ls-2`,
    ```mlir
    %a = bquant.quantize %x scheme(<ls, 2>)
        : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 2, axes = [0]>
    %w = bquant.quantize %f scheme(<ls, 1>)
        : tensor<8x3x3x4xf32> -> !bquant.tensor<8x3x3x4, 1, axes = [0]>
    %y = bquant.conv_2d %a, %w pads = [1, 1, 1, 1]
        : (!bquant.tensor<1x8x8x4, 2, axes = [0]>, !bquant.tensor<8x3x3x4, 1, axes = [0]>)
        -> tensor<1x8x8x8xf32>
    ```
    Averages of scalars, batch norms estimated again and corrected biases want
    data, and are what `bquant.quantize_model` of Python does.
  }];
  let options = [
    Option<"weights", "weights", "std::string", "\"ls-2\"",
      "of filters: ls-k, ls-T, gf-k, bwn, twn">,
    Option<"activations", "activations", "std::string", "\"ls-2\"",
      "of inputs: ls-1, ls-2, ls-T, gf-k, twn, or fp: they stay float">,
    Option<"clamp", "clamp", "double", "0",
      "the largest magnitude of an input; 0: as large as it is">,
    ListOption<"skip", "skip", "std::string",
      "what stays float: first, last, patterns of location names">
  ];
  let dependentDialects = ["::bquant::BQuantDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_DECIDE_PASSES_TD
