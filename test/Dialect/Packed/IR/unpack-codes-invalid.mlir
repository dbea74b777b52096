// RUN: bquant-opt %s --split-input-file --verify-diagnostics

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>

func.func @f() {
  // expected-error @+1 {{[unpack_codes_c1] expected at least one operand}}
  %0 = "bquant_packed.unpack_codes"() <{levels = 15}> : () -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#words = #bquant_packed.layout.words

func.func @f(%a: tensor<2x64xi32, #words>) {
  // expected-error @+1 {{[unpack_codes_c1] expected fields of codes, the widest first, but got 'tensor<2x64xi32, #bquant_packed.layout.words>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #words> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>
#one = #bquant_packed.layout.code_fields<bits = 1>

func.func @f(%a: tensor<2x16xi32, #one>, %b: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c1] expected fields of codes, the widest first, but got 'tensor<2x64xi32, #bquant_packed.layout.code_fields<bits = 4>>'}}
  %0 = bquant_packed.unpack_codes %a, %b levels = 31 : tensor<2x16xi32, #one>, tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c2] expected levels from 1 to 15, but got 16}}
  %0 = bquant_packed.unpack_codes %a levels = 16 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c2] expected levels from 1 to 15, but got 0}}
  %0 = bquant_packed.unpack_codes %a levels = 0 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c3] expected a static result of words of four channels in the layout of a filter, but got 'tensor<2x8x16xi32>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32>
  return
}

// -----

#biased = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<group = 3, biased = true>, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c3]}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #four> -> tensor<2x2x64xi32, #biased>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<levels = 15>, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c3]}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#signs = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c3]}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #four> -> tensor<2x8x16xi32, #signs>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x64xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c3]}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x64xi32, #four> -> tensor<2x?x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x8x16x1xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c4] expected dimensions of blocks and one of words, but got 'tensor<2x8x16x1xi32, #bquant_packed.layout.code_fields<bits = 4>>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x8x16x1xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<i32, #four>) {
  // expected-error @+1 {{[unpack_codes_c4] expected dimensions of blocks and one of words, but got 'tensor<i32, #bquant_packed.layout.code_fields<bits = 4>>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<i32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>
#one = #bquant_packed.layout.code_fields<bits = 1>

func.func @f(%a: tensor<2x18xi32, #four>, %b: tensor<2x5xi32, #one>) {
  // expected-error @+1 {{[unpack_codes_c4] expected blocks of a multiple of 8 words, but got 36}}
  %0 = bquant_packed.unpack_codes %a, %b levels = 31 : tensor<2x18xi32, #four>, tensor<2x5xi32, #one> -> tensor<2x9x4xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x128xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c4] expected 'tensor<2x64xi32, #bquant_packed.layout.code_fields<bits = 4>>', but got 'tensor<2x128xi32, #bquant_packed.layout.code_fields<bits = 4>>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x128xi32, #four> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>
#two = #bquant_packed.layout.code_fields<bits = 2>

func.func @f(%a: tensor<2x64xi32, #four>, %b: tensor<2x8x4xi32, #two>) {
  // expected-error @+1 {{[unpack_codes_c4] expected 'tensor<2x32xi32, #bquant_packed.layout.code_fields<bits = 2>>', but got 'tensor<2x8x4xi32, #bquant_packed.layout.code_fields<bits = 2>>'}}
  %0 = bquant_packed.unpack_codes %a, %b levels = 63 : tensor<2x64xi32, #four>, tensor<2x8x4xi32, #two> -> tensor<2x8x16xi32, #blocks>
  return
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#four = #bquant_packed.layout.code_fields<bits = 4>

func.func @f(%a: tensor<2x18xi32, #four>) {
  // expected-error @+1 {{[unpack_codes_c4] expected blocks of fewer than 2^63 bytes, but got 'tensor<2x9x4611686018427387904xi32, #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>>'}}
  %0 = bquant_packed.unpack_codes %a levels = 15 : tensor<2x18xi32, #four> -> tensor<2x9x4611686018427387904xi32, #blocks>
  return
}
