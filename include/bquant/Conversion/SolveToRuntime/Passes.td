//===- Passes.td - Scalars solved at run time --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_SOLVETORUNTIME_PASSES_TD
#define BQUANT_CONVERSION_SOLVETORUNTIME_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitSolves : Pass<"bquant-split-solves"> {
  let summary = "let threads share the solving of scalars";
  let description = [{
    A `bquant.solve` of several rows becomes an `scf.forall` over rows, each with
    scratch memory of its own. One of a single row of ls-2 or ls-T with enough
    values becomes steps, of which those that look at all values are an
    `scf.forall` over parts of the row. Both give the same bits as before.

    ```mlir
    bquant.solve <ls, 2> ins(%x : memref<1x8192xf32>)
        outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    ```
    becomes
    ```mlir
    bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>)
        outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    scf.forall (%part) in (2) {
      bquant.solve_step count <ls, 2> part %part ins(%x : ...) outs(%v, %s : ...)
    }
    bquant.solve_step choose <ls, 2> ins(%x : ...) outs(%v, %s : ...)
    scf.forall (%part) in (2) {
      bquant.solve_step keep <ls, 2> part %part ins(%x : ...) outs(%v, %s : ...)
    }
    bquant.solve_step finish <ls, 2> ins(%x : ...) outs(%v, %s : ...)
    ```
  }];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
      "::mlir::scf::SCFDialect"];
}

def LowerSolve : Pass<"bquant-lower-solve", "::mlir::ModuleOp"> {
  let summary = "solve on memrefs to calls of the runtime";
  let description = [{
    Each `bquant.solve` behind bufferization becomes a call of
    `bquant_rt_solve`, which allocates nothing and is part of every compiled
    network.

    ```mlir
    bquant.solve <ls, 2> ins(%x : memref<8x4096xf32>)
        outs(%v, %s : memref<2x8xf32>, memref<33472xi8>)
    ```
    becomes
    ```mlir
    llvm.call @bquant_rt_solve(%ls, %planes, %px, %groups, %n, %pv, %null, %ps)
        : (i32, i32, !llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    ```
    and each `bquant.solve_step` one of `bquant_rt_solve_step`. A solve that is still on tensors is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

#endif // BQUANT_CONVERSION_SOLVETORUNTIME_PASSES_TD
