// Each numbered constraint of the types, attributes and ops.
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

// expected-error @+1 {{[scheme_c1] expected 1 to 8 planes, but got 0}}
func.func private @f() attributes {s = #bquant.scheme<ls, 0>}

// -----

// expected-error @+1 {{[scheme_c1] expected 1 to 8 planes, but got 9}}
func.func private @f() attributes {s = #bquant.scheme<gf, 9>}

// -----

// expected-error @+1 {{[scheme_c2] expected ls for T, but got gf}}
func.func private @f() attributes {s = #bquant.scheme<gf, T>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @f() attributes {s = #bquant.scheme<twn, 2>}

// -----

// expected-error @+1 {{expected one of [ls, gf, twn] for how scalars are found, got: foo}}
func.func private @f() attributes {s = #bquant.scheme<foo, 1>}

// -----

// expected-error @+1 {{expected a number of planes or T}}
func.func private @f() attributes {s = #bquant.scheme<ls, x>}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c1] expected exactly one of scheme, scalars alone, or thresholds with scalars}}
  %0 = bquant.quantize %x : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c1]}}
  %0 = bquant.quantize %x scheme(<ls, 1>) scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c1]}}
  %0 = bquant.quantize %x scheme(<ls, 1>) thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c2] expected thresholds together with codes}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xf32>) scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c2]}}
  %0 = bquant.quantize %x codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c3] expected a result of shape [4, 64]}}
  %0 = bquant.quantize %x scheme(<ls, 1>) : tensor<4x64xf32> -> !bquant.tensor<4x65, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c4] expected the planes of #bquant.scheme<ls, 2>}}
  %0 = bquant.quantize %x scheme(<ls, 2>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c4]}}
  %0 = bquant.quantize %x scheme(<ls, T>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 2>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c4]}}
  %0 = bquant.quantize %x scheme(<ls, 2>) : tensor<4x64xf32> -> !bquant.tensor<4x64, [1, 1]>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{[quantize_c4]}}
  %0 = bquant.quantize %x scheme(<ls, 1>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1, offset>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c5] expected scalars of type 'tensor<2xf32>', but got 'tensor<1xf32>'}}
  %0 = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 2>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<2x4xf32>) {
  // expected-error @+1 {{[quantize_c5] expected scalars of type 'tensor<1x4xf32>', but got 'tensor<2x4xf32>'}}
  %0 = bquant.quantize %x scalars(%v : tensor<2x4xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, [1, 1], axes = [0]>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c5] expected scalars of type 'tensor<1xf32>', but got none}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xf32>) codes [0, 1] : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c6] expected an offset of the result's offset type}}
  %0 = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1, offset>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{[quantize_c6] expected no offset}}
  %0 = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{[quantize_c6]}}
  %0 = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<4xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1, offset>
  return
}

// -----

