// RUN: bquant-opt %s --reify-result-shapes --canonicalize -split-input-file | FileCheck %s --check-prefix=REIFY
// RUN: bquant-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize -split-input-file | FileCheck %s

// A dynamic batch is that of the operand.
// REIFY-LABEL: @batch
// CHECK-LABEL: @batch
// CHECK-SAME: %[[X:.*]]: tensor<?x4x4x8xf32>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK: return %[[D]]
func.func @batch(%x: tensor<?x4x4x8xf32>, %w: !bquant.tensor<16x3x3x8, 1>) -> index {
  %c0 = arith.constant 0 : index
  %y = bquant.conv_2d %x, %w pads = [1, 1, 1, 1] : (tensor<?x4x4x8xf32>, !bquant.tensor<16x3x3x8, 1>) -> tensor<?x4x4x16xf32>
  %d = tensor.dim %y, %c0 : tensor<?x4x4x16xf32>
  return %d : index
}
