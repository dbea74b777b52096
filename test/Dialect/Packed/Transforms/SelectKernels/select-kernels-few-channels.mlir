// The kernel of convolutions whose groups have few channels.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,HASWELL
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,ZNVER4
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,V2
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n1" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,NEON

// Bytes of the filters of several groups, whose octets are one load.
// CHECK-LABEL: func.func @eight
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 32, bits = 256>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 64, bits = 512>)
// V2: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 128>)
// NEON: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 128>)
func.func @eight(%x: tensor<1x8x8x64xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x8, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 8 : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<64x3x3x8, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}

// Two groups share an octet.
// CHECK-LABEL: func.func @four
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 32, bits = 256>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 64, bits = 512>)
func.func @four(%x: tensor<1x8x8x64xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x4, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 16 : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<64x3x3x4, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}

// Two octets a step.
// CHECK-LABEL: func.func @sixteen
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 32, bits = 256, step = 2>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 64, bits = 512, step = 2>)
func.func @sixteen(%x: tensor<1x8x8x64xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x16, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<64x3x3x16, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}

// In smaller registers, where there are few filters; 12 fill none.
// CHECK-LABEL: func.func @few_filters
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.octets<rows = 8, channels = 32, bits = 256>)
func.func @few_filters(%x: tensor<1x8x8x32xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x32xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x32xf32> -> !bquant.tensor<1x8x8x32, 1>
  %w = bquant.constant words(dense<1> : tensor<1x32x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x3x3x8, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<32x3x3x8, 1>) -> tensor<1x8x8x32xi32>
  return %0 : tensor<1x8x8x32xi32>
}

// CHECK-LABEL: func.func @too_few_filters
// CHECK-NOT: octets
// CHECK: return
func.func @too_few_filters(%x: tensor<1x8x8x32xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x12xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x32xf32> -> !bquant.tensor<1x8x8x32, 1>
  %w = bquant.constant words(dense<1> : tensor<1x12x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<12x3x3x8, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<12x3x3x8, 1>) -> tensor<1x8x8x12xi32>
  return %0 : tensor<1x8x8x12xi32>
}

// Three octets of a group, and groups of a part of one.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: octets
// CHECK: return
func.func @odd(%x: tensor<1x8x8x96xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x96xf32> -> !bquant.tensor<1x8x8x96, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x24, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 : (!bquant.tensor<1x8x8x96, 1>, !bquant.tensor<64x3x3x24, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}

// Half an octet of all groups.
// CHECK-LABEL: func.func @half
// CHECK: kernel(#bquant_packed.octets<
func.func @half(%x: tensor<1x8x8x4xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x2, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 2 : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<64x3x3x2, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}
