// RUN: bquant-opt --bquant-raise --split-input-file --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Two magnitudes for each filter are two planes.
// CHECK-LABEL: func @two
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [5.000000e-01, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK: bquant.quantize %{{.*}} scalars(%[[V]] : tensor<2x2xf32>) {{.*}} -> !bquant.tensor<2x8, 2, axes = [0]>
// CHECK: bquant.matmul
func.func @two(%x: tensor<4x8xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.5, -1.5, 0.5, -0.5, 1.5, 1.5, -0.5, 0.5],
                             [3.0, -3.0, 1.0, -1.0, 3.0, 1.0, 1.0, 3.0]]> : tensor<2x8xf32>
  %s = bquant.sign %x : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// One magnitude and zero are ternary; a filter without zeros is, too.
// CHECK-LABEL: func @ternary
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}5.000000e-01, 1.000000e+00]]> : tensor<1x2xf32>
// CHECK: bquant.quantize %{{.*}} scalars(%[[V]] : tensor<1x2xf32>) {{.*}} -> !bquant.tensor<2x8, [1, 1], axes = [0]>
// CHECK: bquant.matmul
func.func @ternary(%x: tensor<4x8xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, -1.0, 0.0, -0.0, 1.0, 1.0, 0.0, 0.0],
                             [2.0, -2.0, 2.0, -2.0, 2.0, 2.0, 2.0, 2.0]]> : tensor<2x8xf32>
  %s = bquant.sign %x : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Four magnitudes whose differences fit are three planes.
// CHECK-LABEL: func @three
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}1.000000e+00], [5.000000e-01], [2.500000e-01]]> : tensor<3x1xf32>
// CHECK: bquant.quantize %{{.*}} scalars(%[[V]] : tensor<3x1xf32>) {{.*}} -> !bquant.tensor<1x16, 3, axes = [0]>
func.func @three(%x: tensor<4x16xf32>, %out: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %w = arith.constant dense<[[1.75, -1.75, 1.25, -1.25, 0.75, -0.75, 0.25, -0.25,
                              1.75, 1.75, 1.25, 1.25, 0.75, 0.75, 0.25, 0.25]]> : tensor<1x16xf32>
  %s = bquant.sign %x : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x16xf32>, tensor<1x16xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Magnitudes that differ by one bit are not the same: here five.
// CHECK-LABEL: func @near
// CHECK-NOT: bquant.matmul
// CHECK: linalg.matmul
// REMARK: [Missed] raise-product
// REMARK-SAME: linalg.matmul stays float: the input is quantized, but the filter is float
func.func @near(%x: tensor<4x8xf32>, %out: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %w = arith.constant dense<[[1.0, -1.00000012, 1.00000024, -1.00000036, 1.00000048, 1.0, -1.0, 1.0]]> : tensor<1x8xf32>
  %s = bquant.sign %x : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x8xf32>, tensor<1x8xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// By a float input only what cannot be chance: not a mean.
// CHECK-LABEL: func @mean
// CHECK-NOT: bquant.matmul
// CHECK: linalg.matmul
// CHECK: bquant.matmul {{.*}} : (tensor<4x8xf32>, !bquant.tensor<1x8, 1, axes = [0]>)
func.func @mean(%x: tensor<4x8xf32>, %out: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %w = arith.constant dense<0.125> : tensor<1x8xf32>
  %v = arith.constant dense<[[0.5, 0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5]]> : tensor<1x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%x, %w : tensor<4x8xf32>, tensor<1x8xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  %z = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%x, %v : tensor<4x8xf32>, tensor<1x8xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y, %z : tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Whole steps: a filter that the rounding of a larger one would make zeros has a
// step of its own.
// CHECK-LABEL: func @apart
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}5.000000e+09, 5.000000e-01]]> : tensor<1x2xf32>
// CHECK: bquant.quantize %{{.*}} codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%[[V]] : tensor<1x2xf32>)
func.func @apart(%x: tensor<4x8xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0e10, -2.0e10, 3.0e10, -1.0e10, -3.0e10, -4.0e10, 2.0e10, 0.0],
                             [1.0, -2.0, 3.0, -1.0, -3.0, -4.0, 2.0, 0.0]]> : tensor<2x8xf32>
  %s = bquant.sign %x : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
