// RUN: bquant-opt %s --allow-unregistered-dialect --bquant-outline-layers --split-input-file --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// REMARK-NOT: [Missed]
// REMARK: [Missed] threads{{.*}}the network is not shared by threads: expected nothing but layers, but got 'memref.load'

memref.global "private" constant @scales : memref<4xf32> = dense<2.0> {alignment = 64 : i64}

// What is known of the operands goes along. Layers of one shape differ in their
// names alone; one whose buffer begins elsewhere does not say as much.
// CHECK-LABEL: func.func private @f_0_conv_1_1(
// CHECK-SAME:    memref<4xf32> {llvm.dereferenceable = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    memref<4xf32> {llvm.align = 64 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    memref<4xf32> {llvm.align = 64 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias})
// CHECK-SAME:    attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-NEXT:    "test.use"
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @f_1_conv2(
// CHECK-SAME:    memref<4xf32> {llvm.align = 16 : i64, llvm.dereferenceable = 16 : i64, llvm.noalias})
// CHECK-NEXT:    "test.use"
// A scalar, and a type of an unknown size.
// CHECK-LABEL: func.func private @f_2_(
// CHECK-SAME:    %{{[a-z0-9]*}}: index, %{{.*}}: memref<?xf32> {llvm.noalias})
// CHECK-LABEL: func.func @f(
// CHECK:         call @f_0_conv_1_1(%{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK-NEXT:    call @f_1_conv2(
// CHECK-NEXT:    call @f_2_(
func.func @f(%x: memref<4xf32> {llvm.noalias}, %n: index, %d: memref<?xf32> {llvm.noalias}, %arena: memref<128xi8> {llvm.align = 64 : i64, llvm.noalias}) {
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %s = memref.get_global @scales : memref<4xf32>
  %a = memref.view %arena[%c64][] : memref<128xi8> to memref<4xf32>
  %b = memref.view %arena[%c80][] : memref<128xi8> to memref<4xf32>
  bquant_packed.layer "conv/1.1" ins(%i = %x : memref<4xf32>, %w = %s : memref<4xf32>) outs(%o = %a : memref<4xf32>) {
    "test.use"(%i, %w, %o) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  }
  bquant_packed.layer "conv2" ins(%i = %a : memref<4xf32>) outs(%o = %b : memref<4xf32>) {
    "test.use"(%i, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  }
  bquant_packed.layer "" ins(%i = %n : index) outs(%o = %d : memref<?xf32>) {
    "test.use"(%i, %o) : (index, memref<?xf32>) -> ()
  }
  return
}

// -----

// Either of two buffers: it may be the other operand.
// CHECK-LABEL: func.func private @aliases_0_l(
// CHECK-NOT:     noalias
// CHECK-LABEL: func.func @aliases(
// CHECK-LABEL: func.func private @arguments_0_l(
// CHECK-NOT:     noalias
func.func @aliases(%which: i1, %x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}) {
  %z = arith.select %which, %x, %y : memref<4xf32>
  bquant_packed.layer "l" ins(%i = %z : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    memref.copy %i, %o : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func @arguments(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.layer "l" ins(%i = %x : memref<4xf32>) outs(%o = %y : memref<4xf32>) {
    memref.copy %i, %o : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// CHECK-DAG: #[[$AFTER:.*]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0) -> (d0 * 32)>

// Tiles of one loop after the other, and one for what is done between them, with
// all that it reads. Iterations are numbered with the last dimension the fastest.
// CHECK-LABEL: func.func private @tiles_0_l(
// CHECK-SAME:    %[[O:[a-z0-9]*]]: memref<14x128xf32> {{{.*}}}, %[[FIRST:[a-z0-9]*]]: index, %[[LAST:[a-z0-9]*]]: index)
// CHECK:         %[[FROM:.*]] = arith.minsi
// CHECK:         %[[TO:.*]] = arith.minsi
// CHECK:         scf.for %[[T:.*]] = %[[FROM]] to %[[TO]] step
// CHECK-NEXT:      %[[PLACE:.*]]:2 = affine.delinearize_index %[[T]] into (12, 4) : index, index
// CHECK-NEXT:      %[[I:.*]] = affine.apply #[[$AFTER]](%[[PLACE]]#0)
// CHECK-NEXT:      %[[J:.*]] = affine.apply #[[$BLOCK]](%[[PLACE]]#1)
// CHECK-NEXT:      memref.store %{{.*}}, %[[O]][%[[I]], %[[J]]]
// CHECK:         %[[TILES:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[BASE:.*]] = arith.constant 48 : index
// CHECK-NEXT:    %[[OWN:.*]] = arith.subi %[[FIRST]], %[[BASE]]
// CHECK-NEXT:    %[[LOW:.*]] = arith.maxsi %[[OWN]], %
// CHECK-NEXT:    %[[FROM:.*]] = arith.minsi %[[LOW]], %[[TILES]]
// CHECK:         %[[TO:.*]] = arith.minsi %{{.*}}, %[[TILES]]
// CHECK-NEXT:    %[[ANY:.*]] = arith.cmpi slt, %[[FROM]], %[[TO]]
// CHECK-NEXT:    scf.if %[[ANY]] {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
// CHECK:         scf.for
// CHECK-NEXT:      affine.delinearize_index %{{.*}} into (3) : index
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func.func private @tiles_1_m(
// A layer alone gets the range as it is; of a group each gets its own part.
// CHECK-LABEL: func.func private @tiles_group_0(
// CHECK-SAME:    %{{[a-z0-9]*}}: memref<14x128xf32> {llvm.noalias}, %[[ARENA:[a-z0-9]*]]: memref<64xi8> {llvm.noalias}, %{{[a-z0-9]*}}: memref<64xi8> {llvm.noalias}, %[[FIRST:[a-z0-9]*]]: index, %[[LAST:[a-z0-9]*]]: index)
// CHECK-NEXT:    call @tiles_0_l(%{{.*}}, %[[FIRST]], %[[LAST]])
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @tiles_group_1(
// CHECK:         memref.view %{{.*}}[%{{.*}}][] : memref<64xi8> to memref<2xf32>
// CHECK:         scf.if
// CHECK-NEXT:      call @tiles_1_m(
// CHECK:         memref.view
// CHECK:         arith.minsi
// CHECK:         scf.if
// CHECK-NEXT:      call @tiles_2_m(
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME:    bquant.groups = [{callee = @tiles_group_0, nanoseconds = {{[0-9]+}} : i64, tiles = 52 : i64},
// CHECK-SAME:      {callee = @tiles_group_1, nanoseconds = {{[0-9]+}} : i64, tiles = 8 : i64}]
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C52:.*]] = arith.constant 52 : index
// CHECK:         call @tiles_group_0(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[C52]])
// CHECK:         call @tiles_group_1(
// CHECK-NEXT:    return
func.func @tiles(%x: memref<14x128xf32> {llvm.noalias}, %arena: memref<64xi8> {llvm.noalias}, %slice: memref<64xi8> {llvm.noalias})
    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 64 : i64} {
  bquant_packed.layer "l" outs(%o = %x : memref<14x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%i, %j) = (2, 0) to (14, 128) step (1, 32) {
      memref.store %zero, %o[%i, %j] : memref<14x128xf32>
    }
    memref.store %zero, %o[%c0, %c0] : memref<14x128xf32>
    %v = memref.load %o[%c0, %c0] : memref<14x128xf32>
    memref.store %v, %o[%c0, %c1] : memref<14x128xf32>
    scf.forall (%j) = (4) to (13) step (3) {
      memref.store %zero, %o[%c1, %j] : memref<14x128xf32>
    }
  }
  %begin = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%begin][] : memref<64xi8> to memref<2xf32>
  %b = memref.view %arena[%c8][] : memref<64xi8> to memref<2xf32>
  bquant_packed.group {
    bquant_packed.layer "m" outs(%o = %a : memref<2xf32>) {
      %zero = arith.constant 0.0 : f32
      scf.forall (%i) in (4) {
        %first = arith.constant 0 : index
        memref.store %zero, %o[%first] : memref<2xf32>
      }
    }
    bquant_packed.layer "m" outs(%o = %b : memref<2xf32>) {
      %zero = arith.constant 0.0 : f32
      scf.forall (%i) in (4) {
        %first = arith.constant 0 : index
        memref.store %zero, %o[%first] : memref<2xf32>
      }
    }
  }
  return
}

// -----

// More than layers: one thread does it.
// CHECK-LABEL: func.func private @mixed_0_l(
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func.func @mixed(
// CHECK-NOT:     bquant.groups
// CHECK:         call @mixed_0_l(
// CHECK-NOT:     bquant_packed
func.func @mixed(%x: memref<14xf32> {llvm.noalias}, %arena: memref<64xi8>, %slice: memref<64xi8>)
    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 64 : i64} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<14xf32>
  bquant_packed.group {
    bquant_packed.layer "l" ins(%w = %v : f32) outs(%o = %x : memref<14xf32>) {
      scf.forall (%i) in (14) {
        memref.store %w, %o[%i] : memref<14xf32>
      }
    }
  }
  return
}

// -----

// A group without tiles for threads to share: one call after the other.
// CHECK-LABEL: func.func @grouped(
// CHECK-NOT:     bquant_packed
// CHECK:         call @grouped_0_a(
// CHECK-NEXT:    call @grouped_1_b(
// CHECK-NEXT:    return
func.func @grouped(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %arena: memref<0xi8>)
    attributes {bquant.arena_bytes = 0 : i64} {
  bquant_packed.group {
    bquant_packed.layer "a" outs(%o = %x : memref<4xf32>) {
      "test.use"(%o) : (memref<4xf32>) -> ()
    }
    bquant_packed.layer "b" outs(%o = %y : memref<4xf32>) {
      "test.use"(%o) : (memref<4xf32>) -> ()
    }
  }
  return
}

// -----

// A layer on tensors stays as it is.
// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT:    %{{.*}} = bquant_packed.layer "t"
// CHECK-NOT:     call
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = bquant_packed.layer "t" ins(%i = %x : tensor<4xf32>) outs(%o = %x : tensor<4xf32>) {
    %n = arith.negf %i : tensor<4xf32>
    bquant_packed.yield %n : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
