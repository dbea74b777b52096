// A product is written where its result goes, as the analysis of upstream's passes
// finds; on buffers it has no form.
//
// RUN: bquant-opt %s --eliminate-empty-tensors --bquant-decompose-packed --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --cse --canonicalize | FileCheck %s
// RUN: not bquant-opt %s --one-shot-bufferize=bufferize-function-boundaries 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK-LABEL: func @in_place
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
// ERROR: 'bquant_packed.product' op expected to be decomposed before bufferization (--bquant-decompose-packed)
func.func @in_place(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %y: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xf32>) outs(%fill : tensor<4x2xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x2xf32>
  %1 = tensor.insert_slice %0 into %y[2, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}
