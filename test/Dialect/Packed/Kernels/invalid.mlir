// RUN: bquant-test-opt %s --split-input-file --verify-diagnostics

#blocks = #bquant_packed.layout.blocks<rows = #bquant_test.layout.pairs, block = 4, lanes = 4>
#words = #bquant_packed.layout.words

func.func @odd(%x: tensor<4x3xi32, #words>, %w: tensor<1x3x4xi32, #blocks>, %y: tensor<4x4xi32>) {
  // expected-error @+1 {{[product_c13] expected a last loop of steps of 2 elements, but got 3}}
  %0 = bquant_packed.product kernel(#bquant_test.parity<rows = 4, channels = 4>) ins(%x : tensor<4x3xi32, #words>) filters(%w : tensor<1x3x4xi32, #blocks>)
      outs(%y : tensor<4x4xi32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 4, k)>] -> tensor<4x4xi32>
  return
}

// -----

// Layouts of any dialect hold tensors to their elements.
// expected-error @+1 {{[layout_c7] expected elements of 'i8', but got 'i32'}}
func.func private @f(tensor<8x68xi32, #bquant_test.layout.fours>)
