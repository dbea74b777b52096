// RUN: bquant-opt %s --allow-unregistered-dialect --bquant-plan-arena --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not bquant-opt %s --allow-unregistered-dialect --bquant-plan-arena --split-input-file --remarks-filter=bquant --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: plan-arena.mlir:{{.*}}[Analysis] arena{{.*}}3 buffers in 832 bytes, of which 832 are in use at once

// %a and %b are live together; %c takes the place of %a, %d behind %b's end.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: memref<100xf32>, %[[ARENA:.*]]: memref<832xi8> {llvm.align = 64 : i64, llvm.noalias})
// CHECK-SAME:    attributes {bquant.arena_bytes = 832 : i64}
// CHECK:         %[[A:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[ARENA]][%[[A]]][] : memref<832xi8> to memref<100xf32>
// CHECK:         %[[B:.*]] = arith.constant 448 : index
// CHECK:         memref.view %[[ARENA]][%[[B]]][] : memref<832xi8> to memref<90xf32>
// CHECK-NOT:     memref.dealloc
// CHECK:         %[[C:.*]] = arith.constant 0 : index
// CHECK:         memref.view %[[ARENA]][%[[C]]][] : memref<832xi8> to memref<80xf32>
// CHECK-NOT:     memref.alloc
func.func @chain(%x: memref<100xf32>) {
  %a = memref.alloc() : memref<100xf32>
  memref.copy %x, %a : memref<100xf32> to memref<100xf32>
  %b = memref.alloc() : memref<90xf32>
  "test.use"(%a, %b) : (memref<100xf32>, memref<90xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  %c = memref.alloc() : memref<80xf32>
  "test.use"(%b, %c) : (memref<90xf32>, memref<80xf32>) -> ()
  return
}

// -----

// A view keeps its buffer alive.
// CHECK-LABEL: func.func @views(
// CHECK-SAME:    memref<128xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         arith.constant 64 : index
func.func @views() {
  %a = memref.alloc() : memref<16xf32>
  "test.use"(%a) : (memref<16xf32>) -> ()
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%b) : (memref<16xf32>) -> ()
  "test.use"(%v) : (memref<4x4xf32>) -> ()
  return
}

// -----

// The largest comes first: in their order, they would take 256 bytes.
// CHECK-LABEL: func.func @largest(
// CHECK-SAME:    memref<192xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         arith.constant 128 : index
// CHECK:         arith.constant 0 : index
func.func @largest() {
  %a = memref.alloc() : memref<16xf32>
  "test.use"(%a) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %c = memref.alloc() : memref<32xf32>
  "test.use"(%b, %c) : (memref<16xf32>, memref<32xf32>) -> ()
  return
}

// -----

// A layer is one moment, and so is a group of layers: %a and %b are written at
// one time. Names in locations say nothing.
// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    memref<128xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         arith.constant 64 : index
// CHECK:         arith.constant 0 : index
func.func @layers() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  bquant_packed.group {
    bquant_packed.layer "l" outs(%o = %a : memref<16xf32>) {
      "test.use"(%o) : (memref<16xf32>) -> ()
    }
    bquant_packed.layer "m" outs(%o = %b : memref<16xf32>) {
      "test.use"(%o) : (memref<16xf32>) -> ()
    }
  } loc("conv1")
  bquant_packed.layer "n" outs(%o = %c : memref<16xf32>) {
    "test.use"(%o) : (memref<16xf32>) -> ()
  } loc("conv1")
  return
}

// -----

// Elements of several numbers.
// CHECK-LABEL: func.func @vectors(
// CHECK-SAME:    memref<192xi8>
// CHECK:         memref.view %{{.*}} to memref<3xvector<4x4xf32>>
func.func @vectors() {
  %a = memref.alloc() : memref<3xvector<4x4xf32>>
  "test.use"(%a) : (memref<3xvector<4x4xf32>>) -> ()
  return
}

// -----

