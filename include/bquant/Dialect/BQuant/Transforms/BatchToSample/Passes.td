//===- Passes.td - From a batch to samples -----------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_BATCHTOSAMPLE_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_BATCHTOSAMPLE_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_BATCHTOSAMPLE_PASSES_TD
