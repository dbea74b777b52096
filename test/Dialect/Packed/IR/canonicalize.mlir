// RUN: bquant-opt %s --canonicalize | FileCheck %s

#words = #bquant_packed.layout.words

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

// Casts of one operand and not of another.
// CHECK-LABEL: func.func @pack_casts(
// CHECK-SAME:    %[[A:.*]]: tensor<4x64xi1>, %[[B:.*]]: tensor<?x64xi1>, %[[W:.*]]: tensor<4x2xi32, #words>, %[[U:.*]]: tensor<?x2xi32, #words>)
// CHECK:         %[[P:.*]]:2 = bquant_packed.pack ins(%[[A]], %[[B]] : tensor<4x64xi1>, tensor<?x64xi1>) outs(%[[U]], %[[W]] : tensor<?x2xi32, #words>, tensor<4x2xi32, #words>)
// CHECK-NEXT:    return %[[P]]#0, %[[P]]#1 :
func.func @pack_casts(%a: tensor<4x64xi1>, %b: tensor<?x64xi1>, %w: tensor<4x2xi32, #words>, %u: tensor<?x2xi32, #words>) -> (tensor<?x2xi32, #words>, tensor<4x2xi32, #words>) {
  %s = tensor.cast %a : tensor<4x64xi1> to tensor<?x64xi1>
  %t = tensor.cast %w : tensor<4x2xi32, #words> to tensor<?x2xi32, #words>
  %0:2 = bquant_packed.pack ins(%s, %b : tensor<?x64xi1>, tensor<?x64xi1>) outs(%u, %t : tensor<?x2xi32, #words>, tensor<?x2xi32, #words>) -> tensor<?x2xi32, #words>, tensor<?x2xi32, #words>
  %1 = tensor.cast %0#1 : tensor<?x2xi32, #words> to tensor<4x2xi32, #words>
  return %0#0, %1 : tensor<?x2xi32, #words>, tensor<4x2xi32, #words>
}

// CHECK-LABEL: func.func @unpack_casts(
// CHECK-SAME:    %[[A:.*]]: tensor<4x2xi32, #words>, %[[B:.*]]: tensor<?x2xi32, #words>, %[[W:.*]]: tensor<4x64xi1>, %[[U:.*]]: tensor<?x64xi1>)
// CHECK:         %[[P:.*]]:2 = bquant_packed.unpack ins(%[[A]], %[[B]] : tensor<4x2xi32, #words>, tensor<?x2xi32, #words>) outs(%[[U]], %[[W]] : tensor<?x64xi1>, tensor<4x64xi1>)
// CHECK-NEXT:    return %[[P]]#0, %[[P]]#1 :
func.func @unpack_casts(%a: tensor<4x2xi32, #words>, %b: tensor<?x2xi32, #words>, %w: tensor<4x64xi1>, %u: tensor<?x64xi1>) -> (tensor<?x64xi1>, tensor<4x64xi1>) {
  %s = tensor.cast %a : tensor<4x2xi32, #words> to tensor<?x2xi32, #words>
  %t = tensor.cast %w : tensor<4x64xi1> to tensor<?x64xi1>
  %0:2 = bquant_packed.unpack ins(%s, %b : tensor<?x2xi32, #words>, tensor<?x2xi32, #words>) outs(%u, %t : tensor<?x64xi1>, tensor<?x64xi1>) -> tensor<?x64xi1>, tensor<?x64xi1>
  %1 = tensor.cast %0#1 : tensor<?x64xi1> to tensor<4x64xi1>
  return %0#0, %1 : tensor<?x64xi1>, tensor<4x64xi1>
}

// CHECK-LABEL: func.func @product_casts(
// CHECK-SAME:    %[[X:.*]]: tensor<8x3xf32>, %[[V:.*]]: tensor<3x2xi32, #words>, %[[W:.*]]: tensor<?x2xi32, #words>, %[[A:.*]]: tensor<8x40xf32>, %[[B:.*]]: tensor<?x40xf32>)
// CHECK:         %[[P:.*]]:2 = bquant_packed.product ins(%[[X]] : tensor<8x3xf32>) filters(%[[W]], %[[V]] : tensor<?x2xi32, #words>, tensor<3x2xi32, #words>) outs(%[[B]], %[[A]] : tensor<?x40xf32>, tensor<8x40xf32>)
// CHECK-NEXT:    return %[[P]]#0, %[[P]]#1 :
func.func @product_casts(%x: tensor<8x3xf32>, %v: tensor<3x2xi32, #words>, %w: tensor<?x2xi32, #words>, %a: tensor<8x40xf32>, %b: tensor<?x40xf32>) -> (tensor<?x40xf32>, tensor<8x40xf32>) {
  %s = tensor.cast %v : tensor<3x2xi32, #words> to tensor<?x2xi32, #words>
  %t = tensor.cast %a : tensor<8x40xf32> to tensor<?x40xf32>
  %0:2 = bquant_packed.product ins(%x : tensor<8x3xf32>) filters(%w, %s : tensor<?x2xi32, #words>, tensor<?x2xi32, #words>) outs(%b, %t : tensor<?x40xf32>, tensor<?x40xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<?x40xf32>, tensor<?x40xf32>
  %1 = tensor.cast %0#1 : tensor<?x40xf32> to tensor<8x40xf32>
  return %0#0, %1 : tensor<?x40xf32>, tensor<8x40xf32>
}
