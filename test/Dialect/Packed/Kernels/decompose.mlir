// What a step of several elements means: an operand for each, one loop over the
// steps.
//
// RUN: bquant-test-opt %s --convert-bquant-to-packed --bquant-decompose-packed --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$X0:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 * 2 + d5 * 2)>
// CHECK-DAG: #[[$X1:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 * 2 + d5 * 2 + 1)>
// CHECK-DAG: #[[$W0:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 4, d4, d5, 0, d3 mod 4)>
// CHECK-DAG: #[[$W1:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 4, d4, d5, 1, d3 mod 4)>
// CHECK-LABEL: func.func @parity
// CHECK: linalg.generic {indexing_maps = [#[[$X0]], #[[$X1]], #[[$W0]], #[[$W1]], #{{[a-z0-9]+}}]
// CHECK-SAME: ins(%[[X:[a-z0-9]+]], %[[X]], %[[W:[a-z0-9]+]], %[[W]] : tensor<1x3x8xi32, #pairs>, tensor<1x3x8xi32, #pairs>, tensor<1x2x2x2x4xi32, #blocks>, tensor<1x2x2x2x4xi32, #blocks>)
// CHECK-NEXT: ^bb0(%[[A0:.*]]: i32, %[[A1:.*]]: i32, %[[B0:.*]]: i32, %[[B1:.*]]: i32, %[[OUT:.*]]: i32):
// CHECK-NEXT: %[[FIRST:.*]] = arith.xori %[[A0]], %[[B0]] : i32
// CHECK-NEXT: %[[BOTH:.*]] = arith.xori %[[A1]], %[[B1]] : i32
// CHECK-NEXT: %[[SECOND:.*]] = arith.xori %[[FIRST]], %[[BOTH]] : i32
// CHECK-NEXT: math.ctpop %[[FIRST]] : i32
// CHECK-NEXT: math.ctpop %[[SECOND]] : i32
func.func @parity(%x: tensor<1x3x4x40xf32>, %v: tensor<1xf32>) -> tensor<1x2x3x4xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x3x4x40xf32> -> !bquant.tensor<1x3x4x40, 1>
  %w = bquant.constant words(dense<5> : tensor<1x4x2x2x2xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<4x2x2x40, 1>
  %0 = bquant.conv_2d %q, %w kernel(#bquant_test.parity<rows = 2, channels = 4>) : (!bquant.tensor<1x3x4x40, 1>, !bquant.tensor<4x2x2x40, 1>) -> tensor<1x2x3x4xi32>
  return %0 : tensor<1x2x3x4xi32>
}
