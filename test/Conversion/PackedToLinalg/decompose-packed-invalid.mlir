// RUN: bquant-opt %s --bquant-decompose-packed --split-input-file --verify-diagnostics

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.octets, block = 32, lanes = 32>
#octets = #bquant_packed.layout.octets

// A filter whose elements of a step are not side by side.
func.func @f(%x: tensor<4x4xi8, #octets>, %w: tensor<1x8x32xi8, #blocks>, %y: tensor<4x32xi32>) -> tensor<4x32xi32> {
  // expected-error @+1 {{[product_c16] expected filters that have whole steps of 2 elements, but got [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2 * 2)>]}}
  %0 = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<4x4xi8, #octets>) filters(%w : tensor<1x8x32xi8, #blocks>) outs(%y : tensor<4x32xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k * 2)>] -> tensor<4x32xi32>
  return %0 : tensor<4x32xi32>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.octets, block = 32, lanes = 32>
#octets = #bquant_packed.layout.octets

// One that starts within a step.
func.func @f(%x: tensor<4x4xi8, #octets>, %w: tensor<1x7x32xi8, #blocks>, %y: tensor<4x32xi32>) -> tensor<4x32xi32> {
  // expected-error @+1 {{[product_c16]}}
  %0 = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<4x4xi8, #octets>) filters(%w : tensor<1x7x32xi8, #blocks>) outs(%y : tensor<4x32xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, m + k)>] -> tensor<4x32xi32>
  return %0 : tensor<4x32xi32>
}
