// RUN: bquant-opt %s --bquant-decompose-packed --canonicalize | FileCheck %s

// CHECK-DAG: #[[$LANE:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2, d1 mod 32)>

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats<pairs = true>, block = 32, lanes = 16>
#blocks1 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#blocks2 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 1, lanes = 1>
#blocks3 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#blocks4 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 16>
#biased = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<group = 2, biased = true>, block = 8, lanes = 8>
#pairs = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<group = 2, interleaved = true>, block = 8, lanes = 4>
#blocks5 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 8, lanes = 8>
#blocks6 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<levels = 15>, block = 8, lanes = 8>
#blocks7 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.octets, block = 32, lanes = 32>
#blocks8 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>
#blocks9 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>
#codes = #bquant_packed.layout.codes
#nibbles = #bquant_packed.layout.nibbles
#octets = #bquant_packed.layout.octets
#words = #bquant_packed.layout.words

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0, d1, d2) -> (d2 * 2, d0)>
// CHECK-DAG: #[[$SECOND:.*]] = affine_map<(d0, d1, d2) -> (d2 * 2 + 1, d0)>
// CHECK-DAG: #[[$EVEN:.*]] = affine_map<(d0, d1, d2) -> (d0 * 3 + d2 * 2)>
// CHECK-DAG: #[[$ODD:.*]] = affine_map<(d0, d1, d2) -> (d0 * 3 + d2 * 2 + 1)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<(d0) -> ()>

// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)>
// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, 0)>
// CHECK-DAG: #[[$LANES:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 64, d2, ((d1 mod 64) floordiv 32) * 32 + (d1 mod 16) * 2 + (d1 mod 32) floordiv 16)>
// CHECK-DAG: #[[$WORD0:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 8, d2, d1 * 2 - (d1 floordiv 8) * 16)>
// CHECK-DAG: #[[$WORD1:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 8, d2, d1 * 2 - (d1 floordiv 8) * 16 + 1)>
// CHECK-DAG: #[[$BYTES:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2 floordiv 32, d2 mod 32)>
// CHECK-DAG: #[[$TAPS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2 floordiv 32, d3, d2 mod 32)>

