// RUN: bquant-opt %s --bquant-split-solves | FileCheck %s

// One row in parts of 4096 values: 3 of them.
// CHECK-LABEL: func @row
// CHECK-SAME: (%[[X:.*]]: memref<1x8193xf32>, %[[V:.*]]: memref<2x1xf32>)
func.func @row(%x: memref<1x8193xf32>, %v: memref<2x1xf32>) {
  // CHECK: %[[S:.*]] = memref.alloc() : memref<66632xi8>
  %s = memref.alloc() : memref<66632xi8>
  // CHECK-NEXT: bquant.solve_step{{ +}}begin <ls, 2> ins(%[[X]] : {{.*}}) outs(%[[V]], %[[S]] :
  // CHECK-NEXT: scf.forall (%[[I:.*]]) in (3) {
  // CHECK-NEXT:   bquant.solve_step{{ +}}count <ls, 2> part %[[I]] ins(%[[X]] : {{.*}}) outs(%[[V]], %[[S]] :
  // CHECK-NEXT: }
  // CHECK-NEXT: bquant.solve_step{{ +}}choose <ls, 2>
  // CHECK-NEXT: scf.forall (%[[I:.*]]) in (3) {
  // CHECK-NEXT:   bquant.solve_step{{ +}}keep <ls, 2> part %[[I]]
  // CHECK-NEXT: }
  // CHECK-NEXT: bquant.solve_step{{ +}}finish <ls, 2>
  // CHECK-NOT: bquant.solve
  bquant.solve <ls, 2> ins(%x : memref<1x8193xf32>) outs(%v, %s : memref<2x1xf32>, memref<66632xi8>)
  return
}

// Rows are solved side by side; their scalars are columns.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[X:.*]]: memref<4x16xf32>, %[[V:.*]]: memref<2x4xf32>)
func.func @rows(%x: memref<4x16xf32>, %v: memref<2x4xf32>) {
  // CHECK-NOT: memref.alloc
  %s = memref.alloc() : memref<832xi8>
  // CHECK: scf.forall (%[[G:.*]]) in (4) {
  // CHECK:   %[[ROW:.*]] = memref.subview %[[X]][%[[G]], 0] [1, 16] [1, 1]
  // CHECK:   %[[OWN:.*]] = memref.alloc() : memref<2x1xf32>
  // CHECK:   %[[SCRATCH:.*]] = memref.alloc() : memref<832xi8>
  // CHECK:   bquant.solve <ls, 2> ins(%[[ROW]] : {{.*}}) outs(%[[OWN]], %[[SCRATCH]] :
  // CHECK:   %[[FIRST:.*]] = memref.load %[[OWN]][%[[C0:.*]], %{{.*}}]
  // CHECK:   memref.store %[[FIRST]], %[[V]][%[[C0]], %[[G]]]
  // CHECK:   %[[SECOND:.*]] = memref.load %[[OWN]][%[[C1:.*]], %{{.*}}]
  // CHECK:   memref.store %[[SECOND]], %[[V]][%[[C1]], %[[G]]]
  bquant.solve <ls, 2> ins(%x : memref<4x16xf32>) outs(%v, %s : memref<2x4xf32>, memref<832xi8>)
  return
}

// Scalars and thresholds of rows.
// CHECK-LABEL: func @thresholds
// CHECK: scf.forall
// CHECK:   bquant.solve <twn> ins(%{{.*}}) outs(%[[V:.*]], %[[T:.*]] : memref<1x1xf32>, memref<3x1xf32>)
// CHECK-COUNT-1: memref.load %[[V]]
// CHECK-COUNT-3: memref.load %[[T]]
func.func @thresholds(%x: memref<2x8xf32>, %v: memref<1x2xf32>, %t: memref<3x2xf32>) {
  bquant.solve <twn> ins(%x : memref<2x8xf32>) outs(%v, %t : memref<1x2xf32>, memref<3x2xf32>)
  return
}

// What is small or a sum in one order stays as it is.
// CHECK-LABEL: func @whole
// CHECK-NOT: scf.forall
// CHECK: bquant.solve <ls, 2>
// CHECK: bquant.solve <ls, 1>
func.func @whole(%x: memref<1x4096xf32>, %y: memref<1x8193xf32>, %v: memref<2x1xf32>, %w: memref<1x1xf32>) {
  %s = memref.alloc() : memref<33472xi8>
  bquant.solve <ls, 2> ins(%x : memref<1x4096xf32>) outs(%v, %s : memref<2x1xf32>, memref<33472xi8>)
  bquant.solve <ls, 1> ins(%y : memref<1x8193xf32>) outs(%w : memref<1x1xf32>)
  return
}
