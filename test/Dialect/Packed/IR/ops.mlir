// Text and bytecode round trips of packs, products, layouts and kernels.
// RUN: bquant-opt %s | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --emit-bytecode | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --mlir-print-op-generic | bquant-opt | FileCheck %s
// RUN: %mlir-opt %s | FileCheck %s

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#blocks1 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#blocks2 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 64, lanes = 8>
#blocks3 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>
#one = #bquant_packed.layout.code_fields<bits = 1>
#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

// CHECK: func.func private @kernels() attributes {a = #bquant_packed.popcount<rows = 7, channels = 32, bits = 512>, b = #bquant_packed.table<rows = 4, channels = 64, bits = 256>, c = #bquant_packed.scalar<rows = 4, channels = 32, bits = 64>, d = #bquant_packed.depthwise<rows = 4, channels = 64, bits = 128>, e = #nibbles, f = #codes, g = #words, h = #bquant_packed.popcount<rows = 3, channels = 32, bits = 128, counted = 8>, i = #bquant_packed.octets<rows = 8, channels = 64, bits = 512>, j = #bquant_packed.octets<rows = 8, channels = 32, bits = 256, step = 2>, k = #octets}
func.func private @kernels() attributes {a = #bquant_packed.popcount<rows = 7, channels = 32, bits = 512, counted = 32>,
    b = #bquant_packed.table<rows = 4, channels = 64, bits = 256>, c = #bquant_packed.scalar<bits = 64, rows = 4, channels = 32>,
    d = #bquant_packed.depthwise<rows = 4, channels = 64, bits = 128>, e = #bquant_packed.layout.nibbles,
    f = #bquant_packed.layout.codes, g = #bquant_packed.layout.words,
    h = #bquant_packed.popcount<rows = 3, channels = 32, bits = 128, counted = 8>,
    i = #bquant_packed.octets<rows = 8, channels = 64, bits = 512, step = 1>,
    j = #bquant_packed.octets<rows = 8, channels = 32, bits = 256, step = 2>, k = #bquant_packed.layout.octets}

// CHECK-LABEL: func.func @words
func.func @words(%b: tensor<8x65xi1>, %w: tensor<8x3xi32, #words>, %n: tensor<8x17xi8, #nibbles>) {
  // CHECK: bquant_packed.pack ins(%{{.*}}, %{{.*}} : tensor<8x65xi1>, tensor<8x65xi1>) outs(%{{.*}}, %{{.*}} : tensor<8x3xi32, #words>, tensor<8x3xi32, #words>) -> tensor<8x3xi32, #words>, tensor<8x3xi32, #words>
  %0:2 = bquant_packed.pack ins(%b, %b : tensor<8x65xi1>, tensor<8x65xi1>)
      outs(%w, %w : tensor<8x3xi32, #words>, tensor<8x3xi32, #words>)
      -> tensor<8x3xi32, #words>, tensor<8x3xi32, #words>
  // CHECK: bquant_packed.pack ins(%{{.*}} : tensor<8x65xi1>) outs(%{{.*}}, %{{.*}} : tensor<8x3xi32, #words>, tensor<8x17xi8, #nibbles>) -> tensor<8x3xi32, #words>, tensor<8x17xi8, #nibbles>
  %2:2 = bquant_packed.pack ins(%b : tensor<8x65xi1>)
      outs(%w, %n : tensor<8x3xi32, #words>, tensor<8x17xi8, #nibbles>) -> tensor<8x3xi32, #words>, tensor<8x17xi8, #nibbles>
  // CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<8x3xi32, #words>) outs(%{{.*}} : tensor<8x65xi1>) -> tensor<8x65xi1>
  %1 = bquant_packed.unpack ins(%w : tensor<8x3xi32, #words>)
      outs(%b : tensor<8x65xi1>) -> tensor<8x65xi1>
  return
}

// CHECK-LABEL: func @sums
func.func @sums(%x: tensor<1x9x?x3xf32>, %f: tensor<4x3x3x3xf32>, %p: tensor<3x3x3x2xi32, #words>, %l: tensor<40xf32>, %y: tensor<1x4x?x4xf32>, %z: tensor<1x4x?x40xf32>) {
  // CHECK: bquant_packed.product fused ins(%{{.*}} : tensor<1x9x?x3xf32>) filters(%{{.*}} : tensor<4x3x3x3xf32>) outs(%{{.*}} : tensor<1x4x?x4xf32>) maps = [#{{.*}}, #{{.*}}] -> tensor<1x4x?x4xf32>
  %0 = bquant_packed.product fused ins(%x : tensor<1x9x?x3xf32>) filters(%f : tensor<4x3x3x3xf32>) outs(%y : tensor<1x4x?x4xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o, i, j, c)>] -> tensor<1x4x?x4xf32>
  // CHECK: bquant_packed.product ins(%{{.*}}) filters(%{{.*}} : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) {{.*}} ratios = [2, 1] -> tensor<1x4x?x40xf32>
  %1 = bquant_packed.product ins(%x : tensor<1x9x?x3xf32>) filters(%p, %p : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) outs(%z : tensor<1x4x?x40xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>] ratios = [2, 1] -> tensor<1x4x?x40xf32>
  // CHECK: bquant_packed.product ins(%{{.*}}) filters(%{{.*}} : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) levels(%{{.*}} : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {{.*}} -> tensor<1x4x?x40xf32>
  %2 = bquant_packed.product ins(%x : tensor<1x9x?x3xf32>) filters(%p, %p : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%z : tensor<1x4x?x40xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>] -> tensor<1x4x?x40xf32>
  return
}

// CHECK-LABEL: func @counts
func.func @counts(%x: tensor<1x9x?x2xi32, #words>, %f: tensor<2x3x3x2x16xi32, #blocks>, %y: tensor<1x4x?x20xi32>, %n: tensor<8x17xi8, #nibbles>, %t: tensor<1x17x64xi8, #blocks1>, %z: tensor<8x40xi32>) {
  // CHECK: bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>) ins(%{{.*}} : tensor<1x9x?x2xi32, #words>) filters(%{{.*}} : tensor<2x3x3x2x16xi32, #{{[a-z0-9_]+}}>) outs(%{{.*}} : tensor<1x4x?x20xi32>) maps = [#{{.*}}, #{{.*}}] -> tensor<1x4x?x20xi32>
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%x : tensor<1x9x?x2xi32, #words>) filters(%f : tensor<2x3x3x2x16xi32, #blocks>) outs(%y : tensor<1x4x?x20xi32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>] -> tensor<1x4x?x20xi32>
  // Two planes by one.
  // CHECK: bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>) ins(%{{.*}}, %{{.*}} : tensor<8x17xi8, #nibbles>, tensor<8x17xi8, #nibbles>) filters(%{{.*}} : tensor<1x17x64xi8, #{{[a-z0-9_]+}}>) outs(%{{.*}}, %{{.*}} : tensor<8x40xi32>, tensor<8x40xi32>) maps = [{{.*}}] -> tensor<8x40xi32>, tensor<8x40xi32>
  %1:2 = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      ins(%n, %n : tensor<8x17xi8, #nibbles>, tensor<8x17xi8, #nibbles>) filters(%t : tensor<1x17x64xi8, #blocks1>) outs(%z, %z : tensor<8x40xi32>, tensor<8x40xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>,
              affine_map<(m, n, k) -> (n floordiv 64, k)>] -> tensor<8x40xi32>, tensor<8x40xi32>
  // Masks on both sides, and their counts.
  // CHECK: bquant_packed.product {{.*}} masked_inputs masked_filters -> tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>
  %2:2 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%x, %x : tensor<1x9x?x2xi32, #words>, tensor<1x9x?x2xi32, #words>) filters(%f, %f : tensor<2x3x3x2x16xi32, #blocks>, tensor<2x3x3x2x16xi32, #blocks>)
      outs(%y, %y : tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>] masked_inputs masked_filters
      -> tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>
  return
}

// CHECK-LABEL: func @tables
func.func @tables(%t: tensor<1x20x8xf32>, %w: tensor<2x2x64xi32, #blocks2>, %y: tensor<1x128xf32>) {
  // CHECK: bquant_packed.product kernel(#bquant_packed.sum_table<rows = 1, channels = 64, bits = 256>) ins(%{{.*}} : tensor<1x20x8xf32>) filters(%{{.*}} : tensor<2x2x64xi32, #{{[a-z0-9_]+}}>) outs(%{{.*}} : tensor<1x128xf32>) maps = [#{{.*}}, #{{.*}}] -> tensor<1x128xf32>
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 1, channels = 64, bits = 256>)
      ins(%t : tensor<1x20x8xf32>) filters(%w : tensor<2x2x64xi32, #blocks2>) outs(%y : tensor<1x128xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>,
              affine_map<(m, n, d) -> (n floordiv 64, d floordiv 10)>] -> tensor<1x128xf32>
  return
}

#lanes = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>

// CHECK-LABEL: func.func @relayout
// CHECK: bquant_packed.relayout %{{.*}} channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<1x3x64xi8, #{{[a-z0-9_]+}}>
func.func @relayout(%w: tensor<40x1xi32, #words>) -> tensor<1x3x64xi8, #lanes> {
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<1x3x64xi8, #lanes>
  return %0 : tensor<1x3x64xi8, #lanes>
}

// CHECK-LABEL: func.func @unpack_codes
// CHECK: bquant_packed.unpack_codes %{{.*}}, %{{.*}} levels = 31 : tensor<2x64xi32, #[[FOUR:[a-z0-9_]+]]>, tensor<2x16xi32, #[[ONE:[a-z0-9_]+]]> -> tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
func.func @unpack_codes(%f4: tensor<2x64xi32, #four>, %f1: tensor<2x16xi32, #one>) -> tensor<2x8x16xi32, #blocks3> {
  %0 = bquant_packed.unpack_codes %f4, %f1 levels = 31 : tensor<2x64xi32, #four>, tensor<2x16xi32, #one> -> tensor<2x8x16xi32, #blocks3>
  return %0 : tensor<2x8x16xi32, #blocks3>
}
