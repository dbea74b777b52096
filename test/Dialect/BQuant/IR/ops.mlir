// Text and bytecode round trips of every op and every form of the type.
// RUN: bquant-opt %s | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --emit-bytecode | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --mlir-print-op-generic | bquant-opt | FileCheck %s
// RUN: %mlir-opt %s | FileCheck %s

#words = #bquant_packed.layout.words

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
    b = #bquant.scheme<ls, T>, c = #bquant.scheme<gf, 3>, d = #bquant_packed.layout.words,
    e = #bquant.scheme<twn>}

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
  // CHECK: bquant.conv_2d %{{.*}}, %{{.*}} pads = [1, 1, 1, 1] groups = 64 kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>) : (
  %6 = bquant.conv_2d %b, %g pads = [1, 1, 1, 1] groups = 64 kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>)
      : (!bquant.tensor<1x56x56x64, [1, 1]>, !bquant.tensor<64x3x3x1, 1>)
      -> tensor<1x56x56x64xi32>
  // CHECK: bquant.matmul %{{.*}}, %{{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>) : (
  %7 = bquant.matmul %m, %n kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
      : (!bquant.tensor<8x64, 2>, !bquant.tensor<10x64, 1, axes = [0]>)
      -> tensor<8x10xf32>
  // CHECK: bquant.max_pool_2d %{{.*}} window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] : !bquant.tensor<1x56x56x64, 2> -> !bquant.tensor<1x28x28x64, 2>
  %5 = bquant.max_pool_2d %q window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
      : !bquant.tensor<1x56x56x64, 2> -> !bquant.tensor<1x28x28x64, 2>
  return
}

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

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000100000002000000"
    }
  }
#-}
