// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-vectorize --bquant-explain-scalars --remark-policy=all --remarks-filter=bquant 2>&1 | FileCheck %s

// CHECK: not vectorized: expected elementwise ops in the body
// CHECK: linalg.generic
#id = affine_map<(m) -> (m)>
func.func @gather(%x: tensor<9xf32>, %i: tensor<4xindex>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: index, %s: f32):
    %0 = tensor.extract %x[%a] : tensor<9xf32>
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Each vector is a write, and 144 of them would take bufferization half a minute.
// CHECK: not vectorized: expected elementwise ops in the body, and unit strides or few elements
// CHECK-LABEL: @many_short_rows
// CHECK: linalg.generic
#in = affine_map<(a, b, c) -> (a, b mod 8, c)>
#out = affine_map<(a, b, c) -> (a, b, c)>
func.func @many_short_rows(%x: tensor<3x8x3xf32>, %e: tensor<3x24x3xf32>) -> tensor<3x24x3xf32> {
  %y = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x8x3xf32>) outs(%e : tensor<3x24x3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x24x3xf32>
  return %y : tensor<3x24x3xf32>
}
