// RUN: bquant-opt %s --bquant-lower-expm1 | FileCheck %s

// CHECK:       func.func private @expm1f(f32) -> f32

// CHECK-LABEL: @number
// CHECK-SAME:    %[[X:.*]]: f32
// CHECK:         %[[Y:.*]] = call @expm1f(%[[X]])
// CHECK:         %[[Z:.*]] = math.exp %[[Y]]
// CHECK:         return %[[Z]]
func.func @number(%x: f32) -> f32 {
  %y = math.expm1 %x : f32
  %z = math.exp %y : f32
  return %z : f32
}

// CHECK-LABEL: @vector
// CHECK-COUNT-2: call @expm1f
// CHECK-NOT:     math.expm1
func.func @vector(%x: vector<2xf32>) -> vector<2xf32> {
  %y = math.expm1 %x : vector<2xf32>
  return %y : vector<2xf32>
}

// CHECK-LABEL: @half
// CHECK:         %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[Y:.*]] = call @expm1f(%[[WIDE]])
// CHECK:         arith.truncf %[[Y]] : f32 to f16
func.func @half(%x: f16) -> f16 {
  %y = math.expm1 %x : f16
  return %y : f16
}
