//===- Passes.td - Passes that know no bquant op -----------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They serve any program of linalg and vector ops on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CODEGEN_PASSES_TD
#define BQUANT_CODEGEN_PASSES_TD

include "bquant/Codegen/Memory/Passes.td"
include "bquant/Codegen/Layers/Passes.td"
include "bquant/Codegen/Entry/Passes.td"
include "mlir/Pass/PassBase.td"

def LowerExpm1 : Pass<"bquant-lower-expm1", "::mlir::ModuleOp"> {
  let summary = "compute exp(x) - 1 by the C library";
  let description = [{
    Upstream's `--convert-math-to-llvm` makes `exp(x) - 1` of `math.expm1`, which is
    0 for every x nearer to 0 than 2^-25: an ELU or SELU gives 0 where it should
    give a negative number, and a sign after it is wrong. The C library computes
    it to the last digits; a vector is taken apart into its elements.

    ```mlir
    %y = math.expm1 %x : f32
    ```
    becomes
    ```mlir
    %y = call @expm1f(%x) : (f32) -> f32
    ```
    `math.log1p` needs no pass: upstream has the option `approximate-log1p`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
}

def LowerRounding : Pass<"bquant-lower-rounding", "::mlir::ModuleOp"> {
  let summary = "round in conversions to integers";
  let description = [{
    A code is a rounded float plus a zero point within bounds, as an integer. Where
    all of these are integers up to 2^20, the bounds, less the zero point, are met
    first, by the same numbers; the conversion rounds, in one instruction on x86; the
    zero point is added to the integer. It is the same for all floats but NaN, which
    has no integer.

    ```mlir
    %t = math.roundeven %x : f32
    %u = arith.addf %t, %c3 : f32
    %v = arith.maximumf %u, %c-128 : f32
    %w = arith.minimumf %v, %c127 : f32
    %y = arith.fptosi %w : f32 to i8
    ```
    becomes
    ```mlir
    %v = arith.maximumf %x, %c-131 : f32
    %w = arith.minimumf %v, %c124 : f32
    %t = llvm.intr.lrint(%w) : (f32) -> i32
    %u = arith.trunci %t : i32 to i8
    %y = arith.addi %u, %c3_i8 : i8
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect"];
}

#endif // BQUANT_CODEGEN_PASSES_TD
