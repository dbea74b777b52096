// Tiles that a product has no form for: they would begin inside of a word, or read
// two blocks of channels.
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
