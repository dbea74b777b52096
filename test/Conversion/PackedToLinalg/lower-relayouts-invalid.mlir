// RUN: bquant-test-opt %s --bquant-lower-relayouts --split-input-file --verify-diagnostics
// RUN: bquant-test-opt %s --bquant-decompose-packed --split-input-file --verify-diagnostics

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>
#words = #bquant_packed.layout.words

// An index is no part of a word.
func.func @f(%w: tensor<40x1xi32, #words>) -> tensor<2x1x32xi32, #blocks> {
  // expected-error @+1 {{[relayout_c4] expected a constant filter for the layout #bquant_packed.layout.blocks<rows = #bquant_packed.layout.indices<terms = 3>, block = 32, lanes = 8>}}
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<2x1x32xi32, #blocks>
  return %0 : tensor<2x1x32xi32, #blocks>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_test.layout.pairs, block = 4, lanes = 4>
#words = #bquant_packed.layout.words

// A word that is no word of `words`.
func.func @f(%w: tensor<40x2xi32, #words>) -> tensor<10x2x4xi32, #blocks> {
  // expected-error @+1 {{[relayout_c4]}}
  %0 = bquant_packed.relayout %w channels = 64 outputs = 0 : tensor<40x2xi32, #words> -> tensor<10x2x4xi32, #blocks>
  return %0 : tensor<10x2x4xi32, #blocks>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.codes, block = 16, lanes = 16>
#words = #bquant_packed.layout.words

// A code is of all planes.
func.func @f(%w: tensor<40x1xi32, #words>) -> tensor<3x12x16xi8, #blocks> {
  // expected-error @+1 {{[relayout_c4]}}
  %0 = bquant_packed.relayout %w channels = 9 outputs = 0 : tensor<40x1xi32, #words> -> tensor<3x12x16xi8, #blocks>
  return %0 : tensor<3x12x16xi8, #blocks>
}
