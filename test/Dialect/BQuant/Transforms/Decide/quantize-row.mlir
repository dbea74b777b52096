// RUN: bquant-opt --bquant-quantize="weights=ls-1 activations=ls-2" %s | FileCheck %s

// A vector that a product reads as a row has one set of scalars, not one for each
// element, since it is quantized after the view.
// CHECK-LABEL: @row
// CHECK: %[[ROW:.*]] = tensor.expand_shape
// CHECK: %[[Q:.*]] = bquant.quantize %[[ROW]] scheme(<ls, 2>) : tensor<1x64xf32>
// CHECK: bquant.matmul %[[Q]],
func.func @row(%x: tensor<64xf32>, %i: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %w = arith.constant dense<0.5> : tensor<8x64xf32>
  %r = tensor.expand_shape %x [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %w : tensor<1x64xf32>, tensor<8x64xf32>) outs(%i : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}
