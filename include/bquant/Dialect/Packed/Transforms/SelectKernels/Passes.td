//===- Passes.td - A kernel for each product ---------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SelectKernels : Pass<"bquant-select-kernels", "::mlir::ModuleOp"> {
  let summary = "a kernel for each product, written into the IR";
  let description = [{
    Gives each `bquant.conv_2d` and `bquant.matmul` of scaled-binary operands the
    kernel that is estimated to take the fewest cycles on the module's target
    (`--bquant-set-target`; without one `scalar`), among those that can compute
    it, the cost of a layout that no other use of the input wants counted in.
    Kernels given by hand stay, if they fit.

    `strategy` asks for a kernel by its name. A layer that it cannot compute
    takes the best other one, with a `missed` remark; that it serves no layer at
    all is an error. Products with a float input take `fma` whatever it says, in a
    tile whose sums fill the target's registers; those that it cannot compute, as
    of sizes that are not known, get no kernel.

    `describe-layers` writes what becomes of each layer into the module, as
    `bquant.layers`, which `bquant/Dialect/BQuant/IR/LayerFacts.h` reads: its
    arithmetic, multiplications, kernel, tile and estimated cycles.

    Linalg's named convolutions and matrix products of f32 tensors get theirs in the
    attribute `bquant.kernel`, for `--convert-linalg-to-product`; with
    `float-precision=bf16` it is one of operands that `--bquant-round-to-bf16` is to
    round. A target that has no dot products of bf16 is an error then, unless the
    strategy is `reference`.

    Linalg's products of i8 tensors into i32, by a constant filter, get a kernel of
    codes in that attribute. What that cannot compute gets one of floats where its
    sums are exact in these, else none, which is loops of integers, with a `missed`
    remark. The strategy `reference` leaves them alone.

    ```mlir
    %0 = bquant.matmul %x, %w
        : (!bquant.tensor<8x512, 1>, !bquant.tensor<64x512, 1>) -> tensor<8x64xi32>
    ```
    becomes, on a CPU with AVX2,

    ```mlir
    %0 = bquant.matmul %x, %w
        kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 256>)
        : (!bquant.tensor<8x512, 1>, !bquant.tensor<64x512, 1>) -> tensor<8x64xi32>
    ```
  }];
  let options = [
    Option<"strategy", "strategy", "::bquant::Strategy",
           "::bquant::Strategy::Auto", "the kernel of products of bits">,
    Option<"floatPrecision", "float-precision", "::bquant::FloatPrecision",
           "::bquant::FloatPrecision::F32",
           "what products of floats are to be rounded to">,
    Option<"describeLayers", "describe-layers", "bool", "false",
           "write what becomes of each layer into the module">];
  let dependentDialects = ["::bquant::BQuantDialect"];
}

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_SELECTKERNELS_PASSES_TD
