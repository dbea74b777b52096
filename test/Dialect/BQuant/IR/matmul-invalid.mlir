// Each numbered constraint of `bquant.matmul`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<1x8x64, 1>) {
  // expected-error @+1 {{[matmul_c1] expected rank 2 or 3 of both operands and the result, but got 2, 3, 2}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<1x8x64, 1>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<64, 1>, %w: !bquant.tensor<64, 1>) {
  // expected-error @+1 {{[matmul_c1]}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<64, 1>, !bquant.tensor<64, 1>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<8x65, 1>) {
  // expected-error @+1 {{[matmul_c2] expected equal last dimensions}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<8x65, 1>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<2x4x64, 1>, %w: !bquant.tensor<3x8x64, 1>) {
  // expected-error @+1 {{[matmul_c3] expected equal batch dimensions}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<2x4x64, 1>, !bquant.tensor<3x8x64, 1>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1, axes = [1]>, %w: !bquant.tensor<8x64, 1>) {
  // expected-error @+1 {{[matmul_c4] expected axes other than the reduction}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1, axes = [1]>, !bquant.tensor<8x64, 1>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<8x64, 1, axes = [0, 1]>) {
  // expected-error @+1 {{[matmul_c4]}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<8x64, 1, axes = [0, 1]>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<8x64, 1, offset>) {
  // expected-error @+1 {{[matmul_c5] expected one plane or ratio planes}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<8x64, 1, offset>) -> tensor<4x8xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 2>, %w: !bquant.tensor<8x64, 1>) {
  // expected-error @+1 {{[matmul_c5] expected one plane or ratio planes}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 2>, !bquant.tensor<8x64, 1>) -> tensor<4x8xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x1073741824, [1, 1]>, %w: !bquant.tensor<1x1073741824, 1>) {
  // expected-error @+1 {{[matmul_c6] expected a dot product that an i32 can hold}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<1x1073741824, [1, 1]>, !bquant.tensor<1x1073741824, 1>) -> tensor<1x1xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<8x64, 1>) {
  // expected-error @+1 {{[matmul_c7] expected a result of shape [4, 8]}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<8x64, 1>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<4x64, 1>, %w: !bquant.tensor<?x64, 1>) {
  // expected-error @+1 {{[matmul_c8] expected a static number of rows of the right-hand side}}
  %0 = bquant.matmul %x, %w : (!bquant.tensor<4x64, 1>, !bquant.tensor<?x64, 1>) -> tensor<4x?xf32>
  return
}
