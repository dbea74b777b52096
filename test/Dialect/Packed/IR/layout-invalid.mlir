// RUN: bquant-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{[layout_c1] expected a first bit from 0 to 4, but got 9}}
func.func private @f() attributes {a = #bquant_packed.layout.nibbles<firstBit = 9>}

// -----

// expected-error @+1 {{[layout_c2] expected levels of codes of 1, 2 or 4 bits, or 0, but got 100}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<levels = 100>}

// -----

// expected-error @+1 {{[layout_c8] expected from 1 to 4 codes of a word, 4 with levels, but got 5}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<codes = 5>}

// -----

// expected-error @+1 {{[layout_c8] expected from 1 to 4 codes of a word, 4 with levels, but got 3}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<levels = 15, codes = 3>}

// -----

// expected-error @+1 {{[layout_c9] expected from 1 to 256 words of a group, 1 with levels or fewer than 4 codes, but got 257}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<group = 257>}

// -----

// expected-error @+1 {{[layout_c9] expected from 1 to 256 words of a group, 1 with levels or fewer than 4 codes, but got 2}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<codes = 3, group = 2>}

// -----

// expected-error @+1 {{[layout_c9] expected a group of several words that are biased, but got 1}}
func.func private @f() attributes {a = #bquant_packed.layout.code_words<biased = true>}

// -----

// expected-error @+1 {{[layout_c3] expected 1 to 32 terms, but got 0}}
func.func private @f() attributes {a = #bquant_packed.layout.indices<terms = 0>}

// -----

// expected-error @+1 {{[layout_c5] expected block, lanes, parts and channels together from 1 to 4096, parts of these that divide the lanes, but got 0, 16, 1 and 1}}
func.func private @f() attributes {a = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 0, lanes = 16>}

// -----

// expected-error @+1 {{[layout_c5] expected block, lanes, parts and channels together from 1 to 4096, parts of these that divide the lanes, but got 64, 16, 3 and 1}}
func.func private @f() attributes {a = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 64, lanes = 16, parts = 3>}

// -----

// expected-error @+1 {{[layout_c5] expected block, lanes, parts and channels together from 1 to 4096, parts of these that divide the lanes, but got 64, 16, 4 and 8}}
func.func private @f() attributes {a = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 64, lanes = 16, parts = 4, together = 8>}

// -----

// expected-error @+1 {{[layout_c6] expected fields of 1, 2 or 4 bits, but got 3}}
func.func private @f() attributes {a = #bquant_packed.layout.code_fields<bits = 3>}

// -----

// A kernel is no layout of rows.
// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse Packed_BlocksAttr parameter 'rows'}}
func.func private @f() attributes {a = #bquant_packed.layout.blocks<rows = #bquant_packed.popcount<rows = 7, channels = 32, bits = 512>, block = 64, lanes = 16>}

// -----

func.func @f(%x: tensor<4x2xi32>, %w: tensor<1x2x16xi32>, %y: tensor<4x16xi32>) {
  // expected-error @+1 {{any attribute promising or implementing the `KernelAttrInterface` attr interface}}
  %0 = "bquant_packed.product"(%x, %w, %y) <{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 16, k)>],
      kernel = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>,
      operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<4x2xi32>, tensor<1x2x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}

// -----

// expected-error @+1 {{[layout_c7] expected elements of 'i32', but got 'i8'}}
func.func private @f(tensor<8x3xi8, #bquant_packed.layout.words>)

// -----

// expected-error @+1 {{[layout_c7] expected elements of 'i8', but got 'f32'}}
func.func private @f(tensor<8x17xf32, #bquant_packed.layout.nibbles>)

// -----

// A filter's elements are those of its rows.
// expected-error @+1 {{[layout_c7] expected elements of 'i32', but got 'i8'}}
func.func private @f(tensor<2x3x16xi8, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>>)