// CHECK-LABEL: @fused
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x2xf32>, %[[C:.*]]: tensor<4x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x2xf32>) outs(%[[C]] : tensor<4x2xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[R:.*]] = math.fma %[[X]], %[[W]], %[[ACC]] : f32
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @fused(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = bquant_packed.product fused ins(%a : tensor<4x8xf32>) filters(%b : tensor<8x2xf32>)
      outs(%c : tensor<4x2xf32>) maps = [#mk, #kn] -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Of no loops of results one sum.
// CHECK-LABEL: @scalar
// CHECK: linalg.generic {indexing_maps = [#[[$K]], #[[$K]], #[[$NONE]]], iterator_types = ["reduction"]}
func.func @scalar(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<f32>) -> tensor<f32> {
  %0 = bquant_packed.product fused ins(%a : tensor<8xf32>) filters(%b : tensor<8xf32>)
      outs(%c : tensor<f32>) maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>] -> tensor<f32>
  return %0 : tensor<f32>
}

// Of bf16 widened, summed in f32.
// CHECK-LABEL: @bf16
// CHECK: ^bb0(%[[X:.*]]: bf16, %[[W:.*]]: bf16, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[A:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT:   %[[B:.*]] = arith.extf %[[W]] : bf16 to f32
// CHECK-NEXT:   math.fma %[[A]], %[[B]], %[[ACC]] : f32
func.func @bf16(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = bquant_packed.product fused ins(%a : tensor<4x8xbf16>) filters(%b : tensor<8x2xbf16>)
      outs(%c : tensor<4x2xf32>) maps = [#mk, #kn] -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Laid out: of a pair the lower half at an even step, moved up by 16 bits.
// CHECK-LABEL: @bf16_pairs
// CHECK: ^bb0(%[[X:.*]]: bf16, %[[W:.*]]: i32, %[[ACC:.*]]: f32):
// CHECK:   %[[K:.*]] = linalg.index 2
// CHECK:   arith.shli %[[W]]
// CHECK:   math.fma
func.func @bf16_pairs(%a: tensor<4x8xbf16>, %b: tensor<2x4x32xi32, #blocks>, %c: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bf16<rows = 4, channels = 32, bits = 512>) fused ins(%a : tensor<4x8xbf16>)
      filters(%b : tensor<2x4x32xi32, #blocks>) outs(%c : tensor<4x40xf32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 32, k floordiv 2)>] -> tensor<4x40xf32>
  return %0 : tensor<4x40xf32>
}

// Each rounded.
// CHECK-LABEL: @rounded
// CHECK: ^bb0(%[[X:.*]]: f32, %[[W:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[X]], %[[W]] : f32
// CHECK-NEXT:   %[[R:.*]] = arith.addf %[[ACC]], %[[P]] : f32
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @rounded(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = bquant_packed.product ins(%a : tensor<4x8xf32>) filters(%b : tensor<8x2xf32>)
      outs(%c : tensor<4x2xf32>) maps = [#mk, #kn] -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Signs, a sum for each plane. The last word of 40 channels holds 8.
// CHECK-LABEL: @planes
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<3x2xi32, #words>, %[[W:.*]]: tensor<3x2xi32, #words>,
// CHECK-DAG: %[[PLUS:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1.0{{.*}} : f32
// CHECK: %[[B:.*]]:2 = bquant_packed.unpack ins(%[[V]], %[[W]] : {{.*}} -> tensor<3x40xi1>, tensor<3x40xi1>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[B]]#0, %[[B]]#1 :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B0:.*]]: i1, %[[B1:.*]]: i1, %[[ACC0:.*]]: f32, %[[ACC1:.*]]: f32):
// CHECK-DAG:    %[[S0:.*]] = arith.select %[[B0]], %[[PLUS]], %[[MINUS]]
// CHECK-DAG:    %[[S1:.*]] = arith.select %[[B1]], %[[PLUS]], %[[MINUS]]
// CHECK-DAG:    %[[R0:.*]] = math.fma %[[A]], %[[S0]], %[[ACC0]]
// CHECK-DAG:    %[[R1:.*]] = math.fma %[[A]], %[[S1]], %[[ACC1]]
// CHECK-NEXT:   linalg.yield %[[R0]], %[[R1]]
func.func @planes(%x: tensor<2x3xf32>, %v: tensor<3x2xi32, #words>, %w: tensor<3x2xi32, #words>, %c: tensor<2x40xf32>) -> (tensor<2x40xf32>, tensor<2x40xf32>) {
  %0:2 = bquant_packed.product fused ins(%x : tensor<2x3xf32>) filters(%v, %w : tensor<3x2xi32, #words>, tensor<3x2xi32, #words>)
      outs(%c, %c : tensor<2x40xf32>, tensor<2x40xf32>) maps = [#mk, #kn, #kn] -> tensor<2x40xf32>, tensor<2x40xf32>
  return %0#0, %0#1 : tensor<2x40xf32>, tensor<2x40xf32>
}

// Ternary: mask, then sign.
// CHECK-LABEL: @ternary
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG: %[[LESS:.*]] = arith.constant -2.0{{.*}} : f32
// CHECK: ^bb0(%[[A:.*]]: f32, %[[M:.*]]: i1, %[[BIT:.*]]: i1, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = arith.select %[[BIT]], %[[TWO]], %[[LESS]] : f32
// CHECK-NEXT:   %[[T:.*]] = arith.select %[[M]], %[[S]], %[[ZERO]] : f32
// CHECK-NEXT:   math.fma %[[A]], %[[T]], %[[ACC]]
func.func @ternary(%x: tensor<2x3xf32>, %v: tensor<3x2xi32, #words>, %w: tensor<3x2xi32, #words>, %c: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %0 = bquant_packed.product fused ins(%x : tensor<2x3xf32>) filters(%v, %w : tensor<3x2xi32, #words>, tensor<3x2xi32, #words>)
      outs(%c : tensor<2x40xf32>) maps = [#mk, #kn, #kn] ratios = [1, 1] -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// Ratio planes: one sum of multiples, of any batch.
// CHECK-LABEL: @ratios
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B1:.*]]: i1, %[[B0:.*]]: i1, %[[ACC:.*]]: f32):
// CHECK:        %[[S1:.*]] = arith.select %[[B1]], %[[TWO]],
// CHECK-NEXT:   %[[S0:.*]] = arith.select %[[B0]], %[[ONE]],
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[S1]], %[[S0]]
// CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[A]], %[[S]]
// CHECK-NEXT:   arith.addf %[[ACC]], %[[P]]
func.func @ratios(%x: tensor<?x3xf32>, %v: tensor<3x2xi32, #words>, %w: tensor<3x2xi32, #words>, %c: tensor<?x40xf32>) -> tensor<?x40xf32> {
  %0 = bquant_packed.product ins(%x : tensor<?x3xf32>) filters(%v, %w : tensor<3x2xi32, #words>, tensor<3x2xi32, #words>)
      outs(%c : tensor<?x40xf32>) maps = [#mk, #kn, #kn] ratios = [2, 1] -> tensor<?x40xf32>
  return %0 : tensor<?x40xf32>
}

// Levels: of three the third is that of two numbers, 2 and 3.
// CHECK-LABEL: @levels
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B1:.*]]: i1, %[[B0:.*]]: i1, %[[L0:.*]]: f32, %[[L1:.*]]: f32, %[[L2:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:   %[[LOWER:.*]] = arith.select %[[B0]], %[[L1]], %[[L0]] : f32
// CHECK-NEXT:   %[[W:.*]] = arith.select %[[B1]], %[[L2]], %[[LOWER]] : f32
// CHECK-NEXT:   math.fma %[[A]], %[[W]], %[[ACC]]
func.func @levels(%x: tensor<2x3xf32>, %v: tensor<3x2xi32, #words>, %w: tensor<3x2xi32, #words>, %l: tensor<40xf32>, %c: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %0 = bquant_packed.product fused ins(%x : tensor<2x3xf32>) filters(%v, %w : tensor<3x2xi32, #words>, tensor<3x2xi32, #words>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%c : tensor<2x40xf32>)
      maps = [#mk, #kn, #kn, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (n)>] -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// A channel in its block of 16.
// CHECK-LABEL: @popcount(
// CHECK-SAME: %[[X:.*]]: tensor<4x2xi32, #words>, %[[W:.*]]: tensor<3x2x16xi32, #{{[a-z0-9_]+}}>, %[[Y:.*]]: tensor<4x40xi32>
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$BLOCK]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[W]] : {{.*}} outs(%[[Y]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[D:.*]] = arith.xori %[[A]], %[[B]]
// CHECK-NEXT:   %[[C:.*]] = math.ctpop %[[D]]
// CHECK-NEXT:   %[[R:.*]] = arith.addi %[[SUM]], %[[C]]
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @popcount(%x: tensor<4x2xi32, #words>, %w: tensor<3x2x16xi32, #blocks1>, %y: tensor<4x40xi32>) -> tensor<4x40xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>)
      ins(%x : tensor<4x2xi32, #words>) filters(%w : tensor<3x2x16xi32, #blocks1>) outs(%y : tensor<4x40xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x40xi32>
  return %0 : tensor<4x40xi32>
}

// Masks on both sides are counted beside.
// CHECK-LABEL: @popcount_masks(
// CHECK: ^bb0(%[[S:.*]]: i32, %[[M:.*]]: i32, %[[W:.*]]: i32, %[[V:.*]]: i32, %[[SUM:.*]]: i32, %[[MASKS:.*]]: i32):
// CHECK-DAG:   %[[D:.*]] = arith.xori %[[S]], %[[W]]
// CHECK-DAG:   %[[MASK:.*]] = arith.andi %[[M]], %[[V]]
// CHECK-DAG:   %[[UNDER:.*]] = arith.andi %[[D]], %[[MASK]]
// CHECK-DAG:   %[[C:.*]] = math.ctpop %[[UNDER]]
// CHECK-DAG:   %[[N:.*]] = math.ctpop %[[MASK]]
// CHECK-DAG:   %[[R:.*]] = arith.addi %[[SUM]], %[[C]]
// CHECK-DAG:   %[[P:.*]] = arith.addi %[[MASKS]], %[[N]]
// CHECK:   linalg.yield %[[R]], %[[P]]
func.func @popcount_masks(%s: tensor<4x2xi32, #words>, %m: tensor<4x2xi32, #words>, %w: tensor<3x2x16xi32, #blocks1>, %v: tensor<3x2x16xi32, #blocks1>, %y: tensor<4x40xi32>) -> (tensor<4x40xi32>, tensor<4x40xi32>) {
  %0:2 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>)
      ins(%s, %m : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%w, %v : tensor<3x2x16xi32, #blocks1>, tensor<3x2x16xi32, #blocks1>) outs(%y, %y : tensor<4x40xi32>, tensor<4x40xi32>)
      maps = [#mk, #mk, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs masked_filters -> tensor<4x40xi32>, tensor<4x40xi32>
  return %0#0, %0#1 : tensor<4x40xi32>, tensor<4x40xi32>
}

// Pairs of planes, the input's outside.
// CHECK-LABEL: @planes_of_words(
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$MK]], #[[$ONE]], #[[$ONE]], #[[$MN]],
// CHECK-NEXT: ^bb0(%[[A:[^:]+]]: i32, %[[B:[^:]+]]: i32, %[[V:[^:]+]]: i32, %[[W:[^:]+]]: i32,
// CHECK: arith.xori %[[A]], %[[V]]
// CHECK: arith.xori %[[A]], %[[W]]
// CHECK: arith.xori %[[B]], %[[V]]
// CHECK: arith.xori %[[B]], %[[W]]
func.func @planes_of_words(%a: tensor<4x2xi32, #words>, %b: tensor<4x2xi32, #words>, %v: tensor<40x2x1xi32, #blocks2>, %w: tensor<40x2x1xi32, #blocks2>, %y: tensor<4x40xi32>) -> (tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>) {
  %0:4 = bquant_packed.product kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
      ins(%a, %b : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) filters(%v, %w : tensor<40x2x1xi32, #blocks2>, tensor<40x2x1xi32, #blocks2>) outs(%y, %y, %y, %y : tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>)
      maps = [#mk, #mk, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>, tensor<4x40xi32>
}

// Elements are 4 n; the lanes of a register are the even, then the odd bytes of
// what is counted.
// CHECK-LABEL: @table(
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i8
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$LANES]], #[[$MN]]]
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[N:.*]] = arith.shrui %[[A]], %[[TWO]]
// CHECK-NEXT:   %[[D:.*]] = arith.xori %[[N]], %[[B]]
// CHECK-NEXT:   %[[C:.*]] = math.ctpop %[[D]] : i8
// CHECK-NEXT:   %[[WIDE:.*]] = arith.extui %[[C]] : i8 to i32
// CHECK-NEXT:   arith.addi %[[SUM]], %[[WIDE]]
func.func @table(%x: tensor<4x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks3>, %y: tensor<4x40xi32>) -> tensor<4x40xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      ins(%x : tensor<4x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks3>) outs(%y : tensor<4x40xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 64, k)>] -> tensor<4x40xi32>
  return %0 : tensor<4x40xi32>
}

// Of a ternary input dots: popcount(m) - 2 popcount((s xor w) and m).
// CHECK-LABEL: @table_ternary(
// CHECK: ^bb0(%[[S:.*]]: i8, %[[M:.*]]: i8, %[[W:.*]]: i8, %[[SUM:.*]]: i32):
// CHECK-DAG:   %[[SIGN:.*]] = arith.shrui %[[S]]
// CHECK-DAG:   %[[MASK:.*]] = arith.shrui %[[M]]
// CHECK-DAG:   %[[D:.*]] = arith.xori %[[SIGN]], %[[W]]
// CHECK-DAG:   %[[UNDER:.*]] = arith.andi %[[D]], %[[MASK]]
// CHECK-DAG:   %[[C:.*]] = math.ctpop %[[UNDER]]
// CHECK-DAG:   %[[DIFFER:.*]] = arith.extui %[[C]]
// CHECK-DAG:   %[[TWICE:.*]] = arith.addi %[[DIFFER]], %[[DIFFER]]
// CHECK-DAG:   %[[B:.*]] = math.ctpop %[[MASK]]
// CHECK-DAG:   %[[ALL:.*]] = arith.extui %[[B]]
// CHECK-DAG:   %[[DOT:.*]] = arith.subi %[[ALL]], %[[TWICE]]
// CHECK:   %[[R:.*]] = arith.addi %[[SUM]], %[[DOT]]
// CHECK-NEXT:   linalg.yield %[[R]]
func.func @table_ternary(%s: tensor<4x17xi8, #nibbles>, %m: tensor<4x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks3>, %y: tensor<4x40xi32>) -> tensor<4x40xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      ins(%s, %m : tensor<4x17xi8, #nibbles>, tensor<4x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks3>) outs(%y : tensor<4x40xi32>)
      maps = [#mk, #mk, affine_map<(m, n, k) -> (n floordiv 64, k)>] masked_inputs -> tensor<4x40xi32>
  return %0 : tensor<4x40xi32>
}

// A channel's byte of the input goes with its lane.
// CHECK-LABEL: @depthwise(
// CHECK: linalg.generic {indexing_maps = [#[[$BYTES]], #[[$TAPS]],
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[D:.*]] = arith.xori %[[A]], %[[B]] : i8
// CHECK-NEXT:   %[[WIDE:.*]] = arith.extui %[[D]] : i8 to i32
// CHECK-NEXT:   arith.addi %[[SUM]], %[[WIDE]]
func.func @depthwise(%x: tensor<4x5x2x32xi8>, %w: tensor<2x3x32xi8, #blocks4>, %y: tensor<4x3x40xi32>) -> tensor<4x3x40xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 128>)
      ins(%x : tensor<4x5x2x32xi8>) filters(%w : tensor<2x3x32xi8, #blocks4>) outs(%y : tensor<4x3x40xi32>)
      maps = [affine_map<(h, w, n, j) -> (h, w + j, n floordiv 32)>, affine_map<(h, w, n, j) -> (n floordiv 32, j)>] -> tensor<4x3x40xi32>
  return %0 : tensor<4x3x40xi32>
}

// Four signed bytes a word, the first of them lowest.
// CHECK-LABEL: @bytes(
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
// CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i32
// CHECK: ^bb0(%[[A0:.*]]: i8, %[[A1:.*]]: i8, %[[A2:.*]]: i8, %[[A3:.*]]: i8, %[[W:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[X0:.*]] = arith.extui %[[A0]]
// CHECK-NEXT:   %[[UP0:.*]] = arith.shli %[[W]], %[[C24]]
// CHECK-NEXT:   %[[W0:.*]] = arith.shrsi %[[UP0]], %[[C24]]
// CHECK-NEXT:   arith.muli %[[X0]], %[[W0]]
// CHECK:        %[[X2:.*]] = arith.extui %[[A2]]
// CHECK-NEXT:   %[[UP2:.*]] = arith.shli %[[W]], %[[C8]]
// CHECK-NEXT:   %[[W2:.*]] = arith.shrsi %[[UP2]], %[[C24]]
// CHECK-NEXT:   arith.muli %[[X2]], %[[W2]]
func.func @bytes(%x: tensor<4x8xi8, #codes>, %w: tensor<2x2x8xi32, #blocks5>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 8, bits = 256, summed = 2, held = 1>)
      ins(%x : tensor<4x8xi8, #codes>) filters(%w : tensor<2x2x8xi32, #blocks5>) outs(%y : tensor<4x16xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 8, k floordiv 4)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// Two words of each lane, and the two biases: whatever they are, they are results.
// CHECK-LABEL: @biased_bytes(
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x16xi8, #codes>, {{.*}}, tensor<2x2x24xi32, #{{.*}}>, tensor<2x2x24xi32, #{{.*}}>, tensor<2x2x24xi32, #{{.*}}>)
// CHECK-NEXT: ^bb0(%[[A0:[a-z0-9_]*]]: i8, {{.*}}, %[[A4:[a-z0-9_]*]]: i8, %{{[a-z0-9_]*}}: i8, %{{[a-z0-9_]*}}: i8, %{{[a-z0-9_]*}}: i8, %[[W0:.*]]: i32, %[[W1:.*]]: i32, %[[BIAS:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[UP:.*]] = arith.shli %[[BIAS]], %[[C16]]
// CHECK-NEXT:   %[[LOW:.*]] = arith.shrsi %[[UP]], %[[C16]]
// CHECK-NEXT:   %[[HIGH:.*]] = arith.shrsi %[[BIAS]], %[[C16]]
// CHECK-NEXT:   %[[BIASES:.*]] = arith.addi %[[LOW]], %[[HIGH]]
// CHECK-NEXT:   arith.extui %[[A0]]
// CHECK-NEXT:   arith.shli %[[W0]]
// CHECK:        arith.addi %[[BIASES]]
// CHECK:        arith.extui %[[A4]]
// CHECK-NEXT:   arith.shli %[[W1]]
func.func @biased_bytes(%x: tensor<4x16xi8, #codes>, %w: tensor<2x2x24xi32, #biased>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, group = 2, biased = true>)
      ins(%x : tensor<4x16xi8, #codes>) filters(%w : tensor<2x2x24xi32, #biased>) outs(%y : tensor<4x16xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 8, k floordiv 8)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// Two words of a lane, side by side.
// CHECK-LABEL: @pairs_of_rows(
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[$WORD0]], #[[$WORD1]], #{{[a-z0-9]*}}], iterator_types
// CHECK-NEXT: ^bb0(%[[A0:[a-z0-9_]*]]: i8, {{.*}}, %[[A4:[a-z0-9_]*]]: i8, %{{[a-z0-9_]*}}: i8, %{{[a-z0-9_]*}}: i8, %{{[a-z0-9_]*}}: i8, %[[W0:.*]]: i32, %[[W1:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:   arith.extui %[[A0]]
// CHECK-NEXT:   arith.shli %[[W0]]
// CHECK:        arith.extui %[[A4]]
// CHECK-NEXT:   arith.shli %[[W1]]
func.func @pairs_of_rows(%x: tensor<4x16xi8, #codes>, %w: tensor<2x2x16xi32, #pairs>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 8, bits = 128, summed = 8>)
      ins(%x : tensor<4x16xi8, #codes>) filters(%w : tensor<2x2x16xi32, #pairs>) outs(%y : tensor<4x16xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 8, k floordiv 8)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// Codes of two steps a word, in the lower and the upper half of each byte: twice
// one less the largest is the filter's value.
// CHECK-LABEL: @codes(
// CHECK-DAG: %[[C15:.*]] = arith.constant 15 : i32
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[C28:.*]] = arith.constant 28 : i32
// CHECK: ^bb0(%[[A0:[a-z0-9_]*]]: i8, {{.*}}, %[[A5:[a-z0-9_]*]]: i8, %{{[a-z0-9_]*}}: i8, %{{[a-z0-9_]*}}: i8, %[[W:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT:   %[[X0:.*]] = arith.extui %[[A0]]
// CHECK-NEXT:   %[[UP0:.*]] = arith.shli %[[W]], %[[C28]]
// CHECK-NEXT:   %[[C0:.*]] = arith.shrui %[[UP0]], %[[C28]]
// CHECK-NEXT:   %[[TWICE0:.*]] = arith.addi %[[C0]], %[[C0]]
// CHECK-NEXT:   %[[W0:.*]] = arith.subi %[[TWICE0]], %[[C15]]
// CHECK-NEXT:   arith.muli %[[X0]], %[[W0]]
// CHECK:        %[[X5:.*]] = arith.extui %[[A5]]
// CHECK-NEXT:   %[[UP5:.*]] = arith.shli %[[W]], %[[C16]]
// CHECK-NEXT:   %[[C5:.*]] = arith.shrui %[[UP5]], %[[C28]]
func.func @codes(%x: tensor<4x8xi8, #codes>, %w: tensor<2x1x8xi32, #blocks6>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 8, bits = 256, summed = 2, held = 2, levels = 15>)
      ins(%x : tensor<4x8xi8, #codes>) filters(%w : tensor<2x1x8xi32, #blocks6>) outs(%y : tensor<4x16xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 8, k floordiv 8)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// Two octets a step, of a group's own element.
// CHECK-LABEL: @octets(
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[A0:.*]]: i8, %[[A1:.*]]: i8, %[[B0:.*]]: i8, %[[B1:.*]]: i8, %[[SUM:.*]]: i32):
// CHECK: %[[D0:.*]] = arith.xori %[[A0]], %[[B0]] : i8
// CHECK: %[[N0:.*]] = math.ctpop %[[D0]] : i8
// CHECK: %[[W0:.*]] = arith.extui %[[N0]] : i8 to i32
// CHECK: %[[D1:.*]] = arith.xori %[[A1]], %[[B1]] : i8
// CHECK: %[[N1:.*]] = math.ctpop %[[D1]] : i8
// CHECK: %[[W1:.*]] = arith.extui %[[N1]] : i8 to i32
// CHECK: %[[BOTH:.*]] = arith.addi %[[W0]], %[[W1]]
// CHECK: arith.addi %[[SUM]], %[[BOTH]]
func.func @octets(%x: tensor<4x4xi8, #octets>, %w: tensor<1x2x32xi8, #blocks7>, %y: tensor<4x32xi32>) -> tensor<4x32xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<4x4xi8, #octets>) filters(%w : tensor<1x2x32xi8, #blocks7>) outs(%y : tensor<4x32xi32>)
      maps = [affine_map<(m, n, k) -> (m, (n floordiv 16) * 2 + k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x32xi32>
  return %0 : tensor<4x32xi32>
}

// Steps go along the dimension that the last loop does, not always the last one.
// CHECK-LABEL: @octets_transposed
// CHECK-SAME: %[[X:.*]]: tensor<4x5xi8, #octets>
// CHECK: linalg.generic {indexing_maps = [#[[$FIRST]], #[[$SECOND]],
// CHECK-SAME: ins(%[[X]], %[[X]],
func.func @octets_transposed(%x: tensor<4x5xi8, #octets>, %w: tensor<1x4x32xi8, #blocks7>, %y: tensor<5x32xi32>) -> tensor<5x32xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<4x5xi8, #octets>) filters(%w : tensor<1x4x32xi8, #blocks7>) outs(%y : tensor<5x32xi32>)
      maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<5x32xi32>
  return %0 : tensor<5x32xi32>
}

// A row may start within a step, and end there.
// CHECK-LABEL: @octets_within
// CHECK: linalg.generic {indexing_maps = [#[[$EVEN]], #[[$ODD]],
func.func @octets_within(%x: tensor<13xi8, #octets>, %w: tensor<1x4x32xi8, #blocks7>, %y: tensor<4x32xi32>) -> tensor<4x32xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<13xi8, #octets>) filters(%w : tensor<1x4x32xi8, #blocks7>) outs(%y : tensor<4x32xi32>)
      maps = [affine_map<(m, n, k) -> (m * 3 + k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x32xi32>
  return %0 : tensor<4x32xi32>
}

// Laid out for a kernel: a channel is a lane of its block.

// CHECK-LABEL: @laid_out
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<2x8x32xf32, #{{[a-z0-9_]+}}>, %[[S:.*]]: tensor<2x8x1xi32, #words>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<4x8xf32>, tensor<2x8x32xf32, #{{[a-z0-9_]+}}>)
// CHECK: %[[B:.*]] = bquant_packed.unpack ins(%[[S]] : tensor<2x8x1xi32, #words>) {{.*}} -> tensor<2x8x32xi1>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$LANE]], #{{.*}}]{{.*}} ins(%[[X]], %[[B]] :
func.func @laid_out(%x: tensor<4x8xf32>, %w: tensor<2x8x32xf32, #blocks8>, %s: tensor<2x8x1xi32, #words>, %o: tensor<4x40xf32>) -> (tensor<4x40xf32>, tensor<4x40xf32>) {
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused
      ins(%x : tensor<4x8xf32>) filters(%w : tensor<2x8x32xf32, #blocks8>) outs(%o : tensor<4x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x40xf32>
  %1 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused
      ins(%x : tensor<4x8xf32>) filters(%s : tensor<2x8x1xi32, #words>) outs(%o : tensor<4x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x40xf32>
  return %0, %1 : tensor<4x40xf32>, tensor<4x40xf32>
}

// Word d floordiv 10 has the index of table d, three bits of it.
// CHECK-LABEL: @tables
// CHECK-SAME: %[[T:.*]]: tensor<2x20x8xf32>, %[[W:.*]]: tensor<2x2x32xi32, #{{[a-z0-9_]+}}>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] : tensor<20xi32>, tensor<2x2x32xi32, #{{[a-z0-9_]+}}>)
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %[[WORD:.*]]: i32, %[[SUM:.*]]: f32):
// CHECK: %[[M:.*]] = linalg.index 0
// CHECK: %[[D:.*]] = linalg.index 2
// CHECK: %[[PLACE:.*]] = affine.apply {{.*}}[%[[D]]]
// CHECK: %[[SHIFT:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[DOWN:.*]] = arith.shrui %[[WORD]], %[[SHIFT]] : i32
// CHECK: %[[INDEX:.*]] = arith.andi %[[DOWN]], %c7_i32
// CHECK: %[[AT:.*]] = arith.index_castui %[[INDEX]]
// CHECK: %[[ENTRY:.*]] = tensor.extract %[[T]][%[[M]], %[[D]], %[[AT]]]
// CHECK: arith.addf %[[SUM]], %[[ENTRY]]
func.func @tables(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32, #blocks9>, %o: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>)
      ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32, #blocks9>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// As many steps as a filter has at run time.
// CHECK-LABEL: @dynamic_bytes
// CHECK-SAME: %[[X:.*]]: tensor<4x?xi8, #codes>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[X]], %[[X]], %[[X]], %{{.*}} : tensor<4x?xi8, #codes>,
func.func @dynamic_bytes(%x: tensor<4x?xi8, #codes>, %w: tensor<2x?x8xi32, #blocks5>, %y: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 8, bits = 256, summed = 2, held = 1>)
      ins(%x : tensor<4x?xi8, #codes>) filters(%w : tensor<2x?x8xi32, #blocks5>) outs(%y : tensor<4x16xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 8, k floordiv 4)>] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// CHECK-LABEL: @dynamic_tables
// CHECK-SAME: %[[T:.*]]: tensor<2x?x8xf32>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[T]], %c1
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?xi32>
func.func @dynamic_tables(%t: tensor<2x?x8xf32>, %w: tensor<2x?x32xi32, #blocks9>, %o: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %0 = bquant_packed.product kernel(#bquant_packed.sum_table<rows = 2, channels = 32, bits = 256>)
      ins(%t : tensor<2x?x8xf32>) filters(%w : tensor<2x?x32xi32, #blocks9>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}
