// RUN: not bquant-opt %s --bquant-select-kernels=strategy=magic 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expected strategy auto, popcount, table, scalar, reference, but got 'magic'
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=popcount --split-input-file --verify-diagnostics

// expected-error @below {{expected a strategy that serves a layer, but 'popcount' serves none: it expects a target that counts the bits of 32-bit lanes (avx512vpopcntdq)}}
module {
  func.func @none(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

// -----

// Nothing to serve.
module {
  func.func @no_product(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// Given by hand, for a target that lacks what it takes.
module {
  func.func @target(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @+1 {{[kernel_c4] expected a target that shuffles the bytes of 512 bits for the kernel #bquant.table<rows = 4, channels = 64, bits = 512>}}
    %0 = bquant.matmul %q, %w kernel(#bquant.table<rows = 4, channels = 64, bits = 512>) : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

// -----

// For another product.
module {
  func.func @product(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @+1 {{[kernel_c4] expected a convolution with one channel for each filter for the kernel #bquant.depthwise<rows = 4, channels = 32, bits = 256>}}
    %0 = bquant.matmul %q, %w kernel(#bquant.depthwise<rows = 4, channels = 32, bits = 256>) : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

// -----

// For floats.
module {
  func.func @floats(%x: tensor<8x256xf32>) -> tensor<8x16xf32> {
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @+1 {{[kernel_c4] expected a scaled-binary input for the kernel #bquant.scalar<rows = 4, channels = 32, bits = 64>}}
    %0 = bquant.matmul %x, %w kernel(#bquant.scalar<rows = 4, channels = 32, bits = 64>) : (tensor<8x256xf32>, !bquant.tensor<16x256, 1>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
