// RUN: bquant-opt %s --allow-unregistered-dialect --bquant-plan-arena=slices --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// REMARK: [Analysis] arena{{.*}}1 buffer in 64 bytes
// REMARK: [Analysis] slice of each thread{{.*}}3 buffers in 192 bytes, of which 192 are in use at once

// Buffers of parallel loops lie in the slice; those of one loop share nothing
// with each other, and may with those of the next.
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[ARENA:.*]]: memref<64xi8> {llvm.align = 64 : i64, llvm.noalias}, %[[SLICE:.*]]: memref<192xi8> {llvm.align = 64 : i64, llvm.noalias})
// CHECK-SAME:    attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 192 : i64}
// CHECK:         memref.view %[[ARENA]][%{{.*}}][] : memref<64xi8> to memref<16xf32>
// CHECK:         scf.forall
// CHECK:           %[[A:.*]] = arith.constant 0 : index
// CHECK:           memref.view %[[SLICE]][%[[A]]][] : memref<192xi8> to memref<32xf32>
// CHECK:           %[[B:.*]] = arith.constant 128 : index
// CHECK:           memref.view %[[SLICE]][%[[B]]][] : memref<192xi8> to memref<16xf32>
// CHECK:         scf.forall
// CHECK:           %[[C:.*]] = arith.constant 0 : index
// CHECK:           memref.view %[[SLICE]][%[[C]]][] : memref<192xi8> to memref<24xf32>
func.func @f() {
  %shared = memref.alloc() : memref<16xf32>
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<32xf32>
    %b = memref.alloc() : memref<16xf32>
    "test.use"(%shared, %a, %b) : (memref<16xf32>, memref<32xf32>, memref<16xf32>) -> ()
  }
  scf.forall (%i) in (4) {
    %c = memref.alloc() : memref<24xf32>
    "test.use"(%shared, %c) : (memref<16xf32>, memref<24xf32>) -> ()
  }
  return
}

// A layer that needs the slice has it for an operand.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:    %{{.*}}: memref<4xf32>, %{{.*}}: memref<0xi8> {{.*}}, %[[SLICE:.*]]: memref<128xi8>
// CHECK-NEXT:    bquant_packed.layer "l" outs(%{{.*}} = %{{.*}} : memref<4xf32>, %[[OWN:.*]] = %[[SLICE]] : memref<128xi8>) {
// CHECK:           memref.view %[[OWN]][%{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK:           memref.view %[[OWN]][%{{.*}}][] : memref<128xi8> to memref<8xf32>
func.func @layer(%y: memref<4xf32>) {
  bquant_packed.layer "l" outs(%o = %y : memref<4xf32>) {
    scf.forall (%i) in (4) {
      %a = memref.alloc() : memref<16xf32>
      %b = memref.alloc() : memref<8xf32>
      "test.use"(%o, %a, %b) : (memref<4xf32>, memref<16xf32>, memref<8xf32>) -> ()
    }
  }
  return
}
