//===- Passes.td - The operands of products of floats ------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_FLOATPRODUCTS_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_FLOATPRODUCTS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RoundToBF16 : Pass<"bquant-round-to-bf16", "::mlir::ModuleOp"> {
  let summary = "round the operands of products of floats to bf16";
  let description = [{
    Rounds the input and the constant filter of each `bquant_packed.product` of f32
    to bf16, to nearest, ties to even; sums are in f32: results differ from those of
    f32. The last reduction gets a zero where it is odd, since the kernel `bf16`
    takes two steps at once. What has no constant filter, and depthwise and grouped
    convolutions, stay as they are, with a `missed` remark, and so does a product
    whose kernel wants f32.

    `emulate` keeps the operands in f32, and rounds them by integers: for the
    reference, on any CPU.

    ```mlir
    %y = bquant_packed.product kernel(#bquant_packed.bf16<rows = 6, channels = 64, bits = 512>)
        ins(%x : tensor<8x3xf32>) filters(%w : tensor<3x64xf32>) ...
    ```
    becomes
    ```mlir
    %r = linalg.generic ins(%x : tensor<8x3xf32>) { arith.truncf : f32 to bf16 }
    %p = tensor.pad %r low[0, 0] high[0, 1] ... : tensor<8x3xbf16> to tensor<8x4xbf16>
    %y = bquant_packed.product kernel(#bquant_packed.bf16<rows = 6, channels = 64, bits = 512>)
        ins(%p : tensor<8x4xbf16>) filters(%v : tensor<4x64xbf16>) ...
    ```
  }];
  let options = [Option<"emulate", "emulate", "bool", "false",
      "round in f32, for CPUs without bf16">];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def PackFilterLevels : Pass<"bquant-pack-filter-levels", "::mlir::ModuleOp"> {
  let summary = "constant filters of a few numbers a channel to bits and levels";
  let description = [{
    The constant filter of a `bquant_packed.product` of f32 with a kernel that has at
    most four numbers in each channel becomes planes of words, the numbers of the levels, and
    the levels of each channel: as of TTQ or AdaBin. The sums keep every bit. A
    `passed` remark says so. Changes nothing on a target whose comparisons give no
    masks (before AVX-512), where choosing a level takes longer than reading a float.

    ```mlir
    %y = bquant_packed.product fused ins(%x : tensor<8x64xf32>)
        filters(%w : tensor<64x40xf32>) ...
    ```
    becomes, where a channel has three numbers,
    ```mlir
    %y = bquant_packed.product fused ins(%x : tensor<8x64xf32>)
        filters(%p, %q : tensor<64x2xi32, #bquant_packed.layout.words>, ...)
        levels(%l, %m, %h : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) ...
    ```
  }];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::arith::ArithDialect"];
}

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_FLOATPRODUCTS_PASSES_TD
