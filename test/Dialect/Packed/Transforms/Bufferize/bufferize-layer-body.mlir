// RUN: bquant-opt %s --pass-pipeline='builtin.module(func.func(bquant_packed.layer(bquant-bufferize-layer-body, canonicalize, cse)))' | FileCheck %s

// What gives the result writes it to its place, whatever it starts from.
// CHECK-LABEL: func.func @place(
// CHECK:         bquant_packed.layer "l" ins(%[[I:.*]] = %{{.*}}) outs(%[[O:.*]] = %{{.*}}) {
// CHECK-NEXT:      linalg.exp ins(%[[I]] : memref<4xf32>) outs(%[[O]] : memref<4xf32>)
// CHECK-NEXT:    }
func.func @place(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.layer "l" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    %in = bufferization.to_tensor %i restrict : memref<4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%in : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// A body that overwrites what it only reads works on a copy.
// CHECK-LABEL: func.func @input_is_kept(
// CHECK:         bquant_packed.layer "l" ins(%[[I:.*]] = %{{.*}}) outs(%[[O:.*]] = %{{.*}}) {
// CHECK-NOT:       outs(%[[I]] :
// CHECK:           memref.copy %{{.*}}, %[[O]]
// CHECK-NEXT:    }
func.func @input_is_kept(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.layer "l" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    %in = bufferization.to_tensor %i restrict : memref<4xf32> to tensor<4xf32>
    %r = linalg.exp ins(%in : tensor<4xf32>) outs(%in : tensor<4xf32>) -> tensor<4xf32>
    bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}
