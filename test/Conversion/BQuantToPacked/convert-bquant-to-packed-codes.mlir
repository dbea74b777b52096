// Filters of codes are kept in the bits that the largest code takes, in fields
// of 4, 2 and 1 of them, and unpacked in front of the product. Max-pools of
// codes.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=strategy=bytes \
// RUN:   --convert-bquant-to-packed --canonicalize --cse --bquant-verify-words --split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n1 features=+i8mm" --bquant-select-kernels=strategy=bytes \
// RUN:   --convert-bquant-to-packed --canonicalize --cse --bquant-verify-words --split-input-file | FileCheck %s --check-prefix=PAIRS

// Of the 128 words of a block, of four codes each, 64 are kept: also where an
// element has two words.

// CHECK-LABEL: func @four_bits
// CHECK: %[[STORED:.*]] = arith.constant {{.*}} : tensor<2x64xi32, #[[FOUR:[a-z0-9_]+]]>
// CHECK: %[[FILTER:.*]] = bquant_packed.unpack_codes %[[STORED]] levels = 15 : tensor<2x64xi32, #[[FOUR]]> -> tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
// CHECK: bquant_packed.product {{.*}} filters(%[[FILTER]] : tensor<2x8x16xi32, #{{[a-z0-9_]+}}>)
// PAIRS-LABEL: func @four_bits
// PAIRS: bquant_packed.unpack_codes %{{.*}} levels = 15 : tensor<2x64xi32, #{{[a-z0-9_]+}}> -> tensor<2x4x32xi32, #{{[a-z0-9_]+}}>
// PAIRS: bquant_packed.product kernel(#bquant_packed.bytes<{{.*}} summed = 8>)
func.func @four_bits(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x32xf32> -> !bquant.tensor<6x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x32, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x32, [8, 4, 2, 1]>, !bquant.tensor<32x32, [8, 4, 2, 1]>) -> tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}

// -----

// Signs take one bit, ternary weights two.

// CHECK-LABEL: func @one_bit
// CHECK: bquant_packed.unpack_codes %{{.*}} levels = 1 : tensor<2x16xi32, #{{[a-z0-9_]+}}> -> tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
func.func @one_bit(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x32xf32> -> !bquant.tensor<6x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<1x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x32, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x32, [8, 4, 2, 1]>, !bquant.tensor<32x32, 1>) -> tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}

// CHECK-LABEL: func @ternary
// CHECK: bquant_packed.unpack_codes %{{.*}} levels = 2 : tensor<2x32xi32, #{{[a-z0-9_]+}}> -> tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
func.func @ternary(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x32xf32> -> !bquant.tensor<6x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<2x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x32, [1, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x32, [8, 4, 2, 1]>, !bquant.tensor<32x32, [1, 1]>) -> tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}

// -----

// 7 bits are 4, 2 and 1: of 128 words of a block 64, 32 and 16.

// CHECK-LABEL: func @seven_bits
// CHECK: bquant_packed.unpack_codes %{{.*}}, %{{.*}}, %{{.*}} levels = 127 : tensor<2x64xi32, #{{[a-z0-9_]+}}>, tensor<2x32xi32, #{{[a-z0-9_]+}}>, tensor<2x16xi32, #{{[a-z0-9_]+}}> -> tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
func.func @seven_bits(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x32xf32> -> !bquant.tensor<6x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<7x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x32, [64, 32, 16, 8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x32, [8, 4, 2, 1]>, !bquant.tensor<32x32, [64, 32, 16, 8, 4, 2, 1]>) -> tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}

// -----

// 8 bits are bytes.

// CHECK-LABEL: func @eight_bits
// CHECK: %[[W:.*]] = arith.constant dense_resource<{{.*}}> : tensor<2x8x16xi32, #{{[a-z0-9_]+}}>
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<2x8x16xi32, #{{[a-z0-9_]+}}>)
func.func @eight_bits(%x: tensor<6x32xf32>) -> tensor<6x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x32xf32> -> !bquant.tensor<6x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<8x32x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x32, [128, 64, 32, 16, 8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x32, [8, 4, 2, 1]>, !bquant.tensor<32x32, [128, 64, 32, 16, 8, 4, 2, 1]>) -> tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}

// -----

// The maximum of the bytes, of an input that is quantized to codes.

// CHECK-LABEL: func @pool_of_codes
// CHECK-NOT: bquant_packed.pack
// CHECK-COUNT-4: tensor.extract_slice %{{.*}} : tensor<1x4x4x32xi8, #codes> to tensor<1x2x2x32xi8, #codes>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x2x32xi8, #codes>)
// CHECK-COUNT-3: arith.maxui %{{.*}} : i8
// CHECK-NOT: bquant_packed.pack
// CHECK-NOT: bquant_packed.unpack
// CHECK: bquant_packed.product
func.func @pool_of_codes(%x: tensor<1x4x4x32xf32>) -> tensor<1x1x1x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [8, 4, 2, 1]>
  %p = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2] : !bquant.tensor<1x4x4x32, [8, 4, 2, 1]> -> !bquant.tensor<1x2x2x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x32x2x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>
  %0 = bquant.conv_2d %p, %w : (!bquant.tensor<1x2x2x32, [8, 4, 2, 1]>, !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>) -> tensor<1x1x1x32xf32>
  return %0 : tensor<1x1x1x32xf32>
}

// -----

// Of ratios 3, 2, 2 the planes 0 1 1 are less than 1 0 0, but 4 is more than 3.

// CHECK-LABEL: func @pool_of_planes
// CHECK: bquant_packed.pack
// CHECK-NOT: arith.maxui
// CHECK: bquant_packed.unpack
func.func @pool_of_planes(%x: tensor<1x4x4x32xf32>) -> tensor<1x1x1x32xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [3, 2, 2]>
  %p = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2] : !bquant.tensor<1x4x4x32, [3, 2, 2]> -> !bquant.tensor<1x2x2x32, [3, 2, 2]>
  %w = bquant.constant words(dense<5> : tensor<4x32x2x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>
  %0 = bquant.conv_2d %p, %w : (!bquant.tensor<1x2x2x32, [3, 2, 2]>, !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>) -> tensor<1x1x1x32xf32>
  return %0 : tensor<1x1x1x32xf32>
}

// -----

// Where words of the pool's input are wanted, too, these are pooled: there are
// fewer codes to be made of them behind it.

// CHECK-LABEL: func @pool_beside_words
// CHECK: bquant_packed.pack
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @pool_beside_words(%x: tensor<1x4x4x32xf32>) -> (tensor<1x1x1x32xf32>, tensor<1x4x4x32xf32>) {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [8, 4, 2, 1]>
  %p = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2] : !bquant.tensor<1x4x4x32, [8, 4, 2, 1]> -> !bquant.tensor<1x2x2x32, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x32x2x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>
  %0 = bquant.conv_2d %p, %w : (!bquant.tensor<1x2x2x32, [8, 4, 2, 1]>, !bquant.tensor<32x2x2x32, [8, 4, 2, 1]>) -> tensor<1x1x1x32xf32>
  %1 = bquant.dequantize %q : !bquant.tensor<1x4x4x32, [8, 4, 2, 1]> -> tensor<1x4x4x32xf32>
  return %0, %1 : tensor<1x1x1x32xf32>, tensor<1x4x4x32xf32>
}
