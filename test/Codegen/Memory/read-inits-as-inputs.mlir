// RUN: bquant-opt %s --bquant-read-inits-as-inputs | FileCheck %s
// RUN: bquant-opt %s --bquant-read-inits-as-inputs --linalg-fuse-elementwise-ops | FileCheck %s --check-prefix=FUSED

#row = affine_map<(d0, d1) -> (d1)>
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @broadcast
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?xf32>, %[[E:.*]]: tensor<4x?xf32>
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[I]]
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[SIZE]])
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[I]] : {{.*}}) outs(%[[EMPTY]]
// CHECK:           (%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32)
// CHECK:           arith.mulf %[[B]], %[[A]]
// FUSED-LABEL: @broadcast
// FUSED:         linalg.generic {{.*}} outs(%{{[0-9a-z_]+}} : tensor<4x?xf32>)
// FUSED-NOT:     linalg.generic
func.func @broadcast(%x: tensor<?xf32>, %i: tensor<?xf32>, %e: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %y = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%i : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %z = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<?xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  return %z : tensor<4x?xf32>
}

// Through what is fused on the way.
// CHECK-LABEL: @chain
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>, %[[I:.*]]: tensor<4x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[I]] :
// FUSED-LABEL: @chain
// FUSED:         linalg.generic {{.*}} outs(%{{[0-9a-z_]+}} : tensor<3x4x2xf32>)
// FUSED-NOT:     linalg.generic
func.func @chain(%x: tensor<4x2xf32>, %i: tensor<4x2xf32>, %e: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %y = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xf32>) outs(%i : tensor<4x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %f = tensor.empty() : tensor<4x2xf32>
  %n = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x2xf32>) outs(%f : tensor<4x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %c = tensor.collapse_shape %n [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<8xf32>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<3x8xf32>
  return %z : tensor<3x8xf32>
}

// An accumulator stays in its place.
// CHECK-LABEL: @accumulate
// FUSED-LABEL: @accumulate
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[I:.*]]: tensor<8xf32>
// CHECK-NOT:     tensor.empty
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[I]]
func.func @accumulate(%x: tensor<8xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: @layout
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<8xi8, #codes>
// CHECK:         linalg.generic {{.*}} outs(%[[EMPTY]]
func.func @layout(%i: tensor<8xi8, #bquant_packed.layout.codes>) -> tensor<8xi8, #bquant_packed.layout.codes> {
  %y = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]}
      outs(%i : tensor<8xi8, #bquant_packed.layout.codes>) {
  ^bb0(%o: i8):
    %k = linalg.index 0 : index
    %r = arith.index_cast %k : index to i8
    linalg.yield %r : i8
  } -> tensor<8xi8, #bquant_packed.layout.codes>
  return %y : tensor<8xi8, #bquant_packed.layout.codes>
}
