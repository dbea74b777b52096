// pack and unpack tile along words; elements come in multiples of 32.
// RUN: bquant-opt %s --transform-interpreter --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @pack
// CHECK-SAME: %[[A:.*]]: tensor<4x64xi1>, %[[B:.*]]: tensor<4x64xi1>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: %[[O:.*]] = affine.apply #{{.*}}()[%[[J]]]
// CHECK: tensor.extract_slice %[[A]][%[[I]], %[[O]]] [1, 32] [1, 1]
// CHECK: tensor.extract_slice %[[B]][%[[I]], %[[O]]] [1, 32] [1, 1]
// CHECK: bquant.pack layout = words ins(%{{.*}}, %{{.*}} : tensor<1x32xi1>, tensor<1x32xi1>) outs(%{{.*}}, %{{.*}} : tensor<1x1xi32>, tensor<1x1xi32>)
func.func @pack(%a: tensor<4x64xi1>, %b: tensor<4x64xi1>, %w: tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>) {
  %0:2 = bquant.pack layout = words ins(%a, %b : tensor<4x64xi1>, tensor<4x64xi1>)
      outs(%w, %w : tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>, tensor<4x2xi32>
  return %0#0, %0#1 : tensor<4x2xi32>, tensor<4x2xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The last word of 40 channels holds 8.
// CHECK-LABEL: @unpack
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: affine.min
// CHECK: bquant.unpack layout = words ins(%{{.*}} : tensor<4x1xi32>) outs(%{{.*}} : tensor<4x?xi1>) -> tensor<4x?xi1>
func.func @unpack(%w: tensor<4x2xi32>, %a: tensor<4x40xi1>) -> tensor<4x40xi1> {
  %0 = bquant.unpack layout = words ins(%w : tensor<4x2xi32>) outs(%a : tensor<4x40xi1>) -> tensor<4x40xi1>
  return %0 : tensor<4x40xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of elements asks for the words under it.
// CHECK-LABEL: @fuse_unpack
// CHECK: scf.forall (%[[J:.*]]) in (2)
// CHECK: bquant.unpack layout = words ins(%{{.*}} : tensor<4x1xi32>) outs(%{{.*}} : tensor<4x32xi1>) -> tensor<4x32xi1>
// CHECK: linalg.generic
func.func @fuse_unpack(%w: tensor<4x2xi32>, %a: tensor<4x64xi1>, %o: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = bquant.unpack layout = words ins(%w : tensor<4x2xi32>) outs(%a : tensor<4x64xi1>) -> tensor<4x64xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x64xi1>) outs(%o : tensor<4x64xf32>) {
  ^bb0(%b: i1, %x: f32):
    %f = arith.uitofp %b : i1 to f32
    linalg.yield %f : f32
  } -> tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %unpack = transform.structured.match ops{["bquant.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.fuse_into_containing_op %unpack into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
