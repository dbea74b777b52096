// RUN: bquant-opt %s --bquant-split-empty-tensors --bquant-bufferize-layers | FileCheck %s --check-prefix=FIRST
// RUN: bquant-opt %s --pass-pipeline='builtin.module(bquant-split-empty-tensors, bquant-bufferize-layers, \
// RUN:   func.func(bquant_packed.layer(canonicalize, bquant-bufferize-layer-body, canonicalize, cse)), canonicalize, cse, \
// RUN:   bquant-lower-copies)' | FileCheck %s
// RUN: not bquant-opt %s --one-shot-bufferize=bufferize-function-boundaries 2>&1 | FileCheck %s --check-prefix=STOCK

// STOCK: expected layers to be bufferized by --bquant-bufferize-layers, or to be inlined before (--bquant-inline-layers)

// What is in a layer is on tensors yet.
// FIRST-LABEL: func.func @concat(
// FIRST:         bquant_packed.layer "a" ins(%[[IN:.*]] = %{{.*}} : memref<4x8xf32>) outs(%[[OUT:.*]] = %{{.*}} : memref<4x8xf32, strided<[8, 1]>>) {
// FIRST-NEXT:      %[[I:.*]] = bufferization.to_tensor %[[IN]] restrict :
// FIRST-NEXT:      %[[O:.*]] = bufferization.to_tensor %[[OUT]] restrict writable :
// FIRST:           bufferization.materialize_in_destination %{{.*}} in restrict writable %[[OUT]]
// FIRST-NEXT:    }

// An scf.forall writes its tiles to the init; two layers write the halves of
// one tensor; the third reads it in place and writes to the caller's memory.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[OUT:.*]]: memref<8x8xf32>)
// CHECK:         %[[ALL:.*]] = memref.alloc() {{.*}} : memref<8x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK-DAG:     %[[A:.*]] = memref.subview %[[ALL]][0, 0]
// CHECK:         bquant_packed.layer "a" ins(%{{.*}} = %[[X]] : memref<4x8xf32>) outs(%{{.*}} = %[[A]] :
// CHECK:           scf.forall
// CHECK:             linalg.exp
// CHECK:         %[[B:.*]] = memref.subview %[[ALL]][4, 0]
// CHECK:         bquant_packed.layer "b" ins(%{{.*}} = %[[X]] : memref<4x8xf32>) outs(%{{.*}} = %[[B]] :
// CHECK:         bquant_packed.layer "c" ins(%{{.*}} = %[[ALL]] : memref<8x8xf32>) outs(%{{.*}} = %[[OUT]] : memref<8x8xf32>)
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @concat(%x: tensor<4x8xf32> {bufferization.writable = false}, %result: memref<8x8xf32>) {
  %place = bufferization.to_tensor %result restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %a = bquant_packed.layer "a" ins(%in = %x : tensor<4x8xf32>) outs(%out = %e : tensor<4x8xf32>) {
    %r = scf.forall (%i) in (4) shared_outs(%o = %out) -> (tensor<4x8xf32>) {
      %s = tensor.extract_slice %in[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
      %d = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
      %y = linalg.exp ins(%s : tensor<1x8xf32>) outs(%d : tensor<1x8xf32>) -> tensor<1x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
      }
    }
    bquant_packed.yield %r : tensor<4x8xf32>
  }
  %b = bquant_packed.layer "b" ins(%in = %x : tensor<4x8xf32>) outs(%out = %e : tensor<4x8xf32>) {
    %t = tensor.empty() : tensor<4x8xf32>
    %r = linalg.abs ins(%in : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
    bquant_packed.yield %r : tensor<4x8xf32>
  }
  %f = tensor.empty() : tensor<8x8xf32>
  %ab = tensor.insert_slice %a into %f[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %both = tensor.insert_slice %b into %ab[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %c = bquant_packed.layer "c" ins(%in = %both : tensor<8x8xf32>) outs(%out = %g : tensor<8x8xf32>) {
    %r = linalg.negf ins(%in : tensor<8x8xf32>) outs(%out : tensor<8x8xf32>) -> tensor<8x8xf32>
    bquant_packed.yield %r : tensor<8x8xf32>
  }
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// What a body reads of its init is an update in place; one whose operand is
// needed later gets a copy.
// CHECK-LABEL: func.func @updates(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>)
// CHECK:         bquant_packed.layer "in place" outs(%{{.*}} = %[[X]] : memref<4xf32>)
// CHECK:         %[[COPY:.*]] = memref.alloc()
// CHECK:         memref.copy %[[X]], %[[COPY]]
// CHECK:         bquant_packed.layer "needed later" outs(%{{.*}} = %[[COPY]] : memref<4xf32>)
// CHECK:         return %[[X]], %[[COPY]]
func.func @updates(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = bquant_packed.layer "in place" outs(%o = %x : tensor<4xf32>) {
    %r = linalg.negf ins(%o : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %r : tensor<4xf32>
  }
  %z = bquant_packed.layer "needed later" outs(%o = %y : tensor<4xf32>) {
    %r = linalg.exp ins(%o : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %r : tensor<4xf32>
  }
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}
