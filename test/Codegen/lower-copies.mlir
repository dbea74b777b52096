// RUN: bquant-opt %s --bquant-lower-copies | FileCheck %s

// A contiguous copy becomes a memcpy later.
// CHECK-LABEL: @contiguous
// CHECK-NEXT:    memref.copy
func.func @contiguous(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  return
}

// CHECK-LABEL: @strided
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : memref<4x4xf32, strided<[8, 1]>>) outs(%{{.*}} : memref<4x4xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[IN]] : f32
func.func @strided(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// What is where it belongs.
// CHECK-LABEL: @itself
// CHECK-NEXT:    return
func.func @itself(%a: memref<4x4xf32>) {
  memref.copy %a, %a : memref<4x4xf32> to memref<4x4xf32>
  return
}
