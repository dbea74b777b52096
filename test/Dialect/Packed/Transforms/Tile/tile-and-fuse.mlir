// RUN: bquant-opt %s --split-input-file --pass-pipeline='builtin.module(bquant-set-target{triple=x86_64-linux-gnu chip=znver4}, \
// RUN:   func.func(bquant-normalize-generics, bquant-sink-into-regions, bquant-form-layers, \
// RUN:   bquant_packed.layer(bquant-tile-and-fuse)), bquant-inline-layers, canonicalize, cse)' | FileCheck %s
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers=threads=2 \
// RUN:   --bquant-tile-pipeline=threads=2 --bquant-inline-layers --canonicalize --cse | FileCheck %s --check-prefix=THREADS

// Two border classes: the consumers move onto the regions, one loop over blocks
// of channels holds both, and both read one filter, a block of channels of it. A
// tile is the kernel's: up to 7 rows by 32 channels.

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

#input = affine_map<(n, h, w, o, i, j, c) -> (n, h + i, w + j, c)>
#filter = affine_map<(n, h, w, o, i, j, c) -> (o floordiv 32, i, j, c)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#channel = affine_map<(n, h, w, o) -> (o)>

// CHECK-LABEL: @regions
// CHECK-SAME: %[[X:.*]]: tensor<1x3x12x1xi32, #words>, %{{.*}}: tensor<64xi32>
// CHECK-DAG: %[[F:.*]] = arith.constant dense_resource<w> : tensor<2x2x1x1x32xi32, #{{[a-z0-9_]+}}>
// CHECK-DAG: %[[F1:.*]] = tensor.extract_slice %[[F]][0, 1, 0, 0, 0] [2, 1, 1, 1, 32]
// CHECK: scf.forall (%[[OC:.*]]) = (0) to (64) step (32)
// CHECK-SAME: -> (tensor<1x3x12x2xi32, #words>)
// CHECK: scf.for
// CHECK: %[[B:.*]] = affine.apply #{{.*}}(%[[OC]])
// CHECK: %[[FS:.*]] = tensor.extract_slice %[[F1]][%[[B]], 0, 0, 0, 0] [1, 1, 1, 1, 32]
// CHECK: %[[P:.*]] = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>) {{.*}} filters(%[[FS]] : tensor<1x1x1x1x32xi32, #{{[a-z0-9_]+}}>) {{.*}} -> tensor<1x1x6x32xi32>
// CHECK: linalg.generic {{.*}} ins(%[[P]],
// CHECK: arith.subi %c32_i32
// CHECK: arith.cmpi
// CHECK: -> tensor<1x1x6x32xi1>
// CHECK: bquant_packed.pack {{.*}} -> tensor<1x1x6x1xi32, #words>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[XS:.*]] = tensor.extract_slice %[[X]][0, %{{.*}}, %{{.*}}, 0] [1, 2, 6, 1]
// CHECK: %[[FS:.*]] = tensor.extract_slice %[[F]][%{{.*}}, 0, 0, 0, 0] [1, 2, 1, 1, 32]
// CHECK: bquant_packed.product {{.*}} ins(%[[XS]] : {{.*}} filters(%[[FS]] : {{.*}} -> tensor<1x1x6x32xi32>
// CHECK: arith.subi %c64_i32
// CHECK: bquant_packed.pack {{.*}} -> tensor<1x1x6x1xi32, #words>
// CHECK: tensor.parallel_insert_slice
// CHECK-NOT: linalg.generic

// For more threads each class has tiles of its own, written to its part of the
// whole: pixels, too, where blocks of channels are few.

