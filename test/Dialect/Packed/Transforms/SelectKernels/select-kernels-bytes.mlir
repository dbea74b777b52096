// Products of bytes: where auto takes them, and what is said where they cannot
// be had.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,HASWELL
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=alderlake" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,AVXVNNI
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,V2
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=sapphirerapids" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,VNNI
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n1" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,NEON
//
// NEON without dot products multiplies signed bytes. A machine that adds no products
// of bytes has another kernel; asked for by name, an error if it serves nothing.
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a53" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,NODOT
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,SSE2
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64" --bquant-select-kernels=strategy=bytes 2>&1 | FileCheck %s --check-prefix=SERVES
// SERVES: error: expected a strategy that serves a layer, but 'bytes' serves none: expected a target with dot products of bytes in registers of 128 bits (VNNI, dotprod)
//
// Of several layers a line for each that it cannot compute.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=bytes \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: FileCheck %s --check-prefixes=CHECK,HASWELL,FORCED --input-file=%t.mlir

// Two ports take dot products of registers of 256 bits: from four pairs of planes on
// they beat tables.
// CHECK-LABEL: func.func @two_by_two
// AVXVNNI: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 4>)
// AVXVNNI: bquant.matmul {{.*}} kernel(#bquant_packed.table
func.func @two_by_two(%x: tensor<64x256xf32>, %v: tensor<1xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<64x256xf32> -> !bquant.tensor<64x256, [2, 1]>
  %w = bquant.constant words(dense<5> : tensor<2x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, [2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<64x256, [2, 1]>, !bquant.tensor<128x256, [2, 1]>) -> tensor<64x128xf32>
  %s = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %1 = bquant.matmul %q, %s : (!bquant.tensor<64x256, [2, 1]>, !bquant.tensor<128x256, 1>) -> tensor<64x128xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64x128xf32>
}

// CHECK-LABEL: func.func @four_by_four
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
// V2: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 8, bits = 128, summed = 2, held = 72>)
// VNNI: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 8, channels = 32, bits = 512, summed = 4>)
// NEON: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 128, summed = 4, signedCodes = true>)
// NODOT: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 8, bits = 128, summed = 1, signedCodes = true>)
// SSE2: bquant.matmul {{.*}} kernel(#bquant_packed.scalar
func.func @four_by_four(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, [8, 4, 2, 1]>, !bquant.tensor<128x256, [8, 4, 2, 1]>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// 16 bits hold the products of 8 bits by signs.
// CHECK-LABEL: func.func @eight_by_one
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 64>)
func.func @eight_by_one(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [128, 64, 32, 16, 8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<128x256, 1>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// Signs by signs: a table is faster.
// MISSED-NOT: Function=four_by_four
// MISSED: [Missed] strategy | {{.*}} | Function=thirty_channels | Reason="bquant.matmul: not by 'bytes': expected a multiple of 4 channels, but got 30; by {{[a-z]+}} instead"
// CHECK-LABEL: func.func @one_by_one
// V2: bquant.matmul {{.*}} kernel(#bquant_packed.table
// FORCED: bquant.matmul {{.*}} kernel(#bquant_packed.bytes
func.func @one_by_one(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x128xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, 1>, !bquant.tensor<128x256, 1>) -> tensor<8x128xi32>
  return %0 : tensor<8x128xi32>
}

// Of one row, codes come apart in the loop: to store bytes of a block would take
// longer. Not those of 5 bits.
// CHECK-LABEL: func.func @one_row
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, held = 72, levels = 15>)
// V2: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 1, channels = 8, bits = 128, summed = 2, held = 72, levels = 15>)
// VNNI: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 1, channels = 32, bits = 512, summed = 4, levels = 15>)
// NEON: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 1, channels = 16, bits = 128, summed = 4, levels = 15, signedCodes = true>)
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 35>)
func.func @one_row(%x: tensor<1x256xf32>, %v: tensor<1xf32>) -> (tensor<1x128xf32>, tensor<1x128xf32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x256xf32> -> !bquant.tensor<1x256, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x256, [8, 4, 2, 1]>, !bquant.tensor<128x256, [8, 4, 2, 1]>) -> tensor<1x128xf32>
  %w5 = bquant.constant words(dense<5> : tensor<5x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, [16, 8, 4, 2, 1]>
  %1 = bquant.matmul %q, %w5 : (!bquant.tensor<1x256, [8, 4, 2, 1]>, !bquant.tensor<128x256, [16, 8, 4, 2, 1]>) -> tensor<1x128xf32>
  return %0, %1 : tensor<1x128xf32>, tensor<1x128xf32>
}

// A table has sums and filters of four planes to hold: bytes are faster, and
// tables of a bit by ternary.
// CHECK-LABEL: func.func @ternary_by_four
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.bytes
func.func @ternary_by_four(%x: tensor<1x16x16x128xf32>, %v: tensor<1xf32>) -> tensor<1x14x14x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x16x16x128xf32> -> !bquant.tensor<1x16x16x128, [1, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x128x3x3x4xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x3x3x128, [8, 4, 2, 1]>
  %0 = bquant.conv_2d %q, %w : (!bquant.tensor<1x16x16x128, [1, 1]>, !bquant.tensor<128x3x3x128, [8, 4, 2, 1]>) -> tensor<1x14x14x128xf32>
  return %0 : tensor<1x14x14x128xf32>
}

// Two rows: with the four registers of the filter's planes 8 sums fill 16.
// CHECK-LABEL: func.func @four_planes
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 2, channels = 32, bits = 256>)
func.func @four_planes(%x: tensor<1x16x16x128xf32>, %v: tensor<1xf32>) -> tensor<1x14x14x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x16x16x128xf32> -> !bquant.tensor<1x16x16x128, 1>
  %w = bquant.constant words(dense<5> : tensor<4x128x3x3x4xi32>) scalars(dense<0.5> : tensor<4xf32>) : !bquant.tensor<128x3x3x128, 4>
  %0 = bquant.conv_2d %q, %w : (!bquant.tensor<1x16x16x128, 1>, !bquant.tensor<128x3x3x128, 4>) -> tensor<1x14x14x128xf32>
  return %0 : tensor<1x14x14x128xf32>
}

// CHECK-LABEL: func.func @thirty_channels
// CHECK-NOT: #bquant_packed.bytes
func.func @thirty_channels(%x: tensor<8x30xf32>, %v: tensor<1xf32>) -> tensor<8x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x30xf32> -> !bquant.tensor<8x30, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x128x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x30, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<8x30, [8, 4, 2, 1]>, !bquant.tensor<128x30, [8, 4, 2, 1]>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}
