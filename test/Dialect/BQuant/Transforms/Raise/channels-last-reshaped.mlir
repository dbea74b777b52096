// RUN: bquant-opt %s --bquant-channels-last --canonicalize | FileCheck %s

// The tiles of a transposed convolution are moved to their places once, channels
// last: not back to channels first, to their places, and to channels last again.
// CHECK-LABEL: func.func @tiles(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nhwc_fhwc
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0], [1], [2], [3, 4, 5]] output_shape [1, 5, 6, 2, 3, 4] : tensor<1x5x6x24xf32> into tensor<1x5x6x2x3x4xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[E]] : tensor<1x5x6x2x3x4xf32>) outs(%{{.*}} : tensor<1x5x2x6x3x4xf32>) permutation = [0, 1, 3, 2, 4, 5]
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0], [1, 2], [3, 4], [5]] : tensor<1x5x2x6x3x4xf32> into tensor<1x10x18x4xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.pooling_nhwc_max {{.*}}ins(%[[C]]
func.func @tiles(%x: tensor<1x8x5x6xf32>, %f: tensor<24x8x1x1xf32>) -> tensor<1x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<1x24x5x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x5x6xf32>) -> tensor<1x24x5x6xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %f : tensor<1x8x5x6xf32>, tensor<24x8x1x1xf32>) outs(%i : tensor<1x24x5x6xf32>) -> tensor<1x24x5x6xf32>
  %parts = tensor.expand_shape %y [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 3, 4, 5, 6] : tensor<1x24x5x6xf32> into tensor<1x2x3x4x5x6xf32>
  %te = tensor.empty() : tensor<1x4x5x2x6x3xf32>
  %t = linalg.transpose ins(%parts : tensor<1x2x3x4x5x6xf32>) outs(%te : tensor<1x4x5x2x6x3xf32>) permutation = [0, 3, 4, 1, 5, 2]
  %c = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x4x5x2x6x3xf32> into tensor<1x4x10x18xf32>
  %w = tensor.empty() : tensor<2x3xf32>
  %pe = tensor.empty() : tensor<1x4x5x6xf32>
  %pi = linalg.fill ins(%low : f32) outs(%pe : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  %p = linalg.pooling_nchw_max {strides = dense<[2, 3]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%c, %w : tensor<1x4x10x18xf32>, tensor<2x3xf32>) outs(%pi : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return %p : tensor<1x4x5x6xf32>
}
