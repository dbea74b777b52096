//===- Passes.td - Before TOSA's own conversion ------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_TOSATOLINALG_PASSES_TD
#define BQUANT_CONVERSION_TOSATOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareTosa : Pass<"bquant-prepare-tosa"> {
  let summary = "let constants of TOSA hold elements where a folder reads them";
  let description = [{
    A `tosa.const` of a resource that a `tosa.slice` reads becomes one of elements:
    upstream's folder of the slice ends the process otherwise (MLIR 22), in any
    pass that folds. `--bquant-import-pipeline` is this pass and upstream's
    conversions of TOSA to linalg, tensor and arith.

    ```mlir
    %c = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}>
    ```
    becomes
    ```mlir
    %c = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}>
    ```
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

#endif // BQUANT_CONVERSION_TOSATOLINALG_PASSES_TD
