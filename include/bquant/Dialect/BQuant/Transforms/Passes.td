//===- Passes.td - Passes on bquant ops --------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route. Those of raising are in RaisePasses.td.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TRANSFORMS_PASSES_TD
#define BQUANT_TRANSFORMS_PASSES_TD

include "bquant/Dialect/BQuant/Transforms/RaisePasses.td"
include "mlir/Pass/PassBase.td"

def SetTarget : Pass<"bquant-set-target", "::mlir::ModuleOp"> {
  let summary = "name the machine that the module is compiled for";
  let description = [{
    Puts upstream's `#llvm.target` on the module, where every later pass reads
    what the machine has; none takes features as an option. A module without it
    is compiled for any machine of its kind: no instruction is used that some
    lack.

    Options are as in llc; `host` is this machine with the features that it
    really has. The attribute holds what differs from the CPU of that name. One
    that the module has already is replaced.

    ```mlir
    module { ... }
    ```
    becomes, with `chip=znver4 features=-avx512bitalg`,
    ```mlir
    module attributes {llvm.target = #llvm.target<
        triple = "x86_64-unknown-linux-gnu", chip = "znver4",
        features = <["-avx512bitalg"]>>} { ... }
    ```
    A triple, CPU or feature that LLVM does not know is an error.
  }];
  let options = [
    Option<"triple", "triple", "std::string", "\"\"",
           "of the target; default: this machine's">,
    Option<"chip", "chip", "std::string", "\"\"",
           "as llc's -mcpu, or `host`, which is the default where the triple is "
           "this machine's">,
    Option<"features", "features", "std::string", "\"\"",
           "as llc's -mattr, as in `+avx2,-avx512f`">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def BatchToSample : Pass<"bquant-batch-to-sample", "::mlir::ModuleOp"> {
  let summary = "make functions on a batch of any size functions on one sample";
  let description = [{
    A public function whose tensors have a dynamic leading dimension, the batch,
    becomes one on a single sample; who calls it, calls it for each sample. So
    everything after this pass has static shapes. The arguments and results with
    a batch keep the attribute `bquant.batch`, of which
    `--bquant-wrap-entry-points` makes the loop. All dynamic dimensions stand
    for one batch size; arguments without are shared by all samples.

    That is the same only if each sample is computed by itself, which is checked
    op by op: structured ops by their indexing maps and iterators, elementwise
    ops, reshapes, slices, paddings, and bquant ops by the position of the
    batch. What mixes samples is an error that names the op: a reduction over
    the batch, scalars solved for the whole batch, a reshape that groups
    samples, arithmetic with the size of the batch. So is a dynamic dimension
    that is not a leading one of an argument.

    ```mlir
    func.func @f(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> tensor<?x4xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%n) : tensor<?x4xf32>
      ...
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<1x8xf32> {bquant.batch}, %w: tensor<4x8xf32>)
        -> (tensor<1x4xf32> {bquant.batch}) {
      %e = tensor.empty() : tensor<1x4xf32>
      ...
    ```
    A dense layer of one sample uses each of its filters once, and takes the time
    to load them. Where half of the work or more is in products of at most 4 rows,
    a second function beside it takes a block of samples at once: `@f_block`, with
    `tensor<16x8xf32> {bquant.batch}` and the attribute
    `bquant.block = {of = "f", samples = 16}`. The entry point calls it for whole
    blocks and `@f` for the samples that are left.
  }];
  let options = [
    Option<"block", "block", "int64_t", /*default=*/"16",
           "the samples of a block; 1: no function on a block">];
}

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

#endif // BQUANT_TRANSFORMS_PASSES_TD
