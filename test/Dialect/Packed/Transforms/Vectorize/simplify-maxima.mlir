// RUN: bquant-opt %s --bquant-simplify-maxima | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#channel = affine_map<(m, n) -> (n)>

// A sum of integers, scaled by numbers of channels, of which a tile has some.

// CHECK-LABEL: @scaled
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
// CHECK: arith.minimumf {{.*}} fastmath<nnan>
func.func @scaled(%x: tensor<1x4xi32>, %o: tensor<1x4xf32>, %at: index) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %all = arith.constant dense<[0.1, -0.2, 0.3, 1.0, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32>
  %scales = tensor.extract_slice %all[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<1x4xi32>, tensor<4xf32>) outs(%o : tensor<1x4xf32>) {
  ^bb0(%a: i32, %c: f32, %s: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.minimumf %2, %six : f32
    linalg.yield %3 : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// A ReLU6 with codes from 0 to 6, whose bounds are reached.

// CHECK-LABEL: @bounded
// CHECK: %[[LOW:.*]] = arith.maximumf {{.*}} fastmath<nnan>
// CHECK: %[[HIGH:.*]] = arith.minimumf %[[LOW]], {{.*}} fastmath<nnan>
// CHECK: %[[Q:.*]] = arith.divf %[[HIGH]]
// CHECK: %[[R:.*]] = math.roundeven %[[Q]]
// CHECK: %[[C:.*]] = arith.addf %[[R]]
// CHECK: return %[[C]]
func.func @bounded(%a: i32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %scale = arith.constant 0.0235294122 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %0 = arith.sitofp %a : i32 to f32
  %1 = arith.maximumf %0, %zero : f32
  %2 = arith.minimumf %1, %six : f32
  %3 = arith.divf %2, %scale : f32
  %4 = math.roundeven %3 : f32
  %5 = arith.addf %4, %least : f32
  %6 = arith.maximumf %5, %least : f32
  %7 = arith.minimumf %6, %most : f32
  return %7 : f32
}

// The codes of 0 to 255: a sum with 0 is not -0.0. Of what may be, the maximum with
// 0 is another zero.

// CHECK-LABEL: @zeros
// CHECK: %[[X:.*]] = arith.uitofp
// CHECK: %[[N:.*]] = arith.negf
// CHECK: %[[M:.*]] = arith.maximumf %[[X]], {{.*}} fastmath<nnan>
// CHECK: %[[S:.*]] = arith.addf %[[X]]
// CHECK: return %[[N]], %[[M]], %[[S]]
func.func @zeros(%a: i8) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %0 = arith.uitofp %a : i8 to f32
  %1 = arith.negf %0 : f32
  %2 = arith.maximumf %0, %zero : f32
  %3 = arith.addf %0, %zero : f32
  %4 = arith.maximumf %3, %zero : f32
  return %1, %2, %4 : f32, f32, f32
}

// A bound that some numbers pass.

// CHECK-LABEL: @passed
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
// CHECK: arith.minimumf {{.*}} fastmath<nnan>
func.func @passed(%a: i8) -> f32 {
  %low = arith.constant -380.0 : f32
  %high = arith.constant 386.0 : f32
  %three = arith.constant 3.0 : f32
  %0 = arith.sitofp %a : i8 to f32
  %1 = arith.mulf %0, %three : f32
  %2 = arith.subf %three, %1 : f32
  %3 = math.round %2 : f32
  %4 = arith.maximumf %3, %low : f32
  %5 = arith.minimumf %4, %high : f32
  return %5 : f32
}

// What may be NaN: a float that is given, a quotient, a constant, a product that
// may be infinite less another one.

// CHECK-LABEL: @others
// CHECK-NOT: fastmath
func.func @others(%x: f32, %a: i32, %t: tensor<1x4xf32>, %o: tensor<1x4xf32>)
    -> (f32, f32, f32, f32, tensor<1x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %huge = arith.constant 1.0e38 : f32
  %n = arith.sitofp %a : i32 to f32
  %0 = arith.maximumf %x, %zero : f32
  %q = arith.divf %n, %n : f32
  %1 = arith.maximumf %q, %zero : f32
  %2 = arith.maximumf %n, %nan : f32
  %h = arith.mulf %n, %huge : f32
  %d = arith.subf %h, %h : f32
  %3 = arith.minimumf %d, %zero : f32
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<1x4xf32>) outs(%o : tensor<1x4xf32>) {
  ^bb0(%e: f32, %s: f32):
    %m = arith.maximumf %e, %zero : f32
    %k = arith.maximumf %s, %m : f32
    linalg.yield %k : f32
  } -> tensor<1x4xf32>
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, tensor<1x4xf32>
}
