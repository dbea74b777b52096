// RUN: bquant-opt %s --bquant-fold-sign-cascades --split-input-file | FileCheck %s

// quantize(dequantize(x)) is x where each of the codes returns: uniform levels
// with an offset, by thresholds between them.
// CHECK-LABEL: func @thresholds
// CHECK: %[[Q:.*]] = bquant.quantize %arg0
// CHECK-NEXT: bquant.dequantize %[[Q]]
// CHECK-NOT: bquant.quantize
func.func @thresholds(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %t = arith.constant dense<[0.5, 1.5, 2.5]> : tensor<3xf32>
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %c = arith.constant dense<1.5> : tensor<f32>
  %q = bquant.quantize %x thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, [2, 1], offset>
  %y = bquant.dequantize %q : !bquant.tensor<4x40, [2, 1], offset> -> tensor<4x40xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, [2, 1], offset>
  %z = bquant.dequantize %r : !bquant.tensor<4x40, [2, 1], offset> -> tensor<4x40xf32>
  return %z : tensor<4x40xf32>
}

// -----

// Thresholds that send a level elsewhere; and scalars that differ in one bit.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: bquant.quantize
func.func @others(%x: tensor<4x40xf32>) -> (tensor<4x40xf32>, tensor<4x40xf32>) {
  %t = arith.constant dense<[0.5, 1.5, 2.5]> : tensor<3xf32>
  %t2 = arith.constant dense<[0.5, 2.5, 3.5]> : tensor<3xf32>
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %v2 = arith.constant dense<0x3F000001> : tensor<1xf32>
  %c = arith.constant dense<1.5> : tensor<f32>
  %q = bquant.quantize %x thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, [2, 1], offset>
  %y = bquant.dequantize %q : !bquant.tensor<4x40, [2, 1], offset> -> tensor<4x40xf32>
  %r = bquant.quantize %y thresholds(%t2 : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, [2, 1], offset>
  %s = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v2 : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, [2, 1], offset>
  %z = bquant.dequantize %r : !bquant.tensor<4x40, [2, 1], offset> -> tensor<4x40xf32>
  %u = bquant.dequantize %s : !bquant.tensor<4x40, [2, 1], offset> -> tensor<4x40xf32>
  return %z, %u : tensor<4x40xf32>, tensor<4x40xf32>
}

// -----

// A code of two that decode alike comes back as the greater.
// CHECK-LABEL: func @ambiguous
// CHECK-COUNT-2: bquant.quantize
func.func @ambiguous(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %v = arith.constant dense<[0.5, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, 2>
  %y = bquant.dequantize %q : !bquant.tensor<4x40, 2> -> tensor<4x40xf32>
  %r = bquant.quantize %y scalars(%v : tensor<2xf32>) : tensor<4x40xf32> -> !bquant.tensor<4x40, 2>
  %z = bquant.dequantize %r : !bquant.tensor<4x40, 2> -> tensor<4x40xf32>
  return %z : tensor<4x40xf32>
}

// -----

// A pool of decoded values between: a pool of codes, and nothing to quantize.
// CHECK-LABEL: func @pool_between
// CHECK: %[[Q:.*]] = bquant.quantize %arg0
// CHECK: %[[P:.*]] = bquant.max_pool_2d %[[Q]]
// CHECK: bquant.dequantize %[[P]]
// CHECK-NOT: bquant.quantize
func.func @pool_between(%x: tensor<1x4x4x40xf32>) -> tensor<1x2x2x40xf32> {
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %inf = arith.constant 0xFF800000 : f32
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x4x4x40xf32> -> !bquant.tensor<1x4x4x40, 2>
  %y = bquant.dequantize %q : !bquant.tensor<1x4x4x40, 2> -> tensor<1x4x4x40xf32>
  %e = tensor.empty() : tensor<1x2x2x40xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x4x4x40xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %r = bquant.quantize %p scalars(%v : tensor<2xf32>) : tensor<1x2x2x40xf32> -> !bquant.tensor<1x2x2x40, 2>
  %z = bquant.dequantize %r : !bquant.tensor<1x2x2x40, 2> -> tensor<1x2x2x40xf32>
  return %z : tensor<1x2x2x40xf32>
}
