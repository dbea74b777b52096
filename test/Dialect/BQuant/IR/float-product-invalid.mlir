// Each numbered constraint of `bquant.float_product`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c1] expected a filter of f32, or planes of i32 of one type, but got 'tensor<8x40xf32>', 'tensor<8x40xf32>'}}
  %0:2 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x40xf32>, tensor<8x40xf32>)
      outs(%y, %y : tensor<4x40xf32>, tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>, tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c2] expected positive ratios of two or more planes, one for each, but got [2, 1, 1] of 2}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32, #words>, tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] ratios = [2, 1, 1] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c3] expected 2 outs of one type, but got 'tensor<4x40xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32, #words>, tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c4] expected 2 maps, but got 1}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c4] expected a map of 3 loops for 'tensor<8x40xf32>', but got affine_map<(d0, d1) -> (d0, d1)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(k, n) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c5] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (-d2 + 7, d1)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (7 - k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c5] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (d2, d1 mod 8)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n mod 8)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c6] expected words along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d2, d0)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, m)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c7] expected each reduction to be an index by itself, but got none that is d3}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k + l, n)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x3xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c8] expected 2 along dimension 1 of operand 1, but got 'tensor<8x3xi32, #bquant_packed.layout<words>>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x3xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c8] expected at least 5 along dimension 1 of operand 1, but got 'tensor<8x4xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x4xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n floordiv 8)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<2x8x16xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c9] expected filters in blocks of 32 channels, with 32 lanes each, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)> for 'tensor<2x8x16xf32>'}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<2x8x16xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<40x8x1xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c9] expected filters in blocks of 32 channels, with 1 words each, but got affine_map<(d0, d1, d2) -> (d1, d2)> for 'tensor<40x8x1xi32, #bquant_packed.layout<words>>'}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<40x8x1xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @float_product_c11(%x: tensor<2x60xf32>, %w: tensor<60x2xi32, #words>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[float_product_c11] expected a kernel that adds one product after the other, but got #bquant.sum_table<rows = 2, channels = 32, bits = 256>}}
  %0 = bquant.float_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%x : tensor<2x60xf32>) filters(%w : tensor<60x2xi32, #words>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16, or the filter in pairs of i32 where it is laid out for a kernel, but got 'tensor<4x8xbf16>' and 'tensor<8x40xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xbf16>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16, or the filter in pairs of i32 where it is laid out for a kernel, but got 'tensor<4x8xf32>' and 'tensor<8x40xbf16>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xbf16>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16}}
  %0 = bquant.float_product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d1)>
func.func @float_product_c12(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %l: tensor<40xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c12] expected two or more levels of one type after as many planes of i32 without ratios as number them, but got 3 after 'tensor<8x2xi32, #bquant_packed.layout<words>>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d0)>
func.func @float_product_c6_levels(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %l: tensor<4xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c6] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d0)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      levels(%l, %l : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout<words>

func.func @float_product_c6_blocks(%x: tensor<4x8xf32>, %w: tensor<1x8x1xi32, #words>, %l: tensor<1x8x32xf32>, %o: tensor<4x32xf32>) {
  // expected-error @+1 {{[float_product_c6] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<1x8x1xi32, #words>)
      levels(%l, %l : tensor<1x8x32xf32>, tensor<1x8x32xf32>) outs(%o : tensor<4x32xf32>)
      maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>,
              affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>] -> tensor<4x32xf32>
  return
}

// -----

func.func @float_product_c13(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c13] expected planes in the layout words, but got 'tensor<8x2xi32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32>)
      outs(%o : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}
