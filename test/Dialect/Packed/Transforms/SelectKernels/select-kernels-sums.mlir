// The sum of a value that is beside a product of its codes takes the codes, too:
// no other layout is made for it. Alone it takes what is cheapest.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=sapphirerapids" --bquant-select-kernels | FileCheck %s

// CHECK-LABEL: func.func @beside_codes
// CHECK: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<{{.*}} -> tensor<1x64xi32>
// CHECK: bquant.matmul {{.*}} kernel(#bquant_packed.bytes<{{.*}} -> tensor<1x1xi32>
func.func @beside_codes(%x: tensor<1x128xf32>, %v: tensor<1xf32>) -> (tensor<1x64xi32>, tensor<1x1xi32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x128xf32> -> !bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<8x64x4xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x128, [128, 64, 32, 16, 8, 4, 2, 1]>
  %ones = bquant.constant words(dense<-1> : tensor<1x1x4xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x128, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<64x128, [128, 64, 32, 16, 8, 4, 2, 1]>) -> tensor<1x64xi32>
  %1 = bquant.matmul %q, %ones : (!bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<1x128, 1>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x64xi32>, tensor<1x1xi32>
}

// CHECK-LABEL: func.func @alone
// CHECK: bquant.matmul {{.*}} kernel(#bquant_packed.scalar<
func.func @alone(%x: tensor<1x128xf32>, %v: tensor<1xf32>) -> tensor<1x1xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x128xf32> -> !bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>
  %ones = bquant.constant words(dense<-1> : tensor<1x1x4xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x128, 1>
  %0 = bquant.matmul %q, %ones : (!bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<1x128, 1>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
