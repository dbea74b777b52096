// Numbers that nobody trains but somebody writes: each folds as it computes.
//
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s

// Batch norm of an accumulator, in each channel another scale (0, -0, -1, NaN,
// inf, subnormal, 1, 1) and variance (1, ..., 0, -1). -2147483648 is always,
// 2147483647 never. inf 0 and a root of -1 are NaN, of code 0; with variance 0
// all is infinite, but NaN where the accumulator is 0.
// CHECK-LABEL: @batch_norm
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x8xi32>
// CHECK: arith.constant dense<[
// CHECK-SAME: [-2147483648], [-2147483648], [0], [2147483647], [1], [0], [1], [2147483647]]> : tensor<8x1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%{{.*}}) codes [0, 1]
func.func @batch_norm(%x: tensor<1x4xf32>) -> tensor<1x8xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x8x1xi32>) scalars(dense<1.0> : tensor<1x8xf32>) : !bquant.tensor<8x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<8x4, 1, axes = [0]>) -> tensor<1x8xf32>
  %scale = arith.constant dense<[[0.0, -0.0, -1.0, 0x7FC00000, 0x7F800000, 1.0e-40, 1.0, 1.0]]> : tensor<1x8xf32>
  %var = arith.constant dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, -1.0]]> : tensor<1x8xf32>
  %r = math.rsqrt %var : tensor<1x8xf32>
  %0 = arith.mulf %y, %r : tensor<1x8xf32>
  %z = arith.mulf %0, %scale : tensor<1x8xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x8xf32> -> !bquant.tensor<1x8, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x8, 1> -> tensor<1x8xf32>
  return %d : tensor<1x8xf32>
}

// -----

// The same of a float: scales 0, -1, NaN, subnormal. 1.0e-40 x reaches 1 at
// infinity only; 0 x and NaN x never do. The falling channel is negated.
// CHECK-LABEL: @scales_of_a_float
// CHECK: arith.constant dense<{{\[\[}}0x7FC00000], [1.000000e+00], [0x7FC00000], [0x7F800000]]> : tensor<4x1xf32>
// CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}}) codes [0, 1]
func.func @scales_of_a_float(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %one = arith.constant dense<1.0> : tensor<1x4xf32>
  %scale = arith.constant dense<[[0.0, -1.0, 0x7FC00000, 1.0e-40]]> : tensor<1x4xf32>
  %0 = arith.mulf %x, %scale : tensor<1x4xf32>
  %z = arith.subf %0, %one : tensor<1x4xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x4, 1> -> tensor<1x4xf32>
  return %d : tensor<1x4xf32>
}

// -----

