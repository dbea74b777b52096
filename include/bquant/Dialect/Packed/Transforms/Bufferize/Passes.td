//===- Passes.td - Layers on buffers -----------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZE_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistConstants : Pass<"bquant-hoist-constants", "::mlir::func::FuncOp"> {
  let summary = "make constant tensors operands of their layers";
  let description = [{
    Bufferization makes a global of a constant tensor, in the module, which bodies
    that are bufferized in parallel must not touch; and layers that differ in
    constants only have equal bodies then.

    ```mlir
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
      %c = arith.constant dense<2.0> : tensor<8xf32>
      ...
    }
    ```
    becomes
    ```mlir
    %c = arith.constant dense<2.0> : tensor<8xf32>
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>, %k = %c : tensor<8xf32>)
                                 outs(%o = %e : tensor<8xf32>) {
      ...
    }
    ```
  }];
}

def BufferizeLayers : Pass<"bquant-bufferize-layers", "::mlir::ModuleOp"> {
  let summary = "one-shot bufferization with each layer as a single op";
  let description = [{
    As `--eliminate-empty-tensors --one-shot-bufferize="bufferize-function-boundaries
    function-boundary-type-conversion=identity-layout-map"`, except for the bodies
    of layers, which `--bquant-bufferize-layer-body` bufferizes. The time for a
    network grows with its layers, not with what is in them.

    A result of a layer that is made elsewhere is copied to its init at the end of
    the body where that reads what the init holds, or another init's. So is what
    an `scf.for` or `scf.while` carries and each step makes anew, which upstream
    refuses.

    ```mlir
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
      %t = linalg.exp ins(%i : tensor<8xf32>) outs(%o : tensor<8xf32>)
      bquant_packed.yield %t : tensor<8xf32>
    }
    ```
    becomes
    ```mlir
    bquant_packed.layer "l" ins(%i = %x : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      %ti = bufferization.to_tensor %i restrict
      %to = bufferization.to_tensor %o restrict writable
      %t = linalg.exp ins(%ti : tensor<8xf32>) outs(%to : tensor<8xf32>)
      bufferization.materialize_in_destination %t in restrict writable %o
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
      "::mlir::memref::MemRefDialect"];
}

def BufferizeLayerBody
    : Pass<"bquant-bufferize-layer-body", "::bquant::packed::LayerOp"> {
  let summary = "one-shot bufferization of what is in a layer";
  let description = [{
    Of a layer on buffers, as `--bquant-bufferize-layers` leaves it. What the body
    gives is written to the inits where it is computed, if it can be. A constant
    tensor in it is an error (`--bquant-hoist-constants`).

    ```mlir
    bquant_packed.layer "l" ins(%i = %x : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      linalg.exp ins(%i : memref<8xf32>) outs(%o : memref<8xf32>)
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
      "::mlir::memref::MemRefDialect"];
}

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZE_PASSES_TD
