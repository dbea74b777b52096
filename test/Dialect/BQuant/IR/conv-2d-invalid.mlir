// Each numbered constraint of `bquant.conv_2d`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: !bquant.tensor<8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c1] expected rank 4 of input, filter and result, but got 3, 4, 4}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c2] expected 2 strides >= 1, but got [0, 1]}}
  %0 = bquant.conv_2d %x, %w strides = [0, 1] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c2]}}
  %0 = bquant.conv_2d %x, %w strides = [1] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c3] expected 2 dilations >= 1, but got [1, -1]}}
  %0 = bquant.conv_2d %x, %w dilations = [1, -1] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c4] expected 4 pads >= 0, but got [1, 1, 1, -1]}}
  %0 = bquant.conv_2d %x, %w pads = [1, 1, 1, -1] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c5] expected groups >= 1 that divide the filters, but got 3}}
  %0 = bquant.conv_2d %x, %w groups = 3 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x31, 1>) {
  // expected-error @+1 {{[conv_2d_c6] expected input channels to be groups times filter channels}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x31, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c6]}}
  %0 = bquant.conv_2d %x, %w groups = 2 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c7] expected pad_value 0, or 1 for one plane, but got 1}}
  %0 = bquant.conv_2d %x, %w pad_value = 1 : (!bquant.tensor<1x8x8x32, 2>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x32xf32>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c7]}}
  %0 = bquant.conv_2d %x, %w pad_value = 1 : (tensor<1x8x8x32xf32>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c7]}}
  %0 = bquant.conv_2d %x, %w pad_value = 2 : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1, axes = [3]>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c8] expected axes [] or [0], but got}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1, axes = [3]>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1, axes = [3]>) {
  // expected-error @+1 {{[conv_2d_c8]}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1, axes = [3]>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1, offset>) {
  // expected-error @+1 {{[conv_2d_c9] expected one plane or ratio planes, without offset, for a result of i32}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1, offset>) -> tensor<1x6x6x16xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c9] expected one plane or ratio planes, without offset, for a result of i32}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 2>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xi32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x32xf32>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c9] expected one plane or ratio planes, without offset, for a result of i32}}
  %0 = bquant.conv_2d %x, %w  : (tensor<1x8x8x32xf32>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 2>) {
  // expected-error @+1 {{[conv_2d_c9] expected one plane or ratio planes, without offset, for a result of i32}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 2>) -> tensor<1x6x6x16xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, [2, 1], offset>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c9] expected one plane or ratio planes, without offset, for a result of i32}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, [2, 1], offset>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xi32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x1x1x2147483648, 1>, %w: !bquant.tensor<1x1x1x2147483648, 1>) {
  // expected-error @+1 {{[conv_2d_c10] expected a dot product that an i32 can hold}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x1x1x2147483648, 1>, !bquant.tensor<1x1x1x2147483648, 1>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c11] expected a padded image of at least the filter's size}}
  %0 = bquant.conv_2d %x, %w dilations = [4, 1] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c11]}}
  %0 = bquant.conv_2d %x, %w pads = [9223372036854775807, 0, 0, 0] : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 1>, %w: !bquant.tensor<16x3x3x32, 1>) {
  // expected-error @+1 {{[conv_2d_c12] expected a result of shape [1, 6, 6, 16]}}
  %0 = bquant.conv_2d %x, %w  : (!bquant.tensor<1x8x8x32, 1>, !bquant.tensor<16x3x3x32, 1>) -> tensor<1x6x6x15xf32>
  return
}