// THREADS-LABEL: @regions
// THREADS: %[[FIRST:.*]] = scf.forall (%[[OC:.*]], %[[W:.*]]) = (0, 0) to (64, 12) step (32, 6) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<1x3x12x2xi32, #words>)
// THREADS: tensor.extract_slice %[[O]][0, 0, %[[W]], %{{.*}}] [1, 1, 6, 1]
// THREADS: tensor.parallel_insert_slice %{{.*}} into %[[O]][0, 0, %[[W]], %{{.*}}] [1, 1, 6, 1]
// THREADS: scf.forall (%[[OC:.*]], %[[H:.*]], %[[W:.*]]) = (0, 0, 0) to (64, 2, 12) step (32, 1, 6) shared_outs(%[[O:.*]] = %[[FIRST]])
// THREADS: tensor.parallel_insert_slice %{{.*}} into %[[O]][0, %{{.*}}, %[[W]], %{{.*}}] [1, 1, 6, 1]
func.func @regions(%x: tensor<1x3x12x1xi32, #words>, %t: tensor<64xi32>) -> tensor<1x3x12x2xi32, #words> {
  %c0 = arith.constant 0 : i32
  %w = arith.constant dense_resource<w> : tensor<2x2x1x1x32xi32, #blocks>
  %e = tensor.empty() : tensor<1x3x12x64xi32>
  %w1 = tensor.extract_slice %w[0, 1, 0, 0, 0] [2, 1, 1, 1, 32] [1, 1, 1, 1, 1] : tensor<2x2x1x1x32xi32, #blocks> to tensor<2x1x1x1x32xi32, #blocks>
  %x1 = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 12, 1] [1, 1, 1, 1] : tensor<1x3x12x1xi32, #words> to tensor<1x1x12x1xi32, #words>
  %e1 = tensor.empty() : tensor<1x1x12x64xi32>
  %z1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x1x12x64xi32>) -> tensor<1x1x12x64xi32>
  %p1 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x1 : tensor<1x1x12x1xi32, #words>) filters(%w1 : tensor<2x1x1x1x32xi32, #blocks>) outs(%z1 : tensor<1x1x12x64xi32>) maps = [#input, #filter] -> tensor<1x1x12x64xi32>
  %d1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p1 : tensor<1x1x12x64xi32>) outs(%e1 : tensor<1x1x12x64xi32>) {
  ^bb0(%a: i32, %s: i32):
    %k = arith.constant 32 : i32
    %0 = arith.subi %k, %a : i32
    linalg.yield %0 : i32
  } -> tensor<1x1x12x64xi32>
  %i1 = tensor.insert_slice %d1 into %e[0, 0, 0, 0] [1, 1, 12, 64] [1, 1, 1, 1] : tensor<1x1x12x64xi32> into tensor<1x3x12x64xi32>
  %e2 = tensor.empty() : tensor<1x2x12x64xi32>
  %z2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x2x12x64xi32>) -> tensor<1x2x12x64xi32>
  %p2 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<1x3x12x1xi32, #words>) filters(%w : tensor<2x2x1x1x32xi32, #blocks>) outs(%z2 : tensor<1x2x12x64xi32>) maps = [#input, #filter] -> tensor<1x2x12x64xi32>
  %d2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p2 : tensor<1x2x12x64xi32>) outs(%e2 : tensor<1x2x12x64xi32>) {
  ^bb0(%a: i32, %s: i32):
    %k = arith.constant 64 : i32
    %0 = arith.subi %k, %a : i32
    linalg.yield %0 : i32
  } -> tensor<1x2x12x64xi32>
  %i2 = tensor.insert_slice %d2 into %i1[0, 1, 0, 0] [1, 2, 12, 64] [1, 1, 1, 1] : tensor<1x2x12x64xi32> into tensor<1x3x12x64xi32>
  %eb = tensor.empty() : tensor<1x3x12x64xi1>
  %bits = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i2, %t : tensor<1x3x12x64xi32>, tensor<64xi32>) outs(%eb : tensor<1x3x12x64xi1>) {
  ^bb0(%a: i32, %u: i32, %s: i1):
    %0 = arith.cmpi sge, %a, %u : i32
    linalg.yield %0 : i1
  } -> tensor<1x3x12x64xi1>
  %ew = tensor.empty() : tensor<1x3x12x2xi32, #words>
  %words = bquant_packed.pack ins(%bits : tensor<1x3x12x64xi1>) outs(%ew : tensor<1x3x12x2xi32, #words>) -> tensor<1x3x12x2xi32, #words>
  return %words : tensor<1x3x12x2xi32, #words>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304010203040102030401020304"
    }
  }
#-}

// -----

// The kernel scalar has a block of one channel, and fewer rows.

#scalar_blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 1, lanes = 1>
#words = #bquant_packed.layout.words