func.func @f(%x: tensor<4x64xi32>, %v: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c7] expected an input of f32 without thresholds}}
  %0 = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<4x64xi32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<4x1xf32>) {
  // expected-error @+1 {{[quantize_c8] expected thresholds of shape N or 64 x N and the input's element type}}
  %0 = bquant.quantize %x thresholds(%t : tensor<4x1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xi32>) {
  // expected-error @+1 {{[quantize_c8] expected thresholds of shape N or 64 x N and the input's element type}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xi32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<?xf32>) {
  // expected-error @+1 {{[quantize_c8] expected thresholds of shape N or 64 x N and the input's element type}}
  %0 = bquant.quantize %x thresholds(%t : tensor<?xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<f32>) {
  // expected-error @+1 {{[quantize_c8] expected thresholds of shape N or 64 x N and the input's element type}}
  %0 = bquant.quantize %x thresholds(%t : tensor<f32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1x64x1xf32>) {
  // expected-error @+1 {{[quantize_c8] expected thresholds of shape N or 64 x N and the input's element type}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1x64x1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c9] expected 2 codes, but got 3}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xf32>) codes [0, 1, 1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c10] expected codes of 1 bits, but got 2}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xf32>) codes [0, 2] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf32>, %v: tensor<1xf32>, %t: tensor<1xf32>) {
  // expected-error @+1 {{[quantize_c10] expected codes of 1 bits, but got -1}}
  %0 = bquant.quantize %x thresholds(%t : tensor<1xf32>) codes [0, -1] scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f(%x: tensor<4x64xf64>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 32-bit float or 32-bit signless integer values}}
  %0 = bquant.quantize %x scheme(<ls, 1>) : tensor<4x64xf64> -> !bquant.tensor<4x64, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c1] expected a static shape}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<?x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c2] expected words of type 'tensor<1x2x2xi32>', but got 'tensor<1x2x1xi32>'}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x33, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c3] expected scalars of type 'tensor<1x2xf32>', but got 'tensor<1xf32>'}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1, axes = [0]>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c4] expected an offset of the result's offset type}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1, offset>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c4] expected no offset}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) offset(dense<0.0> : tensor<f32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c5] expected dense words or a resource of 8 bytes, aligned to 4}}
  %0 = bquant.constant words(dense_resource<missing> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c5]}}
  %0 = bquant.constant words(dense_resource<short> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}
{-#
  dialect_resources: { builtin: { short: "0x0400000001000000" } }
#-}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c6] expected dense scalars or a resource of their size}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense_resource<gone> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c7] expected finite scalars >= 0}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<-0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c7] expected finite scalars >= 0}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0x7FC00000> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c8] expected a finite offset}}
  %0 = bquant.constant words(dense<0> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) offset(dense<0x7F800000> : tensor<f32>) : !bquant.tensor<2x8, 1, offset>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c9] expected bits 8 to 31 of a row's last word to be 0, but got 0x100}}
  %0 = bquant.constant words(dense<[[[1], [256]]]> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c9]}}
  %0 = bquant.constant words(dense<-1> : tensor<1x2x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x8, 1>
  return
}

// -----

func.func @f(%q: !bquant.tensor<4x64, 1>) {
  // expected-error @+1 {{[dequantize_c1] expected a result of shape [4, 64]}}
  %0 = bquant.dequantize %q : !bquant.tensor<4x64, 1> -> tensor<4x65xf32>
  return
}

// -----

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

// -----

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

// Nobody counts 2^62 taps.
func.func @f(%x: !bquant.tensor<1x4x4x8, 1>) {
  // expected-error @+1 {{[max_pool_2d_c9] expected a result of '!bquant.tensor<1x4x4x8, 1>'}}
  %0 = bquant.max_pool_2d %x window = [4611686018427387904, 1] pads = [4611686018427387903, 0, 0, 0] : !bquant.tensor<1x4x4x8, 1> -> !bquant.tensor<1x4x4x8, 2>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x1x1x576460752303423488, 1>) {
  // expected-error @+1 {{[tensor_c3] expected positive sizes whose product}}
  %0 = bquant.max_pool_2d %x window = [3, 3] pads = [2, 2, 2, 2] : !bquant.tensor<1x1x1x576460752303423488, 1> -> !bquant.tensor<1x3x3x64, 1>
  return
}

// -----

