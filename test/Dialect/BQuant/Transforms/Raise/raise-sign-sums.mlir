// Filters that are sums of a few signs.
// RUN: bquant-opt --bquant-raise=assume-exact-residues %s | FileCheck %s
// RUN: bquant-opt --bquant-raise %s | FileCheck %s --check-prefix=STRICT

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// With residues as they are written nothing is merged.
// STRICT-LABEL: func @sums
// STRICT: linalg.matmul
// STRICT-LABEL: func @steps
// STRICT: linalg.matmul

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
