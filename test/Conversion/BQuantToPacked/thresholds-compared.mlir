// Of many thresholds that no line gives the rank among, users are told.
//
// RUN: bquant-opt %s --convert-bquant-to-packed --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: remark: [Missed] thresholds-compared | Category:bquant | Function=uneven {{.*}}bquant.quantize: compares each value with 31 thresholds, since they are not evenly spaced, or one is 0
// CHECK: remark: [Missed] thresholds-compared | Category:bquant | Function=codes {{.*}}bquant.quantize: compares each value with 31 thresholds, since its codes are not the ranks
// CHECK: remark: [Missed] thresholds-compared | Category:bquant | Function=given {{.*}}bquant.quantize: compares each value with 31 thresholds, since they are not constant
// CHECK-NOT: remark

func.func @uneven(%x: tensor<4x2xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 333]> : tensor<31xi32>
  %q = bquant.quantize %x thresholds(%t : tensor<31xi32>) codes [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [16, 8, 4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [16, 8, 4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}

func.func @codes(%x: tensor<4x2xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300]> : tensor<31xi32>
  %q = bquant.quantize %x thresholds(%t : tensor<31xi32>) codes [31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [16, 8, 4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [16, 8, 4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}

func.func @given(%x: tensor<4x2xi32>, %t: tensor<31xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %q = bquant.quantize %x thresholds(%t : tensor<31xi32>) codes [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [16, 8, 4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [16, 8, 4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}
