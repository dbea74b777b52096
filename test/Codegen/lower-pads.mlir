// RUN: bquant-opt %s --bquant-lower-pads | FileCheck %s
// RUN: bquant-opt %s --bquant-llvm-pipeline --mlir-print-ir-before=bquant-plan-arena -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @pad(
// CHECK:         %[[ABS:.*]] = linalg.generic
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[EMPTY]] : tensor<4x8xf32>)
// CHECK:         tensor.insert_slice %[[ABS]] into %[[FILL]][0, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x8xf32>
// CHECK-NOT:     tensor.pad

// One buffer, and no copy.
// BUFFERS-LABEL: func.func @__bquant_pad(
// BUFFERS:         %[[ALLOC:.*]] = memref.alloc() {{.*}}: memref<4x8xf32>
// BUFFERS:         memref.subview %[[ALLOC]][0, 1] [4, 6] [1, 1]
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         math.absf
// BUFFERS-NOT:     memref.alloc
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
