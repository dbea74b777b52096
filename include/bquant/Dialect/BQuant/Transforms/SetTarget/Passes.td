//===- Passes.td - The target of a module ------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_SETTARGET_PASSES_TD
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_SETTARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def SetTarget : Pass<"bquant-set-target", "::mlir::ModuleOp"> {
  let summary = "name the machine that the module is compiled for";
  let description = [{
    Puts upstream's `#llvm.target` on the module, where every later pass reads
    what the machine has; none takes features as an option. A module without it
    is compiled for any machine of its kind: no instruction is used that some
    lack.

    Options are as in llc; `host` is this machine with the features that it
    really has. The attribute holds what differs from the CPU of that name. One
    that the module has already is replaced.

    ```mlir
    module { ... }
    ```
    becomes, with `chip=znver4 features=-avx512bitalg`,
    ```mlir
    module attributes {llvm.target = #llvm.target<
        triple = "x86_64-unknown-linux-gnu", chip = "znver4",
        features = <["-avx512bitalg"]>>} { ... }
    ```
    A triple, CPU or feature that LLVM does not know is an error.
  }];
  let options = [
    Option<"triple", "triple", "std::string", "\"\"",
           "of the target; default: this machine's">,
    Option<"chip", "chip", "std::string", "\"\"",
           "as llc's -mcpu, or `host`, which is the default where the triple is "
           "this machine's">,
    Option<"features", "features", "std::string", "\"\"",
           "as llc's -mattr, as in `+avx2,-avx512f`">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_SETTARGET_PASSES_TD
