// Each numbered constraint of the type.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{[tensor_c1] expected rank >= 1, but got rank 0}}
func.func private @f(!bquant.tensor<, 1>)

// -----

// expected-error @+1 {{[tensor_c2] expected only the first of several dimensions to be dynamic, but got ? at 1}}
func.func private @f(!bquant.tensor<4x?, 1>)

// -----

// expected-error @+1 {{[tensor_c2] expected only the first of several dimensions to be dynamic, but got ? at 0}}
func.func private @f(!bquant.tensor<?, 1>)

// -----

// expected-error @+1 {{[tensor_c3] expected positive sizes whose product fits 60 bits, but got [4, 0]}}
func.func private @f(!bquant.tensor<4x0, 1>)

// -----

// expected-error @+1 {{[tensor_c3] expected positive sizes whose product fits 60 bits}}
func.func private @f(!bquant.tensor<4294967296x4294967296, 1>)

// -----

// expected-error @+1 {{[tensor_c4] expected 1 to 8 planes, but got 0}}
func.func private @f(!bquant.tensor<4x64, 0>)

// -----

// expected-error @+1 {{[tensor_c4] expected 1 to 8 planes, but got 9}}
func.func private @f(!bquant.tensor<4x64, 9>)

// -----

// expected-error @+1 {{[tensor_c4] expected 1 to 8 planes, but got -1}}
func.func private @f(!bquant.tensor<4x64, -1>)

// -----

// expected-error @+1 {{[tensor_c5] expected 2 to 8 ratios from 1 to 128 without a common divisor, but got [2, 0]}}
func.func private @f(!bquant.tensor<4x64, [2, 0]>)

// -----

// expected-error @+1 {{[tensor_c5] expected 2 to 8 ratios from 1 to 128 without a common divisor, but got [1]}}
func.func private @f(!bquant.tensor<4x64, [1]>)

// -----

// expected-error @+1 {{[tensor_c5] expected 2 to 8 ratios from 1 to 128 without a common divisor, but got [2, 2]}}
func.func private @f(!bquant.tensor<4x64, [2, 2]>)

// -----

// expected-error @+1 {{[tensor_c5] expected 2 to 8 ratios from 1 to 128 without a common divisor, but got [129, 1]}}
func.func private @f(!bquant.tensor<4x64, [129, 1]>)

// -----

// expected-error @+1 {{[tensor_c5] expected 2 to 8 ratios from 1 to 128 without a common divisor, but got [1, -9223372036854775808]}}
func.func private @f(!bquant.tensor<4x64, [1, -9223372036854775808]>)

// -----

// expected-error @+1 {{[tensor_c6] expected ascending axes in [0, 2), but got [2]}}
func.func private @f(!bquant.tensor<4x64, 1, axes = [2]>)

// -----

// expected-error @+1 {{[tensor_c6] expected ascending axes in [0, 2), but got [0, 0]}}
func.func private @f(!bquant.tensor<4x64, 1, axes = [0, 0]>)

// -----

// expected-error @+1 {{[tensor_c6] expected ascending axes in [0, 2), but got [1, 0]}}
func.func private @f(!bquant.tensor<4x64, 1, axes = [1, 0]>)

// -----

// expected-error @+1 {{[tensor_c6] expected ascending axes in [0, 2), but got [-1]}}
func.func private @f(!bquant.tensor<4x64, 1, axes = [-1]>)

// -----

// expected-error @+1 {{expected 'offset' or 'axes'}}
func.func private @f(!bquant.tensor<4x64, 1, foo>)

// -----

// expected-error @+1 {{expected 'offset'}}
func.func private @f(!bquant.tensor<4x64, 1, axes = [0], axes = [0]>)

// -----

// expected-error @+1 {{expected at least one ratio}}
func.func private @f(!bquant.tensor<4x64, []>)

// -----

func.func @f(%x: !bquant.tensor<1x1x1x576460752303423488, 1>) {
  // expected-error @+1 {{[tensor_c3] expected positive sizes whose product}}
  %0 = bquant.max_pool_2d %x window = [3, 3] pads = [2, 2, 2, 2] : !bquant.tensor<1x1x1x576460752303423488, 1> -> !bquant.tensor<1x3x3x64, 1>
  return
}
