// Rescaling becomes integer arithmetic by upstream's patterns, so that no
// tosa.apply_scale reaches LLVM, also where a program of linalg has one.
// RUN: bquant-opt %s --bquant-import-pipeline | FileCheck %s

// CHECK-LABEL: @rescale
// CHECK-NOT: tosa
// CHECK: arith.muli {{.*}} : i64
// CHECK-NOT: tosa
// CHECK-LABEL: @apply_scale
// CHECK-NOT: tosa
// CHECK: arith.muli {{.*}} : i64
func.func @rescale(%x: tensor<2x3xi32>) -> tensor<2x3xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.rescale %x, %m, %s, %a, %b {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}
func.func @apply_scale(%x: i32, %m: i32, %s: i8) -> i32 {
  %y = tosa.apply_scale %x, %m, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
  return %y : i32
}