func.func @f(%x: !bquant.tensor<1x8x8x32, 2>) {
  // expected-error @+1 {{[max_pool_2d_c9] expected a result of '!bquant.tensor<1x4x4x32, 2>'}}
  %0 = bquant.max_pool_2d %x window = [2, 2] strides = [2, 2] : !bquant.tensor<1x8x8x32, 2> -> !bquant.tensor<1x4x4x32, 1>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[pack_c1] expected at least one operand}}
  "bquant.pack"() <{layouts = [#bquant<layout words>], operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

func.func @f(%a: tensor<i1>, %b: tensor<i32>) {
  // expected-error @+1 {{[pack_c2] expected rank >= 1}}
  %0 = bquant.pack layout = words ins(%a : tensor<i1>) outs(%b : tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x2xi32>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x3xi32>' for each 'tensor<4x65xi1>' in the layout words, but got 'tensor<4x2xi32>' for 'tensor<4x65xi1>'}}
  %0 = bquant.pack layout = words ins(%a : tensor<4x65xi1>) outs(%b : tensor<4x2xi32>) -> tensor<4x2xi32>
  return
}

// -----

// A result for each input and layout, each as its layout has it.
func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32>) {
  // expected-error @+1 {{[pack_c3] expected 2 packed planes, but got 1}}
  %0 = bquant.pack layout = [words, nibbles] ins(%a : tensor<4x65xi1>) outs(%b : tensor<4x3xi32>) -> tensor<4x3xi32>
  return
}

// -----

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32>, %c: tensor<4x16xi8>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x17xi8>' for each 'tensor<4x65xi1>' in the layout nibbles, but got 'tensor<4x16xi8>' for 'tensor<4x65xi1>'}}
  %0:2 = bquant.pack layout = [words, nibbles] ins(%a : tensor<4x65xi1>) outs(%b, %c : tensor<4x3xi32>, tensor<4x16xi8>) -> tensor<4x3xi32>, tensor<4x16xi8>
  return
}

// -----

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32>, %c: tensor<4x17xi8>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x17xi8>' for each 'tensor<4x65xi1>' in the layout nibbles, but got 'tensor<4x3xi32>' for 'tensor<4x65xi1>'}}
  %0:2 = bquant.pack layout = [nibbles, words] ins(%a : tensor<4x65xi1>) outs(%b, %c : tensor<4x3xi32>, tensor<4x17xi8>) -> tensor<4x3xi32>, tensor<4x17xi8>
  return
}

// -----

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32>) {
  // expected-error @+1 {{[pack_c4] expected results of the types of outs}}
  %0 = "bquant.pack"(%a, %b) <{layouts = [#bquant<layout words>], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4x65xi1>, tensor<4x3xi32>) -> tensor<5x3xi32>
  return
}

// -----

func.func @pack_c5(%b: tensor<4x64xi1>, %out: tensor<4x64xi8>) {
  // expected-error @+1 {{[pack_c5] expected layouts of single planes, but got codes}}
  %0 = bquant.pack layout = codes ins(%b : tensor<4x64xi1>) outs(%out : tensor<4x64xi8>) -> tensor<4x64xi8>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[unpack_c1] expected at least one operand}}
  "bquant.unpack"() <{layout = #bquant<layout words>}> : () -> ()
  return
}

// -----

func.func @f(%a: tensor<i32>, %b: tensor<i1>) {
  // expected-error @+1 {{[unpack_c2] expected rank >= 1}}
  %0 = bquant.unpack layout = words ins(%a : tensor<i32>) outs(%b : tensor<i1>) -> tensor<i1>
  return
}

// -----

func.func @f(%a: tensor<4x2xi32>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c3] expected 'tensor<4x3xi32>' for each 'tensor<4x65xi1>' in the layout words, but got 'tensor<4x2xi32>' for 'tensor<4x65xi1>'}}
  %0 = bquant.unpack layout = words ins(%a : tensor<4x2xi32>) outs(%b : tensor<4x65xi1>) -> tensor<4x65xi1>
  return
}

// -----

func.func @f(%a: tensor<4x3xi32>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c4] expected results of the types of outs}}
  %0 = "bquant.unpack"(%a, %b) <{layout = #bquant<layout words>}> : (tensor<4x3xi32>, tensor<4x65xi1>) -> tensor<5x65xi1>
  return
}

// -----

