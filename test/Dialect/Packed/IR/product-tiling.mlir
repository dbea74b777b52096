// pack and unpack tile along words; elements come in multiples of 32. A product
// tiles by its maps.
// RUN: bquant-opt %s --transform-interpreter --canonicalize -split-input-file | FileCheck %s

#words = #bquant_packed.layout.words

// CHECK-LABEL: @pack
// CHECK-SAME: %[[A:.*]]: tensor<4x64xi1>, %[[B:.*]]: tensor<4x64xi1>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: %[[O:.*]] = affine.apply #{{.*}}()[%[[J]]]
// CHECK: tensor.extract_slice %[[A]][%[[I]], %[[O]]] [1, 32] [1, 1]
// CHECK: tensor.extract_slice %[[B]][%[[I]], %[[O]]] [1, 32] [1, 1]
// CHECK: bquant_packed.pack ins(%{{.*}}, %{{.*}} : tensor<1x32xi1>, tensor<1x32xi1>) outs(%{{.*}}, %{{.*}} : tensor<1x1xi32, #words>, tensor<1x1xi32, #words>)
func.func @pack(%a: tensor<4x64xi1>, %b: tensor<4x64xi1>, %w: tensor<4x2xi32, #words>) -> (tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) {
  %0:2 = bquant_packed.pack ins(%a, %b : tensor<4x64xi1>, tensor<4x64xi1>)
      outs(%w, %w : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>, tensor<4x2xi32, #words>
  return %0#0, %0#1 : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// The last word of 40 channels holds 8.
// CHECK-LABEL: @unpack
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: affine.min
// CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<4x1xi32, #words>) outs(%{{.*}} : tensor<4x?xi1>) -> tensor<4x?xi1>
func.func @unpack(%w: tensor<4x2xi32, #words>, %a: tensor<4x40xi1>) -> tensor<4x40xi1> {
  %0 = bquant_packed.unpack ins(%w : tensor<4x2xi32, #words>) outs(%a : tensor<4x40xi1>) -> tensor<4x40xi1>
  return %0 : tensor<4x40xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// A tile of elements asks for the words under it.
// CHECK-LABEL: @fuse_unpack
// CHECK: scf.forall (%[[J:.*]]) in (2)
// CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<4x1xi32, #words>) outs(%{{.*}} : tensor<4x32xi1>) -> tensor<4x32xi1>
// CHECK: linalg.generic
func.func @fuse_unpack(%w: tensor<4x2xi32, #words>, %a: tensor<4x64xi1>, %o: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = bquant_packed.unpack ins(%w : tensor<4x2xi32, #words>) outs(%a : tensor<4x64xi1>) -> tensor<4x64xi1>
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
    %unpack = transform.structured.match ops{["bquant_packed.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.fuse_into_containing_op %unpack into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// Rows, columns, channels by words, and a part of the filter's rows. Groups of 64
// channels read the same input.
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-DAG: #[[$WORD:.*]] = affine_map<(d0) -> (d0 floordiv 32)>
// CHECK-DAG: #[[$GROUP:.*]] = affine_map<(d0) -> (d0 floordiv 64)>
// CHECK-LABEL: @float_product
// CHECK-SAME: %[[X:.*]]: tensor<1x17x8x2xf32>, %[[W:.*]]: tensor<3x3x1x4xi32, #words>, %[[Y:.*]]: tensor<1x8x6x128xf32>
// CHECK: scf.for %[[H:[a-z0-9]+]] = {{.*}} iter_args(%[[O:.*]] = %[[Y]])
// CHECK: scf.for %[[C:[a-z0-9]+]] =
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK-DAG: %[[R:.*]] = affine.apply #[[$ROW]](%[[H]], %[[K]])
// CHECK-DAG: %[[G:.*]] = affine.apply #[[$GROUP]](%[[C]])
// CHECK-DAG: %[[P:.*]] = affine.apply #[[$WORD]](%[[C]])
// CHECK-DAG: %[[XS:.*]] = tensor.extract_slice %[[X]][0, %[[R]], 0, %[[G]]] [1, 3, 8, 1] [1, 1, 1, 1]
// CHECK-DAG: %[[WS:.*]] = tensor.extract_slice %[[W]][%[[K]], 0, 0, %[[P]]] [1, 3, 1, 1] [1, 1, 1, 1]
// CHECK: bquant_packed.product fused ins(%[[XS]] : tensor<1x3x8x1xf32>) filters(%[[WS]] : tensor<1x3x1x1xi32, #words>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x2x6x32xf32>) maps = {{.*}} -> tensor<1x2x6x32xf32>
func.func @float_product(%x: tensor<1x17x8x2xf32>, %w: tensor<3x3x1x4xi32, #words>, %y: tensor<1x8x6x128xf32>) -> tensor<1x8x6x128xf32> {
  %0 = bquant_packed.product fused ins(%x : tensor<1x17x8x2xf32>) filters(%w : tensor<3x3x1x4xi32, #words>) outs(%y : tensor<1x8x6x128xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, o floordiv 64 + c)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>] -> tensor<1x8x6x128xf32>
  return %0 : tensor<1x8x6x128xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 2, 0, 32, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of what reads it asks for the loops under it; all reductions are there.
// CHECK-LABEL: @fuse_float_product
// CHECK: scf.forall (%[[I:.*]]) in (2)
// CHECK: bquant_packed.product ins(%{{.*}} : tensor<2x8xf32>) filters(%{{.*}} : tensor<8x40xf32>) outs(%{{.*}} : tensor<2x40xf32>)
// CHECK: linalg.generic
func.func @fuse_float_product(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>) outs(%y : tensor<4x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x40xf32>) outs(%y : tensor<4x40xf32>) {
  ^bb0(%a: f32, %b: f32):
    %f = arith.negf %a : f32
    linalg.yield %f : f32
  } -> tensor<4x40xf32>
  return %1 : tensor<4x40xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse_into_containing_op %product into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

// A filter's block goes with its channels, all lanes of it; the reduction can be
// tiled, too.
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK-LABEL: @packed_product
// CHECK-SAME: %[[X:.*]]: tensor<1x17x8x2xi32, #words>, %[[W:.*]]: tensor<8x3x3x2x16xi32, #{{[a-z0-9_]+}}>, %[[Y:.*]]: tensor<1x8x6x128xi32>
// CHECK: scf.for %[[H:[a-z0-9]+]] = {{.*}} iter_args(%[[O:.*]] = %[[Y]])
// CHECK: scf.for %[[C:[a-z0-9]+]] =
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK-DAG: %[[R:.*]] = affine.apply #[[$ROW]](%[[H]], %[[K]])
// CHECK-DAG: %[[B:.*]] = affine.apply #[[$BLOCK]](%[[C]])
// CHECK-DAG: %[[XS:.*]] = tensor.extract_slice %[[X]][0, %[[R]], 0, 0] [1, 3, 8, 2] [1, 1, 1, 1]
// CHECK-DAG: %[[WS:.*]] = tensor.extract_slice %[[W]][%[[B]], %[[K]], 0, 0, 0] [2, 1, 3, 2, 16] [1, 1, 1, 1, 1]
// CHECK: bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>) ins(%[[XS]] : tensor<1x3x8x2xi32, #words>) filters(%[[WS]] : tensor<2x1x3x2x16xi32, #{{[a-z0-9_]+}}>)
// CHECK-SAME: outs(%{{.*}} : tensor<1x2x6x32xi32>) maps = {{.*}} -> tensor<1x2x6x32xi32>
func.func @packed_product(%x: tensor<1x17x8x2xi32, #words>, %w: tensor<8x3x3x2x16xi32, #blocks>, %y: tensor<1x8x6x128xi32>) -> tensor<1x8x6x128xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%x : tensor<1x17x8x2xi32, #words>) filters(%w : tensor<8x3x3x2x16xi32, #blocks>) outs(%y : tensor<1x8x6x128xi32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>] -> tensor<1x8x6x128xi32>
  return %0 : tensor<1x8x6x128xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 2, 0, 32, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#nibbles = #bquant_packed.layout.nibbles

// A tile of what reads one result asks for the loops under it, and has the
// reductions whole.
// CHECK-LABEL: @fuse_packed_product
// CHECK: scf.forall (%[[I:.*]]) in (2)
// CHECK: %[[P:.*]]:2 = bquant_packed.product {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x17xi8, #nibbles>, tensor<2x17xi8, #nibbles>) filters(%{{.*}} : tensor<1x17x64xi8, #{{[a-z0-9_]+}}>) outs(%{{.*}}, %{{.*}} : tensor<2x40xi32>, tensor<2x40xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[P]]#1 :
func.func @fuse_packed_product(%x: tensor<4x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks>, %y: tensor<4x40xi32>) -> tensor<4x40xi32> {
  %0:2 = bquant_packed.product kernel(#bquant_packed.table<rows = 2, channels = 64, bits = 256>)
      ins(%x, %x : tensor<4x17xi8, #nibbles>, tensor<4x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks>) outs(%y, %y : tensor<4x40xi32>, tensor<4x40xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>,
              affine_map<(m, n, k) -> (n floordiv 64, k)>] -> tensor<4x40xi32>, tensor<4x40xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0#1 : tensor<4x40xi32>) outs(%y : tensor<4x40xi32>) {
  ^bb0(%a: i32, %b: i32):
    %f = arith.addi %a, %a : i32
    linalg.yield %f : i32
  } -> tensor<4x40xi32>
  return %1 : tensor<4x40xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse_into_containing_op %product into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes

// Only steps of four, the elements of the filter, say how long the reduction is.
// CHECK-DAG: #[[$END:.*]] = affine_map<()[s0] -> (s0 * 4 + 4)>
// CHECK-LABEL: @dynamic_steps
// CHECK-SAME: %[[X:.*]]: tensor<4x?xi8, #codes>, %[[W:.*]]: tensor<1x?x16xi32, #blocks>
// CHECK: %[[STEPS:.*]] = tensor.dim %[[W]], %c1
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[END:.*]] = affine.apply #[[$END]]()[%[[STEPS]]]
// CHECK: tensor.extract_slice %[[X]][%[[I]], 4] [2, %[[END]]] [1, 1]
// CHECK: tensor.extract_slice %[[W]][0, 0, 0] [1, %[[STEPS]], 16] [1, 1, 1]
func.func @dynamic_steps(%x: tensor<4x?xi8, #codes>, %w: tensor<1x?x16xi32, #blocks>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x : tensor<4x?xi8, #codes>) filters(%w : tensor<1x?x16xi32, #blocks>) outs(%y : tensor<4x16xi32>)
      maps = [affine_map<(m, n, k) -> (m, k + 4)>, affine_map<(m, n, k) -> (n floordiv 16, k floordiv 4)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The order of the loops is the one of the floats: all k of an i, then the next.
// CHECK-LABEL: @reductions
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2
// CHECK: bquant_packed.product ins(%{{.*}} : tensor<2x1x2xf32>) filters(%{{.*}} : tensor<1x2x8xf32>) outs(%{{.*}} : tensor<2x8xf32>)
func.func @reductions(%x: tensor<2x4x4xf32>, %w: tensor<4x4x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = bquant_packed.product ins(%x : tensor<2x4x4xf32>) filters(%w : tensor<4x4x8xf32>) outs(%y : tensor<2x8xf32>)
      maps = [affine_map<(m, n, i, k) -> (m, i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>] -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: @outer_reduction
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2
// CHECK: bquant_packed.product ins(%{{.*}} : tensor<2x2x4xf32>) filters(%{{.*}} : tensor<2x4x8xf32>) outs(%{{.*}} : tensor<2x8xf32>)
func.func @outer_reduction(%x: tensor<2x4x4xf32>, %w: tensor<4x4x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = bquant_packed.product ins(%x : tensor<2x4x4xf32>) filters(%w : tensor<4x4x8xf32>) outs(%y : tensor<2x8xf32>)
      maps = [affine_map<(m, n, i, k) -> (m, i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>] -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of a sum without loops of results starts from the sum so far.
// CHECK-LABEL: @product_scalar
// CHECK: scf.for %[[K:.*]] = %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<f32>)
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[%[[K]]] [2] [1] : tensor<4xf32> to tensor<2xf32>
// CHECK: bquant_packed.product ins(%[[X]] : tensor<2xf32>) {{.*}} -> tensor<f32>
func.func @product_scalar(%x: tensor<4xf32>, %w: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = bquant_packed.product ins(%x : tensor<4xf32>) filters(%w : tensor<4xf32>) outs(%y : tensor<f32>)
      maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>] -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
