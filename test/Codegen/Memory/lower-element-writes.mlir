// RUN: bquant-opt %s --bquant-lower-element-writes --canonicalize | FileCheck %s

// CHECK-LABEL: @elements
// CHECK-SAME:    %[[A:.*]]: i32, %[[B:.*]]: i32, %[[M:.*]]: memref<1x2x8xi32>, %[[O:.*]]: index
// CHECK-NOT:     vector
// CHECK:         memref.store %[[A]], %[[M]][%c0, %c0, %[[O]]]
// CHECK-NEXT:    memref.store %[[B]], %[[M]][%c0, %c1, %[[O]]]
// CHECK-NEXT:    return
func.func @elements(%a: i32, %b: i32, %m: memref<1x2x8xi32>, %o: index) {
  %c0 = arith.constant 0 : index
  %v = vector.from_elements %a, %b : vector<1x2x1xi32>
  vector.transfer_write %v, %m[%c0, %c0, %o] {in_bounds = [true, true, true]} : vector<1x2x1xi32>, memref<1x2x8xi32>
  return
}

// The vector has the last dimensions of the buffer, and starts anywhere.
// CHECK-LABEL: @starts
// CHECK-DAG:     %[[NEXT:.*]] = arith.addi %arg3, %c1
// CHECK-DAG:     memref.store %arg0, %arg2[%c3, %arg3]
// CHECK:         memref.store %arg1, %arg2[%c3, %[[NEXT]]]
func.func @starts(%a: f32, %b: f32, %m: memref<4x8xf32>, %i: index) {
  %c3 = arith.constant 3 : index
  %v = vector.from_elements %a, %b : vector<2xf32>
  vector.transfer_write %v, %m[%c3, %i] {in_bounds = [true]} : vector<2xf32>, memref<4x8xf32>
  return
}

// What canonicalizations have made of elements.
// CHECK-LABEL: @equal
// CHECK-NOT:     vector
// CHECK-COUNT-4: memref.store %arg0
// CHECK-NOT:     memref.store
func.func @equal(%a: f32, %m: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.broadcast %a : f32 to vector<2x2xf32>
  vector.transfer_write %v, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
  return
}

// CHECK-LABEL: @constant
// CHECK-NOT:     vector
// CHECK-DAG:     memref.store %c7_i32, %arg0[%c0, %c0]
// CHECK-DAG:     memref.store %c9_i32, %arg0[%c1, %c0]
func.func @constant(%m: memref<2x1xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<[[7], [9]]> : vector<2x1xi32>
  vector.transfer_write %v, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x1xi32>, memref<2x1xi32>
  return
}

// Rows stay, and what is masked, transposed or ends outside.
// CHECK-LABEL: @others
// CHECK-NOT:     memref.store
// CHECK-COUNT-4: vector.transfer_write
func.func @others(%row: vector<4xf32>, %tile: vector<2x4xf32>, %mask: vector<2x4xi1>, %m: memref<4x4xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  vector.transfer_write %row, %m[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>
  vector.transfer_write %tile, %m[%c0, %c0], %mask {in_bounds = [true, true]} : vector<2x4xf32>, memref<4x4xf32>
  vector.transfer_write %tile, %m[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<2x4xf32>, memref<4x4xf32>
  vector.transfer_write %tile, %m[%i, %c0] : vector<2x4xf32>, memref<4x4xf32>
  return
}

// A buffer of vectors, and vectors of a size that is known at run time.
// CHECK-LABEL: @vectors
// CHECK-NOT:     memref.store
// CHECK-COUNT-2: vector.transfer_write
func.func @vectors(%tile: vector<4x2x2xf32>, %scalable: vector<2x[4]xf32>, %m: memref<8xvector<2x2xf32>>, %n: memref<8x?xf32>, %i: index) {
  vector.transfer_write %tile, %m[%i] {in_bounds = [true]} : vector<4x2x2xf32>, memref<8xvector<2x2xf32>>
  vector.transfer_write %scalable, %n[%i, %i] {in_bounds = [true, true]} : vector<2x[4]xf32>, memref<8x?xf32>
  return
}
