// RUN: bquant-opt %s --bquant-bufferize-layers --canonicalize | FileCheck %s

// What a step makes anew is copied to where the loop carries it.
// CHECK-LABEL: func.func @new(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>
// CHECK-NOT:     iter_args
// CHECK:         scf.for
// CHECK:           %[[N:.*]] = memref.alloc()
// CHECK:           linalg.negf ins(%[[X]] : {{.*}}) outs(%[[N]] :
// CHECK:           memref.copy %[[N]], %[[X]]
func.func @new(%x: tensor<4xf32> {bufferization.writable = true}, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// One that lies there is not.
// CHECK-LABEL: func.func @same(
// CHECK:         scf.for
// CHECK-NEXT:      linalg.negf
// CHECK-NEXT:    }
func.func @same(%x: tensor<4xf32> {bufferization.writable = true}, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<4xf32>) {
    %r = linalg.negf ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Both are copied before either is written.
// CHECK-LABEL: func.func @exchange(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>, %{{.*}}: index)
// CHECK:         scf.for
// CHECK:           memref.copy %[[Z]], %[[OFZ:.*]] :
// CHECK:           memref.copy %[[X]], %[[OFX:.*]] :
// CHECK-DAG:       memref.copy %[[OFZ]], %[[X]]
// CHECK-DAG:       memref.copy %[[OFX]], %[[Z]]
func.func @exchange(%x: tensor<4xf32> {bufferization.writable = true}, %z: tensor<4xf32> {bufferization.writable = true}, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}

// Before its condition and after it.
// CHECK-LABEL: func.func @while(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>
// CHECK:         scf.while
// CHECK:           linalg.negf ins(%[[X]] : {{.*}}) outs(%[[N:.*]] :
// CHECK:           memref.copy %[[N]], %[[X]]
// CHECK:           scf.condition
// CHECK:           linalg.exp ins(%[[X]] : {{.*}}) outs(%[[E:.*]] :
// CHECK:           memref.copy %[[E]], %[[X]]
// CHECK:           scf.yield
func.func @while(%x: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %y = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = tensor.extract %r[%c0] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %zero : f32
    scf.condition(%c) %r : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
