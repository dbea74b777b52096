// RUN: bquant-opt --bquant-quantize="skip=first" --verify-diagnostics --split-input-file %s
// RUN: not bquant-opt --bquant-quantize="weights=fp" %s 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not bquant-opt --bquant-quantize="weights=ls-9" %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not bquant-opt --bquant-quantize="activations=ls-3" %s 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not bquant-opt --bquant-quantize="clamp=-1" %s 2>&1 | FileCheck %s --check-prefix=CLAMP
// RUN: not bquant-opt --bquant-quantize="skip=[" %s 2>&1 | FileCheck %s --check-prefix=PATTERN

// WEIGHTS: error: expected weights of ls-k, ls-T, gf-k, bwn or twn, but got 'fp'
// NAME: error: expected weights of ls-k, ls-T, gf-k, bwn or twn, but got 'ls-9'
// INPUTS: error: expected activations of ls-1, ls-2, ls-T, gf-k, twn or fp, but got 'ls-3'
// CLAMP: error: expected a clamp of at least 0, but got -1
// PATTERN: error: expected a pattern of names, but got '['

// expected-error@below {{expected products of floats by constant filters to quantize, but got none of 0}}
module {
  func.func @none(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}

// -----

// expected-error@below {{expected products of floats by constant filters to quantize, but got none that 'skip' leaves of 1}}
module {
  func.func @skipped(%x: tensor<8x8xf32>, %z: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %h = arith.constant dense<0.75> : tensor<4x8xf32>
    %q = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
        affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %h : tensor<8x8xf32>, tensor<4x8xf32>)
        outs(%z : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %q : tensor<8x4xf32>
  }
}
