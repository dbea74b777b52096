// RUN: bquant-opt %s --bquant-group-loops | FileCheck %s
// RUN: bquant-opt %s --bquant-group-loops --bquant-distribute-tiles | FileCheck %s --check-prefix=TILES

// Classes of an image: rows and columns of its border, and what is inside.
func.func private @top(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %tile = memref.subview %image[0, 0, %i, 0] [1, 1, 1, 64] [1, 1, 1, 1] : memref<1x8x8x64xf32> to memref<1x64xf32, strided<[512, 1], offset: ?>>
    vector.transfer_write %zero, %tile[%c0, %c0] : vector<64xf32>, memref<1x64xf32, strided<[512, 1], offset: ?>>
  }
  return
}
func.func private @left(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  scf.forall (%i) = (1) to (8) step (1) {
    vector.transfer_write %zero, %image[%c0, %i, %c0, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
  }
  return
}
func.func private @inside(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %c0 = arith.constant 0 : index
  %pixels = memref.collapse_shape %image [[0, 1], [2], [3]] : memref<1x8x8x64xf32> into memref<8x8x64xf32>
  scf.forall (%i, %c) = (0, 0) to (7, 64) step (1, 32) {
    %row = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %tile = memref.subview %pixels[%row, 1, %c] [1, 7, 32] [1, 1, 1] : memref<8x8x64xf32> to memref<1x7x32xf32, strided<[512, 64, 1], offset: ?>>
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    scf.for %j = %c0 to %c7 step %c1 {
      vector.transfer_write %zero, %tile[%c0, %j, %c0] : vector<32xf32>, memref<1x7x32xf32, strided<[512, 64, 1], offset: ?>>
    }
  }
  return
}
// The left end of the second row.
func.func private @second(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %v = memref.load %image[%c0, %c1, %c0, %c5] : memref<1x8x8x64xf32>
  memref.store %v, %out[%c0] : memref<64xf32>
  return
}
// The second row of a view of the first two.
func.func private @rows(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.subview %image[0, 0, 0, 0] [1, 2, 8, 64] [1, 1, 1, 1] : memref<1x8x8x64xf32> to memref<1x2x8x64xf32, strided<[4096, 512, 64, 1]>>
  vector.transfer_write %zero, %rows[%c0, %c1, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 512, 64, 1]>>
  return
}
// Bytes of the arena, and the thread's own.
func.func private @low(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %s = memref.view %slice[%c0][] : memref<64xi8> to memref<16xf32>
  memref.store %zero, %a[%c0] : memref<64xf32>
  memref.store %zero, %s[%c0] : memref<16xf32>
  return
}
func.func private @high(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  %s = memref.view %slice[%c0][] : memref<64xi8> to memref<16xf32>
  memref.store %zero, %a[%c0] : memref<64xf32>
  memref.store %zero, %s[%c0] : memref<16xf32>
  return
}
// Another shape on bytes of @low's.
func.func private @middle(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c192 = arith.constant 192 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.view %arena[%c192][] : memref<512xi8> to memref<16xf32>
  memref.store %zero, %a[%c0] : memref<16xf32>
  return
}
// Who knows.
func.func private @other()
func.func private @unknown(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  func.call @other() : () -> ()
  return
}

// The classes write boxes of their own: a group. @second reads what one of them
// writes, and writes what it writes again.
// CHECK-LABEL: func.func private @classes_group_0(
// CHECK-SAME:    {llvm.noalias}
// CHECK-NEXT:    call @top(
// CHECK-NEXT:    call @left(
// CHECK-NEXT:    call @inside(
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @classes_group_1(
// CHECK-NEXT:    call @low(
// CHECK-NEXT:    call @high(
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @classes(
// CHECK-NEXT:    call @classes_group_0(
// CHECK-NEXT:    call @second(
// CHECK-NEXT:    call @second(
// CHECK-NEXT:    call @rows(
// CHECK-NEXT:    call @unknown(
// CHECK-NEXT:    call @classes_group_1(
// CHECK-NEXT:    call @middle(
// CHECK-NEXT:    call @unknown(
// CHECK-NEXT:    return

// TILES-LABEL: func.func private @classes_group_0(
// TILES-SAME:    %[[FIRST:[a-z0-9]*]]: index, %[[LAST:[a-z0-9]*]]: index)
// TILES:         %[[TILES:.*]] = arith.constant 7 : index
// TILES:         %[[BASE:.*]] = arith.constant 8 : index
// TILES:         %[[OWN:.*]] = arith.subi %[[FIRST]], %[[BASE]]
// TILES-NEXT:    %[[LOW:.*]] = arith.maxsi %[[OWN]], %
// TILES-NEXT:    %[[FROM:.*]] = arith.minsi %[[LOW]], %[[TILES]]
// TILES:         %[[TO:.*]] = arith.minsi %{{.*}}, %[[TILES]]
// TILES-NEXT:    %[[ANY:.*]] = arith.cmpi slt, %[[FROM]], %[[TO]]
// TILES-NEXT:    scf.if %[[ANY]] {
// TILES-NEXT:      func.call @left(%{{.*}}, %[[FROM]], %[[TO]])
// TILES-LABEL: func.func @classes(
// TILES-SAME:    {callee = @classes_group_0, nanoseconds = {{[0-9]+}} : i64, tiles = 29 : i64}
func.func @classes(%image: memref<1x8x8x64xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias})
    attributes {bquant.arena_bytes = 512 : i64, bquant.slice_bytes = 64 : i64} {
  call @top(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @left(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @inside(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @second(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @second(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @rows(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @unknown(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @low(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @high(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @middle(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @unknown(%image, %out, %arena, %slice) : (memref<1x8x8x64xf32>, memref<64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  return
}
