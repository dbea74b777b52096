// Each numbered constraint of `bquant_packed.unpack`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error @+1 {{[unpack_c1] expected at least one operand}}
  "bquant_packed.unpack"() : () -> ()
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<i32, #words>, %b: tensor<i1>) {
  // expected-error @+1 {{[unpack_c2] expected rank >= 1}}
  %0 = bquant_packed.unpack ins(%a : tensor<i32, #words>) outs(%b : tensor<i1>) -> tensor<i1>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x2xi32, #words>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c3] expected 'tensor<4x3xi32, #bquant_packed.layout.words>' for each 'tensor<4x65xi1>' in the layout words, but got 'tensor<4x2xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.unpack ins(%a : tensor<4x2xi32, #words>) outs(%b : tensor<4x65xi1>) -> tensor<4x65xi1>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x3xi32, #words>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c4] expected results of the types of outs}}
  %0 = "bquant_packed.unpack"(%a, %b) : (tensor<4x3xi32, #words>, tensor<4x65xi1>) -> tensor<5x65xi1>
  return
}

// -----

#nibbles = #bquant_packed.layout.nibbles

func.func @f(%a: tensor<4x17xi8, #nibbles>, %b: tensor<4x65xi1>) {
  // expected-error @+1 {{[unpack_c5] expected the layout words, but got nibbles}}
  %0 = bquant_packed.unpack ins(%a : tensor<4x17xi8, #nibbles>) outs(%b : tensor<4x65xi1>) -> tensor<4x65xi1>
  return
}
