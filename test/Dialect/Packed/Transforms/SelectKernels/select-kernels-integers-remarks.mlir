// What products of bytes take where no kernel computes them, and sums that wrap.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels --remarks-filter=bquant -o %t 2>&1 | FileCheck %s

// CHECK: byte-product{{.*}}in loops of integers, which are slow: expected a constant filter for products of bytes, or sums up to 16,777,216 for those of floats
func.func @loops(%x: tensor<4x1025xi8>, %w: tensor<1025x2xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = linalg.matmul ins(%x, %w : tensor<4x1025xi8>, tensor<1025x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// CHECK: byte-product{{.*}}sums may pass 2,147,483,647 and wrap, as those of int32 do
func.func @wraps(%x: tensor<1x132108xi8>, %o: tensor<1x1xi32>) -> tensor<1x1xi32> {
  %w = arith.constant dense<127> : tensor<132108x1xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<1x132108xi8>, tensor<132108x1xi8>) outs(%o : tensor<1x1xi32>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
