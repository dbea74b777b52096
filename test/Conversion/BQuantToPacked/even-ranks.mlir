// Ranks among evenly spaced thresholds are computed by a line, others by
// comparing with each.
//
// RUN: bquant-opt %s --convert-bquant-to-packed | FileCheck %s

// (n + 1/2)/7, rounded up.
// CHECK-LABEL: func @floats
// CHECK-NOT: arith.cmpf ole
// CHECK: arith.extf
// CHECK: arith.mulf {{.*}} : f64
// CHECK: arith.addf {{.*}} : f64
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf olt
// CHECK: arith.fptosi {{.*}} : f64 to i32
func.func @floats(%x: tensor<4x32xf32>, %v: tensor<1xf32>) -> tensor<4x32xf32> {
  %t = arith.constant dense<[0x3D924925, 0x3E5B6DB7, 0x3EB6DB6E, 0x3F000000, 0x3F24924A, 0x3F492493, 0x3F6DB6DC]> : tensor<7xf32>
  %q = bquant.quantize %x thresholds(%t : tensor<7xf32>) codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%v : tensor<1xf32>) : tensor<4x32xf32> -> !bquant.tensor<4x32, [4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x32, [4, 2, 1]> -> tensor<4x32xf32>
  return %d : tensor<4x32xf32>
}

// In f32 where that is enough.
// CHECK-LABEL: func @whole
// CHECK-NOT: f64
// CHECK: arith.fptosi {{.*}} : f32 to i32
func.func @whole(%x: tensor<4x32xf32>, %v: tensor<1xf32>) -> tensor<4x32xf32> {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<7xf32>
  %q = bquant.quantize %x thresholds(%t : tensor<7xf32>) codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%v : tensor<1xf32>) : tensor<4x32xf32> -> !bquant.tensor<4x32, [4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x32, [4, 2, 1]> -> tensor<4x32xf32>
  return %d : tensor<4x32xf32>
}

// A row for each channel.
// CHECK-LABEL: func @integers
// CHECK: dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf64>
// CHECK: arith.sitofp {{.*}} : i32 to f64
func.func @integers(%x: tensor<4x2xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[[10, 20, 30, 40, 50, 60, 70], [-2147483648, -2147483648, 3, 6, 9, 12, 15]]> : tensor<2x7xi32>
  %q = bquant.quantize %x thresholds(%t : tensor<2x7xi32>) codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}

// CHECK-LABEL: func @uneven
// CHECK-COUNT-7: arith.cmpi sle
func.func @uneven(%x: tensor<4x2xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[10, 20, 30, 45, 50, 60, 70]> : tensor<7xi32>
  %q = bquant.quantize %x thresholds(%t : tensor<7xi32>) codes [0, 1, 2, 3, 4, 5, 6, 7] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}

// Codes in another order than ranks.
// CHECK-LABEL: func @codes
// CHECK-NOT: arith.fptosi
func.func @codes(%x: tensor<4x2xi32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[10, 20, 30, 40, 50, 60, 70]> : tensor<7xi32>
  %q = bquant.quantize %x thresholds(%t : tensor<7xi32>) codes [7, 6, 5, 4, 3, 2, 1, 0] scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, [4, 2, 1]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, [4, 2, 1]> -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}
