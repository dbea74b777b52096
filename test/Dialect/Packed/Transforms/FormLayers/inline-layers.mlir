// RUN: bquant-opt %s --bquant-inline-layers | FileCheck %s

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[Y:.*]] = linalg.exp ins(%[[X]] : tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
// CHECK-NEXT:    %[[Z:.*]] = linalg.abs ins(%[[Y]] : tensor<4xf32>) outs(%[[X]] : tensor<4xf32>)
// CHECK-NEXT:    return %[[Z]]
func.func @tensors(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %y = bquant_packed.layer "a" ins(%i = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %v = linalg.exp ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %v : tensor<4xf32>
  }
  %z = bquant_packed.layer "b" ins(%i = %y : tensor<4xf32>) outs(%o = %x : tensor<4xf32>) {
    %v = linalg.abs ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %v : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func.func @buffers(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>)
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    memref.copy %[[X]], %[[Z]]
// CHECK-NEXT:    return
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  bquant_packed.group {
    bquant_packed.layer "a" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
      linalg.exp ins(%i : memref<4xf32>) outs(%o : memref<4xf32>)
    }
    bquant_packed.layer "b" ins(%i = %x : memref<4xf32>) outs(%o = %z : memref<4xf32>) {
      memref.copy %i, %o : memref<4xf32> to memref<4xf32>
    }
  }
  return
}
