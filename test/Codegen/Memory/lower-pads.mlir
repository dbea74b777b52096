// RUN: bquant-opt %s --bquant-lower-pads | FileCheck %s
// RUN: bquant-opt %s --bquant-llvm-pipeline --mlir-print-ir-before=bquant-plan-arena -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @pad(
// CHECK:         %[[ABS:.*]] = linalg.generic
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK:         %[[IN:.*]] = tensor.insert_slice %[[ABS]] into %[[EMPTY]][0, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x8xf32>
// CHECK:         %[[L:.*]] = tensor.extract_slice %[[IN]][0, 0] [4, 1] [1, 1]
// CHECK:         %[[LOW:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[L]] : tensor<4x1xf32>)
// CHECK:         %[[PART:.*]] = tensor.insert_slice %[[LOW]] into %[[IN]][0, 0] [4, 1] [1, 1]
// CHECK:         %[[H:.*]] = tensor.extract_slice %[[PART]][0, 7] [4, 1] [1, 1]
// CHECK:         %[[HIGH:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[H]] : tensor<4x1xf32>)
// CHECK:         tensor.insert_slice %[[HIGH]] into %[[PART]][0, 7] [4, 1] [1, 1]
// CHECK-NOT:     tensor.pad

// One buffer, and no copy; what lies inside is written once.
// BUFFERS-LABEL: func.func @__bquant_pad(
// BUFFERS:         %[[ALLOC:.*]] = memref.alloc() {{.*}}: memref<4x8xf32>
// BUFFERS:         %[[IN:.*]] = memref.subview %{{.*}}[0, 1] [4, 6] [1, 1]
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         math.absf
// BUFFERS-NEXT:    memref.store %{{.*}}, %[[IN]]
// BUFFERS:         %[[LOW:.*]] = memref.subview %{{.*}}[0, 0] [4, 1] [1, 1]
// BUFFERS-NOT:     memref.load
// BUFFERS:         memref.store %{{.*}}, %[[LOW]]
// BUFFERS-NOT:     memref.load
// BUFFERS:         %[[HIGH:.*]] = memref.subview %{{.*}}[0, 7] [4, 1] [1, 1]
// BUFFERS-NOT:     memref.load
// BUFFERS:         memref.store %{{.*}}, %[[HIGH]]
// BUFFERS-NOT:     memref.alloc() {{.*}}: memref<4x8xf32>
// BUFFERS-NOT:     memref.copy
// BUFFERS:         return
func.func @pad(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%i: f32, %o: f32):
    %y = math.absf %i : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  %w = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %w : tensor<4x8xf32>, tensor<3xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%i: f32, %k: f32, %o: f32):
    %y = arith.addf %o, %i : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  return %s : tensor<4x6xf32>
}

// Around two dimensions, no element is filled twice. Of a size that is not known
// all is filled.

// CHECK-LABEL: func.func @corners(
// CHECK:         outs(%{{.*}} : tensor<1x5xi8>)
// CHECK:         tensor.insert_slice %{{.*}}[0, 0] [1, 5] [1, 1]
// CHECK:         outs(%{{.*}} : tensor<2x2xi8>)
// CHECK:         tensor.insert_slice %{{.*}}[1, 3] [2, 2] [1, 1]
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @corners(%x: tensor<2x3xi8>) -> tensor<3x5xi8> {
  %c = arith.constant 1 : i8
  %p = tensor.pad %x low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i8
  } : tensor<2x3xi8> to tensor<3x5xi8>
  return %p : tensor<3x5xi8>
}

// CHECK-LABEL: func.func private @dynamic(
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%{{.*}} : i8) outs(%{{.*}} : tensor<?xi8>)
// CHECK:         tensor.insert_slice %{{.*}} into %[[FILL]]
func.func private @dynamic(%x: tensor<?xi8>) -> tensor<?xi8> {
  %c = arith.constant 1 : i8
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : i8
  } : tensor<?xi8> to tensor<?xi8>
  return %p : tensor<?xi8>
}

// What is left out is a slice; of a source that is left out as a whole, nothing
// is.

// CHECK-LABEL: func.func @negative(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [3, 5] [1, 1]
// CHECK:         %[[P:.*]] = tensor.insert_slice %[[S]] into %{{.*}}[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<5x5xf32>
// CHECK:         outs(%{{.*}} : tensor<2x5xf32>)
// CHECK:         tensor.insert_slice %{{.*}} into %[[P]][3, 0] [2, 5] [1, 1]
func.func @negative(%x: tensor<4x6xf32>) -> tensor<5x5xf32> {
  %c = arith.constant 1.0 : f32
  %p = tensor.pad %x low[-1, 0] high[2, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x6xf32> to tensor<5x5xf32>
  return %p : tensor<5x5xf32>
}

// CHECK-LABEL: func.func @nothing_left(
// CHECK:         outs(%{{.*}} : tensor<2x6xf32>)
func.func @nothing_left(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
  %c = arith.constant 1.0 : f32
  %p = tensor.pad %x low[-6, 0] high[4, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x6xf32> to tensor<2x6xf32>
  return %p : tensor<2x6xf32>
}
