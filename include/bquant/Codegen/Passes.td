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

def LowerMaxNum : Pass<"bquant-lower-max-num", "::mlir::ModuleOp"> {
  let summary = "compute maxnum and minnum by maximum and minimum";
  let description = [{
    LLVM 22 vectorizes loops that reduce by `llvm.maxnum` or `llvm.minnum`, and of
    loops of few steps leaves the last ones out; and of two zeros they give either.
    Here -0 is the smaller one.

    ```mlir
    %y = arith.maxnumf %a, %b : f32
    ```
    becomes
    ```mlir
    %m = arith.maximumf %a, %b : f32
    %o = arith.cmpf uno, %b, %b : f32
    %l = arith.select %o, %a, %m : f32
    %n = arith.cmpf uno, %a, %a : f32
    %y = arith.select %n, %b, %l : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerNarrowing : Pass<"bquant-lower-narrowing", "::mlir::ModuleOp"> {
  let summary = "narrow sums to codes by packs of four registers on AVX-512";
  let description = [{
    What is narrowed from i32 to i8 within constant bounds, four times in a block and
    in the same way,
    ```mlir
    %a = arith.addi %x, %zero_point overflow<nsw> : vector<16xi32>
    %b = arith.maxsi %a, %least : vector<16xi32>
    %c = arith.minsi %b, %most : vector<16xi32>
    %d = arith.trunci %c : vector<16xi32> to vector<16xi8>
    ```
    becomes, of a module whose `llvm.target` has AVX-512BW,
    ```mlir
    %p = llvm.call_intrinsic "llvm.x86.avx512.packssdw.512"(%x0, %x1)
    %q = llvm.intr.sadd.sat(%p, %zero_point16) : vector<32xi16>
    // %r of %x2 and %x3 likewise
    %s = llvm.call_intrinsic "llvm.x86.avx512.packsswb.512"(%q, %r)
    ```
    in the order that packs leave, which a shuffle of words mends. Bounds that are
    narrower than those of i8, and a constant that flips bits, are applied to all.
    The codes are the same: what 16 bits do not hold is beyond the bounds.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
      "::mlir::vector::VectorDialect"];
}

def LowerRounding : Pass<"bquant-lower-rounding", "::mlir::ModuleOp"> {
  let summary = "round in conversions to integers on x86";
  let description = [{
    ```mlir
    %t = math.roundeven %x : vector<8xf32>
    %y = arith.fptosi %t : vector<8xf32> to vector<8xi32>
    ```
    becomes, of a module whose `llvm.target` is x86, with AVX for vectors,
    ```mlir
    %y = llvm.intr.lrint(%x) : (vector<8xf32>) -> vector<8xi32>
    ```
    which is one instruction. It rounds as the environment says, to the nearest
    and to even unless a program changed that, as all arithmetic does.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BQUANT_CODEGEN_PASSES_TD
