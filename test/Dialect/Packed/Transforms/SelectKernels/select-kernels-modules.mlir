// RUN: bquant-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(builtin.module(bquant-select-kernels{strategy=popcount}))' --verify-diagnostics

// One pass runs on both modules: what the strategy serves in the first does not
// count in the second.
module attributes {llvm.target = #llvm.target<triple = "x86_64-linux-gnu", chip = "znver4">} {
  func.func @served(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}

module attributes {llvm.target = #llvm.target<triple = "x86_64-linux-gnu", chip = "haswell">} {
  func.func @not_served(%x: tensor<8x256xf32>, %v: tensor<1xf32>) -> tensor<8x16xi32> {
    %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x256xf32> -> !bquant.tensor<8x256, 1>
    %w = bquant.constant words(dense<5> : tensor<1x16x8xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<16x256, 1>
    // expected-error @below {{expected a strategy that serves a layer, but 'popcount' serves none}}
    %0 = bquant.matmul %q, %w : (!bquant.tensor<8x256, 1>, !bquant.tensor<16x256, 1>) -> tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
}
