// RUN: bquant-opt %s --bquant-decompose-packed --canonicalize | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @fused
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>, %[[C:.*]]: tensor<4x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x2xf32>) outs(%[[C]] : tensor<4x2xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[R:.*]] = math.fma %[[X]], %[[W]], %[[ACC]] : f32
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @fused(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = bquant.float_product fused ins(%a : tensor<4x8xf32>) filters(%b : tensor<8x2xf32>)
      outs(%c : tensor<4x2xf32>) maps = [#mk, #kn] -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Each rounded.
// CHECK-LABEL: @rounded
// CHECK: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[X]], %[[W]] : f32
// CHECK-NEXT:   %[[R:.*]] = arith.addf %[[ACC]], %[[P]] : f32
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @rounded(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = bquant.float_product ins(%a : tensor<4x8xf32>) filters(%b : tensor<8x2xf32>)
      outs(%c : tensor<4x2xf32>) maps = [#mk, #kn] -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Signs, a sum for each plane. The last word of 40 channels holds 8.
// CHECK-LABEL: @planes
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<3x2xi32>, %[[W:.*]]: tensor<3x2xi32>,
// CHECK-DAG: %[[PLUS:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1.0{{.*}} : f32
// CHECK: %[[B:.*]]:2 = bquant.unpack layout = words ins(%[[V]], %[[W]] : {{.*}} -> tensor<3x40xi1>, tensor<3x40xi1>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[B]]#0, %[[B]]#1 :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B0:.*]]: i1, %[[B1:.*]]: i1, %[[ACC0:.*]]: f32, %[[ACC1:.*]]: f32):
// CHECK-DAG:    %[[S0:.*]] = arith.select %[[B0]], %[[PLUS]], %[[MINUS]]
// CHECK-DAG:    %[[S1:.*]] = arith.select %[[B1]], %[[PLUS]], %[[MINUS]]
// CHECK-DAG:    %[[R0:.*]] = math.fma %[[A]], %[[S0]], %[[ACC0]]
// CHECK-DAG:    %[[R1:.*]] = math.fma %[[A]], %[[S1]], %[[ACC1]]
// CHECK-NEXT:   linalg.yield %[[R0]], %[[R1]]
func.func @planes(%x: tensor<2x3xf32>, %v: tensor<3x2xi32>, %w: tensor<3x2xi32>, %c: tensor<2x40xf32>) -> (tensor<2x40xf32>, tensor<2x40xf32>) {
  %0:2 = bquant.float_product fused ins(%x : tensor<2x3xf32>) filters(%v, %w : tensor<3x2xi32>, tensor<3x2xi32>)
      outs(%c, %c : tensor<2x40xf32>, tensor<2x40xf32>) maps = [#mk, #kn, #kn] -> tensor<2x40xf32>, tensor<2x40xf32>
  return %0#0, %0#1 : tensor<2x40xf32>, tensor<2x40xf32>
}

// Ternary: mask, then sign.
// CHECK-LABEL: @ternary
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG: %[[LESS:.*]] = arith.constant -2.0{{.*}} : f32
// CHECK: ^bb0(%[[A:.*]]: f32, %[[M:.*]]: i1, %[[BIT:.*]]: i1, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = arith.select %[[BIT]], %[[TWO]], %[[LESS]] : f32
// CHECK-NEXT:   %[[T:.*]] = arith.select %[[M]], %[[S]], %[[ZERO]] : f32
// CHECK-NEXT:   math.fma %[[A]], %[[T]], %[[ACC]]
func.func @ternary(%x: tensor<2x3xf32>, %v: tensor<3x2xi32>, %w: tensor<3x2xi32>, %c: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %0 = bquant.float_product fused ins(%x : tensor<2x3xf32>) filters(%v, %w : tensor<3x2xi32>, tensor<3x2xi32>)
      outs(%c : tensor<2x40xf32>) maps = [#mk, #kn, #kn] ratios = [1, 1] -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// Ratio planes: one sum of multiples, of any batch.
// CHECK-LABEL: @ratios
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B1:.*]]: i1, %[[B0:.*]]: i1, %[[ACC:.*]]: f32):
// CHECK:        %[[S1:.*]] = arith.select %[[B1]], %[[TWO]],
// CHECK-NEXT:   %[[S0:.*]] = arith.select %[[B0]], %[[ONE]],
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[S1]], %[[S0]]
// CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[A]], %[[S]]
// CHECK-NEXT:   arith.addf %[[ACC]], %[[P]]
func.func @ratios(%x: tensor<?x3xf32>, %v: tensor<3x2xi32>, %w: tensor<3x2xi32>, %c: tensor<?x40xf32>) -> tensor<?x40xf32> {
  %0 = bquant.float_product ins(%x : tensor<?x3xf32>) filters(%v, %w : tensor<3x2xi32>, tensor<3x2xi32>)
      outs(%c : tensor<?x40xf32>) maps = [#mk, #kn, #kn] ratios = [2, 1] -> tensor<?x40xf32>
  return %0 : tensor<?x40xf32>
}
