//===- Passes.td - Values to plain loops -------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_BQUANTTOREFERENCE_PASSES_TD
#define BQUANT_CONVERSION_BQUANTTOREFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertBQuantToReference : Pass<"convert-bquant-to-reference"> {
  let summary = "scaled-binary values to i8 signs, products to plain loops";
  let description = [{
    The slow and plain lowering, with which every test of the fast one compares.
    Both write quantization, scalars and offsets alike; products and pooling are
    its own. A value becomes one tensor of i8 signs (+1, -1) for each plane, its
    scalars and its offset.
    Each pair of planes is multiplied and summed in i32 (a zero-padded position
    has the sign 0), then the formula of the op's description is applied in the
    order that it gives. Scalars solved at run time come from `bquant.solve`.

    Expects scaled-binary values to stay between bquant ops. A quantize whose
    scheme a network cannot solve stays, with a `missed` remark that says why.

    ```mlir
    %0 = bquant.matmul %x, %w
        : (!bquant.tensor<8x64, 1>, !bquant.tensor<10x64, 1>) -> tensor<8x10xf32>
    ```
    becomes, with `%xs : tensor<8x64xi8>`, `%xv : tensor<1xf32>` for `%x`,
    ```mlir
    %dot = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%xs, %ws : tensor<8x64xi8>, tensor<10x64xi8>)
        outs(%zero : tensor<8x10xi32>) { extsi, extsi, muli, addi }
    %0 = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%dot, %v, %w : tensor<8x10xi32>, tensor<f32>, tensor<f32>)
        outs(%empty : tensor<8x10xf32>) { mulf, sitofp, mulf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_CONVERSION_BQUANTTOREFERENCE_PASSES_TD
