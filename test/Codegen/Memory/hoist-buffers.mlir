// RUN: bquant-opt %s --allow-unregistered-dialect --bquant-hoist-buffers --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[Y:.*]]: memref<8xf32>)
// CHECK-DAG:     %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-DAG:     %[[B:.*]] = memref.alloc() : memref<2xf32>
// CHECK:         bquant_packed.layer "l" outs(%{{.*}} = %[[Y]] : memref<8xf32>, %[[A1:.*]] = %[[A]] : memref<4xf32>, %[[B1:.*]] = %[[B]] : memref<2xf32>) {
// CHECK:           "test.use"(%[[A1]])
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.for
// CHECK-NEXT:        "test.use"(%[[B1]])
// A thread has one of its own.
// CHECK:           scf.forall
// CHECK-NEXT:        %[[OWN:.*]] = memref.alloc
// CHECK-NEXT:        "test.use"(%[[OWN]])
func.func @f(%y: memref<8xf32>) {
  bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = memref.alloc() : memref<4xf32>
    "test.use"(%a) : (memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %b = memref.alloc() : memref<2xf32>
      "test.use"(%b) : (memref<2xf32>) -> ()
    }
    scf.forall (%i) in (8) {
      %c = memref.alloc() : memref<2xf32>
      "test.use"(%c) : (memref<2xf32>) -> ()
    }
  }
  return
}

// -----

func.func @carried(%y: memref<4xf32>) {
  bquant_packed.layer "l" outs(%o = %y : memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %o) -> memref<4xf32> {
      // expected-error @below {{expected a buffer that does not outlive the iteration of its loop}}
      %a = memref.alloc() : memref<4xf32>
      "test.use"(%a, %m) : (memref<4xf32>, memref<4xf32>) -> ()
      scf.yield %a : memref<4xf32>
    }
  }
  return
}