// CHECK-LABEL: @scalar
// CHECK: scf.forall (%[[N:.*]]) = (0) to (64) step (32)
// CHECK: scf.for %[[M:.*]] = %{{.*}} to %{{.*}} step %c4
// CHECK: %[[XS:.*]] = tensor.extract_slice %arg0[%[[M]], 0] [4, 5]
// CHECK: %[[WS:.*]] = tensor.extract_slice %arg1[%[[N]], 0, 0] [32, 5, 1]
// CHECK: bquant_packed.product kernel(#bquant_packed.scalar<{{.*}}>) ins(%[[XS]] : tensor<4x5xi32, #words>) filters(%[[WS]] : tensor<32x5x1xi32, #{{[a-z0-9_]+}}>)
// CHECK-SAME: -> tensor<4x32xi32>
func.func @scalar(%x: tensor<8x5xi32, #words>, %w: tensor<64x5x1xi32, #scalar_blocks>) -> tensor<8x64xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<8x64xi32>) -> tensor<8x64xi32>
  %y = bquant_packed.product kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
      ins(%x : tensor<8x5xi32, #words>) filters(%w : tensor<64x5x1xi32, #scalar_blocks>) outs(%z : tensor<8x64xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>] -> tensor<8x64xi32>
  return %y : tensor<8x64xi32>
}

// -----

// 72 channels are a block of 64 and 8 of the next one, whose lanes a tile reads
// all; 6 rows are tiles of 3, the largest divisor below the kernel's 4.

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#nibbles = #bquant_packed.layout.nibbles

// CHECK-LABEL: @table
// CHECK: scf.for %{{.*}} = %{{.*}} to %c6 step %c3
// CHECK: %[[W0:.*]] = tensor.extract_slice %arg1[0, 0, 0] [1, 17, 64]
// CHECK: bquant_packed.product kernel(#bquant_packed.table<{{.*}}>) ins(%{{.*}} : tensor<3x17xi8, #nibbles>) filters(%[[W0]] : tensor<1x17x64xi8, #{{[a-z0-9_]+}}>) {{.*}} -> tensor<3x64xi32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %c6 step %c3
// CHECK: %[[W1:.*]] = tensor.extract_slice %arg1[1, 0, 0] [1, 17, 64]
// CHECK: bquant_packed.product {{.*}} filters(%[[W1]] : tensor<1x17x64xi8, #{{[a-z0-9_]+}}>) {{.*}} -> tensor<3x8xi32>
func.func @table(%x: tensor<6x17xi8, #nibbles>, %w: tensor<2x17x64xi8, #blocks>) -> tensor<6x72xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x72xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<6x72xi32>) -> tensor<6x72xi32>
  %y = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      ins(%x : tensor<6x17xi8, #nibbles>) filters(%w : tensor<2x17x64xi8, #blocks>) outs(%z : tensor<6x72xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 64, k)>] -> tensor<6x72xi32>
  return %y : tensor<6x72xi32>
}

// -----

// Floats: 72 channels are two blocks of 32 and 8 of a third one, whose lanes a tile
// reads all; rows of 13 are tiles of 7 and 6.

// CHECK-LABEL: @floats
// CHECK: scf.forall {{.*}} = (0) to (64) step (32)
// CHECK: %[[W:.*]] = tensor.extract_slice %arg1[%{{.*}}, 0, 0] [1, 2, 32]
// CHECK: bquant_packed.product kernel(#bquant_packed.fma<{{.*}}>) fused ins(%{{.*}} : tensor<7x2xf32>) filters(%[[W]] : tensor<1x2x32xf32, #{{[a-z0-9_]+}}>) {{.*}} -> tensor<7x32xf32>
// CHECK: bquant_packed.product {{.*}} -> tensor<6x32xf32>
// CHECK: tensor.extract_slice %arg1[2, 0, 0] [1, 2, 32]
// CHECK: bquant_packed.product {{.*}} -> tensor<7x8xf32>
// CHECK: bquant_packed.product {{.*}} -> tensor<6x8xf32>
#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 16>

func.func @floats(%x: tensor<13x2xf32>, %w: tensor<3x2x32xf32, #blocks>) -> tensor<13x72xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x72xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<13x72xf32>) -> tensor<13x72xf32>
  %y = bquant_packed.product kernel(#bquant_packed.fma<rows = 12, channels = 32, bits = 512>) fused
      ins(%x : tensor<13x2xf32>) filters(%w : tensor<3x2x32xf32, #blocks>) outs(%z : tensor<13x72xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<13x72xf32>
  return %y : tensor<13x72xf32>
}

// -----

// A value that leaves its layer: %sum is read by the next quantize and returned.

#words = #bquant_packed.layout.words

#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: @escape
// CHECK: %[[R:.*]]:2 = scf.forall
// CHECK: arith.addf
// CHECK: arith.cmpf
// CHECK: bquant_packed.pack
// CHECK: return %[[R]]#{{[01]}}, %[[R]]#{{[01]}}
func.func @escape(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x2xi32, #words>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %sum = linalg.add ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %eb = tensor.empty() : tensor<8x64xi1>
  %bits = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<8x64xf32>) outs(%eb : tensor<8x64xi1>) {
  ^bb0(%a: f32, %s: i1):
    %0 = arith.cmpf oge, %a, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<8x64xi1>
  %ew = tensor.empty() : tensor<8x2xi32, #words>
  %words = bquant_packed.pack ins(%bits : tensor<8x64xi1>) outs(%ew : tensor<8x2xi32, #words>) -> tensor<8x2xi32, #words>
  return %sum, %words : tensor<8x64xf32>, tensor<8x2xi32, #words>
}

// -----

// Channels of a pool in words, and what is left over.

// CHECK-LABEL: @pool
// CHECK: scf.forall
// CHECK: arith.maximumf
// CHECK: -> tensor<1x1x4x32xf32>
// CHECK: -> tensor<1x1x4x16xf32>
func.func @pool(%x: tensor<1x8x8x48xf32>) -> tensor<1x4x4x48xf32> {
  %c = arith.constant 0xFF800000 : f32
  %k = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x4x4x48xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<1x4x4x48xf32>) -> tensor<1x4x4x48xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x8x8x48xf32>, tensor<2x2xf32>) outs(%z : tensor<1x4x4x48xf32>) -> tensor<1x4x4x48xf32>
  return %y : tensor<1x4x4x48xf32>
}

// -----

// A sum over the first dimension: loops are brought in order.

// CHECK-LABEL: @mean
// CHECK: scf.forall {{.*}} = (0) to (256) step (32)
// CHECK: ["parallel", "reduction"]
func.func @mean(%x: tensor<49x256xf32>) -> tensor<256xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %y = linalg.reduce { arith.addf } ins(%x : tensor<49x256xf32>) outs(%z : tensor<256xf32>) dimensions = [0]
  return %y : tensor<256xf32>
}

// -----

// What a row is summed over is no filter, although the row is the channel: it is
// read where it lies.

#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k) -> (n, k)>

// CHECK-LABEL: @sum
// CHECK-SAME: %[[X:.*]]: tensor<2x32xf64>
// CHECK-NOT: linalg.generic
// CHECK: linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]] : tensor<2x32xf64>)
// CHECK-NOT: linalg.generic
func.func @sum(%x: tensor<2x32xf64>) -> tensor<2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  %y = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x32xf64>) outs(%z : tensor<2xf64>) {
  ^bb0(%a: f64, %s: f64):
    %0 = arith.addf %s, %a : f64
    linalg.yield %0 : f64
  } -> tensor<2xf64>
  return %y : tensor<2xf64>
}

