// What FINN's streamlining moves and absorbs step by step, as one evaluation of
// the chain: a function for each of its transformations, by its name. docs/
// folding.md has the table.
//
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s

// x - 3 and x - (-0.5): no rewriting to x + (-3) is needed.
// CHECK-LABEL: @ConvertSubToAdd
// CHECK: arith.constant dense<{{\[\[}}3.000000e+00], [-5.000000e-01]]> : tensor<2x1xf32>
// CHECK: bquant.quantize %arg0 thresholds
// CHECK-NOT: arith.subf
func.func @ConvertSubToAdd(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<[[3.0, -0.5]]> : tensor<1x2xf32>
  %z = arith.subf %x, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// x / 7 >= 0.7 begins at 4.9; x (1/7) >= 0.7, which FINN makes of it, at 4.8999996.
// CHECK-LABEL: @ConvertDivToMul
// CHECK: arith.constant dense<4.900000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
// CHECK-NOT: arith.divf
func.func @ConvertDivToMul(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<7.0> : tensor<1x2xf32>
  %t = arith.constant dense<0.7> : tensor<1x2xf32>
  %y = arith.divf %x, %c : tensor<1x2xf32>
  %z = arith.subf %y, %t : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Mean, variance, scale, shift as written; the second scale is negative.
// CHECK-LABEL: @BatchNormToAffine
// CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}} : tensor<2x1xf32>) codes [0, 1]
// CHECK-NOT: math.rsqrt
func.func @BatchNormToAffine(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %mean = arith.constant dense<[[0.5, 0.25]]> : tensor<1x2xf32>
  %var = arith.constant dense<[[0.9, 1.1]]> : tensor<1x2xf32>
  %g = arith.constant dense<[[1.5, -2.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[0.1, 0.2]]> : tensor<1x2xf32>
  %0 = arith.subf %x, %mean : tensor<1x2xf32>
  %1 = math.rsqrt %var : tensor<1x2xf32>
  %2 = arith.mulf %0, %1 : tensor<1x2xf32>
  %3 = arith.mulf %2, %g : tensor<1x2xf32>
  %4 = arith.addf %3, %b : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %4 scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A sign in the chain: bquant.sign, and a quantize is thresholds already.
// CHECK-LABEL: @ConvertSignToThres
// CHECK: arith.constant dense<2.000000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
// CHECK-NOT: bquant.sign
func.func @ConvertSignToThres(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<2.0> : tensor<1x2xf32>
  %y = arith.subf %x, %c : tensor<1x2xf32>
  %z = bquant.sign %y : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A product, a float maximum, a scale: the scale folds, the maximum is the source.
// (The maximum itself moves behind the quantize in a pass of its own.)
// CHECK-LABEL: @MoveMulPastMaxPool
// CHECK: %[[P:.*]] = linalg.reduce
// CHECK: bquant.quantize %[[P]] thresholds
// CHECK-NOT: arith.mulf
func.func @MoveMulPastMaxPool(%x: tensor<1x4x2xf32>) -> tensor<1x2xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x2xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %p = linalg.reduce { arith.maximumf } ins(%x : tensor<1x4x2xf32>) outs(%i : tensor<1x2xf32>) dimensions = [1]
  %s = arith.constant dense<[[2.0, 0.5]]> : tensor<1x2xf32>
  %b = arith.constant dense<-1.0> : tensor<1x2xf32>
  %y = arith.mulf %p, %s : tensor<1x2xf32>
  %z = arith.addf %y, %b : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A scalar before a reshape, a shift behind it.
// CHECK-LABEL: @MoveScalarLinearPastInvariants
// CHECK: arith.constant dense<{{\[\[}}5.000000e-01], [1.500000e+00]]> : tensor<2x1xf32>
// CHECK: tensor.collapse_shape %arg0
// CHECK: bquant.quantize %{{.*}} thresholds
// CHECK-NOT: arith.mulf
func.func @MoveScalarLinearPastInvariants(%x: tensor<1x1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<2.0> : tensor<1x1x2xf32>
  %m = arith.mulf %x, %c : tensor<1x1x2xf32>
  %y = tensor.collapse_shape %m [[0], [1, 2]] : tensor<1x1x2xf32> into tensor<1x2xf32>
  %b = arith.constant dense<[[1.0, 3.0]]> : tensor<1x2xf32>
  %z = arith.subf %y, %b : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// FINN adds the bias of a thresholding to what it gives; here codes are planes, and
// what they decode to is the scalars and the offset of the type.
// CHECK-LABEL: @AbsorbSignBiasIntoMultiThreshold
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2] scalars(%{{.*}}) offset(%{{.*}})
func.func @AbsorbSignBiasIntoMultiThreshold(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<0.5> : tensor<1x2xf32>
  %z = arith.mulf %x, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %o = arith.constant dense<1.0> : tensor<f32>
  %t = arith.constant dense<[0.5, 1.5]> : tensor<2xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<2xf32>) codes [0, 1, 2] scalars(%v2 : tensor<2xf32>) offset(%o : tensor<f32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2, offset>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2, offset> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// (x + 1) 3 - 6, in this order and rounding.
// CHECK-LABEL: @MoveAddPastMul
// CHECK: arith.constant dense<1.000000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @MoveAddPastMul(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %a = arith.constant dense<1.0> : tensor<1x2xf32>
  %m = arith.constant dense<3.0> : tensor<1x2xf32>
  %b = arith.constant dense<6.0> : tensor<1x2xf32>
  %0 = arith.addf %x, %a : tensor<1x2xf32>
  %1 = arith.mulf %0, %m : tensor<1x2xf32>
  %2 = arith.subf %1, %b : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %2 scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// What is added before a product is the offset of its operand; it stays with the
// product, whose result is the source.
// CHECK-LABEL: @MoveScalarAddPastMatMul
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xf32>
// CHECK: bquant.quantize %[[Y]] thresholds
// CHECK-NOT: arith.addf
func.func @MoveScalarAddPastMatMul(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %o = arith.constant dense<0.25> : tensor<f32>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%o : tensor<f32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1, offset>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1, offset>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<[[0.5, -0.5]]> : tensor<1x2xf32>
  %z = arith.addf %y, %b : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// The same of a convolution: the borders of its padding know the offset.
// CHECK-LABEL: @MoveAddPastConv
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x2x2x2xf32>
// CHECK: bquant.quantize %[[Y]] thresholds
// CHECK-NOT: arith.addf
func.func @MoveAddPastConv(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x2x3x3x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x3x3x4, 1, axes = [0]>
  %o = arith.constant dense<0.25> : tensor<f32>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%o : tensor<f32>) : tensor<1x2x2x4xf32> -> !bquant.tensor<1x2x2x4, 1, offset>
  %y = bquant.conv_2d %a, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x2x2x4, 1, offset>, !bquant.tensor<2x3x3x4, 1, axes = [0]>) -> tensor<1x2x2x2xf32>
  %b = arith.constant dense<0.5> : tensor<1x2x2x2xf32>
  %z = arith.addf %y, %b : tensor<1x2x2x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2x2x2xf32> -> !bquant.tensor<1x2x2x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2x2x2, 1> -> tensor<1x2x2x2xf32>
  return %d : tensor<1x2x2x2xf32>
}

// -----

// The scalars of both operands are behind the integer sum by the meaning of the
// product; they fold with the rest, so that thresholds are integers.
// CHECK-LABEL: @MoveScalarMulPastMatMul
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: arith.constant dense<{{\[\[}}2], [3]]> : tensor<2x1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds
func.func @MoveScalarMulPastMatMul(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<1.4> : tensor<1x2xf32>
  %z = arith.subf %y, %b : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// The same of a convolution.
// CHECK-LABEL: @MoveScalarMulPastConv
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x2x2x2xi32>
// CHECK: arith.constant dense<{{\[\[}}2], [3]]> : tensor<2x1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds
func.func @MoveScalarMulPastConv(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x2x1x1x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2x2x4xf32> -> !bquant.tensor<1x2x2x4, 1>
  %y = bquant.conv_2d %a, %w : (!bquant.tensor<1x2x2x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x2x2x2xf32>
  %b = arith.constant dense<1.4> : tensor<1x2x2x2xf32>
  %z = arith.subf %y, %b : tensor<1x2x2x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2x2x2xf32> -> !bquant.tensor<1x2x2x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2x2x2, 1> -> tensor<1x2x2x2xf32>
  return %d : tensor<1x2x2x2xf32>
}

// -----

// Three shifts, not added up: (x + 1e8) - 1e8 is a multiple of 8, and so is the
// threshold but for rounding to even.
// CHECK-LABEL: @CollapseRepeatedAdd
// CHECK: arith.constant dense<4.00000048> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
// CHECK-NOT: arith.addf
func.func @CollapseRepeatedAdd(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %a = arith.constant dense<1.0e8> : tensor<1x2xf32>
  %b = arith.constant dense<-1.0e8> : tensor<1x2xf32>
  %c = arith.constant dense<-5.0> : tensor<1x2xf32>
  %0 = arith.addf %x, %a : tensor<1x2xf32>
  %1 = arith.addf %0, %b : tensor<1x2xf32>
  %2 = arith.addf %1, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %2 scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Three scales, of which the first overflows.
// CHECK-LABEL: @CollapseRepeatedMul
// CHECK: bquant.quantize %arg0 thresholds
// CHECK-NOT: arith.mulf
func.func @CollapseRepeatedMul(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %a = arith.constant dense<3.0e38> : tensor<1x2xf32>
  %b = arith.constant dense<1.0e-38> : tensor<1x2xf32>
  %c = arith.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32>
  %t = arith.constant dense<1.0> : tensor<1x2xf32>
  %0 = arith.mulf %x, %a : tensor<1x2xf32>
  %1 = arith.mulf %0, %b : tensor<1x2xf32>
  %2 = arith.mulf %1, %c : tensor<1x2xf32>
  %3 = arith.subf %2, %t : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %3 scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A shift for each channel.
// CHECK-LABEL: @AbsorbAddIntoMultiThreshold
// CHECK: arith.constant dense<{{\[\[}}-1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @AbsorbAddIntoMultiThreshold(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<[[1.0, -2.0]]> : tensor<1x2xf32>
  %z = arith.addf %x, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A scale with a negative factor: the sign goes into the filter where a constant
// one is there, with no multiplication left.
// CHECK-LABEL: @FactorOutMulSignMagnitude
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [9]]]>
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: arith.constant dense<1> : tensor<1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%{{.*}}) codes [0, 1]
func.func @FactorOutMulSignMagnitude(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %s = arith.constant dense<[[2.0, -2.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<-1.0> : tensor<1x2xf32>
  %0 = arith.mulf %y, %s : tensor<1x2xf32>
  %z = arith.addf %0, %b : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A scale for each channel.
// CHECK-LABEL: @AbsorbMulIntoMultiThreshold
// CHECK: arith.constant dense<{{\[\[}}5.000000e-01], [2.500000e-01]]> : tensor<2x1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @AbsorbMulIntoMultiThreshold(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<[[2.0, 4.0]]> : tensor<1x2xf32>
  %z = arith.mulf %x, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %t = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Factors of -1 and 1 behind a product: one filter is negated, and that is all.
// CHECK-LABEL: @Absorb1BitMulIntoMatMul
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [9]]]>
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: arith.constant dense<0> : tensor<1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%{{.*}}) codes [0, 1]
func.func @Absorb1BitMulIntoMatMul(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %s = arith.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %z = arith.mulf %y, %s : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// The same of a convolution, with pads.
// CHECK-LABEL: @Absorb1BitMulIntoConv
// CHECK: bquant.constant words(dense<{{\[\[\[\[\[}}5], [5], [5]], {{.*}}[10], [10], [10]]]]]>
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x2x2x2xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%{{.*}}) codes [0, 1]
func.func @Absorb1BitMulIntoConv(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<5> : tensor<1x2x3x3x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x3x3x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2x2x4xf32> -> !bquant.tensor<1x2x2x4, 1>
  %y = bquant.conv_2d %a, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x2x2x4, 1>, !bquant.tensor<2x3x3x4, 1, axes = [0]>) -> tensor<1x2x2x2xf32>
  %s = arith.constant dense<[[[[1.0, -1.0], [1.0, -1.0]], [[1.0, -1.0], [1.0, -1.0]]]]> : tensor<1x2x2x2xf32>
  %z = arith.mulf %y, %s : tensor<1x2x2x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2x2x2xf32> -> !bquant.tensor<1x2x2x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2x2x2, 1> -> tensor<1x2x2x2xf32>
  return %d : tensor<1x2x2x2xf32>
}

// -----

// Thresholds of an accumulator are integers within its range, or one of the ends
// of i32 where the code never or always changes.
// CHECK-LABEL: @RoundAndClipThresholds
// CHECK: arith.constant dense<{{\[\[}}-2147483648], [2147483647]]> : tensor<2x1xi32>
// CHECK: bquant.quantize %{{.*}} thresholds
func.func @RoundAndClipThresholds(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<[[9.5, -9.5]]> : tensor<1x2xf32>
  %z = arith.addf %y, %b : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A fork: one chain for two quantizes, one with a shift behind it.
// CHECK-LABEL: @MoveLinearPastFork
// CHECK-DAG: bquant.quantize %arg0 thresholds
// CHECK-DAG: bquant.quantize %arg0 thresholds
// CHECK-NOT: arith.mulf
func.func @MoveLinearPastFork(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %c = arith.constant dense<2.0> : tensor<1x2xf32>
  %b = arith.constant dense<1.0> : tensor<1x2xf32>
  %y = arith.mulf %x, %c : tensor<1x2xf32>
  %z = arith.subf %y, %b : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d2 = bquant.dequantize %q2 : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d, %d2 : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// A fork to a quantize and a float: both read the source.
// CHECK-LABEL: @MoveMulPastFork
// CHECK: %[[Y:.*]] = arith.mulf
// CHECK: bquant.quantize %arg0 thresholds
// CHECK: return %{{.*}}, %[[Y]]
func.func @MoveMulPastFork(%x: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %c = arith.constant dense<2.0> : tensor<1x2xf32>
  %y = arith.mulf %x, %c : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d, %y : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// A fork of an accumulator: two quantizes, one product.
// CHECK-LABEL: @MoveAddPastFork
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK-DAG: bquant.quantize %[[Y]] thresholds
// CHECK-DAG: bquant.quantize %[[Y]] thresholds
// CHECK-NOT: arith.addf
func.func @MoveAddPastFork(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %b = arith.constant dense<1.5> : tensor<1x2xf32>
  %z = arith.addf %y, %b : tensor<1x2xf32>
  %b2 = arith.constant dense<-2.5> : tensor<1x2xf32>
  %z2 = arith.addf %y, %b2 : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  %q2 = bquant.quantize %z2 scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d2 = bquant.dequantize %q2 : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d, %d2 : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// A transpose before a thresholding; see also fold-sign-cascades-views.mlir.
// CHECK-LABEL: @AbsorbTransposeIntoMultiThreshold
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0
// CHECK: bquant.quantize %[[T]] thresholds
// CHECK-NOT: arith.mulf
func.func @AbsorbTransposeIntoMultiThreshold(%x: tensor<2x1xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %y = arith.mulf %x, %c : tensor<2x1xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %z = linalg.transpose ins(%y : tensor<2x1xf32>) outs(%e : tensor<1x2xf32>) permutation = [1, 0]
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}
