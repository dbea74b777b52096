// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-expand-fma | FileCheck %s

// The product with a sign is exact.
// CHECK-LABEL: @sign
// CHECK: %[[S:.*]] = arith.select
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %[[S]] : vector<4xf32>
// CHECK: arith.addf %[[P]], %{{.*}} : vector<4xf32>
// CHECK-NOT: fma
func.func @sign(%x: vector<4xf32>, %b: vector<4xi1>, %acc: vector<4xf32>) -> vector<4xf32> {
  %p = arith.constant dense<1.0> : vector<4xf32>
  %m = arith.constant dense<-1.0> : vector<4xf32>
  %s = arith.select %b, %p, %m : vector<4xi1>, vector<4xf32>
  %y = math.fma %x, %s, %acc : vector<4xf32>
  return %y : vector<4xf32>
}

// One with 2 may overflow in f32.
// CHECK-LABEL: @two
// CHECK-COUNT-3: arith.extf {{.*}} : f32 to f64
// CHECK: %[[SUM:.*]] = arith.addf {{.*}} : f64
// CHECK-NEXT: %[[Y:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK-NEXT: return %[[Y]]
func.func @two(%x: f32, %b: i1, %c: i1, %acc: f32) -> f32 {
  %p = arith.constant 2.0 : f32
  %m = arith.constant -2.0 : f32
  %z = arith.constant 0.0 : f32
  %s = arith.select %b, %p, %m : f32
  %t = arith.select %c, %s, %z : f32
  %y = math.fma %x, %t, %acc : f32
  return %y : f32
}

// Anything: rounded to odd.
// CHECK-LABEL: @any
// CHECK-COUNT-3: arith.extf {{.*}} : vector<2xf32> to vector<2xf64>
// CHECK: %[[STEP:.*]] = arith.select {{.*}} : vector<2xi1>, vector<2xi64>
// CHECK: arith.addi %{{.*}}, %[[STEP]]
// CHECK: %[[ODD:.*]] = arith.select {{.*}} : vector<2xi1>, vector<2xi64>
// CHECK: %[[R:.*]] = arith.bitcast %[[ODD]] : vector<2xi64> to vector<2xf64>
// CHECK: arith.truncf %[[R]] : vector<2xf64> to vector<2xf32>
// CHECK-NOT: fma
func.func @any(%x: vector<2xf32>, %w: vector<2xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %y = math.fma %x, %w, %acc : vector<2xf32>
  return %y : vector<2xf32>
}

// CHECK-LABEL: @wide
// CHECK: math.fma {{.*}} : f64
func.func @wide(%x: f64, %w: f64, %acc: f64) -> f64 {
  %y = math.fma %x, %w, %acc : f64
  return %y : f64
}
