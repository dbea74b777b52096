// RUN: bquant-opt %s --bquant-fold-constants | FileCheck %s
// RUN: bquant-opt %s --bquant-fold-constants=keep-cascades | FileCheck %s --check-prefix=KEEP

// The sum of magnitudes is computed; it is no cascade.
// CHECK-LABEL: func @sums
// CHECK-DAG: %[[S:.*]] = arith.constant dense<[3.000000e+00, 9.000000e+00]> : tensor<2xf32>
// CHECK: return %[[S]]
// KEEP-LABEL: func @sums
// KEEP-DAG: %[[S:.*]] = arith.constant dense<[3.000000e+00, 9.000000e+00]> : tensor<2xf32>
// KEEP: return %[[S]]
func.func @sums() -> tensor<2xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %w = arith.constant dense<[[1.0, -2.0], [3.0, -6.0]]> : tensor<2x2xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<2x2xf32>) outs(%zeros : tensor<2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %m = math.absf %a : f32
    %n = arith.addf %acc, %m : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %s : tensor<2xf32>
}

// A filter that is scalars times signs says more than its numbers.
// CHECK-LABEL: func @cascade
// CHECK-DAG: %[[F:.*]] = arith.constant dense<{{\[\[}}5.000000e-01, -5.000000e-01], [5.000000e-01, -5.000000e-01]]>
// CHECK: return %[[F]]
// KEEP-LABEL: func @cascade
// KEEP: %[[S:.*]] = bquant.sign
// KEEP: %[[F:.*]] = linalg.generic {{.*}} ins(%[[S]]
// KEEP: return %[[F]]
func.func @cascade() -> tensor<2x2xf32> {
  %half = arith.constant 0.5 : f32
  %w = arith.constant dense<[[1.0, -2.0], [3.0, -6.0]]> : tensor<2x2xf32>
  %sign = bquant.sign %w : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sign : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %half : f32
    linalg.yield %m : f32
  } -> tensor<2x2xf32>
  return %f : tensor<2x2xf32>
}

// Bits lie eight to a byte. Of no elements there is nothing to compute.
// CHECK-LABEL: func @bits
// CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[\[}}true, true], [false, true], [false, false]]> : tensor<3x2xi1>
// CHECK-DAG: %[[N:.*]] = linalg.transpose
// CHECK: return %[[B]], %[[N]]
func.func @bits() -> (tensor<3x2xi1>, tensor<3x0xf32>) {
  %w = arith.constant dense<[[true, false, false], [true, true, false]]> : tensor<2x3xi1>
  %none = arith.constant dense<> : tensor<0x3xf32>
  %e = tensor.empty() : tensor<3x2xi1>
  %t = linalg.transpose ins(%w : tensor<2x3xi1>) outs(%e : tensor<3x2xi1>) permutation = [1, 0]
  %f = tensor.empty() : tensor<3x0xf32>
  %n = linalg.transpose ins(%none : tensor<0x3xf32>) outs(%f : tensor<3x0xf32>) permutation = [1, 0]
  return %t, %n : tensor<3x2xi1>, tensor<3x0xf32>
}
