// RUN: bquant-opt %s --bquant-split-filter-offsets -split-input-file | FileCheck %s

// A convolution by groups: as many sums as groups, each for an equal part of
// the channels. An offset for each filter is read along them.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$GROUP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3 floordiv 2)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-LABEL: func @groups
// CHECK: %[[W:.*]] = bquant.constant words(dense<3> : tensor<1x4x1x1x1xi32>) scalars(dense<5.000000e-01> : tensor<1x4xf32>) : !bquant.tensor<4x1x1x3, 1, axes = [0]>
// CHECK: %[[D:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK: %[[P:.*]] = bquant.conv_2d %[[X:.*]], %[[W]] pads = [1, 1, 1, 1] groups = 2
// CHECK: %[[ONES:.*]] = bquant.constant words(dense<7> : tensor<1x2x1x1x1xi32>) scalars(dense<1.000000e+00> : tensor<1xf32>) : !bquant.tensor<2x1x1x3, 1>
// CHECK: %[[S:.*]] = bquant.conv_2d %[[X]], %[[ONES]] pads = [1, 1, 1, 1] groups = 2
// CHECK-SAME: -> tensor<1x7x7x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$GROUP]], #[[$CHANNEL]], #[[$ID]]]
// CHECK-SAME: ins(%[[P]], %[[S]], %[[D]]
// CHECK: %[[T:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[T]] : f32
func.func @groups(%x: tensor<1x5x5x6xf32>) -> tensor<1x7x7x4xf32> {
  %w = bquant.constant words(dense<3> : tensor<1x4x1x1x1xi32>) scalars(dense<0.5> : tensor<1x4xf32>)
      offset(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !bquant.tensor<4x1x1x3, 1, axes = [0], offset>
  %y = bquant.conv_2d %x, %w pads = [1, 1, 1, 1] groups = 2
      : (tensor<1x5x5x6xf32>, !bquant.tensor<4x1x1x3, 1, axes = [0], offset>) -> tensor<1x7x7x4xf32>
  return %y : tensor<1x7x7x4xf32>
}

// -----

// One for all filters is read without their loop, as is the one offset.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$BATCH:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: func @batches
// CHECK: %[[Q:.*]] = bquant.quantize %{{.*}} scalars(%{{.*}} : tensor<1x2xf32>) : tensor<2x4x33xf32> -> !bquant.tensor<2x4x33, 1, axes = [0]>
// CHECK: bquant.matmul %{{.*}}, %[[Q]]
// CHECK: bquant.constant words(dense<{{\[\[}}{{\[\[}}-1, 1]], {{\[\[}}-1, 1]]]]> : tensor<1x2x1x2xi32>)
// CHECK: %[[S:.*]] = bquant.matmul
// CHECK-SAME: -> tensor<2x5x1xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$ROWS]], #[[$BATCH]], #{{.*}}]
func.func @batches(%x: !bquant.tensor<2x5x33, 1>, %f: tensor<2x4x33xf32>, %v: tensor<1x2xf32>, %d: tensor<2xf32>) -> tensor<2x5x4xf32> {
  %w = bquant.quantize %f scalars(%v : tensor<1x2xf32>) offset(%d : tensor<2xf32>)
      : tensor<2x4x33xf32> -> !bquant.tensor<2x4x33, 1, axes = [0], offset>
  %y = bquant.matmul %x, %w : (!bquant.tensor<2x5x33, 1>, !bquant.tensor<2x4x33, 1, axes = [0], offset>) -> tensor<2x5x4xf32>
  return %y : tensor<2x5x4xf32>
}

// -----

// CHECK-LABEL: func @unknown
// CHECK-NOT: bquant.constant
// CHECK: bquant.matmul %{{.*}}, %{{.*}} : (tensor<2x8xf32>, !bquant.tensor<4x8, 1, offset>)
func.func @unknown(%x: tensor<2x8xf32>, %w: !bquant.tensor<4x8, 1, offset>) -> tensor<2x4xf32> {
  %y = bquant.matmul %x, %w : (tensor<2x8xf32>, !bquant.tensor<4x8, 1, offset>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
