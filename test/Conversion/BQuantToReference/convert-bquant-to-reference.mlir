// RUN: bquant-opt %s --convert-bquant-to-reference --split-input-file | FileCheck %s --check-prefixes=CHECK,ROUNDED
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-bquant-to-reference --split-input-file | FileCheck %s --check-prefixes=CHECK,FMA

// A constant's bits become signs: 5 = 0b101.
// CHECK-LABEL: func @constant
// CHECK-DAG: arith.constant dense<{{\[\[}}1, -1, 1], [-1, 1, -1]]> : tensor<2x3xi8>
// CHECK-DAG: arith.constant dense<5.000000e-01> : tensor<1xf32>
func.func @constant() -> tensor<2x3xf32> {
  %w = bquant.constant words(dense<[[[5], [2]]]> : tensor<1x2x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x3, 1>
  %0 = bquant.dequantize %w : !bquant.tensor<2x3, 1> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// A cascade yields one i8 a plane.
// CHECK-LABEL: func @cascade
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3xf32>, tensor<f32>) outs({{.*}} : tensor<2x3xi8>, tensor<2x3xi8>)
// CHECK: %[[UP:.*]] = arith.cmpf oge
// CHECK: arith.select %[[UP]]
// CHECK: arith.subf
// CHECK: arith.cmpf oge
func.func @cascade(%x: tensor<2x3xf32>, %v: tensor<2xf32>) -> tensor<2x3xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 2>
  %0 = bquant.dequantize %q : !bquant.tensor<2x3, 2> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Two planes by one: a dot for each pair, and (v_i w) dot_i in order.
// CHECK-LABEL: func @conv_2d
// CHECK: tensor.pad {{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: ins({{.*}} : tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>)
// CHECK-DAG: %[[D0:.*]] = arith.sitofp
// CHECK-DAG: %[[VW0:.*]] = arith.mulf
// CHECK: %[[T0:.*]] = arith.mulf %[[VW0]], %[[D0]]
// CHECK-DAG: %[[D1:.*]] = arith.sitofp
// CHECK-DAG: %[[VW1:.*]] = arith.mulf
// CHECK: %[[T1:.*]] = arith.mulf %[[VW1]], %[[D1]]
// CHECK: arith.addf %[[T0]], %[[T1]]
func.func @conv_2d(%x: tensor<1x4x4x3xf32>, %f: tensor<2x3x3x3xf32>,
                   %v: tensor<2xf32>, %w: tensor<1x2xf32>) -> tensor<1x4x4x2xf32> {
  %qx = bquant.quantize %x scalars(%v : tensor<2xf32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 2>
  %qf = bquant.quantize %f scalars(%w : tensor<1x2xf32>)
      : tensor<2x3x3x3xf32> -> !bquant.tensor<2x3x3x3, 1, axes = [0]>
  %0 = bquant.conv_2d %qx, %qf pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x4x4x3, 2>, !bquant.tensor<2x3x3x3, 1, axes = [0]>)
      -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

// A float input: an fma a tap where the target has one.
// CHECK-LABEL: func @float_input
// CHECK: %[[W:.*]] = arith.sitofp
// FMA: math.fma %{{.*}}, %[[W]], %{{.*}} : f32
// ROUNDED: %[[P:.*]] = arith.mulf %{{.*}}, %[[W]] : f32
// ROUNDED: arith.addf %{{.*}}, %[[P]] : f32
func.func @float_input(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = bquant.constant words(dense<[[[5], [2]]]> : tensor<1x2x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x4, 1>
  %0 = bquant.matmul %x, %w : (tensor<1x4xf32>, !bquant.tensor<2x4, 1>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: func @max_pool_2d
// CHECK: arith.maxsi
func.func @max_pool_2d(%x: tensor<1x4x4x3xf32>, %v: tensor<2xf32>) -> tensor<1x2x2x3xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 2>
  %p = bquant.max_pool_2d %q window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
      : !bquant.tensor<1x4x4x3, 2> -> !bquant.tensor<1x2x2x3, 2>
  %0 = bquant.dequantize %p : !bquant.tensor<1x2x2x3, 2> -> tensor<1x2x2x3xf32>
  return %0 : tensor<1x2x2x3xf32>
}

// -----

// An offset is the scalar of a plane of ones, whose terms come first; its dots
// leave out padded positions, as those of the others do.
// CHECK-LABEL: func @offset
// CHECK: linalg.fill ins(%{{.*}} : i8) outs(%{{.*}} : tensor<1x4x4x3xi8>)
// CHECK: tensor.pad
// CHECK: %[[T:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x4x2xf32>)
// CHECK: linalg.generic {{.*}} ins({{.*}}%[[T]] : {{.*}}) outs(%{{.*}} : tensor<1x6x4x2xf32>)
// CHECK: arith.addf
func.func @offset(%x: tensor<1x4x4x3xf32>, %f: tensor<2x1x1x3xf32>, %v: tensor<1xf32>,
                  %c: tensor<f32>, %w: tensor<1xf32>) -> tensor<1x6x4x2xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 1, offset>
  %r = bquant.quantize %f scalars(%w : tensor<1xf32>)
      : tensor<2x1x1x3xf32> -> !bquant.tensor<2x1x1x3, 1>
  %0 = bquant.conv_2d %q, %r pads = [1, 1, 0, 0]
      : (!bquant.tensor<1x4x4x3, 1, offset>, !bquant.tensor<2x1x1x3, 1>)
      -> tensor<1x6x4x2xf32>
  return %0 : tensor<1x6x4x2xf32>
}

// -----

// A ternary 0 is +1, then -1, in sums of several terms: both routes round alike.
// CHECK-LABEL: func @ternary_terms
// CHECK: %[[PLANES:.*]]:2 = linalg.generic
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.pad %[[PLANES]]#0
// CHECK: tensor.pad %[[PLANES]]#1
func.func @ternary_terms(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = bquant.constant words(dense<[[[5], [2]], [[3], [2]]]> : tensor<2x2x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x4, [1, 1]>
  %0 = bquant.matmul %x, %w kernel(#bquant_packed.sum_table<rows = 1, channels = 32, bits = 256>)
      : (tensor<1x4xf32>, !bquant.tensor<2x4, [1, 1]>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
