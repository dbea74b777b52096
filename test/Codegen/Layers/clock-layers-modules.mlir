// RUN: bquant-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(builtin.module(bquant-clock-layers))' | FileCheck %s

// One pass runs on both modules: each counts its own layers only.
// CHECK: module @first attributes {bquant.clocked_layers = {{\[}}["f", "conv"]]}
// CHECK:   memref.global @bquant_layer_times : memref<1xi64>
// CHECK:   func.func @f()
// CHECK-NEXT: call @bquant_clock()
// CHECK-NEXT: call @layer()
// CHECK-NEXT: call @bquant_clock()
// CHECK-NOT:  call @bquant_clock()
module @first {
  func.func private @layer()
  func.func @f() {
    call @layer() : () -> () loc("conv")
    return
  }
}

// CHECK: module @second attributes {bquant.clocked_layers = {{\[}}["g", "pool"]]}
// CHECK:   memref.global @bquant_layer_times : memref<1xi64>
// CHECK:   func.func @g()
// CHECK-NEXT: call @bquant_clock()
// CHECK-NEXT: call @layer()
// CHECK-NEXT: call @bquant_clock()
module @second {
  func.func private @layer()
  func.func @g() {
    call @layer() : () -> () loc("pool")
    return
  }
}
