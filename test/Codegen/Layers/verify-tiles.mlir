// RUN: bquant-opt %s --bquant-verify-tiles --split-input-file --verify-diagnostics

// Each iteration has rows of its own, whatever their indices go through; what is
// written nowhere is read by all, and what a thread allocates is its own.
func.func @independent(%x: memref<16xf32> {llvm.noalias}, %y: memref<8x64xf32> {llvm.noalias}, %z: memref<8x2xi32> {llvm.noalias}) {
  bquant_packed.layer "l" ins(%i = %x : memref<16xf32>) outs(%o = %y : memref<8x64xf32>, %w = %z : memref<8x2xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : i32
    scf.forall (%r, %c) = (0, 0) to (6, 64) step (2, 32) {
      %own = memref.alloc() : memref<4xf32>
      %v = memref.load %i[%c0] : memref<16xf32>
      memref.store %v, %own[%c1] : memref<4xf32>
      %rows = memref.subview %o[%r, %c] [2, 32] [1, 1] : memref<8x64xf32> to memref<2x32xf32, strided<[64, 1], offset: ?>>
      scf.for %k = %c0 to %c2 step %c1 {
        %u = vector.transfer_read %rows[%k, %c0], %v {in_bounds = [true]} : memref<2x32xf32, strided<[64, 1], offset: ?>>, vector<32xf32>
        vector.transfer_write %u, %rows[%k, %c0] {in_bounds = [true]} : vector<32xf32>, memref<2x32xf32, strided<[64, 1], offset: ?>>
        %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%r, %k)
        %word = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%c)
        memref.store %c5, %w[%row, %word] : memref<8x2xi32>
      }
    }
    scf.forall (%c) in (64) {
      %c7 = arith.constant 7 : index
      %v = memref.load %i[%c0] : memref<16xf32>
      memref.store %v, %o[%c7, %c] : memref<8x64xf32>
    }
  }
  return
}

// -----

// One reads what another one writes.
func.func @reads(%y: memref<8xf32> {llvm.noalias}) {
  bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
    %c3 = arith.constant 3 : index
    // expected-error @below {{expected independent iterations, but got ones that touch the same memory: [0] and [3]}}
    scf.forall (%i) in (8) {
      %v = memref.load %o[%c3] : memref<8xf32>
      memref.store %v, %o[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// A tile is one row too large.
func.func @overlap(%y: memref<8x4xf32> {llvm.noalias}) {
  bquant_packed.layer "l" outs(%o = %y : memref<8x4xf32>) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<3x4xf32>
    // expected-error @below {{expected independent iterations, but got ones that touch the same memory: [0] and [2]}}
    scf.forall (%i) = (0) to (6) step (2) {
      vector.transfer_write %zero, %o[%i, %c0] {in_bounds = [true, true]} : vector<3x4xf32>, memref<8x4xf32>
    }
  }
  return
}

// -----

// The same for all of one dimension.
func.func @same(%y: memref<8xf32> {llvm.noalias}) {
  bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{expected independent iterations, but got ones that touch the same memory: [0, 0] and [0, 1]}}
    scf.forall (%i, %j) in (8, 2) {
      memref.store %zero, %o[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// An index that is read from memory may be any.
func.func @unknown(%x: memref<8xindex> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias}) {
  bquant_packed.layer "l" ins(%n = %x : memref<8xindex>) outs(%o = %y : memref<8xf32>) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{expected independent iterations, but got ones that touch the same memory: [0] and [1]}}
    scf.forall (%i) in (8) {
      %k = memref.load %n[%i] : memref<8xindex>
      memref.store %zero, %o[%k] : memref<8xf32>
    }
  }
  return
}

// -----

// A part that another one has to wait for.
func.func @parts(%y: memref<8xf32> {llvm.noalias}) {
  bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    scf.forall (%i) in (4) {
      memref.store %zero, %o[%i] : memref<8xf32>
    }
    // expected-error @below {{expected memory apart from what another part of the layer "l" touches}}
    %v = memref.load %o[%c3] : memref<8xf32>
    scf.forall (%i) = (4) to (8) step (1) {
      memref.store %v, %o[%i] : memref<8xf32>
    }
  }
  return
}

// -----

// Layers of a group.
func.func @group(%x: memref<8xf32> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias}) {
  bquant_packed.group {
    bquant_packed.layer "a" outs(%o = %x : memref<8xf32>) {
      %zero = arith.constant 0.0 : f32
      scf.forall (%i) in (8) {
        memref.store %zero, %o[%i] : memref<8xf32>
      }
    }
    // expected-error @below {{expected memory apart from what the layer "a" of the group touches}}
    bquant_packed.layer "b" ins(%i = %x : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      memref.copy %i, %o : memref<8xf32> to memref<8xf32>
    }
  }
  return
}

// -----

// A view that begins where the buffer does, not where the view that it is of.
func.func @elsewhere(%y: memref<16xf32> {llvm.noalias}) {
  bquant_packed.group {
    bquant_packed.layer "a" outs(%o = %y : memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      %s = memref.subview %o[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1]>>
      %r = memref.reinterpret_cast %s to offset: [8], sizes: [4], strides: [1] : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 8>>
      memref.store %v, %r[%c0] : memref<4xf32, strided<[1], offset: 8>>
    }
    // expected-error @below {{expected memory apart from what the layer "a" of the group touches}}
    bquant_packed.layer "b" outs(%o = %y : memref<16xf32>) {
      %c8 = arith.constant 8 : index
      %v = arith.constant 2.0 : f32
      memref.store %v, %o[%c8] : memref<16xf32>
    }
  }
  return
}

// -----

// A buffer without elements.
func.func @nothing(%x: memref<4x0xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}) {
  bquant_packed.layer "l" ins(%i = %x : memref<4x0xf32>) outs(%o = %y : memref<4xf32>) {
    %c = memref.collapse_shape %i [[0, 1]] : memref<4x0xf32> into memref<0xf32>
    scf.forall (%k) in (4) {
      %v = memref.load %c[%k] : memref<0xf32>
      memref.store %v, %o[%k] : memref<4xf32>
    }
  }
  return
}
