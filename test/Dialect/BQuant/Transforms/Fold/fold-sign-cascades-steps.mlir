// Steps of chains, a function for each kind. Thresholds are where the program
// itself switches, to the last bit.
//
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s

// max(min(x, 2), -2), one of them unordered: NaN stays.
// CHECK-LABEL: @clamp
// CHECK: arith.constant dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
func.func @clamp(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %lo = arith.constant dense<-2.0> : tensor<1x2xf32>
  %hi = arith.constant dense<2.0> : tensor<1x2xf32>
  %0 = arith.maximumf %x, %lo : tensor<1x2xf32>
  %z = arith.minimumf %0, %hi : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A clamp that bounds the codes: only the upper two are left.
// CHECK-LABEL: @relu
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [2, 3]
func.func @relu(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %z = arith.maxnumf %x, %zero : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Slopes 0.25 and -0.5: a valley in channel 1. NaN has code 0 as the least value.
// CHECK-LABEL: @prelu
// CHECK: arith.constant dense<{{.*}}> : tensor<2x3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 0, 1]
func.func @prelu(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %one = arith.constant dense<0.25> : tensor<1x2xf32>
  %s = arith.constant dense<[[0.25, -0.5]]> : tensor<1x2xf32>
  %p = arith.cmpf ogt, %x, %zero : tensor<1x2xf32>
  %m = arith.mulf %x, %s : tensor<1x2xf32>
  %y = arith.select %p, %x, %m : tensor<1x2xi1>, tensor<1x2xf32>
  %z = arith.subf %y, %one : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Leaky, as the maximum of x and 0.01 x: the product rounds up to -1.
// CHECK-LABEL: @leaky
// CHECK: arith.constant dense<-100.000008> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @leaky(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %s = arith.constant dense<0.01> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %m = arith.mulf %x, %s : tensor<1x2xf32>
  %y = arith.maximumf %x, %m : tensor<1x2xf32>
  %z = arith.addf %y, %one : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A band around 0 where the code is 0. Both infinities have code 1, NaN has 0.
// CHECK-LABEL: @abs
// CHECK: arith.constant dense<[0xFF800000, -1.99999988, 2.000000e+00]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 0, 1]
func.func @abs(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %y = math.absf %x : tensor<1x2xf32>
  %z = arith.subf %y, %two : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Hard tanh as torch-mlir writes it: two comparisons and selects.
// CHECK-LABEL: @hard_tanh
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: arith.select
func.func @hard_tanh(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %lo = arith.constant dense<-1.25> : tensor<1x2xf32>
  %hi = arith.constant dense<1.25> : tensor<1x2xf32>
  %p = arith.cmpf ogt, %x, %lo : tensor<1x2xf32>
  %0 = arith.select %p, %x, %lo : tensor<1x2xi1>, tensor<1x2xf32>
  %r = arith.cmpf olt, %0, %hi : tensor<1x2xf32>
  %z = arith.select %r, %0, %hi : tensor<1x2xi1>, tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// max(0, min(1, x / 6 + 0.5)) - 0.75.
// CHECK-LABEL: @hard_sigmoid
// CHECK: arith.constant dense<1.49999988> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @hard_sigmoid(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %six = arith.constant dense<6.0> : tensor<1x2xf32>
  %half = arith.constant dense<0.5> : tensor<1x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %t = arith.constant dense<0.75> : tensor<1x2xf32>
  %0 = arith.divf %x, %six : tensor<1x2xf32>
  %1 = arith.addf %0, %half : tensor<1x2xf32>
  %2 = arith.minimumf %1, %one : tensor<1x2xf32>
  %3 = arith.maximumf %2, %zero : tensor<1x2xf32>
  %z = arith.subf %3, %t : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// x relu6(x + 3) / 6 + 0.3 falls, then rises: of an accumulator all values are
// evaluated.
// CHECK-LABEL: @hard_swish
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<1x2xi32>
// CHECK: arith.constant dense<{{\[\[}}-2, 0], [-2147483648, -1]]> : tensor<2x2xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%{{.*}}) codes [1, 0, 1]
func.func @hard_swish(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[1.0, 0.5]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %y = bquant.matmul %a, %w : (!bquant.tensor<1x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<1x2xf32>
  %three = arith.constant dense<3.0> : tensor<1x2xf32>
  %six = arith.constant dense<6.0> : tensor<1x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %t = arith.constant dense<0.3> : tensor<1x2xf32>
  %0 = arith.addf %y, %three : tensor<1x2xf32>
  %1 = arith.maximumf %0, %zero : tensor<1x2xf32>
  %2 = arith.minimumf %1, %six : tensor<1x2xf32>
  %3 = arith.mulf %y, %2 : tensor<1x2xf32>
  %4 = arith.divf %3, %six : tensor<1x2xf32>
  %z = arith.addf %4, %t : tensor<1x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// Of a float it is no monotone step.
// CHECK-LABEL: @hard_swish_of_float
// CHECK: arith.mulf
// CHECK: bquant.quantize %{{.*}} thresholds
func.func @hard_swish_of_float(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %three = arith.constant dense<3.0> : tensor<1x2xf32>
  %six = arith.constant dense<6.0> : tensor<1x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %t = arith.constant dense<0.3> : tensor<1x2xf32>
  %0 = arith.addf %x, %three : tensor<1x2xf32>
  %1 = arith.maximumf %0, %zero : tensor<1x2xf32>
  %2 = arith.minimumf %1, %six : tensor<1x2xf32>
  %3 = arith.mulf %x, %2 : tensor<1x2xf32>
  %4 = arith.divf %3, %six : tensor<1x2xf32>
  %z = arith.addf %4, %t : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A root; of negative numbers it is NaN, which has code 0.
// CHECK-LABEL: @sqrt
// CHECK: arith.constant dense<4.000000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @sqrt(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %y = math.sqrt %x : tensor<1x2xf32>
  %z = arith.subf %y, %two : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A falling root of what is at least 1. NaN has code 0, so that the source is
// negated.
// CHECK-LABEL: @rsqrt
// CHECK: arith.constant dense<-4.00000048> : tensor<1xf32>
// CHECK-NOT: math.rsqrt
// CHECK: bquant.quantize %{{.*}} thresholds(%{{.*}}) codes [0, 1]
func.func @rsqrt(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %half = arith.constant dense<0.5> : tensor<1x2xf32>
  %0 = arith.maximumf %x, %one : tensor<1x2xf32>
  %y = math.rsqrt %0 : tensor<1x2xf32>
  %z = arith.subf %y, %half : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// where(x >= 2 and not x >= 4, 1, -1), by logic on the conditions.
// CHECK-LABEL: @where
// CHECK: arith.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 0]
func.func @where(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %four = arith.constant dense<4.0> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %minus = arith.constant dense<-1.0> : tensor<1x2xf32>
  %p = arith.cmpf oge, %x, %two : tensor<1x2xf32>
  %r = arith.cmpf oge, %x, %four : tensor<1x2xf32>
  %a = arith.xori %p, %r : tensor<1x2xi1>
  %z = arith.select %a, %one, %minus : tensor<1x2xi1>, tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// 2 (x > 0.5) - 1: the next float above begins.
// CHECK-LABEL: @comparison
// CHECK: arith.constant dense<0.50000006> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds
func.func @comparison(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %h = arith.constant dense<0.5> : tensor<1x2xf32>
  %two = arith.constant dense<2.0> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %p = arith.cmpf ogt, %x, %h : tensor<1x2xf32>
  %b = arith.uitofp %p : tensor<1x2xi1> to tensor<1x2xf32>
  %0 = arith.mulf %b, %two : tensor<1x2xf32>
  %z = arith.subf %0, %one : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// floor(x): steps at integers.
// CHECK-LABEL: @floor
// CHECK: arith.constant dense<[-1.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: math.floor
func.func @floor(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %z = math.floor %x : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// ceil(x) >= 1 begins at the least number above 0.
// CHECK-LABEL: @ceil
// CHECK: arith.constant dense<[-1.99999988, -0.99999994, 1.401300e-45]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: math.ceil
func.func @ceil(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %z = math.ceil %x : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// round(x): half goes away from zero.
// CHECK-LABEL: @round
// CHECK: arith.constant dense<[-1.49999988, -0.49999997, 5.000000e-01]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: math.round
func.func @round(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %z = math.round %x : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// round(x): half goes to even.
// CHECK-LABEL: @roundeven
// CHECK: arith.constant dense<[-1.49999988, -5.000000e-01, 0.50000006]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: math.roundeven
func.func @roundeven(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %z = math.roundeven %x : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// trunc(x): the zeros of (-1, 1) are one step.
// CHECK-LABEL: @trunc
// CHECK: arith.constant dense<[-1.99999988, -0.99999994, 1.000000e+00]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
// CHECK-NOT: math.trunc
func.func @trunc(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %z = math.trunc %x : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A uniform quantizer written out: clamp(floor(x s + 0.5), -1, 1).
// CHECK-LABEL: @uniform
// CHECK: arith.constant dense<[0xFF800000, -2.000000e+00, 1.99999988]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%{{.*}}) codes [0, 1, 2, 3]
func.func @uniform(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %s = arith.constant dense<0.25> : tensor<1x2xf32>
  %h = arith.constant dense<0.5> : tensor<1x2xf32>
  %lo = arith.constant dense<-1.0> : tensor<1x2xf32>
  %hi = arith.constant dense<1.0> : tensor<1x2xf32>
  %0 = arith.mulf %x, %s : tensor<1x2xf32>
  %1 = arith.addf %0, %h : tensor<1x2xf32>
  %2 = math.floor %1 : tensor<1x2xf32>
  %3 = arith.maximumf %2, %lo : tensor<1x2xf32>
  %z = arith.minimumf %3, %hi : tensor<1x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v2 : tensor<2xf32>) : tensor<1x2xf32> -> !bquant.tensor<1x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x2, 2> -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}
