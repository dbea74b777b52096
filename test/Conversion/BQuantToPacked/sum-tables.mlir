// Float inputs as tables of the sums of a few channels, filters as their indices.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --convert-bquant-to-packed --canonicalize | FileCheck %s

// 31 channels of three are 11 tables, of two words 20. Channel 0 is bit 0 of the
// first index, and bit 0 of a word its sign.
// CHECK-LABEL: @matmul
// CHECK-DAG: %[[FIRST:.*]] = arith.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]>
// CHECK-DAG: %[[THIRD:.*]] = arith.constant dense<[-1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00]>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[PAD:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 29]
// CHECK: %[[X:.*]] = tensor.expand_shape %[[PAD]] {{.*}} : tensor<2x60xf32> into tensor<2x20x3xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[FIRST]], %[[X]], %{{.*}}, %[[X]], %[[THIRD]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[SA:.*]]: f32, %[[B:.*]]: f32, %[[SB:.*]]: f32, %[[C:.*]]: f32, %[[SC:.*]]: f32,
// CHECK-NEXT: %[[PA:.*]] = arith.mulf %[[A]], %[[SA]]
// CHECK-NEXT: %[[PB:.*]] = arith.mulf %[[B]], %[[SB]]
// CHECK-NEXT: %[[AB:.*]] = arith.addf %[[PA]], %[[PB]]
// CHECK-NEXT: %[[PC:.*]] = arith.mulf %[[C]], %[[SC]]
// CHECK-NEXT: arith.addf %[[AB]], %[[PC]]
// CHECK: -> tensor<2x20x8xf32>
// CHECK: bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%[[T]] : tensor<2x20x8xf32>) filters(%{{.*}} : tensor<2x2x32xi32, #{{[a-z0-9_]+}}>)
func.func @matmul(%x: tensor<2x31xf32>) -> tensor<2x40xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x40x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<40x31, 1>
  %0 = bquant.matmul %x, %w kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) : (tensor<2x31xf32>, !bquant.tensor<40x31, 1>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// Planes with ratios have a sum each.
// CHECK-LABEL: @uniform
// CHECK: %[[S:.*]]:2 = bquant_packed.product
// CHECK: linalg.generic {{.*}} ins(%[[S]]#0, %[[S]]#1 :
// CHECK: %[[A:.*]] = arith.mulf %{{.*}}, %cst{{.*}} : f32
// CHECK: %[[B:.*]] = arith.mulf %{{.*}}, %cst{{.*}} : f32
// CHECK: arith.addf %[[A]], %[[B]]
func.func @uniform(%x: tensor<2x30xf32>) -> tensor<2x8xf32> {
  %w = bquant.constant words(dense<5> : tensor<2x8x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<8x30, [3, 2]>
  %0 = bquant.matmul %x, %w kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) : (tensor<2x30xf32>, !bquant.tensor<8x30, [3, 2]>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Tables of five channels; those of a convolution once for all regions.
// CHECK-LABEL: @conv
// CHECK: %[[T:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x4x6x32xf32>)
// CHECK: tensor.extract_slice %[[T]][0, 0, 0, 0, 0] [1, 2, 2, 6, 32]
// CHECK: bquant_packed.product {{.*}} filters(%{{.*}} : tensor<1x2x2x1x32xi32, #{{[a-z0-9_]+}}>)
func.func @conv(%x: tensor<1x4x4x12xf32>) -> tensor<1x4x4x8xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x8x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<8x3x3x12, 1>
  %0 = bquant.conv_2d %x, %w pads = [1, 1, 1, 1] kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 512>) : (tensor<1x4x4x12xf32>, !bquant.tensor<8x3x3x12, 1>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
