// Each numbered constraint of `bquant.solve`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x8xf32>, %v: tensor<3x2xf32>) {
  // expected-error @+1 {{[solve_c1] expected ls of 1, 2 or T, gf or twn, but got #bquant.scheme<ls, 3>}}
  %0 = bquant.solve <ls, 3> ins(%x : tensor<2x8xf32>) outs(%v : tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<?x8xf32>, %v: tensor<1x2xf32>) {
  // expected-error @+1 {{[solve_c2] expected an input of static shape G x N with N < 2^58, but got 'tensor<?x8xf32>'}}
  %0 = bquant.solve <ls, 1> ins(%x : tensor<?x8xf32>) outs(%v : tensor<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f(%x: tensor<1x9223372036854775807xf32>, %v: tensor<2x1xf32>, %s: tensor<8xi8>) {
  // expected-error @+1 {{[solve_c2] expected an input of static shape G x N with N < 2^58, but got 'tensor<1x9223372036854775807xf32>'}}
  %0:2 = bquant.solve <ls, 2> ins(%x : tensor<1x9223372036854775807xf32>) outs(%v, %s : tensor<2x1xf32>, tensor<8xi8>) -> tensor<2x1xf32>, tensor<8xi8>
  return
}

// -----

func.func @f(%x: tensor<2x8xf32>, %v: tensor<2x2xf32>, %s: tensor<63xi8>) {
  // expected-error @+1 {{[solve_c3] expected outs of the shapes of 'tensor<2x2xf32>', 'tensor<768xi8>', but got 'tensor<2x2xf32>', 'tensor<63xi8>'}}
  %0:2 = bquant.solve <ls, 2> ins(%x : tensor<2x8xf32>) outs(%v, %s : tensor<2x2xf32>, tensor<63xi8>)
      -> tensor<2x2xf32>, tensor<63xi8>
  return
}

// -----

func.func @f(%x: tensor<2x8xf32>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c4] expected tensors, but got 'memref<1x2xf32>'}}
  bquant.solve <ls, 1> ins(%x : tensor<2x8xf32>) outs(%v : memref<1x2xf32>)
  return
}

// -----

func.func @f(%x: memref<2x8xf32>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c5] expected results of the types of outs on tensors, else none}}
  %0 = bquant.solve <ls, 1> ins(%x : memref<2x8xf32>) outs(%v : memref<1x2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @f(%x: memref<2x8xf32, strided<[9, 1]>>, %v: memref<1x2xf32>) {
  // expected-error @+1 {{[solve_c6] expected memrefs without gaps, but got 'memref<2x8xf32, strided<[9, 1]>>'}}
  bquant.solve <ls, 1> ins(%x : memref<2x8xf32, strided<[9, 1]>>) outs(%v : memref<1x2xf32>)
  return
}
