//===- Passes.td - Constants to planes and scalars ---------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_SOLVE_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_SOLVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SolveScalars : Pass<"bquant-solve-scalars"> {
  let summary = "quantized constants to bquant.constant";
  let description = [{
    A `bquant.quantize` of a constant is done at compile time: scalars by the
    scheme's solver (or as stored), planes by the f32 cascade that these scalars
    define, packed into words. The constant is an `arith.constant` of dense
    elements or a dense resource of f32, also behind reshapes and
    `linalg.transpose`. Sets of values that share scalars are solved in
    parallel, on the context's threads; results do not depend on their number.

    ```mlir
    %f = arith.constant dense<[[0.5, -1.5, 1.0], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
    %q = bquant.quantize %f scheme(<ls, 1>)
        : tensor<2x3xf32> -> !bquant.tensor<2x3, 1, axes = [0]>
    ```
    becomes
    ```mlir
    %q = bquant.constant words(dense<[[[5], [3]]]> : tensor<1x2x1xi32>)
        scalars(dense<[[1.0, 2.0]]> : tensor<1x2xf32>)
        : !bquant.tensor<2x3, 1, axes = [0]>
    ```

    An analysis remark states the relative squared error and the angle in
    degrees between the values and what the planes decode to. NaN, Inf and
    missing data are errors at the op; then nothing is changed. Data that is all
    zero gives scalars 0 and a warning.
  }];
  let dependentDialects = ["::bquant::BQuantDialect"];
}

def SplitFilterOffsets : Pass<"bquant-split-filter-offsets"> {
  let summary = "products by filters with an offset to products without and window sums";
  let description = [{
    A product by a filter `d + sum_i v_i s_i` is the one by its planes, plus d
    times the product by one filter of +1: the sum of the decoded input over the
    window, taken once for all filters (of a group). So kernels and folding meet
    no filter with an offset, and both routes round alike.

    ```mlir
    %y = bquant.matmul %x, %w
        : (!bquant.tensor<8x512, 2>, !bquant.tensor<10x512, 1, axes = [0], offset>)
        -> tensor<8x10xf32>
    ```
    becomes
    ```mlir
    %p = bquant.matmul %x, %v
        : (!bquant.tensor<8x512, 2>, !bquant.tensor<10x512, 1, axes = [0]>)
        -> tensor<8x10xf32>
    %s = bquant.matmul %x, %ones
        : (!bquant.tensor<8x512, 2>, !bquant.tensor<1x512, 1>) -> tensor<8x1xf32>
    %y = linalg.generic ... // %p + %d * %s, each rounded
    ```

    The filter is a `bquant.constant` or a `bquant.quantize`; others stay.
  }];
  let dependentDialects = ["::bquant::BQuantDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_SOLVE_PASSES_TD
