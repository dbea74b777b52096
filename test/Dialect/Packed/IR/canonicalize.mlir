// RUN: bquant-opt %s --canonicalize | FileCheck %s

// An input that nothing reads, and one that is passed twice.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %[[E:.*]]: tensor<4xf32>)
// CHECK:         bquant_packed.layer "l" ins(%[[I:.*]] = %[[X]] : tensor<4xf32>) outs(%[[O:.*]] = %[[E]] : tensor<4xf32>) {
// CHECK-NEXT:      linalg.add ins(%[[I]], %[[I]] : {{.*}}) outs(%[[O]] :
func.func @inputs(%x: tensor<4xf32>, %u: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %y = bquant_packed.layer "l"
      ins(%a = %x : tensor<4xf32>, %b = %u : tensor<4xf32>, %c = %x : tensor<4xf32>)
      outs(%o = %e : tensor<4xf32>) {
    %r = linalg.add ins(%a, %c : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK:         bquant_packed.layer "l" ins(%{{.*}} = %[[X]] : memref<4xf32>) outs(%{{.*}} = %[[Y]] : memref<4xf32>)
func.func @casts(%x: memref<4xf32>, %y: memref<4xf32>) {
  %s = memref.cast %x : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  bquant_packed.layer "l" ins(%i = %s : memref<4xf32, strided<[1], offset: ?>>) outs(%o = %y : memref<4xf32>) {
    linalg.exp ins(%i : memref<4xf32, strided<[1], offset: ?>>) outs(%o : memref<4xf32>)
  }
  return
}

// A layer whose results have no use.
// CHECK-LABEL: func.func @dead(
// CHECK-NOT:     bquant_packed.layer
func.func @dead(%e: tensor<4xf32>) {
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) {
    bquant_packed.yield %o : tensor<4xf32>
  }
  return
}

func.func private @count()

// One whose body does more than to compute them is kept.
// CHECK-LABEL: func.func @effects(
// CHECK:         bquant_packed.layer "l"
// CHECK-NEXT:      call @count()
func.func @effects(%e: tensor<4xf32>) {
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) {
    func.call @count() : () -> ()
    bquant_packed.yield %o : tensor<4xf32>
  }
  return
}

// Loops that compute alone do nothing else, at any depth.
// CHECK-LABEL: func.func @dead_loops(
// CHECK-NOT:     bquant_packed.layer
func.func @dead_loops(%x: tensor<4xf32>, %e: tensor<4xf32>) {
  %y = bquant_packed.layer "l" ins(%i = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %r = scf.forall (%k) in (4) shared_outs(%s = %o) -> tensor<4xf32> {
      %a = tensor.extract_slice %i[%k] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %b = tensor.extract_slice %s[%k] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %v = linalg.exp ins(%a : tensor<1xf32>) outs(%b : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %v into %s[%k] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    bquant_packed.yield %r : tensor<4xf32>
  }
  return
}
