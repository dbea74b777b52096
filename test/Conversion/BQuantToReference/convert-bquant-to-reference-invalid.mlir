// RUN: bquant-opt %s --convert-bquant-to-reference --split-input-file --verify-diagnostics

// expected-error @+1 {{[reference_c1] expected scaled-binary values to stay between bquant ops, but got one in the signature of 'argument'}}
func.func @argument(%x: !bquant.tensor<2x3, 1>) {
  return
}

// -----

func.func @cast(%x: tensor<2x3xf32>, %v: tensor<1xf32>) -> tensor<2x3xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 1>
  // expected-error @+1 {{[reference_c1] expected scaled-binary values to stay between bquant ops, but got one on 'scf.execute_region'}}
  %c = scf.execute_region -> !bquant.tensor<2x3, 1> {
    scf.yield %q : !bquant.tensor<2x3, 1>
  }
  %0 = bquant.dequantize %c : !bquant.tensor<2x3, 1> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
