// Asserts that hold for the constants they are about go, and with them what only they read.
//
// RUN: bquant-opt %s --bquant-raise --split-input-file | FileCheck %s

// The reciprocal of batch norm's deviation, as torch-mlir writes it.
#c = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @holds(
// CHECK-NOT:     cf.assert
// CHECK-NOT:     linalg.generic
// CHECK:         %[[R:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK:         return %[[R]]
func.func @holds() -> tensor<2xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %var = arith.constant dense<[4.0, 16.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %root = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel"]}
      ins(%var : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel"]}
      ins(%root : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %ok = arith.cmpf one, %a, %zero : f32
    cf.assert %ok, "unimplemented: tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// One channel has no deviation: the assert stays for --bquant-drop-asserts.
#c = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @fails(
// CHECK:         cf.assert
func.func @fails() -> tensor<2xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %var = arith.constant dense<[4.0, 0.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel"]}
      ins(%var : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %ok = arith.cmpf one, %a, %zero : f32
    cf.assert %ok, "unimplemented: tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// Fused with the data that is divided: the condition reads constants alone.
#nc = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @fused(
// CHECK-NOT:     cf.assert
// CHECK:         arith.divf
func.func @fused(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %var = arith.constant dense<[4.0, 16.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %y = linalg.generic {indexing_maps = [#nc, #c, #nc], iterator_types = ["parallel", "parallel"]}
      ins(%x, %var : tensor<8x2xf32>, tensor<2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%a: f32, %v: f32, %out: f32):
    %ok = arith.cmpf one, %v, %zero : f32
    cf.assert %ok, "unimplemented: tensor with zero element"
    %r = arith.divf %a, %v : f32
    linalg.yield %r : f32
  } -> tensor<8x2xf32>
  return %y : tensor<8x2xf32>
}
