// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-bquant-to-packed --canonicalize --bquant-verify-words --split-input-file | FileCheck %s

// A max-pool works on the bits of any layout: in that of all its users, which its
// input is written in.

// CHECK-LABEL: func @pool_of_nibbles
// CHECK: %[[Q:.*]] = bquant_packed.pack {{.*}} -> tensor<1x4x4x2xi8, #nibbles>
// CHECK-COUNT-4: tensor.extract_slice %[[Q]]
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x2x2x2xi8, #nibbles>)
// CHECK-NOT: pack layout
// CHECK: bquant_packed.product {{.*}} ins(%{{.*}} : tensor<1x2x4xi8, #nibbles>)
func.func @pool_of_nibbles(%x: tensor<1x4x4x8xf32>) -> tensor<1x1x1x64xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 1>
  %p = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2]
      : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x2x2x8, 1>
  %w = bquant.constant words(dense<3> : tensor<1x64x2x2x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x2x2x8, 1>
  %0 = bquant.conv_2d %p, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<1x2x2x8, 1>, !bquant.tensor<64x2x2x8, 1>) -> tensor<1x1x1x64xi32>
  return %0 : tensor<1x1x1x64xi32>
}

// -----

// Of users that want two layouts, and of words from outside, words are pooled.

#words = #bquant_packed.layout.words

// CHECK-LABEL: func @pool_of_words
// CHECK: %[[Q:.*]] = bquant_packed.pack {{.*}} -> tensor<1x4x4x1xi32, #words>
// CHECK-COUNT-4: tensor.extract_slice %[[Q]]
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x2x2x1xi32, #words>)
// CHECK: bquant_packed.pack
// CHECK-COUNT-4: tensor.extract_slice %arg1
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x2x2x1xi32, #words>)
// CHECK: bquant_packed.pack
func.func @pool_of_words(%x: tensor<1x4x4x8xf32>, %words: tensor<1x4x4x1xi32, #words>)
    -> (tensor<1x1x1x64xi32>, tensor<1x2x2x8xf32>, tensor<1x1x1x64xi32>) {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 1>
  %p = bquant.max_pool_2d %q window = [2, 2] strides = [2, 2]
      : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x2x2x8, 1>
  %w = bquant.constant words(dense<3> : tensor<1x64x2x2x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x2x2x8, 1>
  %0 = bquant.conv_2d %p, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<1x2x2x8, 1>, !bquant.tensor<64x2x2x8, 1>) -> tensor<1x1x1x64xi32>
  %1 = bquant.dequantize %p : !bquant.tensor<1x2x2x8, 1> -> tensor<1x2x2x8xf32>
  %o = builtin.unrealized_conversion_cast %words, %v
      : tensor<1x4x4x1xi32, #words>, tensor<1xf32> to !bquant.tensor<1x4x4x8, 1>
  %r = bquant.max_pool_2d %o window = [2, 2] strides = [2, 2]
      : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x2x2x8, 1>
  %2 = bquant.conv_2d %r, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<1x2x2x8, 1>, !bquant.tensor<64x2x2x8, 1>) -> tensor<1x1x1x64xi32>
  return %0, %1, %2 : tensor<1x1x1x64xi32>, tensor<1x2x2x8xf32>, tensor<1x1x1x64xi32>
}

// -----

// Planes from outside lie as their type says, and go there so.

#nibbles = #bquant_packed.layout.nibbles

// CHECK-LABEL: func @nibbles_outside
// CHECK-SAME: (%[[X:.*]]: tensor<2x2xi8, #nibbles>)
// CHECK-NOT: bquant_packed.pack
// CHECK: %[[P:.*]] = bquant_packed.product {{.*}} ins(%[[X]] : tensor<2x2xi8, #nibbles>)
// CHECK: %[[Q:.*]] = bquant_packed.pack {{.*}} -> tensor<2x16xi8, #nibbles>
// CHECK: return %[[Q]]
func.func @nibbles_outside(%x: tensor<2x2xi8, #nibbles>) -> tensor<2x16xi8, #nibbles> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %t = arith.constant dense<3> : tensor<1xi32>
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x2xi8, #nibbles>, tensor<1xf32> to !bquant.tensor<2x8, 1>
  %w = bquant.constant words(dense<3> : tensor<1x64x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x8, 1>
  %p = bquant.matmul %q, %w kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<2x8, 1>, !bquant.tensor<64x8, 1>) -> tensor<2x64xi32>
  %r = bquant.quantize %p thresholds(%t : tensor<1xi32>) codes [0, 1]
      scalars(%v : tensor<1xf32>) : tensor<2x64xi32> -> !bquant.tensor<2x64, 1>
  %o:2 = builtin.unrealized_conversion_cast %r
      : !bquant.tensor<2x64, 1> to tensor<2x16xi8, #nibbles>, tensor<1xf32>
  return %o#0 : tensor<2x16xi8, #nibbles>
}

// -----

#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

// A filter of run time.

// CHECK-LABEL: func @run_time
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi8, #nibbles>, %[[W:.*]]: tensor<40x1xi32, #words>)
// CHECK: %[[FILTER:.*]] = bquant_packed.relayout %[[W]] channels = 12 outputs = 0 : tensor<40x1xi32, #words> -> tensor<1x3x64xi8, #[[$BLOCKS:[a-z0-9_]+]]>
// CHECK: bquant_packed.product {{.*}} ins(%[[X]] : tensor<2x3xi8, #nibbles>) filters(%[[FILTER]] : tensor<1x3x64xi8, #[[$BLOCKS]]>)
func.func @run_time(%x: tensor<2x3xi8, #nibbles>, %w: tensor<40x1xi32, #words>) -> tensor<2x40xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x3xi8, #nibbles>, tensor<1xf32> to !bquant.tensor<2x12, 1>
  %f = builtin.unrealized_conversion_cast %w, %v
      : tensor<40x1xi32, #words>, tensor<1xf32> to !bquant.tensor<40x12, 1>
  %p = bquant.matmul %q, %f kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<2x12, 1>, !bquant.tensor<40x12, 1>) -> tensor<2x40xi32>
  return %p : tensor<2x40xi32>
}

