// RUN: bquant-opt %s --bquant-lower-max-num | FileCheck %s

// CHECK-LABEL: @numbers
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[V:.*]]: vector<4xf32>, %[[W:.*]]: vector<4xf32>
// CHECK:         %[[MOST:.*]] = arith.maximumf %[[A]], %[[B]] : f32
// CHECK:         %[[NOB:.*]] = arith.cmpf uno, %[[B]], %[[B]] : f32
// CHECK:         %[[LEFT:.*]] = arith.select %[[NOB]], %[[A]], %[[MOST]] : f32
// CHECK:         %[[NOA:.*]] = arith.cmpf uno, %[[A]], %[[A]] : f32
// CHECK:         arith.select %[[NOA]], %[[B]], %[[LEFT]] : f32
// CHECK:         arith.minimumf %[[V]], %[[W]] : vector<4xf32>
// CHECK-NOT:     num
// CHECK:         arith.maximumf %[[A]], %[[B]] : f32
func.func @numbers(%a: f32, %b: f32, %v: vector<4xf32>, %w: vector<4xf32>) -> (f32, vector<4xf32>, f32) {
  %m = arith.maxnumf %a, %b : f32
  %n = arith.minnumf %v, %w : vector<4xf32>
  %k = arith.maximumf %a, %b : f32
  return %m, %n, %k : f32, vector<4xf32>, f32
}
