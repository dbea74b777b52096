// Tiles that a product has no form for: they would begin inside of a word, read
// two blocks of channels, end where it is not known to be a whole step, or add
// floats in another order.
// RUN: bquant-opt %s --transform-interpreter -split-input-file -verify-diagnostics

#words = #bquant_packed.layout.words

func.func @part_of_a_word(%x: tensor<4x8xf32>, %w: tensor<8x3xi32, #words>, %y: tensor<4x96xf32>) -> tensor<4x96xf32> {
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x3xi32, #words>) outs(%y : tensor<4x96xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x96xf32>
  return %0 : tensor<4x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 48] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @two_blocks(%x: tensor<4x3xf32>, %w: tensor<96x2xf32>, %y: tensor<4x96xf32>) -> tensor<4x96xf32> {
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = bquant_packed.product ins(%x : tensor<4x3xf32>) filters(%w : tensor<96x2xf32>) outs(%y : tensor<4x96xf32>)
      maps = [affine_map<(m, n, k) -> (m, n floordiv 32)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<4x96xf32>
  return %0 : tensor<4x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 48] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes

func.func @dynamic_steps(%x: tensor<4x?xi8, #codes>, %w: tensor<1x?x16xi32, #blocks>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x : tensor<4x?xi8, #codes>) filters(%w : tensor<1x?x16xi32, #blocks>) outs(%y : tensor<4x16xi32>)
      maps = [affine_map<(m, n, k) -> (m, k + 4)>, affine_map<(m, n, k) -> (n floordiv 16, k floordiv 4)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @inner_reduction(%x: tensor<2x4x4xf32>, %w: tensor<4x4x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = bquant_packed.product ins(%x : tensor<2x4x4xf32>) filters(%w : tensor<4x4x8xf32>) outs(%y : tensor<2x8xf32>)
      maps = [affine_map<(m, n, i, k) -> (m, i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>] -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @both_reductions(%x: tensor<2x4x4xf32>, %w: tensor<4x4x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+2 {{tile operation}}
  // expected-error @+1 {{failed to generate tiling loops}}
  %0 = bquant_packed.product ins(%x : tensor<2x4x4xf32>) filters(%w : tensor<4x4x8xf32>) outs(%y : tensor<2x8xf32>)
      maps = [affine_map<(m, n, i, k) -> (m, i, k)>, affine_map<(m, n, i, k) -> (i, k, n)>] -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["bquant_packed.product"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.tile_using_for %op tile_sizes [0, 0, 2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
