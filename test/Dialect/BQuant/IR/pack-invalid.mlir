// Each numbered constraint of `bquant.pack`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

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
