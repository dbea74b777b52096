// RUN: bquant-opt %s --bquant-lower-relayouts --canonicalize --split-input-file | FileCheck %s

#nibbles = #bquant_packed.layout.blocks<
    rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#words = #bquant_packed.layout.words

// Words in the lanes where the kernel has their channels, then the three nibbles of
// each that the channels need.
// CHECK-LABEL: func @nibbles
// CHECK-SAME: (%[[W:.*]]: tensor<40x1xi32, #words>)
// CHECK-DAG: %[[PLACES:.*]] = arith.constant dense<[0, 4, 8]> : tensor<3xi32>
// CHECK: %[[PAD:.*]] = tensor.pad %[[W]] low[0, 0] high[24, 0]
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[PAD]] {{\[\[}}0, 1, 2, 3], [4]] output_shape [1, 2, 2, 16, 1]
// CHECK: %[[LANES:.*]] = linalg.transpose ins(%[[PARTS]] {{.*}} outs({{.*}} : tensor<1x2x16x2x1xi32>) permutation = [0, 1, 3, 2, 4]
// CHECK: %[[CHANNELS:.*]] = tensor.collapse_shape %[[LANES]] {{.*}} into tensor<1x64x1xi32>
// CHECK: %[[WORDS:.*]] = linalg.transpose ins(%[[CHANNELS]] {{.*}} outs({{.*}} : tensor<1x1x64xi32>) permutation = [0, 2, 1]
// CHECK: %[[NIBBLES:.*]] = linalg.generic {{.*}} ins(%[[WORDS]], %[[PLACES]] : tensor<1x1x64xi32>, tensor<3xi32>) outs({{.*}} : tensor<1x1x3x64xi8, #[[$BLOCKS:[a-z0-9_]+]]>)
// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: arith.trunci
// CHECK: %[[FILTER:.*]] = tensor.collapse_shape %[[NIBBLES]] {{.*}} into tensor<1x3x64xi8, #[[$BLOCKS]]>
// CHECK: return %[[FILTER]]
func.func @nibbles(%w: tensor<40x1xi32, #words>) -> tensor<1x3x64xi8, #nibbles> {
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<1x3x64xi8, #nibbles>
  return %0 : tensor<1x3x64xi8, #nibbles>
}

// -----

#bytes = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

// One channel for each filter: the first bit of a word.
// CHECK-LABEL: func @bytes
// CHECK: tensor.pad %{{.*}} high[30, 0, 0, 0]
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<1x16x16x1x32xi32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x16x1x1x32xi8, #{{[a-z0-9_]+}}>)
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x16x16x1x32xi8, #{{[a-z0-9_]+}}>
func.func @bytes(%w: tensor<2x16x16x1xi32, #words>) -> tensor<1x16x16x1x32xi8, #bytes> {
  %0 = bquant_packed.relayout %w channels = 1 outputs = 0 : tensor<2x16x16x1xi32, #words> -> tensor<1x16x16x1x32xi8, #bytes>
  return %0 : tensor<1x16x16x1x32xi8, #bytes>
}

// -----

#floats = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>

// Lanes of no channel are zeros. Of a batch, channels come second.
// CHECK-LABEL: func @floats
// CHECK: tensor.pad %{{.*}} low[0, 0, 0] high[0, 24, 0]
// CHECK: %[[W:.*]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<3x2x8x32xf32, #{{[a-z0-9_]+}}>) permutation = [0, 1, 3, 2]
// CHECK: return %[[W]]
func.func @floats(%w: tensor<3x40x8xf32>) -> tensor<3x2x8x32xf32, #floats> {
  %0 = bquant_packed.relayout %w channels = 8 outputs = 1 : tensor<3x40x8xf32> -> tensor<3x2x8x32xf32, #floats>
  return %0 : tensor<3x2x8x32xf32, #floats>
}
