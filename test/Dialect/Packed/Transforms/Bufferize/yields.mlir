// RUN: bquant-opt %s --bquant-bufferize-layers | FileCheck %s

// An input that is yielded is read: what is written before the layer must not
// take its memory.
// CHECK-LABEL: func.func @input(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[E:.*]]: memref<4xf32>)
// CHECK:         %[[F:.*]] = memref.alloc()
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[F]] :
// CHECK:         bquant_packed.layer "l" ins(%{{.*}} = %[[X]] : memref<4xf32>) outs(%{{.*}} = %[[E]] : memref<4xf32>)
func.func @input(%x: tensor<4xf32> {bufferization.writable = true},
                 %e: tensor<4xf32> {bufferization.writable = true})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant 1.0 : f32
  %f = linalg.fill ins(%one : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %y = bquant_packed.layer "l" ins(%i = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    bquant_packed.yield %i : tensor<4xf32>
  }
  return %f, %y : tensor<4xf32>, tensor<4xf32>
}

// What another init holds is copied before either is written.
// CHECK-LABEL: func.func @exchange(
// CHECK:         bquant_packed.layer "l" outs(%[[A:.*]] = %{{.*}} : memref<4xf32>, %[[B:.*]] = %{{.*}} : memref<4xf32>) {
// CHECK-DAG:       %[[OFA:.*]] = bufferization.to_tensor %[[A]]
// CHECK-DAG:       %[[OFB:.*]] = bufferization.to_tensor %[[B]]
// CHECK-DAG:       %[[COPYB:.*]] = bufferization.alloc_tensor() copy(%[[OFB]])
// CHECK-DAG:       %[[COPYA:.*]] = bufferization.alloc_tensor() copy(%[[OFA]])
// CHECK:           bufferization.materialize_in_destination %[[COPYB]] in restrict writable %[[A]]
// CHECK-NEXT:      bufferization.materialize_in_destination %[[COPYA]] in restrict writable %[[B]]
func.func @exchange(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = linalg.fill ins(%one : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %e = linalg.fill ins(%two : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %y:2 = bquant_packed.layer "l" outs(%o = %x : tensor<4xf32>, %p = %e : tensor<4xf32>) {
    bquant_packed.yield %p, %o : tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}

// The same where only a run tells what holds it; one that its own init or an input
// holds needs no copy.
// CHECK-LABEL: func.func @chosen(
// CHECK:         bquant_packed.layer "l" {{.*}} outs(%[[A:.*]] = %{{.*}} : memref<4xf32>, %[[B:.*]] = %{{.*}} : memref<4xf32>, %[[C:.*]] = %{{.*}} : memref<4xf32>) {
// CHECK:           %[[U:.*]] = scf.if
// CHECK:           %[[V:.*]] = arith.select
// CHECK:           %[[W:.*]] = arith.select
// CHECK-NEXT:      %[[COPYU:.*]] = bufferization.alloc_tensor() copy(%[[U]])
// CHECK-NEXT:      %[[COPYV:.*]] = bufferization.alloc_tensor() copy(%[[V]])
// CHECK-NEXT:      bufferization.materialize_in_destination %[[COPYU]] in restrict writable %[[A]]
// CHECK-NEXT:      bufferization.materialize_in_destination %[[COPYV]] in restrict writable %[[B]]
// CHECK-NEXT:      bufferization.materialize_in_destination %[[W]] in restrict writable %[[C]]
func.func @chosen(%c: i1, %x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>, %d: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %y:3 = bquant_packed.layer "l" ins(%k = %c : i1, %i = %x : tensor<4xf32>)
      outs(%o = %a : tensor<4xf32>, %p = %b : tensor<4xf32>, %q = %d : tensor<4xf32>) {
    %0 = scf.if %k -> tensor<4xf32> {
      scf.yield %p : tensor<4xf32>
    } else {
      scf.yield %o : tensor<4xf32>
    }
    %1 = arith.select %k, %o, %p : tensor<4xf32>
    %2 = arith.select %k, %q, %i : tensor<4xf32>
    bquant_packed.yield %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1, %y#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The layer reads an init that it yields unchanged: the result may lie elsewhere.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>)
// CHECK:         %[[Y:.*]] = memref.alloc()
// CHECK:         memref.copy %[[X]], %[[Y]]
// CHECK:         bquant_packed.layer "l" outs(%{{.*}} = %[[Y]] :
func.func @kept(%x: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %y = bquant_packed.layer "l" outs(%o = %x : tensor<4xf32>) {
    bquant_packed.yield %o : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A result that is made elsewhere is written when all has been read that its init
// held; one that is made from it, there.
// CHECK-LABEL: func.func @made(
// CHECK:         bquant_packed.layer "l" outs(%[[A:.*]] = %{{.*}} : memref<4xf32>, %[[B:.*]] = %{{.*}} : memref<4xf32>) {
// CHECK:           %[[OFA:.*]] = bufferization.to_tensor %[[A]]
// CHECK:           %[[N:.*]] = linalg.negf
// CHECK:           %[[S:.*]] = linalg.add ins(%[[N]], %[[OFA]] :
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[N]])
// CHECK:           bufferization.materialize_in_destination %[[COPY]] in restrict writable %[[A]]
// CHECK-NEXT:      bufferization.materialize_in_destination %[[S]] in restrict writable %[[B]]
func.func @made(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y:2 = bquant_packed.layer "l" outs(%o = %a : tensor<4xf32>, %p = %b : tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.negf ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %s = linalg.add ins(%n, %o : tensor<4xf32>, tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %n, %s : tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}
