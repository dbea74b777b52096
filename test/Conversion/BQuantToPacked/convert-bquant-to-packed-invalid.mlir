// RUN: bquant-opt %s --convert-bquant-to-packed --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @+1 {{[words_c1] expected scaled-binary values to stay between bquant ops, but got one in the signature of 'result'}}
func.func private @result() -> !bquant.tensor<2x3, 1>

// -----

func.func @block(%x: tensor<2x3xf32>, %v: tensor<1xf32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 1>
  cf.br ^next(%q : !bquant.tensor<2x3, 1>)
// expected-error @+1 {{[words_c1] expected scaled-binary values to stay between bquant ops, but got a block argument}}
^next(%p: !bquant.tensor<2x3, 1>):
  return
}

// -----

func.func @other(%x: tensor<2x3xf32>, %v: tensor<1xf32>) -> tensor<2x3xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 1>
  // expected-error @+1 {{[words_c1] expected scaled-binary values to stay between bquant ops, but got one on 'test.use'}}
  %0 = "test.use"(%q) : (!bquant.tensor<2x3, 1>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @nibbles(%x: tensor<2x2xi8, #bquant_packed.layout.nibbles>, %v: tensor<1xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{[words_c2] expected uses that read nibbles, but got 'bquant.dequantize', which reads words}}
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x2xi8, #bquant_packed.layout.nibbles>, tensor<1xf32> to !bquant.tensor<2x8, 1>
  %0 = bquant.dequantize %q : !bquant.tensor<2x8, 1> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @codes(%x: tensor<2x8xi8, #bquant_packed.layout.codes>, %v: tensor<1xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{[words_c2] expected uses that read codes, but got 'bquant.dequantize', which reads words}}
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x8xi8, #bquant_packed.layout.codes>, tensor<1xf32> to !bquant.tensor<2x8, [2, 1]>
  %0 = bquant.dequantize %q : !bquant.tensor<2x8, [2, 1]> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @no_layout(%x: tensor<2x1xi32>, %v: tensor<1xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{[words_c3] expected 'tensor<2x1xi32, #bquant_packed.layout.words>', 'tensor<1xf32>' for '!bquant.tensor<2x8, 1>', but got 'tensor<2x1xi32>', 'tensor<1xf32>'}}
  %q = builtin.unrealized_conversion_cast %x, %v
      : tensor<2x1xi32>, tensor<1xf32> to !bquant.tensor<2x8, 1>
  %0 = bquant.dequantize %q : !bquant.tensor<2x8, 1> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @bits_of_bytes(%x: tensor<4x32xi8>, %y: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<1> : tensor<32x2xi8>
  // expected-error @+1 {{[kernel_c4] expected scaled-binary operands for the kernel #bquant_packed.popcount}}
  %0 = linalg.matmul {bquant.kernel = #bquant_packed.popcount<rows = 4, channels = 16, bits = 512>} ins(%x, %w : tensor<4x32xi8>, tensor<32x2xi8>)
      outs(%y : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// -----

func.func @packed_bytes(%x: tensor<4x32xi8>, %y: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<1> : tensor<32x2xi8>
  // expected-error @+1 {{[kernel_c4] expected scaled-binary operands for the kernel #bquant_packed.bytes}}
  %0 = linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 4, channels = 16, bits = 512, summed = 4, levels = 15>} ins(%x, %w : tensor<4x32xi8>, tensor<32x2xi8>)
      outs(%y : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// -----

module attributes {llvm.target = #llvm.target<triple = "x86_64-linux-gnu", chip = "znver4">} {
  func.func @variable_filter(%x: tensor<4x32xi8>, %w: tensor<32x2xi8>, %y: tensor<4x2xi32>) -> tensor<4x2xi32> {
    // expected-error @+1 {{[kernel_c4] expected a constant filter for the kernel #bquant_packed.bytes}}
    %0 = linalg.matmul {bquant.kernel = #bquant_packed.bytes<rows = 4, channels = 16, bits = 512, summed = 4>} ins(%x, %w : tensor<4x32xi8>, tensor<32x2xi8>)
        outs(%y : tensor<4x2xi32>) -> tensor<4x2xi32>
    return %0 : tensor<4x2xi32>
  }
}
