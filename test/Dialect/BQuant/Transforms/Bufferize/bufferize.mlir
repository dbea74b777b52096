// RUN: bquant-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// CHECK-LABEL: func @in_place
// CHECK-SAME: (%[[X:.*]]: memref<4x16xf32>, %[[V:.*]]: memref<2x4xf32>)
func.func @in_place(%x: tensor<4x16xf32>, %v: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %s = tensor.empty() : tensor<832xi8>
  // CHECK: %[[S:.*]] = memref.alloc() {{.*}} : memref<832xi8>
  // CHECK: bquant.solve <ls, 2> ins(%[[X]] : memref<4x16xf32>) outs(%[[V]], %[[S]] : memref<2x4xf32>, memref<832xi8>)
  // CHECK-NOT: memref.copy
  %0:2 = bquant.solve <ls, 2> ins(%x : tensor<4x16xf32>) outs(%v, %s : tensor<2x4xf32>, tensor<832xi8>)
      -> tensor<2x4xf32>, tensor<832xi8>
  // CHECK: return %[[V]]
  return %0#0 : tensor<2x4xf32>
}

// The solver takes an array without gaps.
// CHECK-LABEL: func @gaps
func.func @gaps(%x: tensor<4x20xf32>, %v: tensor<1x4xf32>) -> tensor<1x4xf32> {
  // CHECK: %[[VIEW:.*]] = memref.subview
  // CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<4x16xf32>
  // CHECK: memref.copy %[[VIEW]], %[[COPY]]
  // CHECK: bquant.solve <ls, 1> ins(%[[COPY]] : memref<4x16xf32>)
  %part = tensor.extract_slice %x[0, 2] [4, 16] [1, 1] : tensor<4x20xf32> to tensor<4x16xf32>
  %0 = bquant.solve <ls, 1> ins(%part : tensor<4x16xf32>) outs(%v : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// What is read again is not overwritten.
// CHECK-LABEL: func @kept
func.func @kept(%x: tensor<1x16xf32>, %v: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  // CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<1x1xf32>
  // CHECK-NOT: memref.copy
  // CHECK: bquant.solve <gf, 1> ins(%{{.*}} : memref<1x16xf32>) outs(%[[NEW]] : memref<1x1xf32>)
  %0 = bquant.solve <gf, 1> ins(%x : tensor<1x16xf32>) outs(%v : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %v, %0 : tensor<1x1xf32>, tensor<1x1xf32>
}
