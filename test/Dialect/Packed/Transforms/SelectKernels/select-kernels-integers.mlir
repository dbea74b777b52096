// Products of bytes are linalg's: by the kernel of codes, which stands in an
// attribute, by floats, where these are exact, or in loops.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=icelake-server" --bquant-select-kernels --convert-linalg-to-product 2>&1 | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-v1" --bquant-select-kernels --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,I8MM
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=reference --convert-linalg-to-product=bytes=false | FileCheck %s --check-prefix=REF

// Filters that half of the lanes hold take half a register. Two rows are multiplied
// at once where the target does so.
// CHECK-LABEL: @matmul
// I8MM: linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 12, channels = 16, bits = 128, summed = 8>}
// VNNI: linalg.matmul {bquant.kernel = #bquant_packed.bytes<{{.*}}bits = 256, summed = 4>}
// AVX2: linalg.matmul {bquant.kernel = #bquant_packed.bytes<{{.*}}bits = 256, summed = 1>}
// NEON: linalg.matmul {bquant.kernel = #bquant_packed.bytes<{{.*}}bits = 128, summed = 4, signedCodes = true>}
// REF-LABEL: @matmul
// REF-NOT: bquant.
func.func @matmul(%x: tensor<4x8xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[127, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13], [14, -128]]> : tensor<8x2xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Each channel of its own: a column of three taps is a step.
// CHECK-LABEL: @depthwise
// VNNI: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 4, channels = 64, bits = 512, summed = 4, taps = 3>}
// AVX2: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 4, channels = 32, bits = 256, summed = 2, held = 64, taps = 3>}
// NEON: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 4, channels = 16, bits = 128, summed = 4, taps = 3, signedCodes = true>}
func.func @depthwise(%x: tensor<1x6x6x64xi8>, %o: tensor<1x4x4x64xi32>) -> tensor<1x4x4x64xi32> {
  %w = arith.constant dense<1> : tensor<3x3x64xi8>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x64xi8>, tensor<3x3x64xi8>) outs(%o : tensor<1x4x4x64xi32>) -> tensor<1x4x4x64xi32>
  return %0 : tensor<1x4x4x64xi32>
}

// No whole registers of bytes: sums of two registers a row.
// CHECK-LABEL: @depthwise_rest
// VNNI: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 12, channels = 32, bits = 512, summed = 4, taps = 3>}
// AVX2: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 64, taps = 3>}
// NEON: linalg.depthwise_conv_2d_nhwc_hwc {bquant.kernel = #bquant_packed.bytes<rows = 12, channels = 8, bits = 128, summed = 4, taps = 3, signedCodes = true>}
func.func @depthwise_rest(%x: tensor<1x6x6x72xi8>, %o: tensor<1x4x4x72xi32>) -> tensor<1x4x4x72xi32> {
  %w = arith.constant dense<1> : tensor<3x3x72xi8>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x72xi8>, tensor<3x3x72xi8>) outs(%o : tensor<1x4x4x72xi32>) -> tensor<1x4x4x72xi32>
  return %0 : tensor<1x4x4x72xi32>
}

// Small bytes are added in pairs, where the target does so.
// CHECK-LABEL: @small
// AVX2: linalg.matmul {bquant.kernel = #bquant_packed.bytes<{{.*}}bits = 256, summed = 2, held = 64>}
func.func @small(%x: tensor<4x8xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[1, 1], [1, -1], [-1, 1], [1, 1], [1, 1], [1, -1], [1, 1], [1, 1]]> : tensor<8x2xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// What 16 bits hold is known by the values: no two weights beside each other pass
// them; four are summed there, and begin where their range asks for that.
// CHECK-LABEL: @values
// AVX2: linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 12, channels = 16, bits = 256, summed = 2>}
// AVX2: linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, group = 2, biased = true>}
// AVX2: linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, group = 2>}
// VNNI-COUNT-3: linalg.matmul {bquant.kernel = #bquant_packed.bytes<{{.*}}bits = 256, summed = 4>}
func.func @values(%x: tensor<4x8xi8>, %o: tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>, tensor<4x2xi32>) {
  %pairs = arith.constant dense<[[127, 64], [1, 64], [127, 1], [-128, 0], [1, -64], [1, -64], [2, 64], [1, 64]]> : tensor<8x2xi8>
  %0 = linalg.matmul ins(%x, %pairs : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  %fours = arith.constant dense<[[127, 64], [1, 64], [1, 1], [1, 0], [-1, -64], [127, 64], [1, 64], [1, 64]]> : tensor<8x2xi8>
  %1 = linalg.matmul ins(%x, %fours : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  %from_zero = arith.constant dense<[[120, 64], [1, 32], [1, 1], [1, 0], [-1, -64], [7, 32], [-127, 64], [1, 63]]> : tensor<8x2xi8>
  %2 = linalg.matmul ins(%x, %from_zero : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0, %1, %2 : tensor<4x2xi32>, tensor<4x2xi32>, tensor<4x2xi32>
}

// A filter of run time, channels that are no multiple of four: 1024 products of the
// largest bytes are exact in floats, 1025 are not.
// CHECK-LABEL: @floats
// CHECK: bquant_packed.product
// CHECK: arith.fptosi
// CHECK: arith.addi
func.func @floats(%x: tensor<4x1024xi8>, %w: tensor<1024x2xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = linalg.matmul ins(%x, %w : tensor<4x1024xi8>, tensor<1024x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}
// CHECK-LABEL: @loops
// CHECK-NOT: bquant
// CHECK: linalg.matmul ins
func.func @loops(%x: tensor<4x1025xi8>, %w: tensor<1025x2xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = linalg.matmul ins(%x, %w : tensor<4x1025xi8>, tensor<1025x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Not what linalg means by integers: unsigned ones, and narrow sums, stay.
// CHECK-LABEL: @others
// CHECK-NOT: bquant
// CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins
// CHECK: linalg.matmul ins
func.func @others(%x: tensor<4x8xi8>, %o: tensor<4x2xi32>, %n: tensor<4x2xi8>) -> (tensor<4x2xi32>, tensor<4x2xi8>) {
  %w = arith.constant dense<3> : tensor<8x2xi8>
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  %1 = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x2xi8>) outs(%n : tensor<4x2xi8>) -> tensor<4x2xi8>
  return %0, %1 : tensor<4x2xi32>, tensor<4x2xi8>
}
