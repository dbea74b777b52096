// Each numbered constraint of `bquant.max_pool_2d`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: !bquant.tensor<8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c1] expected rank 4 of input and result, but got 3, 4}}
  %0 = bquant.max_pool_2d %x window = [2, 2] : !bquant.tensor<8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c2] expected 2 window >= 1, but got [0, 2]}}
  %0 = bquant.max_pool_2d %x window = [0, 2] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c3] expected 2 strides >= 1}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c4] expected 2 dilations >= 1}}
  %0 = bquant.max_pool_2d %x window = [2, 2] dilations = [0, 0] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c5] expected 4 pads >= 0}}
  %0 = bquant.max_pool_2d %x window = [2, 2] pads = [0, 0] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2, axes = [1]>) {
  // expected-error @+1 {{[max_pool_2d_c6] expected scalars shared along the window}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2, 2] : !bquant.tensor<1x8x8x32, 2, axes = [1]> -> !bquant.tensor<1x4x4x32, 2, axes = [1]>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c7] expected a padded image of at least the window's size}}
  %0 = bquant.max_pool_2d %x window = [9, 2] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c8] expected a position of the image in every window}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2, 2] pads = [2, 0, 0, 0] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x5x4x32, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c8] expected a position of the image in every window}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2, 2] pads = [0, 2, 0, 0] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x5x4x32, 2>
  return
}

// -----

// The taps of the second window are two apart, on either side of the image.
func.func @f(%x: !bquant.tensor<1x1x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c8] expected a position of the image in every window}}
  %0 = bquant.max_pool_2d %x window = [3, 1] dilations = [2, 1] pads = [4, 2, 0, 0] : !bquant.tensor<1x1x8x32, 2> -> !bquant.tensor<1x3x8x32, 2>
  return
}

// -----

// There is no counter for 2^62 taps.
func.func @f(%x: !bquant.tensor<1x4x4x8, 1>) {
  // expected-error @+1 {{[max_pool_2d_c9] expected a result of '!bquant.tensor<1x4x4x8, 1>'}}
  %0 = bquant.max_pool_2d %x window = [4611686018427387904, 1] pads = [4611686018427387903, 0, 0, 0] : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x4x4x8, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c9] expected a result of '!bquant.tensor<1x4x4x32, 2>'}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2, 2] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 1>
  return
}
