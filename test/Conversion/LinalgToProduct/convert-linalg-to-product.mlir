// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-linalg-to-product | FileCheck %s --check-prefixes=CHECK,FUSED,BYTES
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --convert-linalg-to-product=bytes=false | FileCheck %s --check-prefixes=CHECK,ROUNDED,LOOPS

// CHECK-LABEL: @floats
// FUSED: bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 128>) fused ins(%{{.*}} : tensor<8x3xf32>) filters(%{{.*}} : tensor<3x40xf32>) outs(%{{.*}} : tensor<8x40xf32>) maps = [#{{.*}}, #{{.*}}] -> tensor<8x40xf32>
// ROUNDED: bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 128>) ins(%{{.*}} : tensor<8x3xf32>)
func.func @floats(%x: tensor<8x3xf32>, %w: tensor<3x40xf32>, %y: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %0 = linalg.matmul {bquant.kernel = #bquant_packed.fma<rows = 3, channels = 32, bits = 128>}
      ins(%x, %w : tensor<8x3xf32>, tensor<3x40xf32>) outs(%y : tensor<8x40xf32>) -> tensor<8x40xf32>
  return %0 : tensor<8x40xf32>
}

// Sizes that no kernel takes; one that none of floats is chosen for.
// CHECK-LABEL: @without_kernel
// CHECK-NOT: linalg.matmul
// CHECK: bquant_packed.product {{.*}}ins(%{{.*}} : tensor<?x3xf32>)
// CHECK: linalg.matmul
func.func @without_kernel(%x: tensor<?x3xf32>, %w: tensor<3x40xf32>, %y: tensor<?x40xf32>) -> (tensor<?x40xf32>, tensor<?x40xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x40xf32>) outs(%y : tensor<?x40xf32>) -> tensor<?x40xf32>
  %1 = linalg.matmul {bquant.kernel = #bquant_packed.scalar<rows = 4, channels = 32, bits = 64>}
      ins(%x, %w : tensor<?x3xf32>, tensor<3x40xf32>) outs(%y : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %0, %1 : tensor<?x40xf32>, tensor<?x40xf32>
}

// Of 1024 steps the largest sum is 2^24, of 1025 it is more than floats hold.
// CHECK-LABEL: @bytes
// BYTES: arith.sitofp
// BYTES: bquant_packed.product fused ins(%{{.*}} : tensor<4x1024xf32>)
// BYTES: arith.fptosi
// LOOPS: linalg.matmul ins(%{{.*}} : tensor<4x1024xi8>
// CHECK: linalg.matmul ins(%{{.*}} : tensor<4x1025xi8>
func.func @bytes(%x: tensor<4x1024xi8>, %w: tensor<1024x8xi8>, %a: tensor<4x1025xi8>, %b: tensor<1025x8xi8>, %y: tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<4x1024xi8>, tensor<1024x8xi8>) outs(%y : tensor<4x8xi32>) -> tensor<4x8xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x1025xi8>, tensor<1025x8xi8>) outs(%y : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0, %1 : tensor<4x8xi32>, tensor<4x8xi32>
}