// -----

// Signs: a tile reads the words of its block, whole ones.

#words = #bquant_packed.layout.words

// CHECK-LABEL: @signs
// CHECK: scf.forall
// CHECK: %[[W:.*]] = tensor.extract_slice %arg1[%{{.*}}, 0, 0] [1, 3, 4]
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<1x3x4xi32, #words>) {{.*}} -> tensor<1x128xf32>
// CHECK: bquant_packed.product {{.*}} : tensor<1x3x4xi32, #words>) {{.*}} -> tensor<1x32xf32>
func.func @signs(%x: tensor<1x3xf32>, %w: tensor<3x3x4xi32, #words>, %z: tensor<1x288xf32>) -> tensor<1x288xf32> {
  %y = bquant_packed.product kernel(#bquant_packed.fma<rows = 1, channels = 128, bits = 512>)
      ins(%x : tensor<1x3xf32>) filters(%w : tensor<3x3x4xi32, #words>) outs(%z : tensor<1x288xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 128, k)>] -> tensor<1x288xf32>
  return %y : tensor<1x288xf32>
}

// -----

// 9 rows of 64 counts are more than 32 registers of 16 lanes hold: what follows
// them is a loop over the rows. The 7 rows that are left over fit.

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 64, parts = 2>
#nibbles = #bquant_packed.layout.nibbles

// CHECK-LABEL: @rolled_rows
// CHECK: scf.for %[[IV:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[Y:.*]] = %{{.*}}) -> (tensor<25x64xf32>) {
// CHECK:   %[[COUNTS:.*]] = bquant_packed.product {{.*}} -> tensor<9x64xi32>
// CHECK:   scf.for %[[ROW:.*]] = %c0 to %c9 step %c1 iter_args(%[[O:.*]] = %[[Y]])
// CHECK:     %[[AT:.*]] = affine.apply #{{.*}}()[%[[IV]], %[[ROW]]]
// CHECK-DAG: %[[OUT:.*]] = tensor.extract_slice %[[O]][%[[AT]], 0] [1, 64]
// CHECK-DAG: %[[COUNT:.*]] = tensor.extract_slice %[[COUNTS]][%[[ROW]], 0] [1, 64]
// CHECK:     %[[F:.*]] = linalg.generic {{.*}} ins(%[[COUNT]] : tensor<1x64xi32>) outs(%[[OUT]] : tensor<1x64xf32>)
// CHECK:     tensor.insert_slice %[[F]] into %[[O]][%[[AT]], 0]
// CHECK: %[[LAST:.*]] = bquant_packed.product {{.*}} -> tensor<7x64xi32>
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} ins(%[[LAST]] : tensor<7x64xi32>)
func.func @rolled_rows(%x: tensor<25x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks>) -> tensor<25x64xf32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<25x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<25x64xi32>) -> tensor<25x64xi32>
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 9, channels = 64, bits = 512>)
      ins(%x : tensor<25x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks>) outs(%z : tensor<25x64xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 64, k)>]
      -> tensor<25x64xi32>
  %f = tensor.empty() : tensor<25x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<25x64xi32>) outs(%f : tensor<25x64xf32>) {
  ^bb0(%c: i32, %o: f32):
    %0 = arith.sitofp %c : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<25x64xf32>
  return %y : tensor<25x64xf32>
}

