// Each numbered constraint of `bquant_packed.product`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>, %z: tensor<4x8xi32>) {
  // expected-error @+1 {{[product_c1] expected inputs, filters, and outs and results of one type, but got 'tensor<4x2xi32, #bquant_packed.layout.words>', 'tensor<4x2xi32, #bquant_packed.layout.words>' by 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>' to 'tensor<4x16xi32>', 'tensor<4x8xi32>' and 'tensor<4x16xi32>', 'tensor<4x8xi32>'}}
  %0:2 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y, %z : tensor<4x16xi32>, tensor<4x8xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>, tensor<4x8xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c1] expected inputs, filters, and outs and results of one type, but got 'tensor<4x2xi32, #bquant_packed.layout.words>' by 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>' to 'tensor<4x16xi32>' and 'tensor<4x8xi32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x8xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c2] expected 2 maps, but got 1}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c2] expected a map of 3 loops for all dimensions but the last of 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>', but got affine_map<(d0, d1) -> (d1 floordiv 16, d0)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n) -> (n floordiv 16, m)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c2] expected a channel and a reduction, but got 2 loops of results of 2 loops}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c2] expected 2 maps, but got 1}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c2] expected a map of 3 loops for 'tensor<8x40xf32>', but got affine_map<(d0, d1) -> (d0, d1)>}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(k, n) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<2x60xf32>, %w: tensor<60x2xi32, #words>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c2] expected a map of 3 loops for all dimensions but the last of 'tensor<2x60xf32>', but got affine_map<(d0, d1, d2) -> (d0, d2)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%x : tensor<2x60xf32>) filters(%w : tensor<60x2xi32, #words>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c2] expected a map of 3 loops for all dimensions but the last of 'tensor<2x20x8xf32>', but got affine_map<(d0, d1, d2) -> (d0)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c3] expected one input of f32 or bf16 by a filter of the same, or by planes of i32 of one type, but got 'tensor<4x8xf32>' by 'tensor<8x40xf32>', 'tensor<8x40xf32>'}}
  %0:2 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x40xf32>, tensor<8x40xf32>)
      outs(%y, %y : tensor<4x40xf32>, tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>, tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c3] expected one input of f32 or bf16 by a filter of the same, or by planes of i32 of one type, but got 'tensor<4x8xbf16>' by 'tensor<8x40xf32>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xbf16>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c3] expected one input of f32 or bf16 by a filter of the same, or by planes of i32 of one type, but got 'tensor<4x8xf32>' by 'tensor<8x40xbf16>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xbf16>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c3] expected one input of f32 or bf16 by a filter of the same, or by planes of i32 of one type, but got 'tensor<4x8xbf16>' by 'tensor<8x40xi32>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %v: tensor<2x3x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c3] expected one input of f32 or bf16 by a filter of the same, or by planes of i32 of one type, but got 'tensor<2x20x8xf32>' by 'tensor<2x2x32xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>>', 'tensor<2x3x32xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>>'}}
  %0:2 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w, %v : tensor<2x2x32xi32, #blocks>, tensor<2x3x32xi32, #blocks>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c4] expected a mask for each sign of a masked operand of counts, but got 1 by 1}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c4] expected a mask for each sign of a masked operand of counts, but got 1 by 3}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w, %w, %w : tensor<1x2x16xi32, #blocks>, tensor<1x2x16xi32, #blocks>, tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_filters -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c5] expected positive ratios of two or more planes, one for each, but got [2, 1, 1] of 2}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32, #words>, tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] ratios = [2, 1, 1] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d1)>
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %l: tensor<40xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c6] expected two or more levels of one type after as many planes of i32 without ratios as number them, but got 3 after 'tensor<8x2xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c7] expected 2 outs, but got 1}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c7] expected 1 outs or twice as many, but got 3}}
  %0:3 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y, %y, %y : tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c7] expected 2 outs, but got 1}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32, #words>, tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c7] expected 1 outs, but got 2}}
  %0:2 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c8] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k, n mod 16)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c8] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (-d2 + 7, d1)>}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (7 - k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c8] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (d2, d1 mod 8)>}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n mod 8)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c9] expected words along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d2, d0)>}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, m)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d0)>
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32, #words>, %l: tensor<4xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c9] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d0)>}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32, #words>)
      levels(%l, %l : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<1x8x1xi32, #words>, %l: tensor<1x8x32xf32, #blocks>, %o: tensor<4x32xf32>) {
  // expected-error @+1 {{[product_c9] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<1x8x1xi32, #words>)
      levels(%l, %l : tensor<1x8x32xf32, #blocks>, tensor<1x8x32xf32, #blocks>) outs(%o : tensor<4x32xf32>)
      maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>,
              affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>] -> tensor<4x32xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c10] expected each reduction to be an index by itself, but got none that is d3}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k + l, n)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c11] expected at least 3 along dimension 1 of operand 1, but got 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k * 2)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c11] expected at least 3 along dimension 1 of operand 0, but got 'tensor<4x2xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k + 1)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c11] expected at least 2 along dimension 0 of operand 1, but got 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 8, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x3xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c11] expected 2 along dimension 1 of operand 1, but got 'tensor<8x3xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x3xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c11] expected at least 5 along dimension 1 of operand 1, but got 'tensor<8x4xf32>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x4xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n floordiv 8)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c11] expected at least 39 along dimension 1 of operand 1, but got 'tensor<2x2x32xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d * 2)>] -> tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c11] expected 2 along dimension 1 of operand 0, but got 'tensor<2x20x8xf32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d)>] -> tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x19x8xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c11] expected 20 along dimension 1 of operand 0, but got 'tensor<2x19x8xf32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x19x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<2x8x16xf32, #blocks>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c12] expected filters in blocks of 32 channels, with 32 lanes each, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)> for 'tensor<2x8x16xf32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<2x8x16xf32, #blocks>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x8xf32>, %w: tensor<40x8x1xi32, #words>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c12] expected filters in blocks of 32 channels, with 1 words each, but got affine_map<(d0, d1, d2) -> (d1, d2)> for 'tensor<40x8x1xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<40x8x1xi32, #words>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x16x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c12] expected filters in blocks of 16 channels, with 16 lanes each, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d1, d2)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x16x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, n, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c12] expected filters in blocks of 16 channels, with 16 lanes each, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d1 floordiv 16, d2)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#pairs = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats<pairs = true>, block = 16, lanes = 16>

