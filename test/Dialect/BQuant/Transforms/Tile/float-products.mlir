// RUN: bquant-opt %s --bquant-float-products | FileCheck %s

// CHECK-LABEL: @matmul
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[R:.*]] = math.fma %[[X]], %[[W]], %[[ACC]] : f32
// CHECK-NEXT: linalg.yield %[[R]]
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: @conv
// CHECK-NOT: linalg.conv_2d
// CHECK: math.fma
func.func @conv(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %c: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>) outs(%c : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// A maximum has no product.
// CHECK-LABEL: @pool
// CHECK: arith.maximumf
func.func @pool(%x: tensor<1x8x8x3xf32>, %w: tensor<2x2xf32>, %c: tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32> {
  %0 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%c : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
  return %0 : tensor<1x7x7x3xf32>
}

// What is written as two operations stays two.
// CHECK-LABEL: @written
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @written(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %w: f32, %acc: f32):
    %m = arith.mulf %x, %w : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