// -----

// Bits of counts are few instructions, in registers.

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 64, parts = 2>
#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

// CHECK-LABEL: @bits_of_rows
// CHECK: bquant_packed.product {{.*}} -> tensor<9x64xi32>
// CHECK-NOT: scf.for
// CHECK: bquant_packed.pack {{.*}} -> tensor<9x2xi32, #words>
func.func @bits_of_rows(%x: tensor<27x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks>, %o: tensor<27x2xi32, #words>) -> tensor<27x2xi32, #words> {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %e = tensor.empty() : tensor<27x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<27x64xi32>) -> tensor<27x64xi32>
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 9, channels = 64, bits = 512>)
      ins(%x : tensor<27x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks>) outs(%z : tensor<27x64xi32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n floordiv 64, k)>]
      -> tensor<27x64xi32>
  %i = tensor.empty() : tensor<27x64xi1>
  %b = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<27x64xi32>) outs(%i : tensor<27x64xi1>) {
  ^bb0(%c: i32, %out: i1):
    %0 = arith.cmpi slt, %c, %c9 : i32
    linalg.yield %0 : i1
  } -> tensor<27x64xi1>
  %y = bquant_packed.pack ins(%b : tensor<27x64xi1>) outs(%o : tensor<27x2xi32, #words>) -> tensor<27x2xi32, #words>
  return %y : tensor<27x2xi32, #words>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words
#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w * 2 + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 32, i, j)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>

// What is written is much beside the filters: all channels of a tile's pixels in
// turn.

// CHECK-LABEL: @writes_much
// CHECK: scf.forall (%[[H:.*]]) in (8)
// CHECK:   scf.for %[[W:.*]] = %c0 to %c14 step %c7
// CHECK:     scf.for %[[OC:.*]] = %c0 to %c256 step %c32
// CHECK:       bquant_packed.product
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %{{.*}}[0, %[[H]], 0, 0] [1, 1, 14, 256]

// THREADS-LABEL: @writes_much
// THREADS: scf.forall (%[[H:.*]], %[[W:.*]]) = (0, 0) to (8, 14) step (1, 7)
// THREADS:   scf.for %{{.*}} = %c0 to %c256 step %c32
func.func @writes_much(%x: tensor<1x8x28xi32, #words>) -> tensor<1x8x14x256xf32> {
  %c0 = arith.constant 0 : i32
  %w = arith.constant dense_resource<w> : tensor<8x1x2x32xi32, #blocks>
  %e = tensor.empty() : tensor<1x8x14x256xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x8x14x256xi32>) -> tensor<1x8x14x256xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<1x8x28xi32, #words>) filters(%w : tensor<8x1x2x32xi32, #blocks>) outs(%z : tensor<1x8x14x256xi32>) maps = [#input, #filter] -> tensor<1x8x14x256xi32>
  %ef = tensor.empty() : tensor<1x8x14x256xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x8x14x256xi32>) outs(%ef : tensor<1x8x14x256xf32>) {
  ^bb0(%a: i32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x8x14x256xf32>
  return %f : tensor<1x8x14x256xf32>
}

// -----

// Rows of a tile share nothing where sums have no kernel: with threads a row is a
// tile.
// CHECK-LABEL: func @sums
// CHECK-NOT: scf.forall
// THREADS-LABEL: func @sums
// THREADS: scf.forall (%{{.*}}) in (8)
func.func @sums(%x: tensor<8x100x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(p, l, i) -> (p, i, l)>, affine_map<(p, l, i) -> (p, l)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<8x100x32xf32>) outs(%f : tensor<8x32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// -----

// What vectors do not hold has no tile.
// CHECK-LABEL: func @no_vectors
// CHECK-NOT: scf.for
// CHECK-COUNT-2: } -> tensor<256xf32
#row = affine_map<(i) -> (i)>
func.func @no_vectors(%x: tensor<256xcomplex<f32>>, %y: tensor<256xf32, "sorted">)
    -> (tensor<256xf32>, tensor<256xf32, "sorted">) {
  %e = tensor.empty() : tensor<256xf32>
  %a = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<256xcomplex<f32>>) outs(%e : tensor<256xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %re = complex.re %in : complex<f32>
    linalg.yield %re : f32
  } -> tensor<256xf32>
  %b = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]}
      outs(%y : tensor<256xf32, "sorted">) {
  ^bb0(%out: f32):
    %0 = arith.addf %out, %out : f32
    linalg.yield %0 : f32
  } -> tensor<256xf32, "sorted">
  return %a, %b : tensor<256xf32>, tensor<256xf32, "sorted">
}

