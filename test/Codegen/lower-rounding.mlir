// RUN: bquant-opt %s --bquant-lower-rounding --canonicalize | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-lower-rounding --canonicalize | FileCheck %s --check-prefix=X86

// CHECK-LABEL: @code
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>
// CHECK-DAG:     %[[LOW:.*]] = arith.constant dense<-1.310000e+02> : vector<8xf32>
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant dense<1.240000e+02> : vector<8xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<3> : vector<8xi8>
// CHECK:         %[[V:.*]] = arith.maximumf %[[X]], %[[LOW]]
// CHECK:         %[[W:.*]] = arith.minimumf %[[V]], %[[HIGH]]
// CHECK:         %[[T:.*]] = math.roundeven %[[W]]
// CHECK:         %[[I:.*]] = arith.fptosi %[[T]] : vector<8xf32> to vector<8xi32>
// CHECK:         %[[U:.*]] = arith.trunci %[[I]] : vector<8xi32> to vector<8xi8>
// CHECK:         %[[Y:.*]] = arith.addi %[[U]], %[[ZERO]]
// CHECK:         return %[[Y]]
// X86-LABEL:   @code
// X86:           %[[W:.*]] = arith.minimumf
// X86:           llvm.intr.lrint(%[[W]]) : (vector<8xf32>) -> vector<8xi32>
func.func @code(%x: vector<8xf32>) -> vector<8xi8> {
  %zero = arith.constant dense<3.0> : vector<8xf32>
  %low = arith.constant dense<-128.0> : vector<8xf32>
  %high = arith.constant dense<127.0> : vector<8xf32>
  %t = math.roundeven %x : vector<8xf32>
  %u = arith.addf %t, %zero : vector<8xf32>
  %v = arith.maximumf %u, %low : vector<8xf32>
  %w = arith.minimumf %v, %high : vector<8xf32>
  %y = arith.fptosi %w : vector<8xf32> to vector<8xi8>
  return %y : vector<8xi8>
}

// A number, and no bounds: what is rounded alone.
// CHECK-LABEL: @rounded
// X86-LABEL:   @rounded
// X86-SAME:      %[[X:.*]]: f32
// X86:           %[[Y:.*]] = llvm.intr.lrint(%[[X]]) : (f32) -> i32
// X86:           return %[[Y]]
func.func @rounded(%x: f32) -> i32 {
  %t = math.roundeven %x : f32
  %y = arith.fptosi %t : f32 to i32
  return %y : i32
}

// A sum without both bounds may round; a bound between two integers, one that
// is no number and sums of halves are others; larger integers than floats hold
// stay with 64 bits, as do numbers of 64.
// X86-LABEL:   @others
// X86-COUNT-6:   math.roundeven
// X86-NOT:       lrint
func.func @others(%x: f32, %z: f64) -> (i32, i8, i8, i8, i64, i32) {
  %c3 = arith.constant 3.0 : f32
  %half = arith.constant 0.5 : f32
  %low = arith.constant -128.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %t0 = math.roundeven %x : f32
  %u0 = arith.addf %t0, %c3 : f32
  %v0 = arith.maximumf %u0, %low : f32
  %y0 = arith.fptosi %v0 : f32 to i32
  %u1 = arith.mulf %x, %c3 : f32
  %t1 = math.roundeven %u1 : f32
  %v1 = arith.maximumf %t1, %half : f32
  %y1 = arith.fptosi %v1 : f32 to i8
  %u2 = arith.mulf %x, %low : f32
  %t2 = math.roundeven %u2 : f32
  %v2 = arith.maximumf %t2, %nan : f32
  %y2 = arith.fptosi %v2 : f32 to i8
  %u3 = arith.mulf %x, %half : f32
  %t3 = math.roundeven %u3 : f32
  %w3 = arith.addf %t3, %half : f32
  %v3 = arith.maximumf %w3, %low : f32
  %x3 = arith.minimumf %v3, %c3 : f32
  %y3 = arith.fptosi %x3 : f32 to i8
  %u4 = arith.addf %x, %half : f32
  %t4 = math.roundeven %u4 : f32
  %y4 = arith.fptosi %t4 : f32 to i64
  %t5 = math.roundeven %z : f64
  %y5 = arith.fptosi %t5 : f64 to i32
  return %y0, %y1, %y2, %y3, %y4, %y5 : i32, i8, i8, i8, i64, i32
}
