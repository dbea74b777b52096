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

// Sums of three signs by 1, .71828 and .4331 that no cascade makes, since the
// nearest of them to 0.15138 has other signs. The second filter lacks 1.28518,
// and others do for it. A level may be off by the rounding of its sum.
// CHECK-LABEL: func @sums
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 1.15138{{[0-9]*}}], [7.182800e-01, 7.182800e-01], [4.331000e-01, 2.817200e-01]]> : tensor<3x2xf32>
// CHECK: bquant.quantize %{{.*}} thresholds({{.*}} : tensor<7xf32>) codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%[[V]] : tensor<3x2xf32>) : {{.*}} -> !bquant.tensor<2x16, 3, axes = [0]>
func.func @sums(%x: tensor<4x16xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[2.15138, -2.15138, 1.2851801, -1.2851801, 0.71482, -0.71482, 0.15138, -0.15138,
                              2.15138, 2.15138, 1.2851801, 1.2851801, 0.71482, 0.71482, 0.15138, 0.15138],
                             [2.15138, -2.15138, 2.15138, -2.15138, 0.71482, -0.71482, 0.15138, -0.15138,
                              2.15138, 2.15138, 0.15138, 0.15138, 0.71482, 0.71482, 0.15138, 0.15138]]> : tensor<2x16xf32>
  %s = bquant.sign %x : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x16xf32>, tensor<2x16xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Few levels without such an order: a sign for each step between them.
// CHECK-LABEL: func @steps
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}5.561550e-01], [0.43388{{[0-9]*}}], [3.438450e-01], [1.500000e-01]]> : tensor<4x1xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<4.838850e-01> : tensor<1xf32>
// CHECK: bquant.quantize %{{.*}} scalars(%[[V]] : tensor<4x1xf32>) offset(%[[C]] : tensor<1xf32>) {{.*}} -> !bquant.tensor<1x16, 4, axes = [0], offset>
func.func @steps(%x: tensor<4x16xf32>, %out: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %w = arith.constant dense<[[-1.0, -0.31231, 0.8, 1.1, 1.96777, 1.96777, 1.1, 0.8,
                              -0.31231, -1.0, -1.0, -0.31231, 0.8, 1.1, 1.96777, -1.0]]> : tensor<1x16xf32>
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
