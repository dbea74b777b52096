// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" \
// RUN:   --bquant-multiply-by-reciprocals | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" \
// RUN:   --bquant-multiply-by-reciprocals | FileCheck %s --check-prefix=NONE

// A target without an fma keeps all divisions.
// NONE-NOT: math.fma

// CHECK-LABEL: @even(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 9.99999904 : f32
// CHECK-DAG: %[[LOW:.*]] = arith.constant 8.04662704E-7 : f32
// CHECK: %[[REST:.*]] = arith.mulf %[[X]], %[[LOW]]
// CHECK: %[[Q:.*]] = math.fma %[[X]], %[[HIGH]], %[[REST]]
// CHECK: math.roundeven %[[Q]]
func.func @even(%x: f32) -> f32 {
  %c = arith.constant 0.1 : f32
  %0 = arith.divf %x, %c : f32
  %1 = math.roundeven %0 : f32
  return %1 : f32
}

// Half away from zero, of a negative divisor.

// CHECK-LABEL: @away
// CHECK: %[[Q:.*]] = math.fma
// CHECK: math.round %[[Q]]
func.func @away(%x: f32) -> f32 {
  %c = arith.constant -0.1 : f32
  %0 = arith.divf %x, %c : f32
  %1 = math.round %0 : f32
  return %1 : f32
}

// By a power of two.

// CHECK-LABEL: @exact(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[HIGH:.*]] = arith.constant 4.000000e+00 : f32
// CHECK: %[[Q:.*]] = arith.mulf %[[X]], %[[HIGH]]
// CHECK: math.roundeven %[[Q]]
func.func @exact(%x: f32) -> f32 {
  %c = arith.constant 0.25 : f32
  %0 = arith.divf %x, %c : f32
  %1 = math.roundeven %0 : f32
  return %1 : f32
}

// A quotient that is not rounded may be of a small number, and one that others
// read is not divided twice.

// CHECK-LABEL: @quotients
// CHECK: arith.divf
// CHECK: arith.divf
func.func @quotients(%x: f32) -> (f32, f32, f32) {
  %c = arith.constant 0.1 : f32
  %d = arith.constant 0.3 : f32
  %0 = arith.divf %x, %c : f32
  %1 = arith.divf %x, %d : f32
  %2 = math.roundeven %1 : f32
  return %0, %1, %2 : f32, f32, f32
}

// A divisor that is computed, and some that have no such reciprocal.

// CHECK-LABEL: @others
// CHECK-COUNT-3: arith.divf
func.func @others(%x: f32, %y: f32) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 1.0e-30 : f32
  %0 = arith.divf %x, %y : f32
  %1 = math.roundeven %0 : f32
  %2 = arith.divf %x, %zero : f32
  %3 = math.roundeven %2 : f32
  %4 = arith.divf %x, %c : f32
  %5 = math.roundeven %4 : f32
  return %1, %3, %5 : f32, f32, f32
}

// CHECK-LABEL: @doubles
// CHECK: arith.divf
func.func @doubles(%x: f64) -> f64 {
  %c = arith.constant 0.1 : f64
  %0 = arith.divf %x, %c : f64
  %1 = math.roundeven %0 : f64
  return %1 : f64
}
