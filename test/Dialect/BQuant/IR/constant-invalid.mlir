// Each numbered constraint of `bquant.constant`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

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

func.func @f() {
  // expected-error @+1 {{[constant_c10] expected at most 2147483648 words, but got 4294967296}}
  %0 = bquant.constant words(dense<0> : tensor<1x4294967296x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<4294967296x32, 1>
  return
}
