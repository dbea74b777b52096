// The kernel of each product, by target and strategy.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,HASWELL
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,ZNVER4
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,V2
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=skylake-avx512" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,SKYLAKE
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v4" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,SKYLAKE
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n1" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: bquant-opt %s --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,NONE
//
// One that was asked for, where it can. What it cannot compute is auto's.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=table \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: FileCheck %s --check-prefixes=CHECK,HASWELL --input-file=%t.mlir
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=strategy=table | FileCheck %s --check-prefixes=CHECK,TABLE
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver5" --bquant-select-kernels=strategy=table | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=strategy=popcount \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ALL --allow-empty
// RUN: FileCheck %s --check-prefixes=CHECK,POPCOUNT --input-file=%t.mlir
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=strategy=scalar \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ALL --allow-empty
// RUN: FileCheck %s --check-prefixes=CHECK,NONE,SCALAR --input-file=%t.mlir
// ALL-NOT: [Missed]
//
// The reference computes them anyway.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=reference | FileCheck %s --check-prefixes=CHECK,HASWELL

// CHECK-LABEL: func.func @conv
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 256>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
// V2: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 2, channels = 64, bits = 128>)
// SKYLAKE: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 256>)
// NEON: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 2, channels = 32, bits = 128, counted = 8>)
// NONE: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// TABLE: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 256>)
// WIDE: bquant.conv_2d {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 512>)
// POPCOUNT: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
func.func @conv(%x: tensor<1x56x56x64xf32>, %v: tensor<1xf32>) -> tensor<1x56x56x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x56x56x64xf32> -> !bquant.tensor<1x56x56x64, 1>
  %w = bquant.constant words(dense<5> : tensor<1x64x3x3x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x64, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x56x56x64, 1>, !bquant.tensor<64x3x3x64, 1>) -> tensor<1x56x56x64xi32>
  return %0 : tensor<1x56x56x64xi32>
}

// Two planes: fewer rows, each with twice the sums.
// CHECK-LABEL: func.func @matmul
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 3, channels = 64, bits = 256>)
// ZNVER4: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 3, channels = 32, bits = 512>)
// V2: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 1, channels = 64, bits = 128>)
// SKYLAKE: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 3, channels = 64, bits = 256>)
// NEON: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 1, channels = 32, bits = 128, counted = 8>)
// NONE: bquant.matmul {{.*}} kernel(#bquant_packed.scalar<rows = 2, channels = 32, bits = 64>)
// TABLE: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 3, channels = 64, bits = 256>)
// WIDE: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 512>)
// POPCOUNT: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 3, channels = 32, bits = 512>)
func.func @matmul(%x: tensor<8x256xf32>, %v: tensor<2xf32>) -> tensor<8x128xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 2>
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, 2>, !bquant.tensor<128x256, 1>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// One channel for each filter: bytes, unless another kernel is asked for.
// MISSED: [Missed] strategy | {{.*}} | Function=depthwise | Reason="bquant.conv_2d: not by 'table': expected more than one channel for each filter; by depthwise instead"
// CHECK-LABEL: func.func @depthwise
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 8, channels = 32, bits = 256>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 8, channels = 64, bits = 512>)
// V2: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 128>)
// SKYLAKE: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 8, channels = 64, bits = 512>)
// NEON: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 128>)
// SCALAR: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// POPCOUNT: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
func.func @depthwise(%x: tensor<1x8x8x64xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x1, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 64 : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<64x3x3x1, 1>) -> tensor<1x8x8x64xi32>
  return %0 : tensor<1x8x8x64xi32>
}

// Half of a register of 512 bits: one of 256.
// CHECK-LABEL: func.func @depthwise_of_32
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 8, channels = 32, bits = 256>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.depthwise<rows = 8, channels = 32, bits = 256>)
func.func @depthwise_of_32(%x: tensor<1x8x8x32xf32>, %v: tensor<1xf32>) -> tensor<1x8x8x32xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x32xf32> -> !bquant.tensor<1x8x8x32, 1>
  %w = bquant.constant words(dense<1> : tensor<1x32x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x3x3x1, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 32 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<32x3x3x1, 1>) -> tensor<1x8x8x32xi32>
  return %0 : tensor<1x8x8x32xi32>
}

// Groups that share what a table looks up.
// MISSED: [Missed] strategy | {{.*}} | Function=groups | Reason="bquant.conv_2d: not by 'table': expected groups of a multiple of 4 channels, but got 6; by scalar instead"
// CHECK-LABEL: func.func @groups
// HASWELL: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// ZNVER4: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 14, channels = 32, bits = 512>)
// V2: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// SKYLAKE: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// NEON: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 8, channels = 32, bits = 128, counted = 8>)
// NONE: bquant.conv_2d {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// POPCOUNT: bquant.conv_2d {{.*}} kernel(#bquant_packed.popcount<rows = 14, channels = 32, bits = 512>)
func.func @groups(%x: tensor<1x8x8x12xf32>, %v: tensor<1xf32>) -> tensor<1x6x6x8xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x12xf32> -> !bquant.tensor<1x8x8x12, 1>
  %w = bquant.constant words(dense<1> : tensor<1x8x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<8x3x3x6, 1>
  %0 = bquant.conv_2d %q, %w groups = 2 : (!bquant.tensor<1x8x8x12, 1>, !bquant.tensor<8x3x3x6, 1>) -> tensor<1x6x6x8xi32>
  return %0 : tensor<1x6x6x8xi32>
}

// What is there stays.
// CHECK-LABEL: func.func @given
// CHECK: bquant.matmul {{.*}} kernel(#bquant_packed.scalar<rows = 2, channels = 16, bits = 64>)
func.func @given(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x128xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w kernel(#bquant_packed.scalar<rows = 2, channels = 16, bits = 64>) : (!bquant.tensor<8x256, 1>, !bquant.tensor<128x256, 1>) -> tensor<8x128xi32>
  return %0 : tensor<8x128xi32>
}

// Floats by bits have their own.
// CHECK-LABEL: func.func @floats
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.sum_table<rows = 4, channels = 32, bits = 256>
// ZNVER4: bquant.matmul {{.*}} kernel(#bquant_packed.sum_table<rows = 1, channels = 128, bits = 512>
// V2: bquant.matmul {{.*}} kernel(#bquant_packed.fma<
// NEON: bquant.matmul {{.*}} kernel(#bquant_packed.fma<
func.func @floats(%x: tensor<8x256xf32>) -> tensor<8x128xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x128x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %x, %w : (tensor<8x256xf32>, !bquant.tensor<128x256, 1>) -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}
