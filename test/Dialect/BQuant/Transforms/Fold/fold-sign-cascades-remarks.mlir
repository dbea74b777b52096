// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file --remark-format=emitRemark --remarks-filter=bquant 2>&1 >/dev/null | FileCheck %s
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s --check-prefix=IR

// IR-LABEL: @passed
// IR-NOT: arith.mulf
// CHECK: [Passed] fold-sign-cascades{{.*}}folded 1 step into 1 threshold on the f32 result of a block argument
func.func @passed(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %c = arith.constant dense<0.5> : tensor<8x2xf32>
  %z = arith.mulf %x, %c : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// What a library computes is not on the list; what follows it folds.
// IR-LABEL: @exp
// IR: %[[E:.*]] = math.exp
// IR: bquant.quantize %[[E]] thresholds
// IR: %[[E2:.*]] = math.exp
// IR-NEXT: bquant.quantize %[[E2]] scalars
// CHECK: [Passed] {{.*}}folded 1 step into 1 threshold on the f32 result of 'math.exp'
// CHECK: [Missed] {{.*}}not folded: 'math.exp' cannot be evaluated at compile time
func.func @exp(%x: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %c = arith.constant dense<2.0> : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %e = math.exp %x : tensor<8x2xf32>
  %z = arith.subf %e, %c : tensor<8x2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  %e2 = math.exp %z : tensor<8x2xf32>
  %q2 = bquant.quantize %e2 scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d2 = bquant.dequantize %q2 : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d, %d2 : tensor<8x2xf32>, tensor<8x2xf32>
}

// -----

// IR-LABEL: @fast_math
// IR: arith.mulf
// CHECK: [Missed] {{.*}}not folded: 'arith.mulf' has fast-math flags
func.func @fast_math(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %c = arith.constant dense<0.5> : tensor<8x2xf32>
  %z = arith.mulf %x, %c fastmath<contract> : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// IR-LABEL: @two_operands
// IR: arith.addf
// CHECK: [Missed] {{.*}}not folded: 'arith.addf' has two operands that are not constant
func.func @two_operands(%x: tensor<8x2xf32>, %y: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %z = arith.addf %x, %y : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// Neither monotone nor on intervals: x / (1 + |x|).
// IR-LABEL: @not_monotone
// IR: arith.divf
// CHECK: [Missed] {{.*}}not folded: 'arith.divf' divides by a value that is not constant
func.func @not_monotone(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %one = arith.constant dense<1.0> : tensor<8x2xf32>
  %a = math.absf %x : tensor<8x2xf32>
  %b = arith.addf %a, %one : tensor<8x2xf32>
  %z = arith.divf %x, %b : tensor<8x2xf32>
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %z scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// 1 / x sees which zero x is.
// IR-LABEL: @sign_of_zero
// IR: arith.divf
// CHECK: [Missed] {{.*}}not folded: 'arith.divf' depends on the sign of a zero
func.func @sign_of_zero(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %one = arith.constant dense<1.0> : tensor<8x2xf32>
  %z = arith.divf %one, %x : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// A clamp that turns NaN into its bound, then slopes of both signs: NaN would
// have code 0 in one channel and 1 in the other. Behind the clamp NaN is gone.
// IR-LABEL: @nan
// IR: arith.maxnumf
// IR: bquant.quantize %{{.*}} thresholds
// CHECK: [Missed] {{.*}}not folded: NaN has different codes in different channels
// CHECK: [Passed] {{.*}}folded 1 step into 1 threshold on the f32 result of 'arith.maxnumf'
func.func @nan(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %lo = arith.constant dense<-1.0> : tensor<8x2xf32>
  %s = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %init = tensor.empty() : tensor<8x2xf32>
  %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%init : tensor<8x2xf32>) dimensions = [0]
  %c = arith.maxnumf %x, %lo : tensor<8x2xf32>
  %z = arith.mulf %c, %b : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// More switch points than asked for.
// IR-LABEL: @many
// IR: math.floor
// CHECK: [Missed] {{.*}}not folded: the code changes more than 16 times
func.func @many(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %v = arith.constant dense<[16.0, 8.0, 4.0, 2.0, 1.0]> : tensor<5xf32>
  %z = math.floor %x : tensor<8x1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<5xf32>) : tensor<8x1xf32> -> !bquant.tensor<8x1, 5>
  %d = bquant.dequantize %q : !bquant.tensor<8x1, 5> -> tensor<8x1xf32>
  return %d : tensor<8x1xf32>
}

// -----

// A table for each channel would not fit.
// CHECK: [Missed] {{.*}}not folded: 4294967296 channels are more than 1048576
func.func @channels(%x: tensor<1x4294967296xf32>, %v: tensor<1xf32>) -> tensor<1x4294967296xf32> {
  %y = math.absf %x : tensor<1x4294967296xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x4294967296xf32> -> !bquant.tensor<1x4294967296, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x4294967296, 1> -> tensor<1x4294967296xf32>
  return %d : tensor<1x4294967296xf32>
}

// -----

// Nothing before the quantize, and online scalars: no remark.
// IR-LABEL: @nothing
// CHECK-NOT: fold-sign-cascades
func.func @nothing(%x: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  %z = math.absf %x : tensor<8x2xf32>
  %q2 = bquant.quantize %z scheme(<ls, 1>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d2 = bquant.dequantize %q2 : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d, %d2 : tensor<8x2xf32>, tensor<8x2xf32>
}
