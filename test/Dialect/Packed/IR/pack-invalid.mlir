// Each numbered constraint of `bquant_packed.pack`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error @+1 {{[pack_c1] expected at least one operand}}
  "bquant_packed.pack"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<i1>, %b: tensor<i32, #words>) {
  // expected-error @+1 {{[pack_c2] expected rank >= 1}}
  %0 = bquant_packed.pack ins(%a : tensor<i1>) outs(%b : tensor<i32, #words>) -> tensor<i32, #words>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x2xi32, #words>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x3xi32, #bquant_packed.layout.words>' for each 'tensor<4x65xi1>' in the layout words, but got 'tensor<4x2xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.pack ins(%a : tensor<4x65xi1>) outs(%b : tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>
  return
}

// -----

#words = #bquant_packed.layout.words

// A result for each input and layout, each as its layout has it.
func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32, #words>) {
  // expected-error @+1 {{[pack_c3] expected packed planes of each of 2 in each layout, but got 1}}
  %0 = bquant_packed.pack ins(%a, %a : tensor<4x65xi1>, tensor<4x65xi1>) outs(%b : tensor<4x3xi32, #words>) -> tensor<4x3xi32, #words>
  return
}

// -----

#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32, #words>, %c: tensor<4x16xi8, #nibbles>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x17xi8, #bquant_packed.layout.nibbles>' for each 'tensor<4x65xi1>' in the layout nibbles, but got 'tensor<4x16xi8, #bquant_packed.layout.nibbles>'}}
  %0:2 = bquant_packed.pack ins(%a : tensor<4x65xi1>) outs(%b, %c : tensor<4x3xi32, #words>, tensor<4x16xi8, #nibbles>) -> tensor<4x3xi32, #words>, tensor<4x16xi8, #nibbles>
  return
}

// -----

#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi8, #nibbles>, %c: tensor<4x17xi32, #words>) {
  // expected-error @+1 {{[pack_c3] expected 'tensor<4x17xi8, #bquant_packed.layout.nibbles>' for each 'tensor<4x65xi1>' in the layout nibbles, but got 'tensor<4x3xi8, #bquant_packed.layout.nibbles>'}}
  %0:2 = bquant_packed.pack ins(%a : tensor<4x65xi1>) outs(%b, %c : tensor<4x3xi8, #nibbles>, tensor<4x17xi32, #words>) -> tensor<4x3xi8, #nibbles>, tensor<4x17xi32, #words>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x65xi1>, %b: tensor<4x3xi32, #words>) {
  // expected-error @+1 {{[pack_c4] expected results of the types of outs}}
  %0 = "bquant_packed.pack"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4x65xi1>, tensor<4x3xi32, #words>) -> tensor<5x3xi32, #words>
  return
}

// -----

#codes = #bquant_packed.layout.codes

func.func @pack_c5(%b: tensor<4x64xi1>, %out: tensor<4x64xi8, #codes>) {
  // expected-error @+1 {{[pack_c5] expected layouts of single planes with tiles of whole words, but got codes}}
  %0 = bquant_packed.pack ins(%b : tensor<4x64xi1>) outs(%out : tensor<4x64xi8, #codes>) -> tensor<4x64xi8, #codes>
  return
}

// -----

#indices = #bquant_packed.layout.indices<terms = 3>

func.func @f(%b: tensor<4x33xi1>, %w: tensor<4x2xi32, #indices>) {
  // expected-error @+1 {{[pack_c5] expected layouts of single planes with tiles of whole words, but got indices}}
  %0 = bquant_packed.pack ins(%b : tensor<4x33xi1>) outs(%w : tensor<4x2xi32, #indices>) -> tensor<4x2xi32, #indices>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @f(%a: tensor<4x65xi1>, %b: tensor<5x65xi1>, %w: tensor<?x3xi32, #words>) {
  // expected-error @+1 {{[pack_c3] expected values of one shape, but got 'tensor<4x65xi1>', 'tensor<5x65xi1>'}}
  %0:2 = bquant_packed.pack ins(%a, %b : tensor<4x65xi1>, tensor<5x65xi1>) outs(%w, %w : tensor<?x3xi32, #words>, tensor<?x3xi32, #words>) -> tensor<?x3xi32, #words>, tensor<?x3xi32, #words>
  return
}
