// RUN: bquant-opt %s --bquant-normalize-generics | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>

// Named ops that feed each other are one generic.
// CHECK-LABEL: @chain
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[Y:.*]]: tensor<8x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK:           arith.addf
// CHECK-NEXT:      math.exp
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.add ins(%x, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.exp ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// The dimensions of the result come first, in their order, and each reader of a
// fill has one of its own.
// CHECK-LABEL: @loops
// CHECK-COUNT-2: linalg.fill
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%[[F:.*]] :
// CHECK:           arith.addf
// CHECK-NOT:     outs(%[[F]] :
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NOT:     outs(%[[F]] :
// CHECK:           arith.maximumf
func.func @loops(%x: tensor<4x8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x8x16xf32>) outs(%z : tensor<8x16xf32>) dimensions = [0]
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8x16xf32>) outs(%z : tensor<8x16xf32>) dimensions = [0]
  return %s, %m : tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: @units
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16x1x1xf32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[B]]
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]]{{.*}} ins(%[[X]], %[[FLAT]] :
func.func @units(%x: tensor<8x16xf32>, %b: tensor<16x1x1xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, 0, 0)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x16xf32>, tensor<16x1x1xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
