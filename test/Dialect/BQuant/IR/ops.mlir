// Text and bytecode round trips of every op and every form of the type.
// RUN: bquant-opt %s | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --emit-bytecode | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --mlir-print-op-generic | bquant-opt | FileCheck %s
// RUN: %mlir-opt %s | FileCheck %s

#nibbles = #bquant_packed.layout<nibbles>
#words = #bquant_packed.layout<words>

// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !bquant.tensor<1x56x56x64, 2>
// CHECK-SAME: !bquant.tensor<8x56x56x64, 2, axes = [0]>
// CHECK-SAME: !bquant.tensor<1x56x56x64, [1, 1]>
// CHECK-SAME: !bquant.tensor<1x56x56x64, [2, 1], offset>
// CHECK-SAME: !bquant.tensor<?x64, 3, axes = [0, 1], offset>
func.func private @types(!bquant.tensor<1x56x56x64, 2>,
    !bquant.tensor<8x56x56x64, 2, axes = [0]>,
    !bquant.tensor<1x56x56x64, [1, 1]>,
    !bquant.tensor<1x56x56x64, [2, 1], offset>,
    !bquant.tensor<?x64, 3, axes = [0, 1], offset>)

// CHECK: func.func private @attributes() attributes {a = #bquant.scheme<ls, 2>, b = #bquant.scheme<ls, T>, c = #bquant.scheme<gf, 3>, d = #words, e = #bquant.scheme<twn>}
func.func private @attributes() attributes {a = #bquant.scheme<ls, 2>,
    b = #bquant.scheme<ls, T>, c = #bquant.scheme<gf, 3>, d = #bquant_packed.layout<words>,
    e = #bquant.scheme<twn>}

// CHECK: func.func private @kernels() attributes {a = #bquant.popcount<rows = 7, channels = 32, bits = 512>, b = #bquant.table<rows = 4, channels = 64, bits = 256>, c = #bquant.scalar<rows = 4, channels = 32, bits = 64>, d = #bquant.depthwise<rows = 4, channels = 64, bits = 128>, e = #nibbles, f = #pairs, g = #bytes, h = #bquant.popcount<rows = 3, channels = 32, bits = 128, counted = 8>, i = #bquant.octets<rows = 8, channels = 64, bits = 512>, j = #bquant.octets<rows = 8, channels = 32, bits = 256, step = 2>, k = #octets}
func.func private @kernels() attributes {a = #bquant.popcount<rows = 7, channels = 32, bits = 512, counted = 32>,
    b = #bquant.table<rows = 4, channels = 64, bits = 256>, c = #bquant.scalar<bits = 64, rows = 4, channels = 32>,
    d = #bquant.depthwise<rows = 4, channels = 64, bits = 128>, e = #bquant_packed.layout<nibbles>,
    f = #bquant_packed.layout<pairs>, g = #bquant_packed.layout<bytes>,
    h = #bquant.popcount<rows = 3, channels = 32, bits = 128, counted = 8>,
    i = #bquant.octets<rows = 8, channels = 64, bits = 512, step = 1>,
    j = #bquant.octets<rows = 8, channels = 32, bits = 256, step = 2>, k = #bquant_packed.layout<octets>}

// CHECK-LABEL: func.func @quantize
func.func @quantize(%x: tensor<8x64xf32>, %a: tensor<8x64xi32>,
    %v: tensor<2xf32>, %u: tensor<1xf32>, %c: tensor<f32>,
    %tf: tensor<3xf32>, %ti: tensor<64x1xi32>) {
  // CHECK: bquant.sign %{{.*}} : tensor<8x64xf32>
  %s = bquant.sign %x : tensor<8x64xf32>
  // CHECK: bquant.quantize %{{.*}} scheme(<ls, 2>) : tensor<8x64xf32> -> !bquant.tensor<8x64, 2, axes = [0]>
  %0 = bquant.quantize %x scheme(<ls, 2>)
      : tensor<8x64xf32> -> !bquant.tensor<8x64, 2, axes = [0]>
  // CHECK: bquant.quantize %{{.*}} scheme(<ls, T>) : tensor<8x64xf32> -> !bquant.tensor<8x64, [1, 1]>
  %1 = bquant.quantize %x scheme(<ls, T>)
      : tensor<8x64xf32> -> !bquant.tensor<8x64, [1, 1]>
  // CHECK: bquant.quantize %{{.*}} scalars(%{{.*}} : tensor<2xf32>) : tensor<8x64xf32> -> !bquant.tensor<8x64, 2>
  %2 = bquant.quantize %x scalars(%v : tensor<2xf32>)
      : tensor<8x64xf32> -> !bquant.tensor<8x64, 2>
  // CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}} : tensor<64x1xi32>) codes [0, 1] scalars(%{{.*}} : tensor<1xf32>) : tensor<8x64xi32> -> !bquant.tensor<8x64, 1>
  %3 = bquant.quantize %a thresholds(%ti : tensor<64x1xi32>) codes [0, 1]
      scalars(%u : tensor<1xf32>) : tensor<8x64xi32> -> !bquant.tensor<8x64, 1>
  // CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}} : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%{{.*}} : tensor<1xf32>) offset(%{{.*}} : tensor<f32>) : tensor<8x64xf32> -> !bquant.tensor<8x64, [2, 1], offset>
  %4 = bquant.quantize %x thresholds(%tf : tensor<3xf32>) codes [0, 1, 2, 3]
      scalars(%u : tensor<1xf32>) offset(%c : tensor<f32>)
      : tensor<8x64xf32> -> !bquant.tensor<8x64, [2, 1], offset>
  // CHECK: bquant.dequantize %{{.*}} : !bquant.tensor<8x64, 2> -> tensor<8x64xf32>
  %5 = bquant.dequantize %2 : !bquant.tensor<8x64, 2> -> tensor<8x64xf32>
  return
}

// CHECK-LABEL: func.func @constant
func.func @constant() {
  // CHECK: bquant.constant words(dense<1> : tensor<1x2x1xi32>) scalars(dense<5.000000e-01> : tensor<1x2xf32>) : !bquant.tensor<2x3, 1, axes = [0]>
  %0 = bquant.constant words(dense<1> : tensor<1x2x1xi32>)
      scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x3, 1, axes = [0]>
  // CHECK: bquant.constant words(dense_resource<w> : tensor<1x2x1xi32>) scalars({{.*}}) offset(dense<1.000000e+00> : tensor<f32>) : !bquant.tensor<2x32, 1, offset>
  %1 = bquant.constant words(dense_resource<w> : tensor<1x2x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) offset(dense<1.0> : tensor<f32>)
      : !bquant.tensor<2x32, 1, offset>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%q: !bquant.tensor<1x56x56x64, 2>, %f: tensor<1x56x56x64xf32>,
    %w: !bquant.tensor<32x3x3x64, 1, axes = [0]>, %g: !bquant.tensor<64x3x3x1, 1>,
    %b: !bquant.tensor<1x56x56x64, [1, 1]>,
    %m: !bquant.tensor<8x64, 2>, %n: !bquant.tensor<10x64, 1, axes = [0]>,
    %bm: !bquant.tensor<3x8x64, 1>, %bn: !bquant.tensor<3x10x64, [1, 1]>) {
  // CHECK: bquant.conv_2d %{{.*}}, %{{.*}} strides = [2, 2] pads = [1, 1, 1, 1] : (!bquant.tensor<1x56x56x64, 2>, !bquant.tensor<32x3x3x64, 1, axes = [0]>) -> tensor<1x28x28x32xf32>
  %0 = bquant.conv_2d %q, %w strides = [2, 2] pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x56x56x64, 2>, !bquant.tensor<32x3x3x64, 1, axes = [0]>)
      -> tensor<1x28x28x32xf32>
  // CHECK: bquant.conv_2d %{{.*}}, %{{.*}} dilations = [2, 1] : (tensor<1x56x56x64xf32>, !bquant.tensor<32x3x3x64, 1, axes = [0]>) -> tensor<1x52x54x32xf32>
  %1 = bquant.conv_2d %f, %w dilations = [2, 1]
      : (tensor<1x56x56x64xf32>, !bquant.tensor<32x3x3x64, 1, axes = [0]>)
      -> tensor<1x52x54x32xf32>
  // CHECK: bquant.conv_2d %{{.*}}, %{{.*}} pads = [1, 1, 1, 1] groups = 64 : (!bquant.tensor<1x56x56x64, [1, 1]>, !bquant.tensor<64x3x3x1, 1>) -> tensor<1x56x56x64xi32>
  %2 = bquant.conv_2d %b, %g pads = [1, 1, 1, 1] groups = 64
      : (!bquant.tensor<1x56x56x64, [1, 1]>, !bquant.tensor<64x3x3x1, 1>)
      -> tensor<1x56x56x64xi32>
  // CHECK: bquant.matmul %{{.*}}, %{{.*}} : (!bquant.tensor<8x64, 2>, !bquant.tensor<10x64, 1, axes = [0]>) -> tensor<8x10xf32>
  %3 = bquant.matmul %m, %n
      : (!bquant.tensor<8x64, 2>, !bquant.tensor<10x64, 1, axes = [0]>)
      -> tensor<8x10xf32>
  // CHECK: bquant.matmul %{{.*}}, %{{.*}} : (!bquant.tensor<3x8x64, 1>, !bquant.tensor<3x10x64, [1, 1]>) -> tensor<3x8x10xi32>
  %4 = bquant.matmul %bm, %bn
      : (!bquant.tensor<3x8x64, 1>, !bquant.tensor<3x10x64, [1, 1]>)
      -> tensor<3x8x10xi32>
  // CHECK: bquant.conv_2d %{{.*}}, %{{.*}} pads = [1, 1, 1, 1] groups = 64 kernel(#bquant.depthwise<rows = 4, channels = 32, bits = 256>) : (
  %6 = bquant.conv_2d %b, %g pads = [1, 1, 1, 1] groups = 64 kernel(#bquant.depthwise<rows = 4, channels = 32, bits = 256>)
      : (!bquant.tensor<1x56x56x64, [1, 1]>, !bquant.tensor<64x3x3x1, 1>)
      -> tensor<1x56x56x64xi32>
  // CHECK: bquant.matmul %{{.*}}, %{{.*}} kernel(#bquant.scalar<rows = 4, channels = 32, bits = 64>) : (
  %7 = bquant.matmul %m, %n kernel(#bquant.scalar<rows = 4, channels = 32, bits = 64>)
      : (!bquant.tensor<8x64, 2>, !bquant.tensor<10x64, 1, axes = [0]>)
      -> tensor<8x10xf32>
  // CHECK: bquant.max_pool_2d %{{.*}} window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] : !bquant.tensor<1x56x56x64, 2> -> !bquant.tensor<1x28x28x64, 2>
  %5 = bquant.max_pool_2d %q window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
      : !bquant.tensor<1x56x56x64, 2> -> !bquant.tensor<1x28x28x64, 2>
  return
}

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

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000100000002000000"
    }
  }
#-}

// CHECK-LABEL: func @solve
func.func @solve(%x: tensor<8x4096xf32>, %v: tensor<2x8xf32>, %s: tensor<33472xi8>,
                 %w: tensor<1x8xf32>, %t: tensor<3x8xf32>) {
  // CHECK: bquant.solve <ls, 2> ins(%{{.*}} : tensor<8x4096xf32>) outs(%{{.*}}, %{{.*}} : tensor<2x8xf32>, tensor<33472xi8>) -> tensor<2x8xf32>, tensor<33472xi8>
  %0:2 = bquant.solve <ls, 2> ins(%x : tensor<8x4096xf32>)
      outs(%v, %s : tensor<2x8xf32>, tensor<33472xi8>)
      -> tensor<2x8xf32>, tensor<33472xi8>
  // CHECK: bquant.solve <twn> ins(%{{.*}} : tensor<8x4096xf32>) outs(%{{.*}}, %{{.*}} : tensor<1x8xf32>, tensor<3x8xf32>) -> tensor<1x8xf32>, tensor<3x8xf32>
  %1:2 = bquant.solve <twn> ins(%x : tensor<8x4096xf32>)
      outs(%w, %t : tensor<1x8xf32>, tensor<3x8xf32>)
      -> tensor<1x8xf32>, tensor<3x8xf32>
  return
}

// CHECK-LABEL: func @solve_step
func.func @solve_step(%x: memref<1x8192xf32>, %v: memref<1x1xf32>, %s: memref<66432xi8>, %i: index) {
  // CHECK: bquant.solve_step{{ +}}begin <ls, T> ins(%{{.*}} : memref<1x8192xf32>) outs(%{{.*}}, %{{.*}} : memref<1x1xf32>, memref<66432xi8>)
  bquant.solve_step begin <ls, T> ins(%x : memref<1x8192xf32>)
      outs(%v, %s : memref<1x1xf32>, memref<66432xi8>)
  // CHECK: bquant.solve_step{{ +}}count <ls, T> part %{{.*}} ins(
  bquant.solve_step count <ls, T> part %i ins(%x : memref<1x8192xf32>)
      outs(%v, %s : memref<1x1xf32>, memref<66432xi8>)
  return
}

// CHECK-LABEL: func @solve_buffers
func.func @solve_buffers(%x: memref<8x4096xf32>, %v: memref<1x8xf32>) {
  // CHECK: bquant.solve <ls, 1> ins(%{{.*}} : memref<8x4096xf32>) outs(%{{.*}} : memref<1x8xf32>){{$}}
  bquant.solve <ls, 1> ins(%x : memref<8x4096xf32>) outs(%v : memref<1x8xf32>)
  return
}

// CHECK-LABEL: func @float_product
func.func @float_product(%x: tensor<1x9x?x3xf32>, %f: tensor<4x3x3x3xf32>, %p: tensor<3x3x3x2xi32, #words>, %l: tensor<40xf32>, %y: tensor<1x4x?x4xf32>, %z: tensor<1x4x?x40xf32>) {
  // CHECK: bquant.float_product fused ins(%{{.*}} : tensor<1x9x?x3xf32>) filters(%{{.*}} : tensor<4x3x3x3xf32>) outs(%{{.*}} : tensor<1x4x?x4xf32>) maps = [#{{.*}}, #{{.*}}] -> tensor<1x4x?x4xf32>
  %0 = bquant.float_product fused ins(%x : tensor<1x9x?x3xf32>) filters(%f : tensor<4x3x3x3xf32>) outs(%y : tensor<1x4x?x4xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o, i, j, c)>] -> tensor<1x4x?x4xf32>
  // CHECK: bquant.float_product ins(%{{.*}}) filters(%{{.*}} : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) {{.*}} ratios = [2, 1] -> tensor<1x4x?x40xf32>
  %1 = bquant.float_product ins(%x : tensor<1x9x?x3xf32>) filters(%p, %p : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) outs(%z : tensor<1x4x?x40xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>] ratios = [2, 1] -> tensor<1x4x?x40xf32>
  // CHECK: bquant.float_product ins(%{{.*}}) filters(%{{.*}} : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>) levels(%{{.*}} : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {{.*}} -> tensor<1x4x?x40xf32>
  %2 = bquant.float_product ins(%x : tensor<1x9x?x3xf32>) filters(%p, %p : tensor<3x3x3x2xi32, #words>, tensor<3x3x3x2xi32, #words>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%z : tensor<1x4x?x40xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>] -> tensor<1x4x?x40xf32>
  return
}

// CHECK-LABEL: func @packed_product
func.func @packed_product(%x: tensor<1x9x?x2xi32, #words>, %f: tensor<2x3x3x2x16xi32>, %y: tensor<1x4x?x20xi32>, %n: tensor<8x17xi8, #nibbles>, %t: tensor<1x17x64xi8>, %z: tensor<8x40xi32>) {
  // CHECK: bquant.packed_product kernel(#bquant.popcount<rows = 7, channels = 16, bits = 512>) ins(%{{.*}} : tensor<1x9x?x2xi32, #words>) filters(%{{.*}} : tensor<2x3x3x2x16xi32>) outs(%{{.*}} : tensor<1x4x?x20xi32>) maps = [#{{.*}}, #{{.*}}] -> tensor<1x4x?x20xi32>
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%x : tensor<1x9x?x2xi32, #words>) filters(%f : tensor<2x3x3x2x16xi32>) outs(%y : tensor<1x4x?x20xi32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>] -> tensor<1x4x?x20xi32>
  // Two planes by one.
  // CHECK: bquant.packed_product kernel(#bquant.table<rows = 4, channels = 64, bits = 256>) ins(%{{.*}}, %{{.*}} : tensor<8x17xi8, #nibbles>, tensor<8x17xi8, #nibbles>) filters(%{{.*}} : tensor<1x17x64xi8>) outs(%{{.*}}, %{{.*}} : tensor<8x40xi32>, tensor<8x40xi32>) maps = [{{.*}}] -> tensor<8x40xi32>, tensor<8x40xi32>
  %1:2 = bquant.packed_product kernel(#bquant.table<rows = 4, channels = 64, bits = 256>)
      ins(%n, %n : tensor<8x17xi8, #nibbles>, tensor<8x17xi8, #nibbles>) filters(%t : tensor<1x17x64xi8>) outs(%z, %z : tensor<8x40xi32>, tensor<8x40xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>,
              affine_map<(m, n, k) -> (n floordiv 64, k)>] -> tensor<8x40xi32>, tensor<8x40xi32>
  // Masks on both sides, and their counts.
  // CHECK: bquant.packed_product {{.*}} masked_inputs masked_filters -> tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>
  %2:2 = bquant.packed_product kernel(#bquant.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%x, %x : tensor<1x9x?x2xi32, #words>, tensor<1x9x?x2xi32, #words>) filters(%f, %f : tensor<2x3x3x2x16xi32>, tensor<2x3x3x2x16xi32>)
      outs(%y, %y : tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>,
              affine_map<(n, h, w, o, i, j, c) -> (o floordiv 16, i, j, c)>] masked_inputs masked_filters
      -> tensor<1x4x?x20xi32>, tensor<1x4x?x20xi32>
  return
}

// The largest reductions whose dots an i32 holds.
// CHECK-LABEL: func @counter_range
func.func @counter_range(%x: tensor<1x2147483647xf32>, %y: tensor<1x1073741823xf32>, %v: tensor<1xf32>) {
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2147483647xf32> -> !bquant.tensor<1x2147483647, 1>
  // CHECK: bquant.matmul {{.*}} (!bquant.tensor<1x2147483647, 1>, !bquant.tensor<1x2147483647, 1>) -> tensor<1x1xi32>
  %0 = bquant.matmul %a, %a : (!bquant.tensor<1x2147483647, 1>, !bquant.tensor<1x2147483647, 1>) -> tensor<1x1xi32>
  %b = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x1073741823xf32> -> !bquant.tensor<1x1073741823, [1, 1]>
  %c = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x1073741823xf32> -> !bquant.tensor<1x1073741823, 1>
  // CHECK: bquant.matmul {{.*}} (!bquant.tensor<1x1073741823, [1, 1]>, !bquant.tensor<1x1073741823, 1>) -> tensor<1x1xf32>
  %1 = bquant.matmul %b, %c : (!bquant.tensor<1x1073741823, [1, 1]>, !bquant.tensor<1x1073741823, 1>) -> tensor<1x1xf32>
  return
}
