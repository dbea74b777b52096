// RUN: bquant-opt %s --allow-unregistered-dialect --bquant-form-buffer-layers --split-input-file | FileCheck %s

// A copy into a part of a buffer is a layer of the whole buffer, and so is one that
// had the other part for an operand.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4x16xf32>)
// CHECK-NEXT:    bquant_packed.layer "copy" ins(%[[I:.*]] = %[[X]] : memref<4x8xf32>) outs(%[[O:.*]] = %[[Y]] : memref<4x16xf32>) {
// CHECK-NEXT:      %[[PART:.*]] = memref.subview %[[O]][0, 0] [4, 8] [1, 1]
// CHECK-NEXT:      memref.copy %[[I]], %[[PART]]
// CHECK-NEXT:    }
// CHECK-NEXT:    bquant_packed.layer "conv1" ins(%[[I:.*]] = %[[X]] : memref<4x8xf32>) outs(%[[O:.*]] = %[[Y]] : memref<4x16xf32>) {
// CHECK-NEXT:      %[[PART:.*]] = memref.subview %[[O]][0, 8] [4, 8] [1, 1]
// CHECK-NEXT:      memref.copy %[[I]], %[[PART]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @parts(%x: memref<4x8xf32>, %y: memref<4x16xf32>) {
  %a = memref.subview %y[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  memref.copy %x, %a : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  %b = memref.subview %y[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  bquant_packed.layer "conv1" ins(%i = %x : memref<4x8xf32>) outs(%o = %b : memref<4x8xf32, strided<[16, 1], offset: 8>>) {
    memref.copy %i, %o : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  }
  return
}

// -----

// Read in part and written in part: one operand, an init.
// CHECK-LABEL: func.func @once(
// CHECK-NEXT:    bquant_packed.layer "l" outs(%[[O:.*]] = %{{.*}} : memref<8xf32>) {
// CHECK-DAG:       %[[A:.*]] = memref.subview %[[O]][0] [4] [1]
// CHECK-DAG:       %[[B:.*]] = memref.subview %[[O]][4] [4] [1]
// CHECK:           memref.copy %[[A]], %[[B]]
func.func @once(%x: memref<8xf32>) {
  %a = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %b = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  bquant_packed.layer "l" ins(%i = %a : memref<4xf32, strided<[1]>>) outs(%o = %b : memref<4xf32, strided<[1], offset: 4>>) {
    memref.copy %i, %o : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 4>>
  }
  return
}

// -----

// Arithmetic on an index goes inside; a number that is loaded stays outside.
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>)
// CHECK:         %[[V:.*]] = memref.load
// CHECK-NEXT:    bquant_packed.layer "for" ins(%[[N1:.*]] = %[[N]] : index, %[[V1:.*]] = %[[V]] : f32) outs(%[[O:.*]] = %[[Y]] : memref<8xf32>) {
// CHECK:           %[[END:.*]] = arith.addi %[[N1]], %{{.*}} : index
// CHECK-NEXT:      scf.for %[[I:.*]] = %{{.*}} to %[[END]]
// CHECK-NEXT:        memref.store %[[V1]], %[[O]][%[[I]]]
func.func @numbers(%n: index, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.addi %n, %c1 : index
  %v = memref.load %x[%c0] : memref<8xf32>
  scf.for %i = %c0 to %end step %c1 {
    memref.store %v, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// An unknown operation may write its operands.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:    bquant_packed.layer "use" outs(%{{.*}} = %{{.*}} : memref<8xf32>)
// CHECK-NEXT:      "test.use"
func.func @unknown(%x: memref<8xf32>) {
  "test.use"(%x) : (memref<8xf32>) -> ()
  return
}

// -----

// A buffer of a loop by another name, and one that is read only.
// CHECK-LABEL: func.func @carried(
// CHECK-NEXT:    bquant_packed.layer "for" ins(%{{.*}} = %[[X:.*]] : memref<8xf32>) outs(%{{.*}} = %{{.*}} : memref<8xf32>, %{{.*}} = %{{.*}} : memref<8xf32>)
func.func @carried(%x: memref<8xf32>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%from = %a, %to = %b) -> (memref<8xf32>, memref<8xf32>) {
      %v = memref.load %x[%i] : memref<8xf32>
      memref.store %v, %to[%i] : memref<8xf32>
      scf.yield %to, %from : memref<8xf32>, memref<8xf32>
    }
  }
  return
}

// -----

// Either of two buffers: both are written.
// CHECK-LABEL: func.func @selected(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: memref<8xf32>, %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>)
// CHECK-NEXT:    bquant_packed.layer "copy" ins({{.*}} = %[[X]] : memref<8xf32>{{.*}}) outs(
// CHECK-DAG:       = %[[A]] : memref<8xf32>
// CHECK-DAG:       = %[[B]] : memref<8xf32>
// CHECK:           arith.select
// CHECK:         bquant_packed.layer "for" ins(
// CHECK-SAME:      outs(
// CHECK-DAG:       = %[[A]] : memref<8xf32>
// CHECK-DAG:       = %[[B]] : memref<8xf32>
func.func @selected(%c: i1, %x: memref<8xf32>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = arith.select %c, %a, %b : memref<8xf32>
  memref.copy %x, %s : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %t = arith.select %c, %a, %b : memref<8xf32>
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %t[%i] : memref<8xf32>
  }
  return
}

// -----

// A condition's results are other names of what its regions yield: both buffers are
// written.
// CHECK-LABEL: func.func @yielded(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: memref<8xf32>, %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>)
// CHECK-NEXT:    bquant_packed.layer "for" ins({{.*}} = %[[X]] : memref<8xf32>{{.*}}) outs(
// CHECK-DAG:       = %[[A]] : memref<8xf32>
// CHECK-DAG:       = %[[B]] : memref<8xf32>
// CHECK:           scf.if
func.func @yielded(%c: i1, %x: memref<8xf32>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %t = scf.if %c -> memref<8xf32> {
      scf.yield %a : memref<8xf32>
    } else {
      scf.yield %b : memref<8xf32>
    }
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %t[%i] : memref<8xf32>
  }
  return
}

// -----

// A layer on tensors stays as it is.
// CHECK-LABEL: func.func @tensors(
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK-NEXT:    %{{.*}} = bquant_packed.layer "t" ins({{.*}}) outs(%{{.*}} = %[[E]] : tensor<4xf32>)
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = bquant_packed.layer "t" ins(%i = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %n = arith.negf %i : tensor<4xf32>
    bquant_packed.yield %n : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