// -----

// Numbers of channels with dimensions of one element after them are read as a
// row.

// CHECK-LABEL: @units
// CHECK-SAME: %{{.*}}: tensor<1x1x4x32xf32>, %[[C:.*]]: tensor<1x32x1x1xf32>
// CHECK: tensor.collapse_shape %[[C]] {{\[}}[0], [1, 2, 3]] : tensor<1x32x1x1xf32> into tensor<1x32xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<{{[0-9x]*}}xf32>, tensor<1x{{[0-9]+}}xf32>)
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#first = affine_map<(n, h, w, o) -> (n, o, 0, 0)>
func.func @units(%x: tensor<1x1x4x32xf32>, %c: tensor<1x32x1x1xf32>) -> tensor<1x1x4x32xf32> {
  %e = tensor.empty() : tensor<1x1x4x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %c : tensor<1x1x4x32xf32>, tensor<1x32x1x1xf32>) outs(%e : tensor<1x1x4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x1x4x32xf32>
  return %y : tensor<1x1x4x32xf32>
}

// -----

// Regions that compute the same are one op in the body, and have tiles each.

// CHECK-LABEL: @twice
// CHECK: scf.forall (%[[C:.*]]) = (0) to (64) step (32)
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
// THREADS-LABEL: @twice
// THREADS-COUNT-2: scf.forall
#id = affine_map<(h, c) -> (h, c)>
func.func @twice(%x: tensor<6x64xf32>) -> tensor<12x64xf32> {
  %e = tensor.empty() : tensor<12x64xf32>
  %y = bquant_packed.layer "twice" ins(%i = %x : tensor<6x64xf32>) outs(%o = %e : tensor<12x64xf32>) {
    %t = tensor.empty() : tensor<6x64xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<6x64xf32>) outs(%t : tensor<6x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<6x64xf32>
    %p = tensor.insert_slice %r into %o[0, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    %q = tensor.insert_slice %r into %p[6, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    bquant_packed.yield %q : tensor<12x64xf32>
  }
  return %y : tensor<12x64xf32>
}

// -----

// What is a part of two tensors, in another region of each: each region writes its
// own parts alone.

// CHECK-LABEL: @swapped
// CHECK: scf.forall
// CHECK-COUNT-4: tensor.insert_slice
// CHECK-NOT: tensor.insert_slice
// CHECK: return
#id = affine_map<(h, c) -> (h, c)>
func.func @swapped(%x: tensor<6x64xf32>, %y: tensor<6x64xf32>) -> (tensor<12x64xf32>, tensor<12x64xf32>) {
  %e = tensor.empty() : tensor<12x64xf32>
  %f = tensor.empty() : tensor<12x64xf32>
  %r:2 = bquant_packed.layer "swapped" ins(%i = %x : tensor<6x64xf32>, %j = %y : tensor<6x64xf32>)
      outs(%o = %e : tensor<12x64xf32>, %p = %f : tensor<12x64xf32>) {
    %t = tensor.empty() : tensor<6x64xf32>
    %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<6x64xf32>) outs(%t : tensor<6x64xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.addf %v, %v : f32
      linalg.yield %s : f32
    } -> tensor<6x64xf32>
    %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%j : tensor<6x64xf32>) outs(%t : tensor<6x64xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.mulf %v, %v : f32
      linalg.yield %s : f32
    } -> tensor<6x64xf32>
    %o0 = tensor.insert_slice %a into %o[0, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    %o1 = tensor.insert_slice %b into %o0[6, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    %p0 = tensor.insert_slice %b into %p[0, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    %p1 = tensor.insert_slice %a into %p0[6, 0] [6, 64] [1, 1] : tensor<6x64xf32> into tensor<12x64xf32>
    bquant_packed.yield %o1, %p1 : tensor<12x64xf32>, tensor<12x64xf32>
  }
  return %r#0, %r#1 : tensor<12x64xf32>, tensor<12x64xf32>
}

// -----

// A layer that gives a tensor that it assembles, and what it makes of all of that:
// no tile has both, and nothing is tiled.

// CHECK-LABEL: @assembled_and_read
// CHECK-NOT: scf.forall
// CHECK: %[[U:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[4, 0] [2, 32] [1, 1]
// CHECK: %[[H:.*]] = linalg.generic {{.*}} ins(%[[U]] : tensor<6x32xf32>)
// CHECK: return %[[U]], %[[H]]
#id = affine_map<(h, c) -> (h, c)>
func.func @assembled_and_read(%x: tensor<4x32xf32>, %y: tensor<2x32xf32>) -> (tensor<6x32xf32>, tensor<6x32xf32>) {
  %e = tensor.empty() : tensor<6x32xf32>
  %r:2 = bquant_packed.layer "assembled" ins(%i = %x : tensor<4x32xf32>, %j = %y : tensor<2x32xf32>)
      outs(%o = %e : tensor<6x32xf32>, %p = %e : tensor<6x32xf32>) {
    %t4 = tensor.empty() : tensor<4x32xf32>
    %t2 = tensor.empty() : tensor<2x32xf32>
    %t6 = tensor.empty() : tensor<6x32xf32>
    %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%i : tensor<4x32xf32>) outs(%t4 : tensor<4x32xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.addf %v, %v : f32
      linalg.yield %s : f32
    } -> tensor<4x32xf32>
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%j : tensor<2x32xf32>) outs(%t2 : tensor<2x32xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.addf %v, %v : f32
      linalg.yield %s : f32
    } -> tensor<2x32xf32>
    %o0 = tensor.insert_slice %f into %o[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<6x32xf32>
    %u = tensor.insert_slice %g into %o0[4, 0] [2, 32] [1, 1] : tensor<2x32xf32> into tensor<6x32xf32>
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%u : tensor<6x32xf32>) outs(%t6 : tensor<6x32xf32>) {
    ^bb0(%v: f32, %w: f32):
      %s = arith.mulf %v, %v : f32
      linalg.yield %s : f32
    } -> tensor<6x32xf32>
    bquant_packed.yield %u, %h : tensor<6x32xf32>, tensor<6x32xf32>
  }
  return %r#0, %r#1 : tensor<6x32xf32>, tensor<6x32xf32>
}

// -----

// A layer on buffers stays as it is.

// CHECK-LABEL: @buffers
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.layer "copy" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    memref.copy %i, %o : memref<4xf32> to memref<4xf32>
  }
  return
}
