// RUN: bquant-opt %s --bquant-distribute-tiles --split-input-file | FileCheck %s

// CHECK-DAG: #[[$BEHIND:.*]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0) -> (d0 * 32)>

// Iterations are numbered with the last dimension the fastest.
// CHECK-LABEL: func.func private @f_loop_0(
// CHECK-SAME:    %{{.*}}: memref<14x128xf32>, %{{.*}}: memref<64xi8>, %[[SLICE:.*]]: memref<64xi8>, %[[FIRST:.*]]: index, %[[LAST:.*]]: index)
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         scf.for %[[T:.*]] = %[[FIRST]] to %[[LAST]] step %[[ONE]] {
// CHECK-NEXT:      %[[PLACE:.*]]:2 = affine.delinearize_index %[[T]] into (12, 4) : index, index
// CHECK-NEXT:      %[[I:.*]] = affine.apply #[[$BEHIND]](%[[PLACE]]#0)
// CHECK-NEXT:      %[[J:.*]] = affine.apply #[[$BLOCK]](%[[PLACE]]#1)
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK-NOT:     scf.forall
func.func private @f_loop_0(%x: memref<14x128xf32>, %arena: memref<64xi8>, %slice: memref<64xi8>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (2, 0) to (14, 128) step (1, 32) {
    memref.store %zero, %x[%i, %j] : memref<14x128xf32>
  }
  return
}

// What reads before the loop each thread may do for itself.
// CHECK-LABEL: func.func private @f_loop_1(
// CHECK:         memref.load
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      affine.delinearize_index %{{.*}} into (3) : index
func.func private @f_loop_1(%x: memref<14x128xf32>, %arena: memref<64xi8>, %slice: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0, %c0] : memref<14x128xf32>
  scf.forall (%i) = (4) to (13) step (3) {
    memref.store %v, %x[%i, %i] : memref<14x128xf32>
  }
  return
}

// What writes before it is done once: the loop is a serial one.
// CHECK-LABEL: func.func private @f_loop_2(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: index)
// CHECK:         memref.store
// CHECK-NOT:     delinearize
// CHECK:         scf.for
func.func private @f_loop_2(%x: memref<14x128xf32>, %arena: memref<64xi8>, %slice: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0, %c0] : memref<14x128xf32>
  scf.forall (%i) in (14) {
    memref.store %zero, %x[%i, %i] : memref<14x128xf32>
  }
  return
}

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    bquant.groups = [{callee = @f_loop_0, nanoseconds = {{[0-9]+}} : i64, tiles = 48 : i64},
// CHECK-SAME:      {callee = @f_loop_1, nanoseconds = {{[0-9]+}} : i64, tiles = 3 : i64},
// CHECK-SAME:      {callee = @f_loop_2, nanoseconds = {{[0-9]+}} : i64, tiles = 1 : i64}]
// CHECK:         call @f_loop_0(%{{.*}}, %{{.*}}, %{{.*}}, %c0{{.*}}, %c48)
// CHECK:         call @f_loop_1(%{{.*}}, %{{.*}}, %{{.*}}, %c0{{.*}}, %c3)
// CHECK:         call @f_loop_2(%{{.*}}, %{{.*}}, %{{.*}}, %c0{{.*}}, %c1)
func.func @f(%x: memref<14x128xf32>, %arena: memref<64xi8>, %slice: memref<64xi8>)
    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 64 : i64} {
  call @f_loop_0(%x, %arena, %slice) : (memref<14x128xf32>, memref<64xi8>, memref<64xi8>) -> ()
  call @f_loop_1(%x, %arena, %slice) : (memref<14x128xf32>, memref<64xi8>, memref<64xi8>) -> ()
  call @f_loop_2(%x, %arena, %slice) : (memref<14x128xf32>, memref<64xi8>, memref<64xi8>) -> ()
  return
}

// -----

// What is not cut into functions runs on one thread.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT:     bquant.groups
// CHECK-NOT:     scf.forall
// CHECK:         scf.for
func.func @whole(%x: memref<14xf32>, %arena: memref<64xi8>, %slice: memref<64xi8>)
    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (14) {
    memref.store %zero, %x[%i] : memref<14xf32>
  }
  return
}

// -----

// A thread may read what is before the loop when others have written tiles: a
// loop that writes what is read there is one tile, another one is not.
// CHECK-LABEL: func.func private @g_loop_0(
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c14
func.func private @g_loop_0(%x: memref<16xf32> {llvm.noalias}, %arena: memref<64xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c3 = arith.constant 3 : index
  %v = memref.load %x[%c3] : memref<16xf32>
  scf.forall (%i) in (14) {
    memref.store %v, %x[%i] : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func private @g_loop_1(
// CHECK-SAME:      %[[FIRST:[a-z0-9]+]]: index, %[[LAST:[a-z0-9]+]]: index)
// CHECK:         scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
func.func private @g_loop_1(%x: memref<16xf32> {llvm.noalias}, %arena: memref<64xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c15 = arith.constant 15 : index
  %v = memref.load %x[%c15] : memref<16xf32>
  scf.forall (%i) in (14) {
    memref.store %v, %x[%i] : memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @g(
// CHECK-SAME:    tiles = 1 : i64
// CHECK-SAME:    tiles = 14 : i64
func.func @g(%x: memref<16xf32> {llvm.noalias}, %arena: memref<64xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias})
    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 64 : i64} {
  call @g_loop_0(%x, %arena, %slice) : (memref<16xf32>, memref<64xi8>, memref<64xi8>) -> ()
  call @g_loop_1(%x, %arena, %slice) : (memref<16xf32>, memref<64xi8>, memref<64xi8>) -> ()
  return
}
