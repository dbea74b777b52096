// Each numbered constraint of `bquant.unpack`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

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