// A pair of bf16 is of two steps of the last loop.
func.func @f(%x: tensor<1x4xbf16>, %w: tensor<1x4x16xi32, #pairs>, %y: tensor<1x16xf32>) {
  // expected-error @+1 {{[product_c12] expected filters with an element for each 2 of the last loop, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.bf16<rows = 1, channels = 16, bits = 512>) fused ins(%x : tensor<1x4xbf16>) filters(%w : tensor<1x4x16xi32, #pairs>)
      outs(%y : tensor<1x16xf32>) maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 16, d)>] -> tensor<1x16xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c14] expected the layout words, but got 'tensor<4x2xi32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#nibbles = #bquant_packed.layout.nibbles

func.func @f(%x: tensor<4x2xi8, #nibbles>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c14] expected the layout words, but got 'tensor<4x2xi8, #bquant_packed.layout.nibbles>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi8, #nibbles>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c14] expected the layout words, but got 'tensor<8x2xi32>'}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32>)
      outs(%o : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x32xf32>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c15] expected tables of 8 entries of f32, but got 'tensor<2x20x32xf32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x32xf32>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>

func.func @f(%t: tensor<2x20x8xbf16>, %w: tensor<2x2x32xi32, #blocks>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[product_c15] expected tables of 8 entries of f32, but got 'tensor<2x20x8xbf16>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xbf16>) filters(%w : tensor<2x2x32xi32, #blocks>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{attribute 'kernel' failed to satisfy constraint}}
  %0 = bquant_packed.product kernel(#words) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c3] expected counts of i8 or i32, by a kernel and without fused, ratios and levels, but got 'tensor<4x2xi32, #bquant_packed.layout.words>' by 'tensor<1x2x16xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) fused ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c12] expected filters with the layout #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>, but got 'tensor<2x16xi32>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x16xi32>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%x: tensor<4x2xi32, #words>, %w: tensor<1x2x32xi32>, %y: tensor<4x32xi32>) {
  // expected-error @+1 {{[product_c15] expected a kernel of counts, but got #bquant_packed.fma<rows = 4, channels = 32, bits = 512>}}
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 4, channels = 32, bits = 512>) ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<1x2x32xi32>)
      outs(%y : tensor<4x32xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x32xi32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x32xf32>, %y: tensor<4x32xf32>) {
  // expected-error @+1 {{[product_c15] expected a kernel of sums, but got #bquant_packed.popcount<rows = 4, channels = 32, bits = 512>}}
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 32, bits = 512>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x32xf32>)
      outs(%y : tensor<4x32xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x32xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32, #blocks>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[product_c12] expected filters without a layout, before they are laid out, but got 'tensor<8x40xf32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32, #blocks>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 16>

func.func @f(%x: tensor<4x6x1x16xi8>, %w: tensor<1x3x32xi8, #blocks>, %y: tensor<4x4x32xi32>) {
  // expected-error @+1 {{[product_c14] expected blocks of 32 bytes, but got affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2 floordiv 32)> for 'tensor<4x6x1x16xi8>'}}
  %0 = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 128>) ins(%x : tensor<4x6x1x16xi8>) filters(%w : tensor<1x3x32xi8, #blocks>)
      outs(%y : tensor<4x4x32xi32>) maps = [affine_map<(n, w, o, i) -> (n, w + i, o floordiv 32)>, affine_map<(n, w, o, i) -> (o floordiv 32, i)>] -> tensor<4x4x32xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 32>

func.func @f(%x: tensor<4x37x1x32xi8>, %w: tensor<1x3x32xi8, #blocks>, %y: tensor<4x4x32xi32>) {
  // expected-error @+1 {{[product_c14] expected blocks of 32 bytes, but got affine_map<(d0, d1, d2, d3) -> (d0, d1 + d2 + d3, d2 floordiv 32)>}}
  %0 = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>) ins(%x : tensor<4x37x1x32xi8>) filters(%w : tensor<1x3x32xi8, #blocks>)
      outs(%y : tensor<4x4x32xi32>) maps = [affine_map<(n, w, o, i) -> (n, w + o + i, o floordiv 32)>, affine_map<(n, w, o, i) -> (o floordiv 32, i)>] -> tensor<4x4x32xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#nibbles = #bquant_packed.layout.nibbles

// A kernel that counts dots has no counts of masks.
func.func @f(%x: tensor<4x5xi8, #nibbles>, %w: tensor<1x5x64xi8, #blocks>, %y: tensor<4x64xi32>) {
  // expected-error @+1 {{[product_c15] expected masks that the kernel takes, but got #bquant_packed.table<rows = 2, channels = 64, bits = 256>}}
  %0:2 = bquant_packed.product kernel(#bquant_packed.table<rows = 2, channels = 64, bits = 256>) ins(%x, %x : tensor<4x5xi8, #nibbles>, tensor<4x5xi8, #nibbles>) filters(%w : tensor<1x5x64xi8, #blocks>)
      outs(%y, %y : tensor<4x64xi32>, tensor<4x64xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 64, k)>] masked_inputs -> tensor<4x64xi32>, tensor<4x64xi32>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<levels = 15>, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes

// A step of packed codes is two of those that are held.
func.func @f(%x: tensor<4x8xi8, #codes>, %w: tensor<1x1x16xi32, #blocks>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[product_c15] expected a kernel that holds the sums of a step, but got #bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, levels = 15>}}
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, held = 1, levels = 15>) ins(%x : tensor<4x8xi8, #codes>) filters(%w : tensor<1x1x16xi32, #blocks>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k floordiv 8)>] -> tensor<4x16xi32>
  return
}

// -----

// What one result does not say about a loop another one does.
func.func @f(%x: tensor<8x3xf32>, %w: tensor<3x2xi32, #bquant_packed.layout.words>, %y: tensor<?x40xf32>, %z: tensor<9x40xf32>) {
  // expected-error @+1 {{[product_c11] expected 9 along dimension 0 of operand 0, but got 'tensor<8x3xf32>'}}
  %0:2 = bquant_packed.product ins(%x : tensor<8x3xf32>) filters(%w, %w : tensor<3x2xi32, #bquant_packed.layout.words>, tensor<3x2xi32, #bquant_packed.layout.words>) outs(%y, %z : tensor<?x40xf32>, tensor<9x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<?x40xf32>, tensor<9x40xf32>
  return
}

// -----

// The index at the last step is more than 64 bits hold.
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %y: tensor<4x16xf32>) {
  // expected-error @+1 {{[product_c11] expected an index that is a number of 64 bits along dimension 0 of operand 0, but got affine_map<}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x16xf32>)
      outs(%y : tensor<4x16xf32>) maps = [affine_map<(m, n, k) -> (m * 4611686018427387904 + k * 4611686018427387904, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x16xf32>
  return
}

// -----

// The same of a sum.
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %y: tensor<4x16xf32>) {
  // expected-error @+1 {{[product_c11] expected an index that is a number of 64 bits along dimension 0 of operand 0, but got affine_map<}}
  %0 = bquant_packed.product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x16xf32>)
      outs(%y : tensor<4x16xf32>) maps = [affine_map<(m, n, k) -> (m + 9223372036854775807, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x16xf32>
  return
}
