// RUN: bquant-opt %s --bquant-store-between-layers | FileCheck %s

// The second layer reads what the first has in a register, once; a use in the
// first, and what is read of constants, stays.
// CHECK-LABEL: func.func @shortcut(
// CHECK:         %[[C:.*]] = vector.load
// CHECK:         %[[KEPT:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[V:.*]] = arith.addf
// CHECK:         vector.transfer_write %[[V]], %[[KEPT]]
// CHECK:         vector.store %[[V]]
// CHECK:         %[[AGAIN:.*]] = vector.transfer_read %[[KEPT]]
// CHECK:         %[[W:.*]] = arith.mulf %[[AGAIN]], %[[C]]
// CHECK:         arith.addf %[[W]], %[[AGAIN]]
// CHECK-NOT:     memref.alloc
memref.global "private" constant @scales : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @shortcut(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %scales = memref.get_global @scales : memref<4xf32>
  %c = vector.load %scales[%c0] : memref<4xf32>, vector<4xf32>
  %a = vector.load %x[%c0] : memref<4xf32>, vector<4xf32> loc("conv1")
  %v = arith.addf %a, %c : vector<4xf32> loc("conv1")
  vector.store %v, %x[%c0] : memref<4xf32>, vector<4xf32> loc("conv1")
  %w = arith.mulf %v, %c : vector<4xf32> loc("conv2")
  %z = arith.addf %w, %v : vector<4xf32> loc("conv2")
  vector.store %z, %y[%c0] : memref<4xf32>, vector<4xf32> loc("conv2")
  return
}

// Bits are kept as bytes.
// CHECK-LABEL: func.func @bits(
// CHECK:         %[[KEPT:.*]] = memref.alloc() : memref<4xi8>
// CHECK:         %[[V:.*]] = arith.cmpf
// CHECK:         %[[BYTES:.*]] = arith.extui %[[V]] : vector<4xi1> to vector<4xi8>
// CHECK:         vector.transfer_write %[[BYTES]], %[[KEPT]]
// CHECK:         %[[AGAIN:.*]] = vector.transfer_read %[[KEPT]]
// CHECK:         %[[W:.*]] = arith.trunci %[[AGAIN]] : vector<4xi8> to vector<4xi1>
// CHECK:         arith.select %[[W]]
func.func @bits(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<4xf32>, vector<4xf32> loc("conv1")
  %v = arith.cmpf oge, %a, %a : vector<4xf32> loc("conv1")
  %s = arith.select %v, %a, %a : vector<4xi1>, vector<4xf32> loc("conv1")
  vector.store %s, %x[%c0] : memref<4xf32>, vector<4xf32> loc("conv1")
  %b = vector.load %y[%c0] : memref<4xf32>, vector<4xf32> loc("conv2")
  %z = arith.select %v, %b, %a : vector<4xi1>, vector<4xf32> loc("conv2")
  vector.store %z, %y[%c0] : memref<4xf32>, vector<4xf32> loc("conv2")
  return
}

// Layers of another function are its own: the same as above, and a loop that
// threads share, which is no part of the layers around it.
// CHECK-LABEL: func.func @shared(
// CHECK:         %[[KEPT:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         %[[V:.*]] = vector.load
// CHECK:         vector.transfer_write %[[V]], %[[KEPT]]
// CHECK:         %[[AGAIN:.*]] = vector.transfer_read %[[KEPT]]
// CHECK:         scf.forall
// CHECK:           vector.store %[[AGAIN]]
// CHECK:         vector.transfer_read %[[KEPT]]
// CHECK-NEXT:    vector.store
func.func @shared(%x: memref<4xf32>, %y: memref<8x4xf32>, %z: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  scf.forall (%i) in (8) {
    vector.store %v, %y[%i, %c0] : memref<8x4xf32>, vector<4xf32>
  }
  vector.store %v, %z[%c0] : memref<4xf32>, vector<4xf32>
  return
}

// A result is of no layer.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     memref.alloc
// CHECK:         %[[V:.*]] = vector.load
// CHECK-NEXT:    return %[[V]]
func.func @returned(%x: memref<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}

// A count of one pixel is a number.
// CHECK-LABEL: func.func @number(
// CHECK:         %[[KEPT:.*]] = memref.alloc() : memref<i32>
// CHECK:         %[[N:.*]] = arith.addi
// CHECK:         memref.store %[[N]], %[[KEPT]][]
// CHECK:         %[[AGAIN:.*]] = memref.load %[[KEPT]][]
// CHECK:         scf.forall
// CHECK:           memref.store %[[AGAIN]]
func.func @number(%x: memref<i32>, %y: memref<8xi32>) {
  %a = memref.load %x[] : memref<i32>
  %n = arith.addi %a, %a : i32
  scf.forall (%i) in (8) {
    memref.store %n, %y[%i] : memref<8xi32>
  }
  return
}
