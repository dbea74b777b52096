// RUN: bquant-opt %s --bquant-share-loops --split-input-file | FileCheck %s

memref.global "private" constant @two : memref<4xf32> = dense<[2.0, 3.0, 4.0, 5.0]> {alignment = 64 : i64}
memref.global "private" constant @six : memref<4xf32> = dense<[6.0, 7.0, 8.0, 9.0]> {alignment = 64 : i64}

// One body of two, which gets what they differ in: the place of what is read,
// the constants, the place of what is written. The zero of the first offset is a
// constant of its body, too; constants are in any order.
// CHECK-LABEL: func.func private @first_shared(
// CHECK-SAME:    %[[W:[^:]+]]: memref<4xf32> {llvm.align = 64 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias},
// CHECK-SAME:    %[[A:[^:]+]]: memref<4xf32> {llvm.align = 64 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias},
// CHECK-SAME:    %[[B:[^:]+]]: memref<4xf32> {llvm.align = 32 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias},
// CHECK-SAME:    %[[LAST:[^:]+]]: index) attributes {passthrough = ["noinline"]}
// CHECK-NOT:     memref.view
// CHECK-NOT:     memref.get_global
// CHECK:         scf.for %{{.*}} to %[[LAST]]
// CHECK:         return
// CHECK:       func.func private @first(%[[ARENA:[^:]+]]: memref<128xi8> {{.*}}, %[[FIRST_LAST:[^:]+]]: index)
// CHECK-NEXT:    %[[FIRST_W:.*]] = memref.get_global @two
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:    %[[FIRST_A:.*]] = memref.view %[[ARENA]][%[[ZERO]]]
// CHECK-NEXT:    %[[OFFSET:.*]] = arith.constant 32
// CHECK-NEXT:    %[[FIRST_B:.*]] = memref.view %[[ARENA]][%[[OFFSET]]]
// CHECK-NEXT:    call @first_shared(%[[FIRST_W]], %[[FIRST_A]], %[[FIRST_B]], %[[FIRST_LAST]])
// CHECK-NEXT:    return
// CHECK:       func.func private @second(
// CHECK:         memref.get_global @six
// CHECK:         arith.constant 64
// CHECK:         arith.constant 96
// CHECK:         call @first_shared(
func.func private @first(%arena: memref<128xi8> {llvm.align = 64 : i64, llvm.noalias}, %last: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %w = memref.get_global @two : memref<4xf32>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<4xf32>
  %b = memref.view %arena[%c32][] : memref<128xi8> to memref<4xf32>
  scf.for %i = %c0 to %last step %c1 {
    %s = memref.load %w[%i] : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.mulf %s, %x : f32
    memref.store %y, %b[%i] : memref<4xf32>
  }
  return
}
func.func private @second(%arena: memref<128xi8> {llvm.align = 64 : i64, llvm.noalias}, %last: index) attributes {passthrough = ["noinline"]} {
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %w = memref.get_global @six : memref<4xf32>
  %a = memref.view %arena[%c64][] : memref<128xi8> to memref<4xf32>
  %b = memref.view %arena[%c96][] : memref<128xi8> to memref<4xf32>
  scf.for %i = %c0 to %last step %c1 {
    %s = memref.load %w[%i] : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    %y = arith.mulf %s, %x : f32
    memref.store %y, %b[%i] : memref<4xf32>
  }
  return
}

// -----

// CHECK-NOT: _shared

memref.global "private" @state : memref<4xf32> = dense<1.0>
memref.global "private" @other : memref<4xf32> = dense<1.0>

// What they compute differs.
func.func private @negated(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  %x = memref.load %a[] : memref<f32>
  %y = arith.negf %x : f32
  memref.store %y, %a[] : memref<f32>
  return
}
func.func private @absolute(%arena: memref<64xi8> {llvm.noalias}) {
  %c4 = arith.constant 4 : index
  %a = memref.view %arena[%c4][] : memref<64xi8> to memref<f32>
  %x = memref.load %a[] : memref<f32>
  %y = math.absf %x : f32
  memref.store %y, %a[] : memref<f32>
  return
}

// So does a constant that is no place.
func.func private @by_two(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  memref.store %two, %a[] : memref<f32>
  return
}
func.func private @by_three(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f32
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  memref.store %three, %a[] : memref<f32>
  return
}

// And where one reads a buffer twice, the other two.
func.func private @twice(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f64>
  %c = memref.view %arena[%c8][] : memref<64xi8> to memref<f64>
  %x = memref.load %a[] : memref<f64>
  %y = memref.load %a[] : memref<f64>
  %z = arith.addf %x, %y : f64
  memref.store %z, %c[] : memref<f64>
  return
}
func.func private @each(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f64>
  %b = memref.view %arena[%c16][] : memref<64xi8> to memref<f64>
  %c = memref.view %arena[%c8][] : memref<64xi8> to memref<f64>
  %x = memref.load %a[] : memref<f64>
  %y = memref.load %b[] : memref<f64>
  %z = arith.addf %x, %y : f64
  memref.store %z, %c[] : memref<f64>
  return
}

// Views that overlap would be arguments that do: one byte is enough.
func.func private @overlap(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<i32>
  %b = memref.view %arena[%c3][] : memref<64xi8> to memref<i16>
  %x = memref.load %a[] : memref<i32>
  %y = arith.trunci %x : i32 to i16
  memref.store %y, %b[] : memref<i16>
  return
}
func.func private @overlap_too(%arena: memref<64xi8> {llvm.noalias}) {
  %c8 = arith.constant 8 : index
  %c11 = arith.constant 11 : index
  %a = memref.view %arena[%c8][] : memref<64xi8> to memref<i32>
  %b = memref.view %arena[%c11][] : memref<64xi8> to memref<i16>
  %x = memref.load %a[] : memref<i32>
  %y = arith.trunci %x : i32 to i16
  memref.store %y, %b[] : memref<i16>
  return
}

// Nor may they where the caller says nothing of what overlaps.
func.func private @alias(%x: memref<f32>, %y: memref<f32>) {
  %v = memref.load %x[] : memref<f32>
  memref.store %v, %y[] : memref<f32>
  return
}
func.func private @alias_too(%y: memref<f32>, %x: memref<f32>) {
  %v = memref.load %x[] : memref<f32>
  memref.store %v, %y[] : memref<f32>
  return
}

// A global that is no constant stays what it is.
func.func private @writes_state() {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.get_global @state : memref<4xf32>
  memref.store %one, %a[%c0] : memref<4xf32>
  return
}
func.func private @writes_other() {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.get_global @other : memref<4xf32>
  memref.store %one, %a[%c0] : memref<4xf32>
  return
}

// What others may call keeps its body.
func.func @public(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  memref.store %one, %a[] : memref<f32>
  return
}
func.func @public_too(%arena: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<f32>
  memref.store %one, %a[] : memref<f32>
  return
}
