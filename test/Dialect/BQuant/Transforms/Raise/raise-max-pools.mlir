// RUN: bquant-opt %s --bquant-raise-max-pools -split-input-file | FileCheck %s

// CHECK-LABEL: func @signs
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x8xf32>)
// CHECK: %[[Q:.*]] = bquant.quantize %[[X]]
// CHECK: %[[M:.*]] = bquant.max_pool_2d %[[Q]] window = [2, 2] strides = [2, 2]
// CHECK: %[[P:.*]] = bquant.dequantize %[[M]]
// CHECK: return %[[P]]
func.func @signs(%x: tensor<1x4x4x8xf32>) -> tensor<1x2x2x8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %s = bquant.sign %x : tensor<1x4x4x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x2x2x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %window : tensor<1x4x4x8xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %p : tensor<1x2x2x8xf32>
}

// -----

// The maximum starts at 0: it is none of the signs.
// CHECK-LABEL: func @least
// CHECK: linalg.pooling_nhwc_max
func.func @least(%x: tensor<1x4x4x8xf32>) -> tensor<1x2x2x8xf32> {
  %least = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<1x4x4x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x2x2x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %window : tensor<1x4x4x8xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %p : tensor<1x2x2x8xf32>
}

// -----

// No pool of codes is without elements.
// CHECK-LABEL: func @no_elements
// CHECK: linalg.pooling_nhwc_max
func.func @no_elements(%x: tensor<1x4x4x8xf32>) -> tensor<1x2x0x8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %s = bquant.sign %x : tensor<1x4x4x8xf32>
  %window = tensor.empty() : tensor<2x6xf32>
  %e = tensor.empty() : tensor<1x2x0x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x0x8xf32>) -> tensor<1x2x0x8xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %window : tensor<1x4x4x8xf32>, tensor<2x6xf32>)
      outs(%init : tensor<1x2x0x8xf32>) -> tensor<1x2x0x8xf32>
  return %p : tensor<1x2x0x8xf32>
}
