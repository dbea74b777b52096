// RUN: bquant-opt %s --bquant-clock-layers | FileCheck %s

// Two calls of one layer are one time; `f` is called by that name.
// CHECK: module attributes {bquant.clocked_layers = {{\[}}["f", "conv"], ["f", "pool"]]}
// CHECK: func.func private @bquant_clock() -> i64
// CHECK: memref.global @bquant_layer_times : memref<2xi64> = dense<0>
func.func private @__bquant_f_0_conv(memref<4xf32>)
func.func private @__bquant_f_1_conv(memref<4xf32>)
func.func private @__bquant_f_2_pool(memref<4xf32>)

// CHECK-LABEL: func.func @__bquant_f(
// CHECK-NEXT:    %[[A:.*]] = call @bquant_clock()
// CHECK-NEXT:    call @__bquant_f_0_conv(
// CHECK-NEXT:    call @__bquant_f_1_conv(
// CHECK-NEXT:    %[[B:.*]] = call @bquant_clock()
// CHECK-NEXT:    %[[TIME:.*]] = arith.subi %[[B]], %[[A]]
// CHECK:         %[[SUM:.*]] = memref.load %[[TIMES:.*]][%[[I:.*]]] : memref<2xi64>
// CHECK:         %[[NEW:.*]] = arith.addi %[[SUM]], %[[TIME]]
// CHECK:         memref.store %[[NEW]], %[[TIMES]][%[[I]]]
// CHECK:         call @bquant_clock()
// CHECK-NEXT:    call @__bquant_f_2_pool(
// CHECK-NEXT:    call @bquant_clock()
func.func @__bquant_f(%x: memref<4xf32>) {
  call @__bquant_f_0_conv(%x) : (memref<4xf32>) -> () loc("conv")
  call @__bquant_f_1_conv(%x) : (memref<4xf32>) -> () loc("conv")
  call @__bquant_f_2_pool(%x) : (memref<4xf32>) -> () loc("pool")
  return
}

// On a block of samples: the times of the layers of `f`.
func.func private @__bquant_f_block_0_conv(memref<16xf32>)

// CHECK-LABEL: func.func @__bquant_f_block(
// CHECK:         call @bquant_clock()
// CHECK-NEXT:    call @__bquant_f_block_0_conv(
// CHECK-NEXT:    call @bquant_clock()
// CHECK:         %[[CONV:.*]] = arith.constant 0 : index
// CHECK:         memref.load %{{.*}}[%[[CONV]]] : memref<2xi64>
func.func @__bquant_f_block(%x: memref<16xf32>) attributes {bquant.block = {of = "f", samples = 16 : i64}} {
  call @__bquant_f_block_0_conv(%x) : (memref<16xf32>) -> () loc("conv")
  return
}
