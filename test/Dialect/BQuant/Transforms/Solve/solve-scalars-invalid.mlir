// RUN: bquant-opt %s --bquant-solve-scalars -split-input-file -verify-diagnostics

func.func @nan() -> tensor<2x2xf32> {
  %f = arith.constant dense<[[1.0, 2.0], [0x7FC00000, 1.0]]> : tensor<2x2xf32>
  // expected-error @below {{expected finite values, but got nan at [1, 0]}}
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<2x2, 1, axes = [0]> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}

// -----

// Every bad constant is reported.
func.func @inf(%v: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %f = arith.constant dense<[0xFF800000, 1.0]> : tensor<2xf32>
  %v1 = arith.constant dense<1.0> : tensor<1xf32>
  // expected-error @below {{expected finite values, but got -inf at [0]}}
  %0 = bquant.quantize %f scheme(<gf, 1>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  // expected-error @below {{expected finite values, but got -inf at [0]}}
  %1 = bquant.quantize %f scalars(%v1 : tensor<1xf32>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  %2 = bquant.dequantize %0 : !bquant.tensor<2, 1> -> tensor<2xf32>
  %3 = bquant.dequantize %1 : !bquant.tensor<2, 1> -> tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @negative_scalar() -> tensor<2xf32> {
  %f = arith.constant dense<1.0> : tensor<2xf32>
  %v = arith.constant dense<-1.0> : tensor<1xf32>
  // expected-error @below {{expected scalars that are finite and not negative, but got -1.0}}
  %q = bquant.quantize %f scalars(%v : tensor<1xf32>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2, 1> -> tensor<2xf32>
  return %d : tensor<2xf32>
}

// -----

// A resource that nobody defined.
func.func @no_data() -> tensor<2xf32> {
  %f = arith.constant dense_resource<nowhere> : tensor<2xf32>
  // expected-error @below {{expected constant data of type 'tensor<2xf32>', but got a resource without data of that size}}
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2, 1> -> tensor<2xf32>
  return %d : tensor<2xf32>
}

// -----

// Three floats for a type of two.
func.func @wrong_size() -> tensor<2xf32> {
  %f = arith.constant dense_resource<three> : tensor<2xf32>
  // expected-error @below {{expected constant data of type 'tensor<2xf32>', but got a resource without data of that size}}
  %q = bquant.quantize %f scheme(<ls, 1>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2, 1> -> tensor<2xf32>
  return %d : tensor<2xf32>
}
{-# dialect_resources: { builtin: { three: "0x04000000000080BF0000004000004040" } } #-}

// -----

// Decoded values beyond f32: no error measure, no scaled-binary tensor.
func.func @decode_overflow() -> tensor<2xf32> {
  %f = arith.constant dense<3.3e38> : tensor<2xf32>
  %v = arith.constant dense<[3.0e38, 1.0e38]> : tensor<2xf32>
  // expected-error @below {{expected decoded values that f32 can hold}}
  %q = bquant.quantize %f scalars(%v : tensor<2xf32>) : tensor<2xf32> -> !bquant.tensor<2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<2, 2> -> tensor<2xf32>
  return %d : tensor<2xf32>
}

// -----

// As where there are no thresholds.
func.func @negative() -> tensor<2xf32> {
  %f = arith.constant dense<1.0> : tensor<2xf32>
  %t = arith.constant dense<0.5> : tensor<1xf32>
  %v = arith.constant dense<-1.0> : tensor<1xf32>
  // expected-error @below {{expected scalars that are finite and not negative, but got -1.0}}
  %q = bquant.quantize %f thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<2xf32> -> !bquant.tensor<2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2, 1> -> tensor<2xf32>
  return %d : tensor<2xf32>
}
