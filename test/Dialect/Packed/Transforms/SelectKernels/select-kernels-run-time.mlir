// Filters that are computed at run time: what it costs to lay them out counts, for
// each filter of a batch. Tables want more elements than words are.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,HASWELL
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels | FileCheck %s --check-prefixes=CHECK,ZNVER4
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=table | FileCheck %s --check-prefixes=CHECK,TABLE
//
// Not all kernels can have them.
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=bytes 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: expected a strategy that serves a layer, but 'bytes' serves none: expected a constant filter

// CHECK-LABEL: func.func @rows
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.table<rows = 6, channels = 64, bits = 256>)
// ZNVER4: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
// TABLE: kernel(#bquant_packed.table<
func.func @rows(%x: tensor<64x256xf32>, %y: tensor<128x256xf32>, %v: tensor<1xf32>) -> tensor<64x128xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<64x256xf32> -> !bquant.tensor<64x256, 1>
  %w = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<128x256xf32> -> !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<64x256, 1>, !bquant.tensor<128x256, 1>) -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}

// CHECK-LABEL: func.func @row
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// ZNVER4: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
// TABLE: kernel(#bquant_packed.table<
func.func @row(%x: tensor<1x256xf32>, %y: tensor<128x256xf32>, %v: tensor<1xf32>) -> tensor<1x128xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x256xf32> -> !bquant.tensor<1x256, 1>
  %w = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<128x256xf32> -> !bquant.tensor<128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x256, 1>, !bquant.tensor<128x256, 1>) -> tensor<1x128xi32>
  return %0 : tensor<1x128xi32>
}

// As many rows as above in all, each with filters of its own.
// CHECK-LABEL: func.func @row_of_each
// HASWELL: bquant.matmul {{.*}} kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
// ZNVER4: bquant.matmul {{.*}} kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
// TABLE: kernel(#bquant_packed.table<
func.func @row_of_each(%x: tensor<64x1x256xf32>, %y: tensor<64x128x256xf32>, %v: tensor<1xf32>) -> tensor<64x1x128xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<64x1x256xf32> -> !bquant.tensor<64x1x256, 1>
  %w = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<64x128x256xf32> -> !bquant.tensor<64x128x256, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<64x1x256, 1>, !bquant.tensor<64x128x256, 1>) -> tensor<64x1x128xi32>
  return %0 : tensor<64x1x128xi32>
}
