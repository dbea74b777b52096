// RUN: bquant-opt %s --split-input-file --bquant-lower-solve --verify-diagnostics | FileCheck %s

// CHECK: llvm.func @bquant_rt_solve(i32, i32, !llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[X:.*]]: memref<4x16xf32, strided<[16, 1], offset: ?>>, %[[V:.*]]: memref<2x4xf32>, %[[S:.*]]: memref<832xi8>)
func.func @rows(%x: memref<4x16xf32, strided<[16, 1], offset: ?>>, %v: memref<2x4xf32>,
                %s: memref<832xi8>) {
  // A buffer may start behind its pointer.
  // CHECK: %[[BASE:[a-z_0-9]*]], %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
  // CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[BASE]]
  // CHECK: %[[C4:.*]] = arith.constant 4 : index
  // CHECK: %[[BYTES:.*]] = arith.muli %[[OFFSET]], %[[C4]]
  // CHECK: %[[SUM:.*]] = arith.addi %[[START]], %[[BYTES]]
  // CHECK: %[[AT:.*]] = arith.index_cast %[[SUM]]
  // CHECK: %[[PX:.*]] = llvm.inttoptr %[[AT]]
  // CHECK: %[[PV:.*]] = llvm.inttoptr
  // CHECK: %[[PS:.*]] = llvm.inttoptr
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: %[[KIND:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[PLANES:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[GROUPS:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: %[[N:.*]] = llvm.mlir.constant(16 : i64)
  // CHECK: llvm.call @bquant_rt_solve(%[[KIND]], %[[PLANES]], %[[PX]], %[[GROUPS]], %[[N]], %[[PV]], %[[NULL]], %[[PS]])
  bquant.solve <ls, 2> ins(%x : memref<4x16xf32, strided<[16, 1], offset: ?>>)
      outs(%v, %s : memref<2x4xf32>, memref<832xi8>)
  return
}

// Ternary planes have the number 0.
// CHECK-LABEL: func @ternary
func.func @ternary(%x: memref<1x16xf32>, %v: memref<1x1xf32>, %t: memref<3x1xf32>) {
  // CHECK: %[[NULL:.*]] = llvm.mlir.zero
  // CHECK: %[[KIND:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[PLANES:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @bquant_rt_solve(%[[KIND]], %[[PLANES]], {{.*}}, %[[NULL]])
  bquant.solve <twn> ins(%x : memref<1x16xf32>) outs(%v, %t : memref<1x1xf32>, memref<3x1xf32>)
  return
}

// CHECK-LABEL: func @steps
// CHECK-SAME: %[[I:[a-z0-9]*]]: index)
func.func @steps(%x: memref<1x8192xf32>, %v: memref<2x1xf32>, %s: memref<66432xi8>, %i: index) {
  // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: %[[STEP:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[PLANES:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[N:.*]] = llvm.mlir.constant(8192 : i64)
  // CHECK: llvm.call @bquant_rt_solve_step(%[[STEP]], %[[PLANES]], %{{.*}}, %[[N]], %[[NONE]], %{{.*}}, %{{.*}})
  bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>)
      outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  // CHECK: %[[PART:.*]] = arith.index_cast %[[I]] : index to i64
  // CHECK: %[[COUNT:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @bquant_rt_solve_step(%[[COUNT]], {{.*}}, %[[PART]], %{{.*}}, %{{.*}})
  bquant.solve_step count <ls, 2> part %i ins(%x : memref<1x8192xf32>)
      outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
  return
}

// -----

func.func @tensors(%x: tensor<1x16xf32>, %v: tensor<1x1xf32>) -> tensor<1x1xf32> {
  // expected-error @+1 {{expected memrefs, but got 'tensor<1x16xf32>'}}
  %0 = bquant.solve <ls, 1> ins(%x : tensor<1x16xf32>) outs(%v : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
