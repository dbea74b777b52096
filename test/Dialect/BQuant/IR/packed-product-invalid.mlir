// Each numbered constraint of `bquant.packed_product`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c1] expected planes on both sides, with a mask for each sign of a masked one, but got 1 by 1}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c1] expected planes on both sides, with a mask for each sign of a masked one, but got 1 by 3}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w, %w, %w : tensor<1x2x16xi32>, tensor<1x2x16xi32>, tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_filters -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected 2 outs, one for each pair of planes, but got 1}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected 1 outs, one for each pair of planes, or one more for each mask, but got 3}}
  %0:3 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y, %y, %y : tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>, %z: tensor<4x8xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected outs of one type, but got 'tensor<4x16xi32>' and 'tensor<4x8xi32>'}}
  %0:2 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y, %z : tensor<4x16xi32>, tensor<4x8xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>, tensor<4x8xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c3] expected results of the types of outs}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x8xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c4] expected a map for each input and filter, but got 1 for 2}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 3 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k, n mod 16)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 3 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0, d1) -> (d1 floordiv 16, d0)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n) -> (n floordiv 16, m)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 2 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0) -> (d0)> for 'tensor<4x2xi32, #bquant_packed.layout<words>>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c6] expected a filter that is indexed by loop 2 alone, which gives it its size}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k * 2)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c8] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d0, d2 + 1)> for 'tensor<4x2xi32, #bquant_packed.layout<words>>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k + 1)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c8] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d1 floordiv 8, d2)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 8, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{attribute 'kernel' failed to satisfy constraint}}
  %0 = bquant.packed_product kernel(#words) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c9] expected inputs in the kernel's layout, words, but got 'tensor<4x2xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#pairs = #bquant_packed.layout<pairs>

func.func @f(%x: tensor<4x2xi32, #pairs>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c9] expected inputs in the kernel's layout, words, but got 'tensor<4x2xi32, #bquant_packed.layout<pairs>>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #pairs>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}
