// RUN: bquant-opt %s --bquant-channels-last | FileCheck %s

// The transpose of one element moves nothing, so what reads it reads %sum; the
// quantization was not chosen with %sum and stays.
// CHECK-LABEL: func @one_element
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: %[[Q:.*]] = bquant.quantize %[[SUM]]
// CHECK: %[[D:.*]] = bquant.dequantize %[[Q]]
// CHECK: return %[[SUM]], %[[D]]
func.func @one_element(%x: tensor<1x1x1x1xf32>, %s: tensor<1xf32>)
    -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %e = tensor.empty() : tensor<1x1x1x1xf32>
  %sum = linalg.add ins(%x, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>)
      outs(%e : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %t = linalg.transpose ins(%sum : tensor<1x1x1x1xf32>) outs(%e : tensor<1x1x1x1xf32>)
      permutation = [0, 2, 3, 1]
  %q = bquant.quantize %t scalars(%s : tensor<1xf32>)
      : tensor<1x1x1x1xf32> -> !bquant.tensor<1x1x1x1, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x1x1x1, 1> -> tensor<1x1x1x1xf32>
  return %sum, %d : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}
