// Each numbered constraint of `bquant.quantize`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

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
