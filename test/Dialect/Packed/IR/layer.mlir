// RUN: bquant-opt %s | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --mlir-print-op-generic | bquant-opt | FileCheck %s
// RUN: bquant-opt %s --emit-bytecode | bquant-opt | FileCheck %s

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<4xf32>)
// CHECK:         %[[Y:.*]]:2 = bquant_packed.layer "both" ins(%[[I:.*]] = %[[X]] : tensor<4xf32>) outs(%[[O:.*]] = %[[E]] : tensor<4xf32>, %[[P:.*]] = %[[E]] : tensor<4xf32>) attributes {note = 1 : i64} {
// CHECK-NEXT:      %[[V:.*]] = linalg.exp ins(%[[I]] : tensor<4xf32>) outs(%[[O]] : tensor<4xf32>)
// CHECK-NEXT:      bquant_packed.yield %[[V]], %[[P]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[Y]]#0, %[[Y]]#1
func.func @tensors(%x: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y:2 = bquant_packed.layer "both" ins(%i = %x : tensor<4xf32>)
      outs(%o = %e : tensor<4xf32>, %p = %e : tensor<4xf32>) attributes {note = 1 : i64} {
    %v = linalg.exp ins(%i : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %v, %p : tensor<4xf32>, tensor<4xf32>
  }
  return %y#0, %y#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @buffers(
// CHECK:         bquant_packed.layer "copied" ins(%[[I:.*]] = %{{.*}} : memref<4xf32>, %{{.*}} = %{{.*}} : index) outs(%[[O:.*]] = %{{.*}} : memref<4xf32>) {
// CHECK-NEXT:      memref.copy %[[I]], %[[O]]
// CHECK-NEXT:    }
func.func @buffers(%x: memref<4xf32>, %n: index, %y: memref<4xf32>) {
  bquant_packed.layer "copied" ins(%i = %x : memref<4xf32>, %m = %n : index) outs(%o = %y : memref<4xf32>) {
    memref.copy %i, %o : memref<4xf32> to memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @group(
// CHECK:         bquant_packed.group {
// CHECK-NEXT:      bquant_packed.layer "a" outs(%{{.*}} = %{{.*}} : memref<4xf32>) {
// CHECK-NEXT:      }
// CHECK-NEXT:      bquant_packed.layer "b"
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @group(%y: memref<4xf32>, %z: memref<4xf32>) {
  bquant_packed.group {
    bquant_packed.layer "a" outs(%o = %y : memref<4xf32>) {}
    bquant_packed.layer "b" outs(%o = %z : memref<4xf32>) {}
  }
  return
}

// A terminator with something to say is printed.
// CHECK-LABEL: func.func @said(
// CHECK:         linalg.exp
// CHECK-NEXT:    bquant_packed.yield {note = 1 : i64}
func.func @said(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.layer "l" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    linalg.exp ins(%i : memref<4xf32>) outs(%o : memref<4xf32>)
    bquant_packed.yield {note = 1 : i64}
  }
  return
}
