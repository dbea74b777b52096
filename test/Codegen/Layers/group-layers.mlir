// RUN: bquant-opt %s --bquant-group-layers --split-input-file | FileCheck %s --strict-whitespace

// Classes of an image: rows and columns of its border, and what is inside, write
// boxes of their own: a group. "second" reads what one of them writes, and writes
// what it writes again.
// CHECK-LABEL: func.func @classes(
// CHECK: {{^    }}bquant_packed.group {
// CHECK: {{^      }}bquant_packed.layer "top"
// CHECK: {{^      }}bquant_packed.layer "left"
// CHECK: {{^      }}bquant_packed.layer "inside"
// CHECK: {{^    }}bquant_packed.layer "second"
// CHECK: {{^    }}bquant_packed.layer "second"
// CHECK: {{^    }}bquant_packed.layer "rows"
// CHECK: {{^    }}bquant_packed.layer "unknown"
// CHECK-NOT: bquant_packed.group
// CHECK: return
func.func private @other()
func.func @classes(%x: memref<1x8x8x64xf32> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias}) {
  bquant_packed.layer "top" outs(%image = %x : memref<1x8x8x64xf32>) {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %c0 = arith.constant 0 : index
    scf.forall (%i) in (8) {
      %tile = memref.subview %image[0, 0, %i, 0] [1, 1, 1, 64] [1, 1, 1, 1] : memref<1x8x8x64xf32> to memref<1x64xf32, strided<[512, 1], offset: ?>>
      vector.transfer_write %zero, %tile[%c0, %c0] : vector<64xf32>, memref<1x64xf32, strided<[512, 1], offset: ?>>
    }
  }
  bquant_packed.layer "left" outs(%image = %x : memref<1x8x8x64xf32>) {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %c0 = arith.constant 0 : index
    scf.forall (%i) = (1) to (8) step (1) {
      vector.transfer_write %zero, %image[%c0, %i, %c0, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
    }
  }
  bquant_packed.layer "inside" outs(%image = %x : memref<1x8x8x64xf32>) {
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
  }
  // The left end of the second row.
  bquant_packed.layer "second" ins(%image = %x : memref<1x8x8x64xf32>) outs(%out = %y : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %v = memref.load %image[%c0, %c1, %c0, %c5] : memref<1x8x8x64xf32>
    memref.store %v, %out[%c0] : memref<64xf32>
  }
  bquant_packed.layer "second" ins(%image = %x : memref<1x8x8x64xf32>) outs(%out = %y : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %v = memref.load %image[%c0, %c1, %c0, %c5] : memref<1x8x8x64xf32>
    memref.store %v, %out[%c0] : memref<64xf32>
  }
  // The second row of a view of the first two.
  bquant_packed.layer "rows" outs(%image = %x : memref<1x8x8x64xf32>) {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = memref.subview %image[0, 0, 0, 0] [1, 2, 8, 64] [1, 1, 1, 1] : memref<1x8x8x64xf32> to memref<1x2x8x64xf32, strided<[4096, 512, 64, 1]>>
    vector.transfer_write %zero, %rows[%c0, %c1, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 512, 64, 1]>>
  }
  bquant_packed.layer "unknown" outs(%out = %y : memref<64xf32>) {
    func.call @other() : () -> ()
  }
  return
}

// -----

// Buffers of their own, allocated between the layers; what each thread has for
// itself; what one of them reads, too.
// CHECK-LABEL: func.func @buffers(
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: {{^    }}bquant_packed.group {
// CHECK: {{^      }}bquant_packed.layer "a"
// CHECK: {{^      }}bquant_packed.layer "b"
// CHECK: memref.alloc
// CHECK: {{^    }}bquant_packed.layer "c"
// CHECK: {{^    }}bquant_packed.layer "d"
// CHECK: return
func.func @buffers(%x: memref<64xf32> {llvm.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  bquant_packed.layer "a" ins(%in = %x : memref<64xf32>) outs(%out = %a : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  %b = memref.alloc() : memref<64xf32>
  bquant_packed.layer "b" ins(%in = %x : memref<64xf32>) outs(%out = %b : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  %c = memref.alloc() : memref<64xf32>
  bquant_packed.layer "c" ins(%in = %b : memref<64xf32>) outs(%out = %c : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  bquant_packed.layer "d" ins(%in = %x : memref<64xf32>) outs(%out = %b : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// Arguments that may be the same memory.
// CHECK-LABEL: func.func @aliases(
// CHECK-NOT: bquant_packed.group
func.func @aliases(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32> {llvm.noalias}) {
  bquant_packed.layer "a" ins(%in = %z : memref<64xf32>) outs(%out = %x : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  bquant_packed.layer "b" ins(%in = %z : memref<64xf32>) outs(%out = %y : memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %in[%c0] : memref<64xf32>
    scf.forall (%i) in (64) {
      %own = memref.alloc() : memref<64xf32>
      memref.store %v, %own[%i] : memref<64xf32>
      memref.store %v, %out[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// Rows of an image whose pixels are in rows again.
// CHECK-LABEL: func.func @views(
// CHECK: {{^    }}bquant_packed.group {
// CHECK: {{^      }}bquant_packed.layer "third"
// CHECK: {{^      }}bquant_packed.layer "fourth"
// CHECK: memref.get_global
// CHECK: {{^    }}bquant_packed.group {
// CHECK: {{^      }}bquant_packed.layer "corner"
// CHECK: {{^      }}bquant_packed.layer "stepped"
// CHECK: {{^      }}bquant_packed.layer "scaled"
// CHECK: return
memref.global "private" constant @scales : memref<64xf32> = dense<2.0>
func.func @views(%x: memref<1x8x8x64xf32> {llvm.noalias}) {
  bquant_packed.layer "third" outs(%image = %x : memref<1x8x8x64xf32>) {
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
  }
  bquant_packed.layer "fourth" outs(%image = %x : memref<1x8x8x64xf32>) {
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
  }
  // The last pixel of one of these rows.
  bquant_packed.layer "corner" outs(%image = %x : memref<1x8x8x64xf32>) {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    vector.transfer_write %zero, %image[%c0, %c3, %c7, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
  }
  // The first and, a step of two away, the third row.
  bquant_packed.layer "stepped" outs(%image = %x : memref<1x8x8x64xf32>) {
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = memref.subview %image[0, 0, 0, 0] [1, 2, 8, 64] [1, 2, 1, 1] : memref<1x8x8x64xf32> to memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
    vector.transfer_write %zero, %rows[%c0, %c0, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
    vector.transfer_write %zero, %rows[%c0, %c1, %c0, %c0] : vector<64xf32>, memref<1x2x8x64xf32, strided<[4096, 1024, 64, 1]>>
  }
  // What is constant is read by any.
  %s = memref.get_global @scales : memref<64xf32>
  bquant_packed.layer "scaled" ins(%scales = %s : memref<64xf32>) outs(%image = %x : memref<1x8x8x64xf32>) {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %v = vector.load %scales[%c0] : memref<64xf32>, vector<64xf32>
    vector.transfer_write %v, %image[%c0, %c5, %c0, %c0] : vector<64xf32>, memref<1x8x8x64xf32>
  }
  return
}

// -----

// Of a size that is not known, all may be the same.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: bquant_packed.group
func.func @dynamic(%x: memref<?xf32> {llvm.noalias}) {
  bquant_packed.layer "first" outs(%o = %x : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    memref.store %zero, %o[%c0] : memref<?xf32>
  }
  bquant_packed.layer "second" outs(%o = %x : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    memref.store %zero, %o[%c1] : memref<?xf32>
  }
  return
}

// -----

// A view that begins where the buffer does, not where the view that it is of.
// CHECK-LABEL: func.func @elsewhere(
// CHECK-NOT: bquant_packed.group
func.func @elsewhere(%y: memref<16xf32> {llvm.noalias}) {
  bquant_packed.layer "a" outs(%o = %y : memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %s = memref.subview %o[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1]>>
    %r = memref.reinterpret_cast %s to offset: [8], sizes: [4], strides: [1] : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 8>>
    memref.store %v, %r[%c0] : memref<4xf32, strided<[1], offset: 8>>
  }
  bquant_packed.layer "b" outs(%o = %y : memref<16xf32>) {
    %c8 = arith.constant 8 : index
    %v = arith.constant 2.0 : f32
    memref.store %v, %o[%c8] : memref<16xf32>
  }
  return
}

// -----

// A layer on tensors is in no group, and does nothing to the layers around it.
// CHECK-LABEL: func.func @tensors(
// CHECK: bquant_packed.layer "t"
// CHECK: {{^    }}bquant_packed.group {
// CHECK: {{^      }}bquant_packed.layer "a"
// CHECK: {{^      }}bquant_packed.layer "b"
// CHECK-NOT: bquant_packed
// CHECK: return
func.func @tensors(%x: tensor<4xf32>, %y: memref<4xf32> {llvm.noalias}, %z: memref<4xf32> {llvm.noalias}) -> tensor<4xf32> {
  bquant_packed.layer "a" outs(%o = %y : memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %o[%c0] : memref<4xf32>
  }
  %t = bquant_packed.layer "t" ins(%i = %x : tensor<4xf32>) outs(%o = %x : tensor<4xf32>) {
    %n = arith.negf %i : tensor<4xf32>
    bquant_packed.yield %n : tensor<4xf32>
  }
  bquant_packed.layer "b" outs(%o = %z : memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %o[%c0] : memref<4xf32>
  }
  return %t : tensor<4xf32>
}