// All of a loop is one moment: the two buffers in it must not share bytes, but
// the one before it may share with them.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME:    memref<128xi8>
// CHECK:         arith.constant 0 : index
// CHECK:         scf.for
// CHECK:           %[[I:.*]] = arith.constant 0 : index
// CHECK:           memref.view %{{.*}}[%[[I]]]
// CHECK:           %[[J:.*]] = arith.constant 64 : index
// CHECK:           memref.view %{{.*}}[%[[J]]]
func.func @loop(%lb: index, %ub: index) {
  %a = memref.alloc() : memref<16xf32>
  "test.use"(%a) : (memref<16xf32>) -> ()
  %c1 = arith.constant 1 : index
  scf.for %i = %lb to %ub step %c1 {
    %b = memref.alloc() : memref<16xf32>
    "test.use"(%b) : (memref<16xf32>) -> ()
    %c = memref.alloc() : memref<16xf32>
    "test.use"(%c) : (memref<16xf32>) -> ()
  }
  return
}

// -----

// A function without buffers has the argument, too.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME:    memref<0xi8>
// CHECK-SAME:    bquant.arena_bytes = 0
func.func @nothing() {
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error @below {{expected a buffer of static shape and identity layout, but got 'memref<?xf32>'}}
  %a = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a) : (memref<?xf32>) -> ()
  return
}

// -----

func.func @carried(%n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> memref<4xf32> {
    // expected-error @below {{expected a buffer that does not outlive the iteration of its loop}}
    %a = memref.alloc() : memref<4xf32>
    "test.use"(%a, %m) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  return
}

// -----

func.func @parallel(%n: index) {
  scf.forall (%i) in (%n) {
    // expected-error @below {{expected no buffer inside a parallel loop}}
    %a = memref.alloc() : memref<4xf32>
    "test.use"(%a) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func @returned() -> memref<4xf32> {
  // expected-error @below {{expected no buffer to be returned}}
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

// As LLVM lays them out: 4 bytes, 8, 16, 16 for 12, and 2 by 2.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    bquant.arena_bytes = 12288 : i64
func.func @sizes() {
  %a = memref.alloc() : memref<256xi24>
  %b = memref.alloc() : memref<256xi40>
  %c = memref.alloc() : memref<256xf80>
  %d = memref.alloc() : memref<256xvector<3xf32>>
  %e = memref.alloc() : memref<256x2xvector<12xi1>>
  "test.use"(%a, %b, %c, %d, %e) : (memref<256xi24>, memref<256xi40>, memref<256xf80>, memref<256xvector<3xf32>>, memref<256x2xvector<12xi1>>) -> ()
  return
}

// -----

func.func @page() {
  // expected-error @below {{expected an alignment of at most 64 bytes, but got 4096}}
  %a = memref.alloc() {alignment = 4096} : memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @huge() {
  // expected-error @below {{expected a buffer of fewer than 2^63 bytes, but got 'memref<4294967296x4294967296xi8>'}}
  %a = memref.alloc() : memref<4294967296x4294967296xi8>
  "test.use"(%a) : (memref<4294967296x4294967296xi8>) -> ()
  return
}

// -----

// Each of them is small enough, both together are not.
func.func @huge_together() {
  %a = memref.alloc() : memref<4611686018427387904xi8>
  // expected-error @below {{expected buffers of fewer than 2^63 bytes together, but got another 'memref<4611686018427387904xi8>'}}
  %b = memref.alloc() : memref<4611686018427387904xi8>
  "test.use"(%a, %b) : (memref<4611686018427387904xi8>, memref<4611686018427387904xi8>) -> ()
  return
}

// -----

// The function that is called gets an argument more; one from outside does not.
func.func private @outside(memref<4xf32>)
func.func @caller(%x: memref<4xf32>) {
  func.call @outside(%x) : (memref<4xf32>) -> ()
  // expected-error @below {{expected a call that can be inlined, but got one of 'callee'}}
  func.call @callee(%x) : (memref<4xf32>) -> ()
  return
}
func.func private @callee(%x: memref<4xf32>) {
  return
}

// -----

func.func @itself(%x: memref<4xf32>) {
  // expected-error @below {{expected a call that can be inlined, but got one of 'itself'}}
  %f = func.constant @itself : (memref<4xf32>) -> ()
  func.call_indirect %f(%x) : (memref<4xf32>) -> ()
  return
}
