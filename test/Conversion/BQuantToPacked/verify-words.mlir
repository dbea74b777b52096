// RUN: bquant-opt %s --bquant-verify-words --split-input-file --verify-diagnostics

func.func @left(%x: tensor<2x3xf32>, %v: tensor<1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{[verify_words_c1] expected no bquant op but solve here, but got 'bquant.quantize'}}
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 1>
  // expected-error @+1 {{[verify_words_c1] expected no bquant op but solve here, but got 'bquant.dequantize'}}
  %0 = bquant.dequantize %q : !bquant.tensor<2x3, 1> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @online(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{[verify_words_c2] expected a scheme that can be solved at run time (ls of 1, 2 or T, gf, twn) and a static shape, but got #bquant.scheme<ls, 3> of '!bquant.tensor<2x3, 3>', a value computed at run time}}
  %q = bquant.quantize %x scheme(<ls, 3>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 3>
  return
}

// -----

#words = #bquant_packed.layout.words

func.func @fine(%b: tensor<8x33xi1>) -> tensor<8x2xi32, #words> {
  %init = tensor.empty() : tensor<8x2xi32, #words>
  %w = bquant_packed.pack ins(%b : tensor<8x33xi1>)
      outs(%init : tensor<8x2xi32, #words>) -> tensor<8x2xi32, #words>
  return %w : tensor<8x2xi32, #words>
}

// -----

func.func @nested() {
  // expected-error @+1 {{[verify_words_c1] expected no bquant op but solve here, but got 'tensor.empty'}}
  %0 = tensor.empty() : tensor<4x!bquant.tensor<2x3, 1>>
  return
}
