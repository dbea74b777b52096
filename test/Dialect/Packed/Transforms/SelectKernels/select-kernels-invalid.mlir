// RUN: not bquant-opt %s --bquant-select-kernels=strategy=magic 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: for the --strategy option: expected one of auto, popcount, table, bytes, scalar, reference, but got 'magic'{{$}}
// RUN: not bquant-opt %s --bquant-select-kernels=float-precision=bf8 2>&1 | FileCheck %s --check-prefix=PRECISION
// PRECISION: for the --float-precision option: expected one of f32, bf16, but got 'bf8'{{$}}
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=popcount --split-input-file --verify-diagnostics

module {
  func.func @none(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @below {{expected a strategy that serves a layer, but 'popcount' serves none: expected a target that counts the bits of 32-bit lanes (avx512vpopcntdq) or of bytes (avx512bitalg, NEON)}}
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
    // expected-error @+1 {{[kernel_c4] expected a target that shuffles the bytes of 512 bits for the kernel #bquant_packed.table<rows = 4, channels = 64, bits = 512>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 512>) : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

// -----

// For another product.
module {
  func.func @product(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @+1 {{[kernel_c4] expected a convolution with one channel for each filter for the kernel #bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>) : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

// -----

// For floats.
module {
  func.func @floats(%x: tensor<8x256xf32>) -> tensor<8x16xf32> {
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @+1 {{[kernel_c4] expected a scaled-binary input for the kernel #bquant_packed.scalar<rows = 4, channels = 32, bits = 64>}}
    %0 = bquant.matmul %x, %w kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>) : (tensor<8x256xf32>, !bquant.tensor<16x256, 1>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// A register of a table reads one group.
module {
  func.func @table_of_groups(%x: tensor<1x6x6x96xf32>, %v: tensor<1xf32>) -> tensor<1x6x6x96xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x96xf32> -> !bquant.tensor<1x6x6x96, 1>
    %w = bquant.constant words(dense<1> : tensor<1x96x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<96x3x3x24, 1>
    // expected-error @+1 {{[kernel_c4] expected tiles of a divisor of 24 channels, those of a group, but got 64 for the kernel #bquant_packed.table<rows = 4, channels = 64, bits = 256>}}
    %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>) : (!bquant.tensor<1x6x6x96, 1>, !bquant.tensor<96x3x3x24, 1>) -> tensor<1x6x6x96xi32>
    return %0 : tensor<1x6x6x96xi32>
  }
}

// -----

// A tile that begins inside of one group and ends in the next.
module {
  func.func @tile_of_groups(%x: tensor<1x6x6x96xf32>, %v: tensor<1xf32>) -> tensor<1x6x6x96xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x96xf32> -> !bquant.tensor<1x6x6x96, 1>
    %w = bquant.constant words(dense<1> : tensor<1x96x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<96x3x3x24, 1>
    // expected-error @+1 {{[kernel_c4] expected tiles of a divisor or multiple of 24 channels, those of a group, but got 36 for the kernel #bquant_packed.scalar<rows = 4, channels = 36, bits = 64>}}
    %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 4 kernel(#bquant_packed.scalar<rows = 4, channels = 36, bits = 64>) : (!bquant.tensor<1x6x6x96, 1>, !bquant.tensor<96x3x3x24, 1>) -> tensor<1x6x6x96xi32>
    return %0 : tensor<1x6x6x96xi32>
  }
}

// -----

// Registers that no image fills.
module {
  func.func @depthwise_tile(%x: tensor<1x6x6x64xf32>, %v: tensor<1xf32>) -> tensor<1x6x6x64xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
    %w = bquant.constant words(dense<1> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x1, 1>
    // expected-error @+1 {{[kernel_c4] expected tiles of whole registers that divide 64 channels, but got 48 for the kernel #bquant_packed.depthwise<rows = 4, channels = 48, bits = 256>}}
    %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 64 kernel(#bquant_packed.depthwise<rows = 4, channels = 48, bits = 256>) : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<64x3x3x1, 1>) -> tensor<1x6x6x64xi32>
    return %0 : tensor<1x6x6x64xi32>
  }
}

// -----

// A table sums in 16 bits.
module {
  func.func @long(%x: tensor<8x65536xf32>, %v: tensor<1xf32>) -> tensor<8x64xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x65536xf32> -> !bquant.tensor<8x65536, 1>
    %w = bquant.constant words(dense<5> : tensor<1x64x2048xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x65536, 1>
    // expected-error @+1 {{[kernel_c4] expected at most 65535 channels of all taps, but got 65536 for the kernel #bquant_packed.table<rows = 4, channels = 64, bits = 256>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>) : (!bquant.tensor<8x65536, 1>, !bquant.tensor<64x65536, 1>) -> tensor<8x64xi32>
    return %0 : tensor<8x64xi32>
  }
}

// -----

// Haswell has no dot products of bytes.
module {
  func.func @dots(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [8, 4, 2, 1]>
    %w = bquant.constant words(dense<5> : tensor<4x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected a target with dot products of bytes in registers of 256 bits (VNNI, dotprod) for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 4>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 4>) : (!bquant.tensor<8x256, [8, 4, 2, 1]>, !bquant.tensor<16x256, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// Nor registers of 512 bits.
module {
  func.func @pairs(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [8, 4, 2, 1]>
    %w = bquant.constant words(dense<5> : tensor<4x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected a target that adds pairs of products of bytes in registers of 512 bits for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 512, summed = 2, held = 72>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 512, summed = 2, held = 72>) : (!bquant.tensor<8x256, [8, 4, 2, 1]>, !bquant.tensor<16x256, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// Planes with scalars of their own are not one number.
module {
  func.func @planes(%x: tensor<8x256xf32>, %v: tensor<2xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 2>
    %w = bquant.constant words(dense<5> : tensor<4x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected planes whose scalars are multiples of one for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>) : (!bquant.tensor<8x256, 2>, !bquant.tensor<16x256, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// A byte holds 256 codes.
module {
  func.func @codes(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [128, 127, 2]>
    %w = bquant.constant words(dense<5> : tensor<4x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected at most 256 codes for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 1>) : (!bquant.tensor<8x256, [128, 127, 2]>, !bquant.tensor<16x256, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// Sums of 16 bits are full after 72 steps of 4 bits on both sides.
module {
  func.func @held(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, [8, 4, 2, 1]>
    %w = bquant.constant words(dense<5> : tensor<4x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected at most 72 steps held in 16 bits, but got 73 for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 73>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 73>) : (!bquant.tensor<8x256, [8, 4, 2, 1]>, !bquant.tensor<16x256, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// Channels are taken by fours.
module {
  func.func @fours(%x: tensor<8x30xf32>, %v: tensor<1xf32>) -> tensor<8x16xf32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x30xf32> -> !bquant.tensor<8x30, [8, 4, 2, 1]>
    %w = bquant.constant words(dense<5> : tensor<4x16x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x30, [8, 4, 2, 1]>
    // expected-error @+1 {{[kernel_c4] expected a multiple of 4 channels, but got 30 for the kernel #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>}}
    %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>) : (!bquant.tensor<8x30, [8, 4, 2, 1]>, !bquant.tensor<16x30, [8, 4, 2, 1]>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// A kernel of bf16.
module {
  func.func @bf16(%x: tensor<8x16xbf16>, %w: tensor<16x16xbf16>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
    // expected-error @+1 {{[kernel_c4] expected a target with dot products of bf16 in registers of 512 bits (avx512bf16, bf16) for the kernel #bquant_packed.bf16<rows = 4, channels = 32, bits = 512>}}
    %0 = bquant_packed.product kernel(#bquant_packed.bf16<rows = 4, channels = 32, bits = 512>) ins(%x : tensor<8x16xbf16>) filters(%w : tensor<16x16xbf16>)
        outs(%o : tensor<8x16xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

// -----

// One of f32 for them.
module {
  func.func @fma(%x: tensor<8x16xbf16>, %w: tensor<16x16xbf16>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
    // expected-error @+1 {{[kernel_c4] expected input and filter of f32 for the kernel #bquant_packed.fma<rows = 4, channels = 32, bits = 256>}}
    %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 4, channels = 32, bits = 256>) ins(%x : tensor<8x16xbf16>) filters(%w : tensor<16x16xbf16>)
        outs(%o : tensor<8x16xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
