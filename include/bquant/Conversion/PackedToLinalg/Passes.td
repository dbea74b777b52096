//===- Passes.td - Packed values to linalg -----------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_PACKEDTOLINALG_PASSES_TD
#define BQUANT_CONVERSION_PACKEDTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposePacked : Pass<"bquant-decompose-packed"> {
  let summary = "products of packed values to linalg.generic";
  let description = [{
    For compilers with a code generation of their own, for the reference, and for
    what is not vectorized. `bquant_packed.product` becomes a generic. Of counts its
    body is what a step of the kernel means, on the layouts that the kernel wants. Of
    sums it is `math.fma` where the product is `fused`, else `arith.mulf` and
    `arith.addf`, and the words of a filter are unpacked before it; of sums in tables
    it extracts their entries.

    ```mlir
    %y = bquant_packed.product fused ins(%x : tensor<8x3xf32>)
        filters(%w : tensor<3x2xi32, #words>) outs(%zero : tensor<8x40xf32>)
        maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
        -> tensor<8x40xf32>
    ```
    becomes
    ```mlir
    %b = bquant_packed.unpack ins(%w : tensor<3x2xi32, #words>)
        outs(%init : tensor<3x40xi1>) -> tensor<3x40xi1>
    %y = linalg.generic {... iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %b : tensor<8x3xf32>, tensor<3x40xi1>)
        outs(%zero : tensor<8x40xf32>) {
    ^bb0(%a: f32, %bit: i1, %acc: f32):
      %s = arith.select %bit, %one, %minus_one : f32
      %0 = math.fma %a, %s, %acc : f32
      linalg.yield %0 : f32
    } -> tensor<8x40xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def LowerRelayouts : Pass<"bquant-lower-relayouts"> {
  let summary = "filters as kernels read them, by tensor operations and linalg.generic";
  let description = [{
    What `--convert-bquant-to-packed` wants done to a filter before its product:
    `bquant_packed.relayout` of one that is known at run time becomes a layer by itself,
    `bquant_packed.unpack_codes` of a constant's codes is tiled with the product.
    `--bquant-decompose-packed` does the same.

    ```mlir
    %l = bquant_packed.relayout %w channels = 9 outputs = 0
        : tensor<40x1xi32, #words> -> tensor<1x3x64xi8, #blocks>
    ```
    becomes, for blocks of 64 channels with nibbles,
    ```mlir
    %0 = tensor.pad %w low[0, 0] high[24, 0] { 0 }
    %1 = tensor.expand_shape %0 [[0, 1], [2]] : tensor<64x1xi32> into tensor<1x64x1xi32>
    %2 = linalg.transpose ins(%1) outs(... : tensor<1x1x64xi32>) permutation = [0, 2, 1]
    %3 = linalg.generic ins(%2, [0, 4, 8]) outs(... : tensor<1x1x3x64xi8, #blocks>) {
      shrui, andi, trunci
    }
    %l = tensor.collapse_shape %3 [[0], [1, 2], [3]] : ... into tensor<1x3x64xi8, #blocks>
    ```

    ```mlir
    %w = bquant_packed.unpack_codes %stored levels = 15
        : tensor<2x64xi32, #code_fields> -> tensor<2x8x16xi32, #blocks>
    ```
    becomes
    ```mlir
    %0 = linalg.generic ins(%stored, [0, 4]) outs(... : tensor<2x2x64xi32, #blocks>) {
      shrui, andi, shli, addi, xori
    }
    %1 = tensor.collapse_shape %0 [[0], [1, 2]] : ... into tensor<2x128xi32, #blocks>
    %w = tensor.expand_shape %1 [[0], [1, 2]] : ... into tensor<2x8x16xi32, #blocks>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LowerPack : Pass<"bquant-lower-pack"> {
  let summary = "pack and unpack to linalg, one bit at a time";
  let description = [{
    For words that were not tiled and vectorized, so that what
    `--convert-bquant-to-packed` leaves compiles through plain loops, too.

    ```mlir
    %w = bquant_packed.pack ins(%b : tensor<8x33xi1>)
        outs(%init : tensor<8x2xi32, #words>) -> tensor<8x2xi32, #words>
    ```
    becomes
    ```mlir
    %0 = tensor.pad %b low[0, 0] high[0, 31] { false }
    %1 = tensor.expand_shape %0 [[0], [1, 2]] : tensor<8x64xi1> into tensor<8x2x32xi1>
    %w = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%1 : tensor<8x2x32xi1>) outs(%zero : tensor<8x2xi32, #words>) { extui, shli, ori }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_CONVERSION_PACKEDTOLINALG_PASSES_TD
