// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --convert-bquant-to-packed --canonicalize --cse | FileCheck %s

// How many values of a window are not zero: three rows of windows share six rows
// of the image, each of which is counted once.

// CHECK: #[[$WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK-LABEL: @shared_rows
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x6x5xi32, #words>, tensor<3xi32>) outs(%{{.*}} : tensor<1x6x3xi32>)
// CHECK: math.ctpop
// CHECK: linalg.generic {indexing_maps = [#[[$WINDOW]], {{.*}} ins(%[[ROWS]], %{{.*}} : tensor<1x6x3xi32>, tensor<3xi32>) outs(%{{.*}} : tensor<1x4x3xi32>)
// CHECK-NOT: math.ctpop
// CHECK: return
func.func @shared_rows(%x: tensor<1x6x5x32xf32>, %v: tensor<1xf32>) -> tensor<1x4x3x8xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x5x32xf32> -> !bquant.tensor<1x6x5x32, [1, 1]>
  %w = bquant.constant words(dense<7> : tensor<1x8x3x3x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<8x3x3x32, 1>
  %y = bquant.conv_2d %q, %w kernel(#bquant_packed.popcount<rows = 2, channels = 16, bits = 512>) : (!bquant.tensor<1x6x5x32, [1, 1]>, !bquant.tensor<8x3x3x32, 1>) -> tensor<1x4x3x8xi32>
  return %y : tensor<1x4x3x8xi32>
}

// Windows of two rows that lie two rows apart share none.

// CHECK-LABEL: @rows_of_one_window
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK: math.ctpop
func.func @rows_of_one_window(%x: tensor<1x6x6x32xf32>, %v: tensor<1xf32>) -> tensor<1x3x3x8xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x32xf32> -> !bquant.tensor<1x6x6x32, [1, 1]>
  %w = bquant.constant words(dense<7> : tensor<1x8x2x2x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<8x2x2x32, 1>
  %y = bquant.conv_2d %q, %w strides = [2, 2] kernel(#bquant_packed.popcount<rows = 2, channels = 16, bits = 512>) : (!bquant.tensor<1x6x6x32, [1, 1]>, !bquant.tensor<8x2x2x32, 1>) -> tensor<1x3x3x8xi32>
  return %y : tensor<1x3x3x8xi32>
}
