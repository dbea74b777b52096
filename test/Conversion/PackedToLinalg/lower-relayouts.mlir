// RUN: bquant-opt %s --bquant-lower-relayouts --canonicalize --split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-decompose-packed --canonicalize --split-input-file | FileCheck %s

#nibbles = #bquant_packed.layout.blocks<
    rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#words = #bquant_packed.layout.words

// Words in the lanes where the kernel has their channels, then the three nibbles of
// each that the channels need.
// CHECK-LABEL: func @nibbles
// CHECK-SAME: (%[[W:.*]]: tensor<40x1xi32, #words>)
// CHECK-DAG: %[[PLACES:.*]] = arith.constant dense<[0, 4, 8]> : tensor<3xi32>
// CHECK: %[[PAD:.*]] = tensor.pad %[[W]] low[0, 0] high[24, 0]
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[PAD]] {{\[\[}}0, 1, 2, 3, 4], [5]] output_shape [1, 2, 2, 16, 1, 1]
// CHECK: %[[LANES:.*]] = linalg.transpose ins(%[[PARTS]] {{.*}} outs({{.*}} : tensor<1x2x16x2x1x1xi32>) permutation = [0, 1, 3, 2, 4, 5]
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

#groups = #bquant_packed.layout.blocks<
    rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 32, lanes = 32, parts = 2, together = 4>
#words = #bquant_packed.layout.words

// Four channels of each part at a time.
// CHECK-LABEL: func @groups
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %{{.*}} output_shape [1, 1, 2, 4, 4, 1]
// CHECK: linalg.transpose ins(%[[PARTS]] {{.*}} outs({{.*}} : tensor<1x1x4x2x4x1xi32>) permutation = [0, 1, 3, 2, 4, 5]
func.func @groups(%w: tensor<32x1xi32, #words>) -> tensor<1x3x32xi8, #groups> {
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<32x1xi32, #words> -> tensor<1x3x32xi8, #groups>
  return %0 : tensor<1x3x32xi8, #groups>
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

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

// Of the 128 words of a block the first 64 are in the lower four bits of bytes.
// CHECK-LABEL: func @four_bits
// CHECK-SAME: (%[[STORED:.*]]: tensor<2x64xi32, #[[FOUR:[a-z0-9_]+]]>)
// CHECK-DAG: %[[PLACES:.*]] = arith.constant dense<[0, 4]> : tensor<2xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.constant 252645135 : i32
// CHECK-DAG: %[[TWICE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[BIAS:.*]] = arith.constant 1903260017 : i32
// CHECK-DAG: %[[SIGN:.*]] = arith.constant -2139062144 : i32
// CHECK: linalg.generic {{.*}} ins(%[[STORED]], %[[PLACES]] : tensor<2x64xi32, #[[FOUR]]>, tensor<2xi32>)
// CHECK-NEXT: ^bb0(%[[P:.*]]: i32, %[[S:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[DOWN:.*]] = arith.shrui %[[P]], %[[S]]
// CHECK-NEXT: %[[CODES:.*]] = arith.andi %[[DOWN]], %[[MASK]]
// CHECK-NEXT: %[[UP:.*]] = arith.shli %[[CODES]], %[[TWICE]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[UP]], %[[BIAS]]
// CHECK-NEXT: %[[F:.*]] = arith.xori %[[SUM]], %[[SIGN]]
// CHECK-NEXT: linalg.yield %[[F]]
// CHECK-NEXT: } -> tensor<2x2x64xi32, #[[BLOCKS:[a-z0-9_]+]]>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<2x2x64xi32, #[[BLOCKS]]> into tensor<2x128xi32, #[[BLOCKS]]>
// CHECK: %[[FILTER:.*]] = tensor.expand_shape %[[FLAT]] {{\[\[}}0], [1, 2]] output_shape [2, 8, 16]
// CHECK: return %[[FILTER]]
func.func @four_bits(%stored: tensor<2x64xi32, #four>) -> tensor<2x8x16xi32, #blocks> {
  %0 = bquant_packed.unpack_codes %stored levels = 15 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return %0 : tensor<2x8x16xi32, #blocks>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 8, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>
#two = #bquant_packed.layout.code_fields<bits = 2>
#one = #bquant_packed.layout.code_fields<bits = 1>

// The loops over a block are the places of 4 bits in bytes, those of 2 bits in half of
// the words, those of 1 bit in a quarter of them, and the words that are left. A
// resource is reshaped as it is.
// CHECK-LABEL: func @seven_bits
// CHECK-SAME: (%[[STORED4:.*]]: tensor<1x4xi32, #{{.*}}>, %[[STORED1:.*]]: tensor<1x1xi32, #{{.*}}>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense_resource<stored> : tensor<1x2x1xi32, #{{[a-z0-9_]+}}>
// CHECK-DAG: %[[PLACES4:.*]] = arith.constant dense<[0, 4]> : tensor<2xi32>
// CHECK-DAG: %[[PLACES2:.*]] = arith.constant dense<{{\[\[}}0, 2], [4, 6]]> : tensor<2x2xi32>
// CHECK-DAG: %[[PLACES1:.*]] = arith.constant dense<{{\[\[\[}}0, 1], [2, 3]], {{\[\[}}4, 5], [6, 7]]]> : tensor<2x2x2xi32>
// CHECK: %[[FOUR:.*]] = tensor.expand_shape %[[STORED4]] {{\[\[}}0], [1, 2, 3]] output_shape [1, 2, 2, 1]
// CHECK: linalg.generic {{.*}} ins(%[[FOUR]], %[[PLACES4]], %[[TWO]], %[[PLACES2]], %[[STORED1]], %[[PLACES1]] :
// CHECK: %[[TWICE4:.*]] = arith.shli %{{.*}}, %c1_i32
// CHECK: %[[TWICE2:.*]] = arith.shli %{{.*}}, %c5_i32
// CHECK: %[[SIX:.*]] = arith.ori %[[TWICE4]], %[[TWICE2]]
// CHECK: %[[TWICE1:.*]] = arith.shli %{{.*}}, %c7_i32
// CHECK: arith.ori %[[SIX]], %[[TWICE1]]
// CHECK: } -> tensor<1x2x2x2x1xi32, #{{[a-z0-9_]+}}>
func.func @seven_bits(%four: tensor<1x4xi32, #four>, %one: tensor<1x1xi32, #one>) -> tensor<1x1x8xi32, #blocks> {
  %two = arith.constant dense_resource<stored> : tensor<1x2xi32, #two>
  %0 = bquant_packed.unpack_codes %four, %two, %one levels = 127 : tensor<1x4xi32, #four>, tensor<1x2xi32, #two>, tensor<1x1xi32, #one> -> tensor<1x1x8xi32, #blocks>
  return %0 : tensor<1x1x8xi32, #blocks>
}

{-#
  dialect_resources: {
    builtin: {
      stored: "0x040000000102030405060708"
    }
  }
#-}
