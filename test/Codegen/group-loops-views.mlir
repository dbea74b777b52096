// RUN: bquant-opt %s --bquant-group-loops | FileCheck %s

// Rows of an image whose pixels are in rows again.
func.func private @third(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %pixels = memref.collapse_shape %image [[0, 1, 2], [3]] : memref<1x8x8x64xf32> into memref<64x64xf32>
  %rows = memref.expand_shape %pixels [[0, 1], [2]] output_shape [8, 8, 64] : memref<64x64xf32> into memref<8x8x64xf32>
  scf.for %j = %c0 to %c8 step %c1 {
    vector.transfer_write %zero, %rows[%c3, %j, %c0] : vector<64xf32>, memref<8x8x64xf32>
  }
  return
}
func.func private @fourth(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pixels = memref.collapse_shape %image [[0, 1, 2], [3]] : memref<1x8x8x64xf32> into memref<64x64xf32>
  %rows = memref.expand_shape %pixels [[0, 1], [2]] output_shape [8, 8, 64] : memref<64x64xf32> into memref<8x8x64xf32>
  scf.for %j = %c0 to %c8 step %c1 {
    vector.transfer_write %zero, %rows[%c4, %j, %c0] : vector<64xf32>, memref<8x8x64xf32>
  }
  return
}
// The last pixel of one of these rows.
func.func private @corner(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  vector.transfer_write %zero, %image[%c0, %c3, %c7, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
  return
}
// The first and, a step of two away, the third row.
func.func private @stepped(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.subview %image[0, 0, 0, 0] [1, 2, 8, 64] [1, 2, 1, 1] : memref<1x8x8x64xf32> to memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
  vector.transfer_write %zero, %rows[%c0, %c0, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
  vector.transfer_write %zero, %rows[%c0, %c1, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
  return
}
// What is constant is read by any.
memref.global "private" constant @scales : memref<64xf32> = dense<2.0>
func.func private @scaled(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %scales = memref.get_global @scales : memref<64xf32>
  %v = vector.load %scales[%c0] : memref<64xf32>, vector<64xf32>
  vector.transfer_write %v, %image[%c0, %c5, %c0, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
  return
}
// CHECK-LABEL: func.func private @views_group_0(
// CHECK-NEXT:    call @third(
// CHECK-NEXT:    call @fourth(
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @views_group_1(
// CHECK-NEXT:    call @corner(
// CHECK-NEXT:    call @stepped(
// CHECK-NEXT:    call @scaled(
// CHECK-NEXT:    return
func.func @views(%image: memref<1x8x8x64xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias})
    attributes {bquant.arena_bytes = 512 : i64, bquant.slice_bytes = 64 : i64} {
  call @third(%image, %arena, %slice) : (memref<1x8x8x64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @fourth(%image, %arena, %slice) : (memref<1x8x8x64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @corner(%image, %arena, %slice) : (memref<1x8x8x64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @stepped(%image, %arena, %slice) : (memref<1x8x8x64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @scaled(%image, %arena, %slice) : (memref<1x8x8x64xf32>, memref<512xi8>, memref<64xi8>) -> ()
  return
}

// Of a size that is not known, all may be the same.
func.func private @first(%x: memref<?xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  memref.store %zero, %x[%c0] : memref<?xf32>
  return
}
func.func private @second(%x: memref<?xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  memref.store %zero, %x[%c1] : memref<?xf32>
  return
}
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT:    call @first(
// CHECK-NEXT:    call @second(
// CHECK-NEXT:    return
func.func @dynamic(%x: memref<?xf32> {llvm.noalias}, %arena: memref<512xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias})
    attributes {bquant.arena_bytes = 512 : i64, bquant.slice_bytes = 64 : i64} {
  call @first(%x, %arena, %slice) : (memref<?xf32>, memref<512xi8>, memref<64xi8>) -> ()
  call @second(%x, %arena, %slice) : (memref<?xf32>, memref<512xi8>, memref<64xi8>) -> ()
  return
}
