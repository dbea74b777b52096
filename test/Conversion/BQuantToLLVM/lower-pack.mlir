// RUN: bquant-opt %s --bquant-lower-pack | FileCheck %s

// CHECK-LABEL: func @pack
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 31]
// CHECK: tensor.expand_shape {{.*}} tensor<8x64xi1> into tensor<8x2x32xi1>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK-NOT: bquant
func.func @pack(%b: tensor<8x33xi1>, %init: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %w = bquant.pack layout = words ins(%b : tensor<8x33xi1>)
      outs(%init : tensor<8x2xi32>) -> tensor<8x2xi32>
  return %w : tensor<8x2xi32>
}

// CHECK-LABEL: func @unpack
// CHECK: arith.divui
// CHECK: tensor.extract
// CHECK: arith.trunci
// CHECK-NOT: bquant
func.func @unpack(%w: tensor<8x2xi32>, %init: tensor<8x33xi1>) -> tensor<8x33xi1> {
  %b = bquant.unpack layout = words ins(%w : tensor<8x2xi32>)
      outs(%init : tensor<8x33xi1>) -> tensor<8x33xi1>
  return %b : tensor<8x33xi1>
}
