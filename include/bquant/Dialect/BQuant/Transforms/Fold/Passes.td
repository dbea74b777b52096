//===- Passes.td - Chains to thresholds --------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLD_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLD_PASSES_TD

include "mlir/Pass/PassBase.td"

def FoldSignCascades : Pass<"bquant-fold-sign-cascades"> {
  let summary = "float chains before a quantize to thresholds";
  let description = [{
    What lies elementwise between a product, or another op that is not
    elementwise, and a `bquant.quantize` with constant scalars decides only where
    the code changes. The pass finds these switch points and quantizes the
    source by them; the chain is gone.

    ```mlir
    %y = bquant.matmul %x, %w : (!bquant.tensor<8x512, 1>, !bquant.tensor<4x512, 1, axes = [0]>) -> tensor<8x4xf32>
    %z = linalg.generic {indexing_maps = [#id, #channel, #channel, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %scale, %shift : tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<8x4xf32>) {
    ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
      %0 = arith.mulf %a, %s : f32
      %1 = arith.addf %0, %t : f32
      linalg.yield %1 : f32
    } -> tensor<8x4xf32>
    %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x4xf32> -> !bquant.tensor<8x4, 1>
    ```
    becomes
    ```mlir
    %y = bquant.matmul %x, %w : (!bquant.tensor<8x512, 1>, !bquant.tensor<4x512, 1, axes = [0]>) -> tensor<8x4xi32>
    %t = arith.constant dense<[[-3], [18], [0], [5]]> : tensor<4x1xi32>
    %q = bquant.quantize %y thresholds(%t : tensor<4x1xi32>) codes [0, 1] scalars(%v : tensor<1xf32>)
        : tensor<8x4xi32> -> !bquant.tensor<8x4, 1>
    ```

    A folded program equals the unfolded one in every bit. Nothing is solved by
    algebra: the chain itself is evaluated, with the f32 operations that the
    program executes.

    - The source is an i32 accumulator where the product's operands have one
      plane or ratio planes each, with constant scalars. Where the chain is found
      monotone on intervals, as below, bisection finds the switch points; else all
      values that the accumulator can take are evaluated, so any function folds.
      Other users of the f32 product read the accumulator times its factor,
      which is the same f32.
    - The f32 sum of two accumulators of one factor is quantized by their integer
      sum, if that is found to decide.
    - Else the source is a float, and each step is one that IEEE arithmetic
      keeps monotone (add, subtract, multiply, divide by a constant, min, max,
      sqrt, rounding), on intervals cut at comparisons, signs and NaN: clamp, ReLU,
      PReLU, abs, hard-tanh in any spelling. Bisection over the floats finds the
      switch points. NaN, infinities and both zeros get the code that the chain
      gives them, unless the source cannot be NaN or infinite.

    Ops that only move elements (`linalg.transpose` and generics with permuted
    maps, `tensor.expand_shape`, `tensor.collapse_shape`, `tensor.extract_slice`)
    do not end a chain: the source is moved instead, and the chain's constants
    are read by its indices.

    Channels share one table of codes. Where channels fall (negative slopes) and
    the table would grow, their source is negated: in the constant filter of the
    product if nothing else reads it, else by a multiplication with -1.

    `quantize(dequantize(x))` with equal constant scalars and offset is x if each
    of the codes is found to return.

    A float max-pool before a quantize moves behind it, as `bquant.max_pool_2d`,
    where the codes do not fall as the input rises and the input is no NaN (a
    float pool keeps NaN); then the chain before the pool folds. Channels whose
    code falls are pooled by its complement, if the products that read them can
    take the -1 into the signs of their constant filters. A float max-pool of
    dequantized values becomes one of codes where the 2^k decoded values are
    found not to fall.

    Operations with fast-math flags, exp, tanh and others that a library
    computes do not fold. A remark tells for each chain what it became, or the
    op that stopped it and why.

    With `verify-folding` the IR of each folded chain and its thresholds are
    interpreted with software floats, on the neighbours of every threshold and
    on floats of every class and exponent (integers: over the whole range, by
    steps); an error at the quantize names a source value whose codes differ.
  }];
  let options = [Option<"maxThresholds", "max-thresholds", "unsigned",
      /*default=*/"16", "give up on more thresholds than these">,
    Option<"verifyFolding", "verify-folding", "bool", "false",
      "interpret what was folded beside what it was before, and fail where they "
      "differ">];
  let dependentDialects = ["::bquant::BQuantDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLD_PASSES_TD
