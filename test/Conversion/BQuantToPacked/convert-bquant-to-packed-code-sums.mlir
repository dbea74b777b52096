// By a filter of +1 codes are summed without a product; where a product of 8 bits
// beside it sums them, too, that is the same sum.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=sapphirerapids" --bquant-select-kernels=strategy=bytes \
// RUN:   --convert-bquant-to-packed --canonicalize --cse --bquant-verify-words | FileCheck %s

// CHECK-LABEL: func.func @beside_codes
// CHECK: bquant_packed.product {{.*}} -> tensor<1x64xi32>
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<1x128xi8, #codes>, tensor<128xi32>)
// CHECK: arith.extui
// CHECK-NEXT: arith.addi
// CHECK-NOT: bquant_packed.product
// CHECK-NOT: "reduction"
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], {{.*}} outs(%{{.*}} : tensor<1x1xi32>)
// CHECK: return
func.func @beside_codes(%x: tensor<1x128xf32>, %v: tensor<1xf32>) -> (tensor<1x64xi32>, tensor<1x1xi32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x128xf32> -> !bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<8x64x4xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x128, [128, 64, 32, 16, 8, 4, 2, 1]>
  %ones = bquant.constant words(dense<-1> : tensor<1x1x4xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x128, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<64x128, [128, 64, 32, 16, 8, 4, 2, 1]>) -> tensor<1x64xi32>
  %1 = bquant.matmul %q, %ones : (!bquant.tensor<1x128, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<1x128, 1>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x64xi32>, tensor<1x1xi32>
}

// One sign that is -1 takes the product.

// CHECK-LABEL: func.func @not_all_one
// CHECK: bquant_packed.product
func.func @not_all_one(%x: tensor<1x128xf32>, %v: tensor<1xf32>) -> tensor<1x1xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x128xf32> -> !bquant.tensor<1x128, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<[[[-1, -1, -1, -2]]]> : tensor<1x1x4xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x128, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x128, [8, 4, 2, 1]>, !bquant.tensor<1x128, 1>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
