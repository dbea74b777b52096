// Each numbered constraint of `bquant.solve_step`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: memref<2x8192xf32>, %v: memref<2x2xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c1] expected an input of static shape 1 x N with N < 2^58, but got 'memref<2x8192xf32>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<2x8192xf32>) outs(%v, %s : memref<2x2xf32>, memref<66432xi8>)
  return
}

// -----

func.func @f(%x: memref<1x9223372036854775807xf32>, %v: memref<2x1xf32>, %s: memref<8xi8>) {
  // expected-error @+1 {{[solve_step_c1] expected an input of static shape 1 x N with N < 2^58, but got 'memref<1x9223372036854775807xf32>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x9223372036854775807xf32>) outs(%v, %s : memref<2x1xf32>, memref<8xi8>)
  return
}

// -----

func.func @f(%x: memref<1x4096xf32>, %v: memref<2x1xf32>, %s: memref<33472xi8>) {
  // expected-error @+1 {{[solve_step_c2] expected ls of 2 or T for more values than a part has, but got #bquant.scheme<ls, 2> for 'memref<1x4096xf32>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x4096xf32>) outs(%v, %s : memref<2x1xf32>, memref<33472xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<3x1xf32>, %s: memref<8xi8>) {
  // expected-error @+1 {{[solve_step_c2] expected ls of 2 or T for more values than a part has, but got #bquant.scheme<ls, 3> for 'memref<1x8192xf32>'}}
  bquant.solve_step begin <ls, 3> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<3x1xf32>, memref<8xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<2x1xf32>, %s: memref<66431xi8>) {
  // expected-error @+1 {{[solve_step_c3] expected an out of the shape of 'tensor<66432xi8>', but got 'memref<66431xi8>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<2x1xf32>, memref<66431xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32, strided<[8192, 2]>>, %v: memref<2x1xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c4] expected memrefs without gaps, but got 'memref<1x8192xf32, strided<[8192, 2]>>'}}
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32, strided<[8192, 2]>>) outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  return
}

// -----

func.func @f(%x: memref<1x8192xf32>, %v: memref<2x1xf32>, %s: memref<66432xi8>) {
  // expected-error @+1 {{[solve_step_c5] expected a part for keep}}
  bquant.solve_step keep <ls, 2> ins(%x : memref<1x8192xf32>) outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  return
}
