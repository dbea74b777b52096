// RUN: bquant-opt %s --bquant-prepare-for-raising | FileCheck %s

// A constant filter takes its zero point in; the input's is taken off with the
// sums of the filter, here 3 * (2 + 2) and 3 * (4 - 3).
// CHECK-LABEL: @constant
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}2, 4], [2, -3]]> : tensor<2x2xi8>
// CHECK-DAG: %[[SUMS:.*]] = arith.constant dense<[4, 1]> : tensor<2xi32>
// CHECK: %[[Y:.*]] = linalg.matmul ins(%{{.*}}, %[[W]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[SUMS]] : tensor<3x2xi32>, tensor<2xi32>)
// CHECK: %[[T:.*]] = arith.muli %{{.*}}, %c3_i32
// CHECK: arith.subi %{{.*}}, %[[T]]
func.func @constant(%x: tensor<3x2xi8>, %o: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 3], [1, -4]]> : tensor<2x2xi8>
  %a = arith.constant 3 : i32
  %b = arith.constant -1 : i32
  %0 = linalg.quantized_matmul ins(%x, %w, %a, %b : tensor<3x2xi8>, tensor<2x2xi8>, i32, i32) outs(%o : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// Zero points that are no constants, or not taken in: sums of windows, sums of
// filters, and 18 products of both.
// CHECK-LABEL: @run_time
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x2xi8>, %[[W:.*]]: tensor<3x3x2x5xi8>, %[[A:.*]]: i32, %[[B:.*]]: i32
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK: %[[WINDOWS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[X]]
// CHECK: %[[FILTERS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%[[W]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[WINDOWS]], %[[FILTERS]] : tensor<1x2x2x5xi32>, tensor<1x2x2xi32>, tensor<5xi32>)
// CHECK: arith.muli %{{.*}}, %c18_i32
func.func @run_time(%x: tensor<1x4x4x2xi8>, %w: tensor<3x3x2x5xi8>, %a: i32, %b: i32, %o: tensor<1x2x2x5xi32>) -> tensor<1x2x2x5xi32> {
  %0 = linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %a, %b : tensor<1x4x4x2xi8>, tensor<3x3x2x5xi8>, i32, i32) outs(%o : tensor<1x2x2x5xi32>) -> tensor<1x2x2x5xi32>
  return %0 : tensor<1x2x2x5xi32>
}

// CHECK-LABEL: @none
// CHECK-NEXT: %[[Y:.*]] = linalg.depthwise_conv_2d_nhwc_hwc
// CHECK-NEXT: return %[[Y]]
func.func @none(%x: tensor<1x4x4x2xi8>, %w: tensor<3x3x2xi8>, %o: tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32> {
  %z = arith.constant 0 : i32
  %0 = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%x, %w, %z, %z : tensor<1x4x4x2xi8>, tensor<3x3x2xi8>, i32, i32) outs(%o : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  return %0 : tensor<1x2x2x2xi32>
}

// Other widths stay as upstream has them.
// CHECK-LABEL: @wide
// CHECK: linalg.quantized_matmul
func.func @wide(%x: tensor<3x2xi16>, %w: tensor<2x2xi16>, %a: i64, %o: tensor<3x2xi64>) -> tensor<3x2xi64> {
  %0 = linalg.quantized_matmul ins(%x, %w, %a, %a : tensor<3x2xi16>, tensor<2x2xi16>, i64, i64) outs(%o : tensor<3x2xi64>) -> tensor<3x2xi64>
  return %0 : tensor<3x2xi64>
}
