// RUN: bquant-opt %s --bquant-outline-loops | FileCheck %s

// Each loop has a function; views and constants are made where they are needed.
// CHECK-LABEL: func.func private @sequence_loop_0(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32> {llvm.noalias}, %{{.*}}: memref<4xf32> {llvm.noalias}, %[[ARENA:.*]]: memref<64xi8> {llvm.noalias}
// CHECK-SAME:    attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-DAG:     %[[V:.*]] = memref.view %[[ARENA]]
// CHECK:         scf.for
// CHECK:           memref.load %[[X]]
// CHECK:           memref.store %{{.*}}, %[[V]]
// CHECK:         return
// CHECK-LABEL: func.func private @sequence_loop_1(
// CHECK-SAME:    %{{.*}}: memref<4xf32> {llvm.noalias}, %[[Y:.*]]: memref<4xf32> {llvm.noalias}, %[[ARENA:.*]]: memref<64xi8> {llvm.noalias}
// CHECK-DAG:     %[[V:.*]] = memref.view %[[ARENA]]
// CHECK:         scf.for
// CHECK:           memref.load %[[V]]
// CHECK:           memref.store %{{.*}}, %[[Y]]
// CHECK:         return
// CHECK-LABEL: func.func @sequence(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32> {llvm.noalias}, %[[Y:.*]]: memref<4xf32> {llvm.noalias}, %[[ARENA:.*]]: memref<64xi8> {llvm.noalias})
// CHECK-NEXT:    call @sequence_loop_0(%[[X]], %[[Y]], %[[ARENA]])
// CHECK-NEXT:    call @sequence_loop_1(%[[X]], %[[Y]], %[[ARENA]])
// CHECK-NEXT:    return
func.func @sequence(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias},
                    %arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%i] : memref<4xf32>
    memref.store %a, %v[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %v[%i] : memref<4xf32>
    memref.store %a, %y[%i] : memref<4xf32>
  }
  return
}

// The load is before the loop that overwrites it, its user behind: all three
// stay in their order, in one function. What is behind the last loop has one, too.
// CHECK-LABEL: func.func private @handed_on_loop_0(
// CHECK:         memref.load
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK-LABEL: func.func private @handed_on_loop_1(
// CHECK-COUNT-1: scf.for
// CHECK-LABEL: func.func private @handed_on_loop_2(
// CHECK:         memref.store
// CHECK-LABEL: func.func @handed_on(
// CHECK:         call @handed_on_loop_0(
// CHECK-NEXT:    call @handed_on_loop_1(
// CHECK-NEXT:    call @handed_on_loop_2(
// CHECK-NEXT:    return
func.func @handed_on(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %first = memref.load %x[%c0] : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %x[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %first, %y[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %x[%i] : memref<4xf32>
  }
  memref.store %zero, %y[%c0] : memref<4xf32>
  return
}

// The first loop has a result that is returned: nothing can be cut.
// CHECK-NOT:   private
// CHECK-LABEL: func.func @result(
// CHECK-COUNT-2: scf.for
func.func @result(%x: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
    %a = memref.load %x[%i] : memref<4xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %x[%i] : memref<4xf32>
  }
  return %sum : f32
}

// One loop has a function, by the name of its layer.
// CHECK-LABEL: func.func private @one_loop_0_block_1_conv(
// CHECK-LABEL: func.func @one(
// CHECK:         call @one_loop_0_block_1_conv(
func.func @one(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %x[%i] : memref<4xf32>
  } loc("block.1/conv")
  return
}

// What both layers read of a constant each reads for itself; without a loop a
// layer ends where the next one begins.
// CHECK-LABEL: func.func private @constants_loop_0_a(
// CHECK:         vector.load
// CHECK-LABEL: func.func private @constants_loop_1_b(
// CHECK:         vector.load
memref.global "private" constant @scales : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @constants(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %scales = memref.get_global @scales : memref<4xf32>
  %v = vector.load %scales[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %v, %x[%c0] : memref<4xf32>, vector<4xf32> loc("a")
  vector.store %v, %y[%c0] : memref<4xf32>, vector<4xf32> loc("b")
  return
}

// A parallel loop has a function of its own with what it reads; what is written
// before it is in another one.
// CHECK-LABEL: func.func private @parallel_loop_0(
// CHECK:         memref.store
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func.func private @parallel_loop_1(
// CHECK-NOT:     memref.store
// CHECK:         memref.load
// CHECK:         scf.forall
// CHECK-LABEL: func.func @parallel(
func.func @parallel(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0] : memref<4xf32>
  %v = memref.load %y[%c0] : memref<4xf32>
  scf.forall (%i) in (4) {
    memref.store %v, %x[%i] : memref<4xf32>
  }
  return
}
