// The tile of fma: sums fill three quarters of the registers, in channels of whole
// words; with few rows there are more channels.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=skylake-avx512" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=scalar --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,AVX2

// CHECK-LABEL: @stem
// AVX2: kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>)
// AVX512: kernel(#bquant_packed.fma<rows = 12, channels = 32, bits = 512>)
// NEON: kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 128>)
func.func @stem(%x: tensor<1x230x230x3xf32>, %w: tensor<64x7x7x3xf32>, %o: tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x230x230x3xf32>, tensor<64x7x7x3xf32>)
      outs(%o : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
  return %0 : tensor<1x112x112x64xf32>
}

// 1000 channels in tiles as even as words make them.
// CHECK-LABEL: @dense
// AVX2: kernel(#bquant_packed.fma<rows = 1, channels = 96, bits = 256>)
// AVX512: kernel(#bquant_packed.fma<rows = 1, channels = 352, bits = 512>)
// NEON: kernel(#bquant_packed.fma<rows = 1, channels = 96, bits = 128>)
func.func @dense(%x: tensor<1x512xf32>, %w: tensor<512x1000xf32>, %o: tensor<1x1000xf32>) -> tensor<1x1000xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<1x512xf32>, tensor<512x1000xf32>) outs(%o : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}

// The matrix is the filter.
// CHECK-LABEL: @matvec
// CHECK-SAME: %[[W:.*]]: tensor<1000x512xf32>, %[[X:.*]]: tensor<512xf32>
// CHECK: bquant_packed.product kernel({{.*}} ins(%[[X]] : tensor<512xf32>) filters(%[[W]] :
func.func @matvec(%w: tensor<1000x512xf32>, %x: tensor<512xf32>, %o: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = linalg.matvec ins(%w, %x : tensor<1000x512xf32>, tensor<512xf32>) outs(%o : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// Floats by signs: a sum for each plane, and registers in which words become numbers.
// CHECK-LABEL: @signs
// AVX2: bquant.conv_2d {{.*}} kernel(#bquant_packed.fma<rows = 1, channels = 32, bits = 256>)
// AVX512: bquant.conv_2d {{.*}} kernel(#bquant_packed.fma<rows = 6, channels = 32, bits = 512>)
func.func @signs(%x: tensor<1x8x8x16xf32>, %f: tensor<64x3x3x16xf32>, %v: tensor<2x64xf32>) -> tensor<1x6x6x64xf32> {
  %w = bquant.quantize %f scalars(%v : tensor<2x64xf32>) : tensor<64x3x3x16xf32> -> !bquant.tensor<64x3x3x16, 2, axes = [0]>
  %0 = bquant.conv_2d %x, %w : (tensor<1x8x8x16xf32>, !bquant.tensor<64x3x3x16, 2, axes = [0]>) -> tensor<1x6x6x64xf32>
  return %0 : tensor<1x6x6x64xf32>
}

// What has no channels along which a filter lies, or no size, has no kernel.
// CHECK-LABEL: @none
// CHECK-NOT: kernel
func.func @none(%a: tensor<?x8xf32>, %b: tensor<8x2xf32>, %c: tensor<?x2xf32>, %v: tensor<8xf32>, %s: tensor<f32>) -> (tensor<?x2xf32>, tensor<f32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x2xf32>) outs(%c : tensor<?x2xf32>) -> tensor<?x2xf32>
  %1 = linalg.dot ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<?x2xf32>, tensor<f32>
}

// Constant signs by tables of sums, where lanes are permuted: the report says that
// the order of a sum is another one.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels --convert-linalg-to-product --remarks-filter=bquant \
// RUN:   --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: [Analysis] sum-order | Category:bquant | Remark="adds 3 channels to each other before it adds them to a sum, which rounds in another order than adding one by one"

// CHECK-LABEL: @row
// AVX2: kernel(#bquant_packed.sum_table<rows = 1, channels = 32, bits = 256>)
// AVX512: kernel(#bquant_packed.sum_table<rows = 1, channels = 128, bits = 512>)
// NEON: kernel(#bquant_packed.fma<
func.func @row(%x: tensor<1x256xf32>) -> tensor<1x128xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %x, %w : (tensor<1x256xf32>, !bquant.tensor<128x256, 1>) -> tensor<1x128xf32>
  return %0 : tensor<1x128xf32>
}

// A word of indices for three channels: not worth it.
// CHECK-LABEL: @few
// CHECK: kernel(#bquant_packed.fma<
func.func @few(%x: tensor<1x3xf32>) -> tensor<1x32xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x3, 1>
  %0 = bquant.matmul %x, %w : (tensor<1x3xf32>, !bquant.tensor<32x3, 1>) -> tensor<1x32xf32>
  return %0 : tensor<1x32xf32>
}

// A block of samples adds in the order of one sample, though 16 rows of another
// function are cheaper otherwise: of one row a register of signs becomes numbers
// for that row alone.
// CHECK-LABEL: @sample_block
// AVX2: kernel(#bquant_packed.sum_table<rows = 4,
func.func @sample_block(%x: tensor<16x12xf32>) -> tensor<16x32xf32> attributes {bquant.block = {of = "sample", samples = 16 : i64}} {
  %w = bquant.constant words(dense<5> : tensor<1x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x12, 1>
  %0 = bquant.matmul %x, %w : (tensor<16x12xf32>, !bquant.tensor<32x12, 1>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// CHECK-LABEL: @rows
// AVX2: kernel(#bquant_packed.fma<
func.func @rows(%x: tensor<16x12xf32>) -> tensor<16x32xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x12, 1>
  %0 = bquant.matmul %x, %w : (tensor<16x12xf32>, !bquant.tensor<32x12, 1>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// Nothing makes tables of what a product of the packed level reads.
// CHECK-LABEL: @by_signs
// CHECK: bquant_packed.product kernel(#bquant_packed.fma<
#words = #bquant_packed.layout.words
func.func @by_signs(%x: tensor<1x8x8x32xf32>, %o: tensor<1x6x6x128xf32>) -> tensor<1x6x6x128xf32> {
  %w = arith.constant dense<2147483647> : tensor<3x3x32x4xi32, #words>
  %0 = bquant_packed.product ins(%x : tensor<1x8x8x32xf32>) filters(%w : tensor<3x3x32x4xi32, #words>) outs(%o : tensor<1x6x6x128xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h + i, w + j, c)>, affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>] -> tensor<1x6x6x128xf32>
  return %0 : tensor<1x6x6x128xf32>
}
