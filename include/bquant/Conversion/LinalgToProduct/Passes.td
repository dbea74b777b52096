//===- Passes.td - Linalg's products of floats --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_LINALGTOPRODUCT_PASSES_TD
#define BQUANT_CONVERSION_LINALGTOPRODUCT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToProduct
    : Pass<"convert-linalg-to-product", "::mlir::ModuleOp"> {
  let summary = "linalg's products of floats to bquant_packed.product";
  let description = [{
    Linalg's named convolutions and matrix products of f32 tensors become
    `bquant_packed.product`: one f32 sum an output, in the order of the reduction
    loops, each product `fused` with its addition where the module's target has an
    fma, else rounded before. `linalg.conv_2d_nhwc_fhwc`, `linalg.matmul` and their
    like leave that open; a written `linalg.generic` does not, and stays as it is.
    The kernel is the one that `--bquant-select-kernels` has written.

    With `bytes`, linalg's products of i8 tensors into i32 do, too, if they have no
    kernel of codes and floats hold all of their sums.

    ```mlir
    %0 = linalg.matmul {bquant.kernel = #bquant_packed.fma<rows = 3, channels = 32, bits = 256>}
        ins(%x, %w : tensor<8x3xf32>, tensor<3x40xf32>) outs(%y : tensor<8x40xf32>)
        -> tensor<8x40xf32>
    ```
    becomes
    ```mlir
    %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>)
        fused ins(%x : tensor<8x3xf32>) filters(%w : tensor<3x40xf32>)
        outs(%y : tensor<8x40xf32>)
        maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
        -> tensor<8x40xf32>
    ```
  }];
  let options = [Option<"bytes", "bytes", "bool", "true",
      "also products of bytes that floats hold">];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_CONVERSION_LINALGTOPRODUCT_PASSES_TD
