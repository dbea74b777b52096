// Each numbered constraint of `bquant.dequantize`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%q: !bquant.tensor<4x64, 1>) {
  // expected-error @+1 {{[dequantize_c1] expected a result of shape [4, 64]}}
  %0 = bquant.dequantize %q : !bquant.tensor<4x64, 1> -> tensor<4x65xf32>
  return
}