// Two constants that compare equal are not the same: 1 / 0.0 and 1 / -0.0.
// CHECK-LABEL: @signs_of_zero_constants
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [10]]]>
// CHECK: bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: bquant.quantize %{{.*}} codes [0, 1]
func.func @signs_of_zero_constants(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x2x1xi32>) scalars(dense<1.0> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %zeros = arith.constant dense<[[0.0, -0.0]]> : tensor<1x2xf32>
  %z = arith.divf %y, %zeros : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Thresholds that tie: code 1 never comes.
// CHECK-LABEL: @ties
// CHECK: arith.constant dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 2, 3]
func.func @ties(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %z = arith.mulf %x, %two : tensor<1x2xf32>
  %t = arith.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Thresholds that tie as f32: 100000012 is 100000016 there.
// CHECK-LABEL: @ties_by_rounding
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 3]
func.func @ties_by_rounding(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %big = arith.constant dense<100000008.0> : tensor<1x2xf32>
  %z = arith.addf %x, %big : tensor<1x2xf32>
  %t = arith.constant dense<[100000009.0, 100000012.0, 100000016.0]> : tensor<3xf32>
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// One tap and one channel: the accumulator is -1 or 1.
// CHECK-LABEL: @one_tap
// CHECK: arith.constant dense<1> : tensor<1xi32>
// CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}}) codes [0, 1]
func.func @one_tap(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %h = arith.constant dense<0.5> : tensor<1x1xf32>
  %w = bquant.constant words(dense<1> : tensor<1x1x1xi32>) scalars(dense<1.0> : tensor<1x1xf32>) : !bquant.tensor<1x1, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x1xf32> -> !bquant.tensor<1x1, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x1, 1>, !bquant.tensor<1x1, 1, axes = [0]>) -> tensor<1x1xf32>
  %z = arith.subf %y, %h : tensor<1x1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x1xf32> -> !bquant.tensor<1x1, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x1, 1> -> tensor<1x1xf32>
  return %d : tensor<1x1xf32>
}

// -----

// No steps at all, of a float: as it was.
// CHECK-LABEL: @no_steps
// CHECK: bquant.quantize %arg0 scalars
func.func @no_steps(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A chain that has one value: a threshold that is never reached.
// CHECK-LABEL: @constant_code
// CHECK: arith.constant dense<0x7FC00000> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [1, 1]
func.func @constant_code(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %0 = arith.maxnumf %x, %one : tensor<1x2xf32>
  %z = arith.minnumf %0, %one : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// The same quantize twice, of one chain that falls. NaN has code 0 in all
// channels, as -inf has: the source is negated.
// CHECK-LABEL: @twice
// CHECK-COUNT-2: bquant.quantize %{{.*}} thresholds(%{{.*}}) codes [0, 1]
// CHECK-NOT: bquant.quantize
func.func @twice(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %s = arith.constant dense<-2.0> : tensor<1x2xf32>
  %z = arith.mulf %x, %s : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %r = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  %e = bquant.dequantize %r : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d, %e : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// Thresholds that fall give NaN the code of rank 0; the chain keeps it.
// CHECK-LABEL: @falling_codes
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [1, 0]
func.func @falling_codes(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %s = arith.constant dense<2.0> : tensor<1x2xf32>
  %t = arith.constant dense<3.0> : tensor<1xf32>
  %z = arith.mulf %x, %s : tensor<1x2xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<1xf32>) codes [1, 0] scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Two products of one factor: one integer sum, no float. s i + s j rounds three
// times, but a sign behind it sees only i + j.
// CHECK-LABEL: @equal_scalings
// CHECK: %[[A:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: %[[B:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: arith.constant dense<{{\[\[}}0], [3]]> : tensor<2x1xi32>
// CHECK: %[[S:.*]] = linalg.add ins(%[[A]], %[[B]] : tensor<1x2xi32>, tensor<1x2xi32>)
// CHECK: bquant.quantize %[[S]] thresholds(%{{.*}}) codes [0, 1]
// CHECK-NOT: arith.addf
func.func @equal_scalings(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<0.3> : tensor<1xf32>
  %u = bquant.constant words(dense<5> : tensor<1x2x1xi32>) scalars(dense<[[0.7, 0.9]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %w = bquant.constant words(dense<6> : tensor<1x2x1xi32>) scalars(dense<[[0.7, 0.9]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %u : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %z = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<[[0.0, -0.6]]> : tensor<1x2xf32>
  %s = arith.addf %y, %z : tensor<1x2xf32>
  %t = arith.addf %s, %b : tensor<1x2xf32>
  %q = bquant.quantize %t scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Two factors: the float sum is the source.
// CHECK-LABEL: @unequal_scalings
// CHECK: %[[S:.*]] = arith.addf
// CHECK: bquant.quantize %[[S]] thresholds
func.func @unequal_scalings(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<0.3> : tensor<1xf32>
  %u = bquant.constant words(dense<5> : tensor<1x2x1xi32>) scalars(dense<[[0.7, 0.9]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %w = bquant.constant words(dense<6> : tensor<1x2x1xi32>) scalars(dense<[[0.7, 0.8]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %u : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %z = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<[[0.0, -0.6]]> : tensor<1x2xf32>
  %s = arith.addf %y, %z : tensor<1x2xf32>
  %t = arith.addf %s, %b : tensor<1x2xf32>
  %q = bquant.quantize %t scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A source that others read, too, is not computed twice.
// CHECK-LABEL: @shared_source
// CHECK: %[[S:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: bquant.quantize %[[S]] thresholds
// CHECK: return %{{.*}}, %[[S]]
func.func @shared_source(%x: tensor<1x2xf32>, %y: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<1x2xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x2xf32>
  %z = arith.mulf %s, %two : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d, %s : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// An accumulator beyond 2^24, which f32 rounds: 19999999 is 20000000 there.
// CHECK-LABEL: @large_accumulator
// CHECK: bquant.matmul {{.*}} -> tensor<1x1xi32>
// CHECK: arith.constant dense<19999999> : tensor<1xi32>
// CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}}) codes [0, 1]
func.func @large_accumulator(%x: tensor<1x100000xf32>) -> tensor<1x1xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<4x1x3125xi32>) scalars(dense<1.0> : tensor<1x1xf32>) : !bquant.tensor<1x100000, [8, 4, 2, 1], axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x100000xf32> -> !bquant.tensor<1x100000, [8, 4, 2, 1]>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x100000, [8, 4, 2, 1]>, !bquant.tensor<1x100000, [8, 4, 2, 1], axes = [0]>) -> tensor<1x1xf32>
  %c = arith.constant dense<2.0e7> : tensor<1x1xf32>
  %z = arith.subf %y, %c : tensor<1x1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x1xf32> -> !bquant.tensor<1x1, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x1, 1> -> tensor<1x1xf32>
  return %d : tensor<1x1xf32>
}

// -----

// A bit that is not computed from floats is no place where a chain could begin:
// the quantize reads what is chosen by it.
// CHECK-LABEL: func @chosen_by_a_bit
// CHECK: %[[CHOSEN:.*]] = linalg.generic
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: bquant.quantize %[[CHOSEN]]
func.func @chosen_by_a_bit(%x: tensor<1x4xi32>) -> !bquant.tensor<1x4, 1> {
  %zero = arith.constant 0 : i32
  %p = arith.constant 1.0 : f32
  %n = arith.constant -1.0 : f32
  %scalars = arith.constant dense<1.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %chosen = linalg.generic {
      indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x4xi32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%i: i32, %o: f32):
    %bit = arith.cmpi eq, %i, %zero : i32
    %s = arith.select %bit, %p, %n : f32
    linalg.yield %s : f32
  } -> tensor<1x4xf32>
  %q = bquant.quantize %chosen scalars(%scalars : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  return %q : !bquant.tensor<1x4, 1>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// Channel 1 falls: all words of its filter are negated, and none of the other.
// CHECK-LABEL: @falling_filter
// CHECK: bquant.constant words(dense<{{\[\[\[\[\[}}1], [2]], {{\[\[}}3], [4]]], {{\[\[\[}}10], [9]], {{\[\[}}8], [7]]]]]>
func.func @falling_filter(%x: tensor<1x4x4x4xf32>) -> tensor<1x3x3x2xf32> {
  %w = bquant.constant words(dense<[[[[[1], [2]], [[3], [4]]], [[[5], [6]], [[7], [8]]]]]> : tensor<1x2x2x2x1xi32>) scalars(dense<[[0.5, 1.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x2x2x4, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %s = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4x4x4xf32> -> !bquant.tensor<1x4x4x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x4x4x4, 1>, !bquant.tensor<2x2x2x4, 1, axes = [0]>) -> tensor<1x3x3x2xf32>
  %e = tensor.empty() : tensor<1x3x3x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %s : tensor<1x3x3x2xf32>, tensor<2xf32>) outs(%e : tensor<1x3x3x2xf32>) {
  ^bb0(%i: f32, %f: f32, %o: f32):
    %0 = arith.mulf %i, %f : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x3x2xf32>
  %r = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x3x3x2xf32> -> !bquant.tensor<1x3x3x2, 1>
  %d = bquant.dequantize %r : !bquant.tensor<1x3x3x2, 1> -> tensor<1x3x3x2xf32>
  return %d : tensor<1x3x3x2xf32>
}

// -----

// A product whose filter has an offset does not give integers.
// CHECK-LABEL: @filter_offset
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<2x4xf32>
// CHECK: bquant.quantize %[[Y]] scalars(
func.func @filter_offset(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x4x1xi32>) scalars(dense<0.5> : tensor<1xf32>) offset(dense<0.25> : tensor<f32>) : !bquant.tensor<4x8, 1, offset>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x8xf32> -> !bquant.tensor<2x8, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<2x8, 1>, !bquant.tensor<4x8, 1, offset>) -> tensor<2x4xf32>
  %r = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %z = bquant.dequantize %r : !bquant.tensor<2x4, 1> -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// -----

// Nor is one of several matrices, each with a scalar of its own.
// CHECK-LABEL: @batch_of_filters
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<2x3x4xf32>
// CHECK: bquant.quantize %[[Y]] scalars(
func.func @batch_of_filters(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x2x4x1xi32>) scalars(dense<[[0.5, 0.25]]> : tensor<1x2xf32>) : !bquant.tensor<2x4x8, 1, axes = [0]>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x3x8xf32> -> !bquant.tensor<2x3x8, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<2x3x8, 1>, !bquant.tensor<2x4x8, 1, axes = [0]>) -> tensor<2x3x4xf32>
  %r = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<2x3x4xf32> -> !bquant.tensor<2x3x4, 1>
  %z = bquant.dequantize %r : !bquant.tensor<2x3x4, 1> -> tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}

// -----

// Each channel has scalars of its own, which the verification reads, too.
// CHECK-LABEL: @scalars_of_channels
// CHECK: arith.constant dense<{{\[\[}}-3.000000e+00, -2.000000e+00, -1.000000e+00, 0.000000e+00, {{.*}}], [-7.500000e-01, -5.000000e-01, -2.500000e-01, 0.000000e+00, {{.*}}]]> : tensor<2x7xf32>
// CHECK: bquant.quantize %arg0 thresholds(
func.func @scalars_of_channels(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %s = arith.constant dense<2.0> : tensor<3x2xf32>
  %v = arith.constant dense<[[4.0, 1.0], [2.0, 0.5], [1.0, 0.25]]> : tensor<3x2xf32>
  %y = arith.mulf %x, %s : tensor<3x2xf32>
  %q = bquant.quantize %y scalars(%v : tensor<3x2xf32>) : tensor<3x2xf32> -> !bquant.tensor<3x2, 3, axes = [1]>
  %d = bquant.dequantize %q : !bquant.tensor<3x2, 3, axes = [1]> -> tensor<3x2xf32>
  return %d : tensor<3x2xf32>
}

// -----

// Eight products of up to 1.5: a sum may be 12, but never 12.5.
// CHECK-LABEL: @largest_sum
// CHECK: arith.constant dense<{{\[\[}}1.200000e+01], [0x7FC00000], [0xFF800000], [0.000000e+00]]> : tensor<4x1xf32>
func.func @largest_sum(%x: tensor<1x8xf32>) -> tensor<1x4xf32> {
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<255> : tensor<1x4x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<4x8, 1>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x8xf32> -> !bquant.tensor<1x8, 2>
  %y = bquant.matmul %q, %w : (!bquant.tensor<1x8, 2>, !bquant.tensor<4x8, 1>) -> tensor<1x4xf32>
  %c = arith.constant dense<[[12.0, 12.5, -12.5, 0.0]]> : tensor<1x4xf32>
  %z = arith.subf %y, %c : tensor<1x4xf32>
  %r = bquant.quantize %z scalars(%one : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %d = bquant.dequantize %r : !bquant.tensor<1x4, 1> -> tensor<1x4xf32>
  return %d : tensor<1x4xf32>
}

// -----

// A constant mask is no place to begin at: it has no numbers.
// CHECK-LABEL: @constant_mask
// CHECK: %[[MASK:.*]] = arith.constant dense<{{.*}}> : tensor<2x4xi1>
// CHECK: %[[S:.*]] = arith.select %[[MASK]]
// CHECK: bquant.quantize %[[S]] {{.*}} : tensor<2x4xf32>
func.func @constant_mask() -> tensor<2x3xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<3x4, 1>
  %mask = arith.constant dense<[[true, false, false, true], [false, true, false, true]]> : tensor<2x4xi1>
  %one = arith.constant dense<1.0> : tensor<2x4xf32>
  %two = arith.constant dense<-2.0> : tensor<2x4xf32>
  %s = arith.select %mask, %one, %two : tensor<2x4xi1>, tensor<2x4xf32>
  %q = bquant.quantize %s scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<2x4, 1>, !bquant.tensor<3x4, 1>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