// -----

#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

// A ternary one as two planes: where the mask is 0, of twelve channels, they differ.

// CHECK-LABEL: func @ternary_of_run_time
// CHECK-SAME: %[[MASK:[^:]*]]: tensor<40x1xi32, #words>, %[[SIGN:[^:]*]]: tensor<40x1xi32, #words>)
// CHECK-DAG: %[[ALL:.*]] = arith.constant {{.*}}4095
// CHECK: linalg.generic {{.*}} ins(%[[MASK]], %[[SIGN]], %[[ALL]]
// CHECK-NEXT: ^bb0(%[[M:[^:]*]]: i32, %[[S:[^:]*]]: i32, %[[V:[^:]*]]: i32
// CHECK-NEXT: %[[NONE:.*]] = arith.xori %[[M]], %[[V]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.ori %[[S]], %[[NONE]]
// CHECK-NEXT: %[[SECOND:.*]] = arith.andi %[[S]], %[[M]]
// CHECK-NEXT: linalg.yield %[[FIRST]], %[[SECOND]]
// CHECK: bquant_packed.product {{.*}} filters(%{{.*}}, %{{.*}} : tensor<1x3x64xi8, #{{[a-z0-9_]+}}>, tensor<1x3x64xi8, #{{[a-z0-9_]+}}>)
func.func @ternary_of_run_time(%x: tensor<2x3xi8, #nibbles>, %m: tensor<40x1xi32, #words>, %s: tensor<40x1xi32, #words>) -> tensor<2x40xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x3xi8, #nibbles>, tensor<1xf32> to !bquant.tensor<2x12, 1>
  %f = builtin.unrealized_conversion_cast %m, %s, %v
      : tensor<40x1xi32, #words>, tensor<40x1xi32, #words>, tensor<1xf32> to !bquant.tensor<40x12, [1, 1]>
  %p = bquant.matmul %q, %f kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      : (!bquant.tensor<2x12, 1>, !bquant.tensor<40x12, [1, 1]>) -> tensor<2x40xi32>
  return %p : tensor<2x40xi32>
}

// -----

// Of a value that is wanted as codes and as words, the bits come from the codes:
// two loop nests would share nothing but bits.

// CHECK-LABEL: func @codes_and_words
// CHECK: %[[CODES:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<1x64xi8, #codes>)
// CHECK: %[[BITS:.*]]:4 = linalg.generic {{.*}} ins(%[[CODES]] : tensor<1x64xi8, #codes>)
// CHECK: arith.andi
// CHECK-NEXT: arith.cmpi ne
// CHECK: %[[WORDS:.*]]:4 = bquant_packed.pack ins(%[[BITS]]#0,
// CHECK: bquant_packed.product {{.*}} ins(%[[CODES]] : tensor<1x64xi8, #codes>)
// CHECK: bquant_packed.product {{.*}} ins(%[[WORDS]]#0,
func.func @codes_and_words(%x: tensor<1x64xf32>, %v: tensor<1xf32>) -> (tensor<1x64xi32>, tensor<1x64xi32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x64xf32> -> !bquant.tensor<1x64, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<9> : tensor<1x64x2xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x64, 1>
  %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 64>) : (!bquant.tensor<1x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, 1>) -> tensor<1x64xi32>
  %1 = bquant.matmul %q, %w kernel(#bquant_packed.scalar<rows = 1, channels = 32, bits = 64>) : (!bquant.tensor<1x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, 1>) -> tensor<1x64xi32>
  return %0, %1 : tensor<1x64xi32>, tensor<1x64xi32>
}

// -----

// 2 can be two planes: the words are packed of the bits, and so are the codes.

// CHECK-LABEL: func @codes_without_bits
// CHECK: %[[BITS:.*]]:3 = linalg.generic {{.*}} outs({{.*}} : tensor<1x64xi1>, tensor<1x64xi1>, tensor<1x64xi1>)
// CHECK: linalg.generic {{.*}} ins(%[[BITS]]#0, %[[BITS]]#1, %[[BITS]]#2 {{.*}} outs({{.*}} : tensor<1x64xi8, #codes>)
// CHECK: bquant_packed.pack ins(%[[BITS]]#0,
func.func @codes_without_bits(%x: tensor<1x64xf32>, %v: tensor<1xf32>) -> (tensor<1x64xi32>, tensor<1x64xi32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x64xf32> -> !bquant.tensor<1x64, [2, 1, 1]>
  %w = bquant.constant words(dense<9> : tensor<1x64x2xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<64x64, 1>
  %0 = bquant.matmul %q, %w kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 64>) : (!bquant.tensor<1x64, [2, 1, 1]>, !bquant.tensor<64x64, 1>) -> tensor<1x64xi32>
  %1 = bquant.matmul %q, %w kernel(#bquant_packed.scalar<rows = 1, channels = 32, bits = 64>) : (!bquant.tensor<1x64, [2, 1, 1]>, !bquant.tensor<64x64, 1>) -> tensor<1x64xi32>
  return %0, %1 : tensor<1x64xi32>, tensor<1x64xi32>
}
