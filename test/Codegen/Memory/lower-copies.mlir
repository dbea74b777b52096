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

// Rows of one buffer by way of another one.
// CHECK-LABEL: @moves
// CHECK-SAME:    %[[W:.*]]: memref<3x4xf32>
// CHECK-NOT:     alloc
// CHECK:         %[[LAST:.*]] = memref.subview %[[W]][2, 0]
// CHECK:         %[[FIRST:.*]] = memref.subview %[[W]][0, 0]
// CHECK-NEXT:    memref.copy %[[LAST]], %[[FIRST]]
// CHECK-NEXT:    return
func.func @moves(%w: memref<3x4xf32>) {
  %last = memref.subview %w[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %t = memref.alloc() : memref<1x4xf32>
  memref.copy %last, %t : memref<1x4xf32, strided<[4, 1], offset: 8>> to memref<1x4xf32>
  %first = memref.subview %w[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  memref.copy %t, %first : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  return
}

// They overlap.
// CHECK-LABEL: @overlaps
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[T]]
// CHECK:         memref.copy %[[T]],
func.func @overlaps(%w: memref<3x4xf32>) {
  %last = memref.subview %w[1, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  %t = memref.alloc() : memref<2x4xf32>
  memref.copy %last, %t : memref<2x4xf32, strided<[4, 1], offset: 4>> to memref<2x4xf32>
  %first = memref.subview %w[0, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  memref.copy %t, %first : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  return
}

// Another value is written to the rows in between.
// CHECK-LABEL: @written_between
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[T]]
// CHECK:         memref.store
// CHECK:         memref.copy %[[T]],
func.func @written_between(%w: memref<3x4xf32>, %i: index, %x: f32) {
  %last = memref.subview %w[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %t = memref.alloc() : memref<1x4xf32>
  memref.copy %last, %t : memref<1x4xf32, strided<[4, 1], offset: 8>> to memref<1x4xf32>
  memref.store %x, %w[%i, %i] : memref<3x4xf32>
  %first = memref.subview %w[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  memref.copy %t, %first : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  return
}

// What is copied in between goes elsewhere.
// CHECK-LABEL: @copied_between
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[T]]
// CHECK:         memref.copy %{{.*}}, %arg1
// CHECK:         memref.copy %[[T]],
func.func @copied_between(%w: memref<3x4xf32>, %u: memref<1x4xf32>) {
  %last = memref.subview %w[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 8>>
  %t = memref.alloc() : memref<1x4xf32>
  memref.copy %last, %t : memref<1x4xf32, strided<[4, 1], offset: 8>> to memref<1x4xf32>
  %middle = memref.subview %w[1, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  memref.copy %middle, %u : memref<1x4xf32, strided<[4, 1], offset: 4>> to memref<1x4xf32>
  %first = memref.subview %w[0, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  memref.copy %t, %first : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  return
}

// What is where it belongs.
// CHECK-LABEL: @itself
// CHECK-NEXT:    return
func.func @itself(%a: memref<4x4xf32>) {
  memref.copy %a, %a : memref<4x4xf32> to memref<4x4xf32>
  return
}
