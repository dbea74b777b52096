// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers \
// RUN:   --bquant-tile-pipeline --bquant-inline-layers --remark-policy=all --remarks-filter=bquant 2>&1 | FileCheck %s

// CHECK: not tiled: expected static shapes, results indexed by the outer loops, and of a product a kernel
// CHECK: not tiled: expected it outside of loops and branches
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
func.func @scalar(%x: tensor<9xf32>) -> tensor<f32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<9xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %y : tensor<f32>
}

// CHECK-LABEL: @branch
func.func @branch(%x: tensor<9x9xf32>, %c: i1) -> tensor<9x9xf32> {
  %y = scf.if %c -> tensor<9x9xf32> {
    %e = tensor.empty() : tensor<9x9xf32>
    %r = linalg.exp ins(%x : tensor<9x9xf32>) outs(%e : tensor<9x9xf32>) -> tensor<9x9xf32>
    scf.yield %r : tensor<9x9xf32>
  } else {
    scf.yield %x : tensor<9x9xf32>
  }
  return %y : tensor<9x9xf32>
}
