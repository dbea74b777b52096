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
  let summary = "round in conversions to integers on x86";
  let description = [{
    ```mlir
    %t = math.roundeven %x : vector<8xf32>
    %y = arith.fptosi %t : vector<8xf32> to vector<8xi32>
    ```
    becomes, of a module whose `llvm.target` is x86,
    ```mlir
    %y = llvm.intr.lrint(%x) : (vector<8xf32>) -> vector<8xi32>
    ```
    which is one instruction. It rounds as the environment says, to the nearest
    and to even unless a program changed that, as all arithmetic does.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BQUANT_CODEGEN_PASSES_TD
