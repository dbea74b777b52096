// RUN: bquant-opt %s --pass-pipeline='builtin.module(func.func(bquant_packed.layer(bquant-bufferize-layer-body)))' --verify-diagnostics

func.func @constant(%y: memref<4xf32>) {
  bquant_packed.layer "l" outs(%o = %y : memref<4xf32>) {
    // expected-error @+1 {{expected no constant tensor in a layer (--bquant-hoist-constants)}}
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    bufferization.materialize_in_destination %c in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}
