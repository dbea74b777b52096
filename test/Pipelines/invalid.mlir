// What a route cannot compile is reported where it stands in the source, at the
// end of the stage that should have taken it.
//
// RUN: bquant-opt %s --bquant-fast --split-input-file --verify-diagnostics -o /dev/null
// RUN: bquant-opt %s --bquant-reference --split-input-file --verify-diagnostics -o /dev/null
//
// RUN: not bquant-opt %S/route.mlir --bquant-fast=threads=0 -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: expected at least 1 thread, but got 0
//
// A route and a stage are of modules.
// RUN: not bquant-opt %S/route.mlir --pass-pipeline='builtin.module(func.func(bquant-fast))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROUTE
// ROUTE: expected pipeline 'bquant-fast' on 'builtin.module', but got it on 'func.func'
// RUN: not bquant-opt %S/route.mlir --pass-pipeline='builtin.module(func.func(bquant-pack-pipeline{threads=2}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: expected pipeline 'bquant-pack-pipeline' on 'builtin.module', but got it on 'func.func'

// expected-error @below {{[batch_to_sample_c1] expected the leading dimension alone to be dynamic}}
func.func @dynamic(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %y = math.absf %x : tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// -----

func.func @batch(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{but it solves one set of scalars for the whole batch}}
  %q = bquant.quantize %x scheme(<ls, 1>) : tensor<?x8xf32> -> !bquant.tensor<?x8, 1>
  %y = bquant.dequantize %q : !bquant.tensor<?x8, 1> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected arguments and results of public function 'indices' to be tensors of static shape and of}}
func.func @indices(%x: tensor<8xindex>) -> tensor<8xindex> {
  return %x : tensor<8xindex>
}

// -----

func.func @scheme(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @below {{[verify_words_c2] expected a scheme that can be solved at run time}}
  %q = bquant.quantize %x scheme(<ls, 3>) : tensor<2x8xf32> -> !bquant.tensor<2x8, 3>
  %y = bquant.dequantize %q : !bquant.tensor<2x8, 3> -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
