// RUN: bquant-opt %s --split-input-file --verify-diagnostics

#words = #bquant_packed.layout.words

func.func @f(%w: tensor<40x1xi32, #words>) {
  // expected-error @+1 {{[relayout_c1] expected a result with the layout of a filter, but got 'tensor<40x1xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<40x1xi32, #words>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%w: tensor<40x1xi32, #words>) {
  // expected-error @+1 {{[relayout_c2] expected words with 33 bits in a row, or as many numbers, and output channels before them, but got 'tensor<40x1xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.relayout %w channels = 33 outputs = 0 : tensor<40x1xi32, #words> -> tensor<2x1x32xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%w: tensor<40x1xi32, #words>) {
  // expected-error @+1 {{[relayout_c2] expected words with 1 bits in a row}}
  %0 = bquant_packed.relayout %w channels = 1 outputs = 1 : tensor<40x1xi32, #words> -> tensor<40x1x32xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%w: tensor<40x1xi32, #words>) {
  // expected-error @+1 {{[relayout_c2] expected words with 9 bits in a row}}
  %0 = bquant_packed.relayout %w channels = 9 outputs = 9223372036854775807 : tensor<40x1xi32, #words> -> tensor<2x1x32xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

func.func @f(%w: tensor<40x1xi32, #words>) {
  // expected-error @+1 {{[relayout_c3] expected 'tensor<2x1x32xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>>', but got 'tensor<1x1x32xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>>'}}
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<1x1x32xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>

func.func @f(%w: tensor<40x70xf32>) {
  // expected-error @+1 {{[relayout_c2] expected rows of numbers, but got #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>}}
  %0 = bquant_packed.relayout %w channels = 70 outputs = 0 : tensor<40x70xf32> -> tensor<2x3x32xi32, #blocks>
  return
}
