// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,ROUNDED
// RUN: bquant-opt %s --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,ROUNDED

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 + d5 * 3, d6)>
// CHECK-DAG: #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG: #[[$DEPTH:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-DAG: #[[$LEFT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d2, d5)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>

// What the machine has says whether a product is rounded.
// CHECK-LABEL: @matmul
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>, %[[C:.*]]: tensor<4x2xf32>
// CHECK-NOT: linalg.matmul
// FMA: bquant_packed.product kernel(#bquant_packed.fma<rows = 12, channels = 32, bits = 256>) fused ins(%[[A]] :
// ROUNDED: bquant_packed.product kernel(#bquant_packed.fma<rows = 12, channels = 32, bits = 128>) ins(%[[A]] :
// CHECK-SAME: filters(%[[B]] : tensor<8x2xf32>) outs(%[[C]] : tensor<4x2xf32>) maps = [#[[$MK]], #[[$KN]]] -> tensor<4x2xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: @conv
// CHECK: bquant_packed.product {{.*}} maps = [#[[$IMAGE]], #[[$FILTER]]]
func.func @conv(%x: tensor<1x9x9x3xf32>, %w: tensor<4x3x3x3xf32>, %c: tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x9x3xf32>, tensor<4x3x3x3xf32>) outs(%c : tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  return %0 : tensor<1x4x3x4xf32>
}

// CHECK-LABEL: @depthwise
// CHECK: bquant_packed.product {{.*}} maps = [{{.*}}, #[[$DEPTH]]]
func.func @depthwise(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3xf32>, %c: tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x8x3xf32>, tensor<3x3x3xf32>) outs(%c : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
  return %0 : tensor<1x6x6x3xf32>
}

// Of mmt4d the loops m, n, k, m0, n0, k0 become m, n, m0, n0 of the result, then
// k, k0.
// CHECK-LABEL: @order
// CHECK: bquant_packed.product {{.*}} maps = [#[[$LEFT]], {{.*}}] -> tensor<2x3x4x5xf32>
func.func @order(%a: tensor<2x6x4x7xf32>, %b: tensor<3x6x5x7xf32>, %c: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x6x4x7xf32>, tensor<3x6x5x7xf32>) outs(%c : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// A result that is written transposed: the filter is what has its last dimension.
// CHECK-LABEL: @contract
// CHECK: bquant_packed.product {{.*}} maps = [#[[$MK]], #[[$NK]]] -> tensor<2x4xf32>
func.func @contract(%a: tensor<4x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>]
      ins(%a, %b : tensor<4x8xf32>, tensor<2x8xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Batched, of any size, and a single number.
// CHECK-LABEL: @others
// CHECK: bquant_packed.product {{.*}} -> tensor<?x4x2xf32>
// CHECK: bquant_packed.product {{.*}} -> tensor<f32>
func.func @others(%a: tensor<?x4x8xf32>, %b: tensor<?x8x2xf32>, %c: tensor<?x4x2xf32>, %v: tensor<8xf32>, %s: tensor<f32>) -> (tensor<?x4x2xf32>, tensor<f32>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x4x8xf32>, tensor<?x8x2xf32>) outs(%c : tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
  %1 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<?x4x2xf32>, tensor<f32>
}

// A maximum has no product, and a sum has none.
// CHECK-LABEL: @pool
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.pooling_nhwc_sum
func.func @pool(%x: tensor<1x8x8x3xf32>, %w: tensor<2x2xf32>, %c: tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32> {
  %0 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%c : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
  %1 = linalg.pooling_nhwc_sum ins(%x, %w : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%0 : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
  return %1 : tensor<1x7x7x3xf32>
}

// Products of shorter floats are exact in f32.
// CHECK-LABEL: @short
// CHECK: linalg.matmul
func.func @short(%a: tensor<4x8xf16>, %b: tensor<8x2xf16>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x2xf16>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// What is written as two operations stays two.
// CHECK-LABEL: @written
// CHECK: linalg.generic
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
