// Each numbered constraint of the attributes that the dialect checks.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

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
