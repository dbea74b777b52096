// RUN: bquant-opt %s --bquant-split-layers --split-input-file --remarks-filter=bquant --remark-format=emitRemark 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// The filter is computed by all before one reads it; the two halves of the image
// after that by any. Each layer has what it needs: the scale is read by both of
// the second layer's loops, and the filter is an input of it.
// CHECK-LABEL: func.func @filter(
// CHECK-SAME:    %[[S:.*]]: memref<1xf32>, %[[F:.*]]: memref<8xf32>, %[[Y:.*]]: memref<16xf32>)
// CHECK-NEXT:    bquant_packed.layer "conv" outs(%[[F1:.*]] = %[[F]] : memref<8xf32>) {
// CHECK:           scf.forall
// CHECK-NOT:       scf.forall
// CHECK:         bquant_packed.layer "conv" ins(
// CHECK-DAG:       %[[F2:[a-z0-9]*]] = %[[F]] : memref<8xf32>
// CHECK-DAG:       %[[S2:[a-z0-9]*]] = %[[S]] : memref<1xf32>
// CHECK-SAME:      outs(%{{.*}} = %[[Y]] : memref<16xf32>) {
// CHECK:           memref.load %[[S2]]
// CHECK:           scf.forall
// CHECK:             memref.load %[[F2]]
// CHECK:           scf.forall
// CHECK:             memref.load %[[F2]]
// CHECK:         return
func.func @filter(%s: memref<1xf32>, %f: memref<8xf32>, %y: memref<16xf32>) {
  bquant_packed.layer "conv" ins(%i = %s : memref<1xf32>) outs(%w = %f : memref<8xf32>, %o = %y : memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %scale = memref.load %i[%c0] : memref<1xf32>
    scf.forall (%k) in (8) {
      memref.store %one, %w[%k] : memref<8xf32>
    }
    scf.forall (%k) in (8) {
      %v = memref.load %w[%k] : memref<8xf32>
      %m = arith.mulf %v, %scale : f32
      memref.store %m, %o[%k] : memref<16xf32>
    }
    scf.forall (%k) = (8) to (16) step (1) {
      %v = memref.load %w[%c0] : memref<8xf32>
      %m = arith.mulf %v, %scale : f32
      memref.store %m, %o[%k] : memref<16xf32>
    }
  }
  return
}

// -----

// What one thread does one after the other is one part.
// CHECK-LABEL: func.func @serial(
// CHECK:         bquant_packed.layer
// CHECK-NOT:     bquant_packed.layer
func.func @serial(%y: memref<16xf32>) {
  bquant_packed.layer "l" outs(%o = %y : memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %o[%c0] : memref<16xf32>
    %v = memref.load %o[%c0] : memref<16xf32>
    memref.store %v, %o[%c1] : memref<16xf32>
    scf.forall (%k) = (2) to (16) step (1) {
      memref.store %one, %o[%k] : memref<16xf32>
    }
  }
  return
}

// -----

// A number that one part hands to another: one thread does all.
// REMARK: remark: [Missed] threads{{.*}}not shared by threads: expected parts that hand on nothing but memory
// CHECK-LABEL: func.func @numbers(
// CHECK:         bquant_packed.layer
// CHECK:           scf.for
// CHECK-NOT:       scf.forall
// CHECK-NOT:     bquant_packed.layer
func.func @numbers(%x: memref<16xf32>, %y: memref<16xf32>) {
  bquant_packed.layer "l" outs(%i = %x : memref<16xf32>, %o = %y : memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %i[%c0] : memref<16xf32>
    %v = memref.load %i[%c0] : memref<16xf32>
    scf.forall (%k) in (16) {
      memref.store %v, %o[%k] : memref<16xf32>
    }
  }
  return
}

// -----

// A buffer without elements.
// CHECK-LABEL: func.func @nothing(
// CHECK-COUNT-2: bquant_packed.layer "l"
// CHECK-NOT:     bquant_packed.layer
func.func @nothing(%x: memref<4x0xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}) {
  bquant_packed.layer "l" ins(%i = %x : memref<4x0xf32>) outs(%o = %y : memref<4xf32>) {
    %c = memref.collapse_shape %i [[0, 1]] : memref<4x0xf32> into memref<0xf32>
    scf.forall (%k) in (4) {
      %v = memref.load %c[%k] : memref<0xf32>
      memref.store %v, %o[%k] : memref<4xf32>
    }
    scf.forall (%k) in (4) {
      %v = memref.load %c[%k] : memref<0xf32>
      memref.store %v, %o[%k] : memref<4xf32>
    }
  }
  return
}

// -----

// A layer on tensors stays as it is.
// CHECK-LABEL: func.func @tensors(
// CHECK:         bquant_packed.layer "t"
// CHECK:           bquant_packed.yield
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = bquant_packed.layer "t" ins(%i = %x : tensor<4xf32>) outs(%o = %x : tensor<4xf32>) {
    %n = arith.negf %i : tensor<4xf32>
    %m = arith.addf %n, %i : tensor<4xf32>
    bquant_packed.yield %m : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
