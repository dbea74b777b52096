// What kernels ask of the conversion: a layout of their own, a filter of pairs,
// sums that start from the filter. The drivers with and without rollback agree.
//
// RUN: bquant-test-opt %s --convert-bquant-to-packed --canonicalize --cse | FileCheck %s
// RUN: bquant-test-opt %s --convert-bquant-to-packed=rollback --canonicalize --cse | FileCheck %s

// A value in four layouts, written by one op.
// CHECK-LABEL: func.func @layouts
// CHECK: %[[BITS:.*]] = linalg.generic
// CHECK: %[[P:.*]]:3 = bquant_packed.pack ins(%[[BITS]] : tensor<2x70xi1>) {{.*}} -> tensor<2x3xi32, #words>, tensor<2x72xi8, #fours>, tensor<2x4xi32, #pairs>
// CHECK: bquant_packed.product kernel(#bquant_test.parity<rows = 1, channels = 4>) ins(%[[P]]#2 : tensor<2x4xi32, #pairs>) filters(%{{.*}} : tensor<1x4x4xi32, #{{[a-z0-9_]+}}>)
// CHECK: bquant_packed.product kernel(#bquant_test.bytes<rows = 1, channels = 8>) ins(%[[P]]#1 : tensor<2x72xi8, #fours>) filters(%{{.*}} : tensor<1x72x8xi8, #{{[a-z0-9_]+}}>)
// CHECK: bquant_packed.product kernel(#bquant_test.whole<rows = 1, channels = 4>) ins(%[[P]]#0 : tensor<2x3xi32, #words>) filters(%{{.*}} : tensor<1x3x4xi32, #{{[a-z0-9_]+}}>)
func.func @layouts(%x: tensor<2x70xf32>, %v: tensor<1xf32>) -> (tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x70xf32>) {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x70xf32> -> !bquant.tensor<2x70, 1>
  %w = bquant.constant words(dense<[[[-1, -1, 63]]]> : tensor<1x1x3xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x70, 1>
  %0 = bquant.matmul %q, %w kernel(#bquant_test.parity<rows = 1, channels = 4>) : (!bquant.tensor<2x70, 1>, !bquant.tensor<1x70, 1>) -> tensor<2x1xi32>
  %1 = bquant.matmul %q, %w kernel(#bquant_test.bytes<rows = 1, channels = 8>) : (!bquant.tensor<2x70, 1>, !bquant.tensor<1x70, 1>) -> tensor<2x1xi32>
  %2 = bquant.matmul %q, %w kernel(#bquant_test.whole<rows = 1, channels = 4>) : (!bquant.tensor<2x70, 1>, !bquant.tensor<1x70, 1>) -> tensor<2x1xi32>
  %3 = bquant.dequantize %q : !bquant.tensor<2x70, 1> -> tensor<2x70xf32>
  return %0, %1, %2, %3 : tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x70xf32>
}

// The second word of a pair is that of two words: no maximum of it is one.
// CHECK-LABEL: func.func @pool
// CHECK: bquant_packed.pack ins({{.*}} : tensor<1x2x2x64xi1>) {{.*}} -> tensor<1x2x2x2xi32, #words>
// CHECK: arith.ori
// CHECK: bquant_packed.pack
// CHECK: bquant_packed.product kernel(#bquant_test.parity
func.func @pool(%x: tensor<1x2x2x64xf32>, %v: tensor<1xf32>) -> tensor<1x1x1x1xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2x2x64xf32> -> !bquant.tensor<1x2x2x64, 1>
  %p = bquant.max_pool_2d %q window = [2, 2] : !bquant.tensor<1x2x2x64, 1> -> !bquant.tensor<1x1x1x64, 1>
  %w = bquant.constant words(dense<5> : tensor<1x1x1x1x2xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<1x1x1x64, 1>
  %0 = bquant.conv_2d %p, %w kernel(#bquant_test.parity<rows = 1, channels = 4>) : (!bquant.tensor<1x1x1x64, 1>, !bquant.tensor<1x1x1x64, 1>) -> tensor<1x1x1x1xi32>
  return %0 : tensor<1x1x1x1xi32>
}

// Each border class starts from the bits of the taps that it sees.
// CHECK-LABEL: func.func @starts
// CHECK-DAG: %[[LAST:.*]] = arith.constant dense<[4, 2]> : tensor<2xi32>
// CHECK-DAG: %[[INNER:.*]] = arith.constant dense<[9, 6]> : tensor<2xi32>
// CHECK-DAG: %[[FIRST:.*]] = arith.constant dense<[8, 6]> : tensor<2xi32>
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<2xi32>)
// CHECK: bquant_packed.product {{.*}} outs(%[[START]] : tensor<1x1x1x2xi32>)
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[INNER]] : tensor<2xi32>)
// CHECK: bquant_packed.product {{.*}} outs(%[[START]] : tensor<1x1x1x2xi32>)
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[LAST]] : tensor<2xi32>)
// CHECK: bquant_packed.product {{.*}} outs(%[[START]] : tensor<1x1x1x2xi32>)
func.func @starts(%x: tensor<1x3x1x5xf32>, %v: tensor<1xf32>) -> tensor<1x3x1x2xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x3x1x5xf32> -> !bquant.tensor<1x3x1x5, 1>
  %w = bquant.constant words(dense<[[[[[1]], [[7]], [[31]]], [[[0]], [[3]], [[15]]]]]> : tensor<1x2x3x1x1xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<2x3x1x5, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 0, 0] kernel(#bquant_test.bytes<rows = 2, channels = 8>) : (!bquant.tensor<1x3x1x5, 1>, !bquant.tensor<2x3x1x5, 1>) -> tensor<1x3x1x2xi32>
  return %0 : tensor<1x3x1x2xi32>
}
