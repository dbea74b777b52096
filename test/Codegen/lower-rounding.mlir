// RUN: bquant-opt %s --bquant-lower-rounding | FileCheck %s --check-prefix=NONE
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-lower-rounding | FileCheck %s --check-prefix=NONE
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-lower-rounding | FileCheck %s --check-prefixes=CHECK,AVX
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-lower-rounding | FileCheck %s --check-prefixes=CHECK,SSE

// NONE-NOT: lrint

// CHECK-LABEL: @vector
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>
// AVX:           %[[Y:.*]] = llvm.intr.lrint(%[[X]]) : (vector<8xf32>) -> vector<8xi32>
// SSE:           %[[T:.*]] = math.roundeven %[[X]]
// SSE:           %[[Y:.*]] = arith.fptosi %[[T]]
// CHECK:         return %[[Y]]
func.func @vector(%x: vector<8xf32>) -> vector<8xi32> {
  %t = math.roundeven %x : vector<8xf32>
  %y = arith.fptosi %t : vector<8xf32> to vector<8xi32>
  return %y : vector<8xi32>
}

// CHECK-LABEL: @number
// CHECK:         llvm.intr.lrint(%{{.*}}) : (f32) -> i32
func.func @number(%x: f32) -> i32 {
  %t = math.roundeven %x : f32
  %y = arith.fptosi %t : f32 to i32
  return %y : i32
}

// Of other widths, and without a sign, x86 has no such conversion of all vectors.
// CHECK-LABEL: @others
// CHECK-NOT:     lrint
func.func @others(%x: f32, %z: f64) -> (i8, i64, i32, i32) {
  %t = math.roundeven %x : f32
  %a = arith.fptosi %t : f32 to i8
  %b = arith.fptosi %t : f32 to i64
  %c = arith.fptoui %t : f32 to i32
  %u = math.roundeven %z : f64
  %d = arith.fptosi %u : f64 to i32
  return %a, %b, %c, %d : i8, i64, i32, i32
}

// Nor has LLVM a type for these.
// CHECK-LABEL: @matrix
// CHECK-NOT:     lrint
func.func @matrix(%x: vector<4x8xf32>) -> vector<4x8xi32> {
  %t = math.roundeven %x : vector<4x8xf32>
  %y = arith.fptosi %t : vector<4x8xf32> to vector<4x8xi32>
  return %y : vector<4x8xi32>
}
