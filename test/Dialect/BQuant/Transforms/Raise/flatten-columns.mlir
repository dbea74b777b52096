// RUN: bquant-opt %s --bquant-flatten-columns -split-input-file | FileCheck %s

// The transpose is gone; the rows of K x N become columns of N x K, in the order
// of the image: h, w, c.
// CHECK-LABEL: func @matmul
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x2x2xf32>
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 2.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[X]]
// CHECK: linalg.matmul
// CHECK-SAME: ins(%[[F]], %[[W]] : tensor<1x4xf32>, tensor<1x4xf32>)
func.func @matmul(%x: tensor<1x1x2x2xf32>, %init: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %w = arith.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %e = tensor.empty() : tensor<1x2x1x2xf32>
  %t = linalg.transpose ins(%x : tensor<1x1x2x2xf32>) outs(%e : tensor<1x2x1x2xf32>)
      permutation = [0, 3, 1, 2]
  %f = tensor.collapse_shape %t [[0], [1, 2, 3]] : tensor<1x2x1x2xf32> into tensor<1x4xf32>
  %y = linalg.matmul ins(%f, %w : tensor<1x4xf32>, tensor<4x1xf32>)
      outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// A matrix that is no constant keeps its columns, and the image its transpose.
// CHECK-LABEL: func @no_constant
// CHECK: linalg.transpose
// CHECK: linalg.matmul
func.func @no_constant(%x: tensor<1x1x2x2xf32>, %w: tensor<4x1xf32>,
                       %init: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = tensor.empty() : tensor<1x2x1x2xf32>
  %t = linalg.transpose ins(%x : tensor<1x1x2x2xf32>) outs(%e : tensor<1x2x1x2xf32>)
      permutation = [0, 3, 1, 2]
  %f = tensor.collapse_shape %t [[0], [1, 2, 3]] : tensor<1x2x1x2xf32> into tensor<1x4xf32>
  %y = linalg.matmul ins(%f, %w : tensor<1x4xf32>, tensor<4x1xf32>)
      outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}
