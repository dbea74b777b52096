// RUN: bquant-opt %s --bquant-solve-scalars -split-input-file 2>/dev/null | FileCheck %s
// RUN: bquant-opt %s --bquant-solve-scalars -split-input-file --remark-format=emitRemark --remarks-filter=bquant 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: [Analysis] solve-scalars{{.*}}solved scalars of 2 sets of 3 values: {{.*}}angle=1.034677e+01, error=3.225806e-02
// CHECK-LABEL: @ls_1
// CHECK-NOT: arith.constant
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [3]]]> : tensor<1x2x1xi32>)
// CHECK-SAME: scalars(dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>)
func.func @ls_1() -> tensor<2x3xf32> {
  %f = arith.constant dense<[[0.5, -1.5, 1.0], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<2x3xf32> -> !bquant.tensor<2x3, 1, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<2x3, 1, axes = [0]> -> tensor<2x3xf32>
  return %d : tensor<2x3xf32>
}

// -----

// Two magnitudes are exact with two planes: v1 = 2, v2 = 1.
// REMARK: error=0.000000e+00
// CHECK-LABEL: @ls_2
// CHECK: bquant.constant words(dense<{{\[\[}}11], [5]]> : tensor<2x1xi32>) scalars(dense<[2.000000e+00, 1.000000e+00]>
func.func @ls_2() -> tensor<4xf32> {
  %f = arith.constant dense<[3.0, 1.0, -1.0, 1.0]> : tensor<4xf32>
  %q = bquant.quantize %f scheme(<ls, 2>) : tensor<4xf32> -> !bquant.tensor<4, 2>
  %d = bquant.dequantize %q : !bquant.tensor<4, 2> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// Three planes: the nearest levels, which the cascade of 4, 3, 2 is not: 1 is
// -4 + 3 + 2.
// REMARK: error=0.000000e+00
// CHECK-LABEL: @ls_3
// CHECK: bquant.constant words(dense<{{\[\[}}5], [9], [15]]> : tensor<3x1xi32>) scalars(dense<[4.000000e+00, 3.000000e+00, 2.000000e+00]>
func.func @ls_3() -> tensor<4xf32> {
  %f = arith.constant dense<[9.0, -5.0, 3.0, 1.0]> : tensor<4xf32>
  %q = bquant.quantize %f scheme(<ls, 3>) : tensor<4xf32> -> !bquant.tensor<4, 3>
  %d = bquant.dequantize %q : !bquant.tensor<4, 3> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// Values -2v, 0, 2v with 2v = 3; 0 is (+, -).
// CHECK-LABEL: @ls_t
// CHECK: bquant.constant words(dense<{{\[\[}}7], [1]]> : tensor<2x1xi32>) scalars(dense<1.500000e+00>
func.func @ls_t() -> tensor<4xf32> {
  %f = arith.constant dense<[3.0, 0.0, 0.25, -3.0]> : tensor<4xf32>
  %q = bquant.quantize %f scheme(<ls, T>) : tensor<4xf32> -> !bquant.tensor<4, [1, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4, [1, 1]> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// Scalars as stored, not solved.
// REMARK: {{.*}}stored scalars of 1 set of 4 values
// CHECK-LABEL: @stored
// CHECK: bquant.constant words(dense<{{\[\[}}11], [3]]> : tensor<2x1xi32>) scalars(dense<[2.000000e+00, 2.500000e-01]>
func.func @stored() -> tensor<4xf32> {
  %f = arith.constant dense<[3.0, 2.0, -3.0, 1.0]> : tensor<4xf32>
  %v = arith.constant dense<[2.0, 0.25]> : tensor<2xf32>
  %q = bquant.quantize %f scalars(%v : tensor<2xf32>) : tensor<4xf32> -> !bquant.tensor<4, 2>
  %d = bquant.dequantize %q : !bquant.tensor<4, 2> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// Uniform levels with an offset: codes by thresholds.
// CHECK-LABEL: @thresholds
// CHECK: bquant.constant words(dense<{{\[\[}}12], [10]]> : tensor<2x1xi32>) scalars(dense<5.000000e-01>
// CHECK-SAME: offset(dense<1.500000e+00>
func.func @thresholds() -> tensor<4xf32> {
  %f = arith.constant dense<[-1.0, 1.0, 2.0, 9.0]> : tensor<4xf32>
  %t = arith.constant dense<[0.5, 1.5, 2.5]> : tensor<3xf32>
  %v = arith.constant dense<[0.5]> : tensor<1xf32>
  %c = arith.constant dense<1.5> : tensor<f32>
  %q = bquant.quantize %f thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>)
    : tensor<4xf32> -> !bquant.tensor<4, [2, 1], offset>
  %d = bquant.dequantize %q : !bquant.tensor<4, [2, 1], offset> -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// A resource behind a transpose, as an importer leaves a filter.
// CHECK-LABEL: @resource
// CHECK-NOT: linalg.transpose
// CHECK: bquant.constant words(dense<{{\[\[\[}}2], [3]]]> : tensor<1x2x1xi32>)
func.func @resource() -> tensor<2x2xf32> {
  %f = arith.constant dense_resource<w> : tensor<4xf32>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %init = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%e : tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) permutation = [1, 0]
  %q = bquant.quantize %t scheme(<gf, 1>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<2x2, 1, axes = [0]> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}
// -1, 2, 3, 4
{-# dialect_resources: { builtin: { w: "0x04000000000080BF000000400000404000008040" } } #-}

// -----

// Many words are a resource.
// CHECK-LABEL: @many
// CHECK: bquant.constant words(dense_resource<bquant_words{{[_0-9]*}}> : tensor<1x8x16xi32>)
func.func @many() -> tensor<8x512xf32> {
  %f = arith.constant dense<-0.75> : tensor<8x512xf32>
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<8x512xf32> -> !bquant.tensor<8x512, 1, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<8x512, 1, axes = [0]> -> tensor<8x512xf32>
  return %d : tensor<8x512xf32>
}

// -----

// REMARK: warning: {{.*}}1 of 2 sets of values that share scalars are all zero: their scalars are 0
// CHECK-LABEL: @zeros
// CHECK: scalars(dense<{{\[\[}}0.000000e+00, 1.000000e+00]]>
func.func @zeros() -> tensor<2x2xf32> {
  %f = arith.constant dense<[[0.0, -0.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<2x2, 1, axes = [0]> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}

// -----

// Activations stay, and so do constants whose scalars are not.
// REMARK: [Missed{{.*}}a constant is quantized at run time
// CHECK-LABEL: @not_constant
// CHECK-COUNT-2: bquant.quantize
func.func @not_constant(%x: tensor<2x2xf32>, %v: tensor<1xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %f = arith.constant dense<1.0> : tensor<2x2xf32>
  %0 = bquant.quantize %x scheme(<ls, 2>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 2>
  %1 = bquant.quantize %f scalars(%v : tensor<1xf32>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1>
  %2 = bquant.dequantize %0 : !bquant.tensor<2x2, 2> -> tensor<2x2xf32>
  %3 = bquant.dequantize %1 : !bquant.tensor<2x2, 1> -> tensor<2x2xf32>
  return %2, %3 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// A constant that is an operand twice is erased once.
// CHECK-LABEL: @operand_twice
// CHECK-NOT: arith.constant
// CHECK: bquant.constant words(dense<1> : tensor<1x1xi32>) scalars(dense<2.000000e+00> : tensor<1xf32>)
func.func @operand_twice() -> tensor<1xf32> {
  %f = arith.constant dense<2.0> : tensor<1xf32>
  %q = bquant.quantize %f scalars(%f : tensor<1xf32>) : tensor<1xf32> -> !bquant.tensor<1, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1, 1> -> tensor<1xf32>
  return %d : tensor<1xf32>
}