func.func @f(%a: tensor<4x3xi32>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c5] expected the layout words, but got nibbles}}
  %0 = bquant.unpack layout = nibbles ins(%a : tensor<4x3xi32>) outs(%b : tensor<4x65xi1>) -> tensor<4x65xi1>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c1] expected planes on both sides, with a mask for each sign of a masked one, but got 1 by 1}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c1] expected planes on both sides, with a mask for each sign of a masked one, but got 1 by 3}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w, %w, %w : tensor<1x2x16xi32>, tensor<1x2x16xi32>, tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_filters -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected 2 outs, one for each pair of planes, but got 1}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32>, tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected 1 outs, one for each pair of planes, or one more for each mask, but got 3}}
  %0:3 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32>, tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y, %y, %y : tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] masked_inputs -> tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>, %z: tensor<4x8xi32>) {
  // expected-error @+1 {{[packed_product_c2] expected outs of one type, but got 'tensor<4x16xi32>' and 'tensor<4x8xi32>'}}
  %0:2 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x, %x : tensor<4x2xi32>, tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y, %z : tensor<4x16xi32>, tensor<4x8xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>, tensor<4x8xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c3] expected results of the types of outs}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x8xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c4] expected a map for each input and filter, but got 1 for 2}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 3 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0, d1, d2) -> (d1 floordiv 16, d2, d1 mod 16)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k, n mod 16)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 3 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0, d1) -> (d1 floordiv 16, d0)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n) -> (n floordiv 16, m)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c5] expected maps from 2 loops to the leading dimensions of an input, of a filter to fewer than it has, but got affine_map<(d0) -> (d0)> for 'tensor<4x2xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c6] expected a filter that is indexed by loop 2 alone, which gives it its size}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k * 2)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c8] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d0, d2 + 1)> for 'tensor<4x2xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k + 1)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{[packed_product_c8] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d1 floordiv 8, d2)> for 'tensor<1x2x16xi32>'}}
  %0 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 16, bits = 512>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 8, k)>] -> tensor<4x16xi32>
  return
}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 0 by 32}}
func.func private @f() attributes {a = #bquant.popcount<rows = 0, channels = 32, bits = 512>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 4 by 0}}
func.func private @f() attributes {a = #bquant.scalar<rows = 4, channels = 0, bits = 64>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 1025 by 32}}
func.func private @f() attributes {a = #bquant.table<rows = 1025, channels = 32, bits = 256>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 1 by 9223372036854775807}}
func.func private @f() attributes {a = #bquant.fma<rows = 1, channels = 9223372036854775807, bits = 256>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 64}}
func.func private @f() attributes {a = #bquant.table<rows = 4, channels = 64, bits = 64>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [64] bits, but got 512}}
func.func private @f() attributes {a = #bquant.scalar<rows = 4, channels = 32, bits = 512>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 1024}}
func.func private @f() attributes {a = #bquant.depthwise<rows = 4, channels = 32, bits = 1024>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 384}}
func.func private @f() attributes {a = #bquant.popcount<rows = 4, channels = 32, bits = 384>}

// -----

// expected-error @+1 {{[kernel_c5] expected one of [8, 32] bits counted, but got 16}}
func.func private @f() attributes {a = #bquant.popcount<rows = 4, channels = 32, bits = 128, counted = 16>}

// -----

// expected-error @+1 {{[kernel_c6] expected one of [1, 2, 4] products summed, but got 3}}
func.func private @f() attributes {a = #bquant.bytes<rows = 6, channels = 16, bits = 256, summed = 3>}

// -----

// expected-error @+1 {{[kernel_c7] expected at least 1 step held, but got 0}}
func.func private @f() attributes {a = #bquant.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 0>}

// -----

// expected-error @+1 {{[kernel_c8] expected levels of codes of 1, 2 or 4 bits, or 0, but got 7}}
func.func private @f() attributes {a = #bquant.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 8, levels = 7>}

// -----

// expected-error @+1 {{[kernel_c9] expected steps of at least 1 octet, but got 0}}
func.func private @f() attributes {a = #bquant.octets<rows = 8, channels = 64, bits = 512, step = 0>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 64}}
func.func private @f() attributes {a = #bquant.bytes<rows = 6, channels = 16, bits = 64, summed = 4>}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{attribute 'kernel' failed to satisfy constraint}}
  %0 = bquant.packed_product kernel(#bquant<layout words>) ins(%x : tensor<4x2xi32>) filters(%w : tensor<1x2x16xi32>)
      outs(%y : tensor<4x16xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>] -> tensor<4x16xi32>
  return
}

// -----

// expected-error @+1 {{[attributes_c1] expected a name, and inputs and outputs with name and type, in 'bquant.signature'}}
llvm.func @f() attributes {bquant.signature = {name = "f", inputs = [{name = "x"}], outputs = []}}

// -----

// expected-error @+1 {{[attributes_c2] expected an i64 >= 0 as 'bquant.arena_bytes', but got -8 : i64}}
llvm.func @f() attributes {bquant.arena_bytes = -8 : i64}

// -----

// expected-error @+1 {{[attributes_c3] expected a string as 'bquant.name', but got 7 : i64}}
func.func private @f(tensor<4xf32>, tensor<4xf32> {bquant.name = 7})

// -----

// expected-error @+1 {{[attributes_c5] expected a name and at least 2 samples in 'bquant.block', but got {of = "f", samples = 1 : i64}}}
func.func @f(%x: tensor<1x4xf32>) attributes {bquant.block = {of = "f", samples = 1 : i64}} {
  return
}

// -----

// expected-error @+1 {{[attributes_c4] expected 'bquant.batch' on a tensor with the leading dimension 16, but got 'tensor<1x4xf32>'}}
func.func @f(%x: tensor<1x4xf32> {bquant.batch}) attributes {bquant.block = {of = "f", samples = 16 : i64}} {
  return
}

// -----

// expected-error @+1 {{[attributes_c6] expected dense elements of 'tensor<4xf32>' as 'bquant.initial', but got dense<0.000000e+00> : tensor<2xf32>}}
func.func private @f(tensor<4xf32> {bquant.initial = dense<0.0> : tensor<2xf32>})

// -----

// expected-error @+1 {{[attributes_c6] expected finite elements of 'tensor<2xf32>' as 'bquant.initial', but got dense<[0.000000e+00, 0x7F800000]> : tensor<2xf32>}}
func.func private @f(tensor<2xf32> {bquant.initial = dense<[0.0, 0x7F800000]> : tensor<2xf32>})

// -----

// expected-error @+1 {{[attributes_c7] expected the number of an argument of 'tensor<4xf32>' with 'bquant.initial' as 'bquant.updates', but got 1 : i64}}
func.func private @f(tensor<4xf32> {bquant.initial = dense<0.0> : tensor<4xf32>}, tensor<4xf32>) -> (tensor<4xf32> {bquant.updates = 1 : i64})

// -----

// expected-error @+1 {{[attributes_c7] expected the number of an argument of 'tensor<2xf32>' with 'bquant.initial' as 'bquant.updates', but got 0 : i64}}
func.func private @f(tensor<4xf32> {bquant.initial = dense<0.0> : tensor<4xf32>}) -> (tensor<2xf32> {bquant.updates = 0 : i64})

// -----

// expected-error @+1 {{[attributes_c4] expected 'bquant.batch' on a tensor with the leading dimension 1, but got 'tensor<4xf32>'}}
func.func private @f(tensor<1x4xf32> {bquant.batch}) -> (tensor<4xf32> {bquant.batch})

// -----

func.func @f() {
  // expected-error @+1 {{[constant_c10] expected at most 2147483648 words, but got 4294967296}}
  %0 = bquant.constant words(dense<0> : tensor<1x4294967296x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<4294967296x32, 1>
  return
}

// -----

func.func @f(%x: tensor<2x8xf32>, %v: tensor<3x2xf32>) {
  // expected-error @+1 {{[solve_c1] expected ls of 1, 2 or T, gf or twn, but got #bquant.scheme<ls, 3>}}
  %0 = bquant.solve <ls, 3> ins(%x : tensor<2x8xf32>) outs(%v : tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>, %v: tensor<1x2xf32>) {
  // expected-error @+1 {{[solve_c2] expected an input of static shape G x N, but got 'tensor<?x8xf32>'}}
  %0 = bquant.solve <ls, 1> ins(%x : tensor<?x8xf32>) outs(%v : tensor<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8xf32>, %v: tensor<2x2xf32>, %s: tensor<63xi8>) {
  // expected-error @+1 {{[solve_c3] expected outs of the shapes of 'tensor<2x2xf32>', 'tensor<768xi8>', but got 'tensor<2x2xf32>', 'tensor<63xi8>'}}
  %0:2 = bquant.solve <ls, 2> ins(%x : tensor<2x8xf32>) outs(%v, %s : tensor<2x2xf32>, tensor<63xi8>)
      -> tensor<2x2xf32>, tensor<63xi8>
  return
}

// -----

func.func @f(%x: tensor<2x8xf32>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c4] expected tensors, but got 'memref<1x2xf32>'}}
  bquant.solve <ls, 1> ins(%x : tensor<2x8xf32>) outs(%v : memref<1x2xf32>)
  return
}

// -----

func.func @f(%x: memref<2x8xf32>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c5] expected results of the types of outs on tensors, else none}}
  %0 = bquant.solve <ls, 1> ins(%x : memref<2x8xf32>) outs(%v : memref<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f(%x: memref<2x8xf32, strided<[9, 1]>>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c6] expected memrefs without gaps, but got 'memref<2x8xf32, strided<[9, 1]>>'}}
  bquant.solve <ls, 1> ins(%x : memref<2x8xf32, strided<[9, 1]>>) outs(%v : memref<1x2xf32>)
  return
}

// -----

func.func @f(%x: memref<2x8192xf32>, %v: memref<2x2xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c1] expected an input of static shape 1 x N, but got 'memref<2x8192xf32>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<2x8192xf32>) outs(%v, %s : memref<2x2xf32>, memref<66432xi8>)
  return
}

// -----

func.func @f(%x: memref<1x4096xf32>, %v: memref<2x1xf32>, %s: memref<33472xi8>) {
  // expected-error @+1 {{[solve_step_c2] expected ls of 2 or T for more values than a part has, but got #bquant.scheme<ls, 2> for 'memref<1x4096xf32>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x4096xf32>) outs(%v, %s : memref<2x1xf32>, memref<33472xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<3x1xf32>, %s: memref<8xi8>) {
  // expected-error @+1 {{[solve_step_c2] expected ls of 2 or T for more values than a part has, but got #bquant.scheme<ls, 3> for 'memref<1x8192xf32>'}}
  bquant.solve_step begin <ls, 3> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<3x1xf32>, memref<8xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<2x1xf32>, %s: memref<66431xi8>) {
  // expected-error @+1 {{[solve_step_c3] expected an out of the shape of 'tensor<66432xi8>', but got 'memref<66431xi8>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<2x1xf32>, memref<66431xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32, strided<[8192, 2]>>, %v: memref<2x1xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c4] expected memrefs without gaps, but got 'memref<1x8192xf32, strided<[8192, 2]>>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32, strided<[8192, 2]>>) outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<2x1xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c5] expected a part for keep}}
  bquant.solve_step keep <ls, 2> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c1] expected a filter of f32, or planes of i32 of one type, but got 'tensor<8x40xf32>', 'tensor<8x40xf32>'}}
  %0:2 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x40xf32>, tensor<8x40xf32>)
      outs(%y, %y : tensor<4x40xf32>, tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>, tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c2] expected positive ratios of two or more planes, one for each, but got [2, 1, 1] of 2}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32>, tensor<8x2xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] ratios = [2, 1, 1] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c3] expected 2 outs of one type, but got 'tensor<4x40xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w, %w : tensor<8x2xi32>, tensor<8x2xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c4] expected 2 maps, but got 1}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c4] expected a map of 3 loops for 'tensor<8x40xf32>', but got affine_map<(d0, d1) -> (d0, d1)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(k, n) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c5] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (-d2 + 7, d1)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (7 - k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c5] expected indices that are sums of loops times positive numbers, or count blocks of loops, but got affine_map<(d0, d1, d2) -> (d2, d1 mod 8)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n mod 8)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c6] expected words along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d2, d0)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, m)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c7] expected each reduction to be an index by itself, but got none that is d3}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k + l, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x3xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c8] expected 2 along dimension 1 of operand 1, but got 'tensor<8x3xi32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x3xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c8] expected at least 5 along dimension 1 of operand 1, but got 'tensor<8x4xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x4xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n floordiv 8)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<2x8x16xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c9] expected filters in blocks of 32 channels, with 32 lanes each, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)> for 'tensor<2x8x16xf32>'}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<2x8x16xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<40x8x1xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c9] expected filters in blocks of 32 channels, with 1 words each, but got affine_map<(d0, d1, d2) -> (d1, d2)> for 'tensor<40x8x1xi32>'}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<40x8x1xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @table_product_c1(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %v: tensor<2x3x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c1] expected filters of one type, but got 'tensor<2x2x32xi32>', 'tensor<2x3x32xi32>'}}
  %0:2 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w, %v : tensor<2x2x32xi32>, tensor<2x3x32xi32>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c2(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c2] expected 1 outs and results of one type, but got 'tensor<2x40xf32>', 'tensor<2x40xf32>'}}
  %0:2 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c3(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c3] expected maps of all loops, more than the results have, to all dimensions but the last, but got affine_map<(d0, d1, d2) -> (d0)> for 'tensor<2x20x8xf32>'}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c4(%t: tensor<2x20x32xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c4] expected a kernel by tables of as many entries as the input has, but got #bquant.sum_table<rows = 2, channels = 32, bits = 256> and 32}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x32xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c5(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c5] expected a filter that is indexed by loop 2 alone, which gives it its size}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d * 2)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c6(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c6] expected a last loop of steps of 10 elements, but got 2}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c7(%t: tensor<2x19x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c7] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d0, d2)> for 'tensor<2x19x8xf32>'}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x19x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @float_product_c11(%x: tensor<2x60xf32>, %w: tensor<60x2xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[float_product_c11] expected a kernel that adds one product after the other, but got #bquant.sum_table<rows = 2, channels = 32, bits = 256>}}
  %0 = bquant.float_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%x : tensor<2x60xf32>) filters(%w : tensor<60x2xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xf32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16, or the filter in pairs of i32 where it is laid out for a kernel, but got 'tensor<4x8xbf16>' and 'tensor<8x40xf32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xf32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x40xbf16>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16, or the filter in pairs of i32 where it is laid out for a kernel, but got 'tensor<4x8xf32>' and 'tensor<8x40xbf16>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x40xbf16>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xbf16>, %w: tensor<8x40xi32>, %y: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c10] expected input and filter both of bf16}}
  %0 = bquant.float_product ins(%x : tensor<4x8xbf16>) filters(%w : tensor<8x40xi32>)
      outs(%y : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return
}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 512] bits, but got 256}}
func.func private @f() attributes {a = #bquant.bf16<rows = 1, channels = 32, bits = 256>}

// -----

#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d1)>
func.func @float_product_c12(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %l: tensor<40xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c12] expected two or more levels of one type after as many planes of i32 without ratios as number them, but got 3 after 'tensor<8x2xi32>'}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32>)
      levels(%l, %l, %l : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#l = affine_map<(d0, d1, d2) -> (d0)>
func.func @float_product_c6_levels(%x: tensor<4x8xf32>, %w: tensor<8x2xi32>, %l: tensor<4xf32>, %o: tensor<4x40xf32>) {
  // expected-error @+1 {{[float_product_c6] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d0)>}}
  %0 = bquant.float_product ins(%x : tensor<4x8xf32>) filters(%w : tensor<8x2xi32>)
      levels(%l, %l : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4x40xf32>)
      maps = [#x, #w, #l, #l] -> tensor<4x40xf32>
  return
}

// -----

func.func @float_product_c6_blocks(%x: tensor<4x8xf32>, %w: tensor<1x8x1xi32>, %l: tensor<1x8x32xf32>, %o: tensor<4x32xf32>) {
  // expected-error @+1 {{[float_product_c6] expected levels along the last loop of the results, but got affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>}}
  %0 = bquant.float_product kernel(#bquant.fma<rows = 3, channels = 32, bits = 256>) ins(%x : tensor<4x8xf32>) filters(%w : tensor<1x8x1xi32>)
      levels(%l, %l : tensor<1x8x32xf32>, tensor<1x8x32xf32>) outs(%o : tensor<4x32xf32>)
      maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>,
              affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>, affine_map<(d0, d1, d2) -> (d1 floordiv 32, d2)>] -> tensor<4x32xf32>
  return
}
