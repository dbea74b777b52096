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

// A pool of sums of integers, of which ReLU leaves no -0.0; what pads it and where
// it starts is a number, too. Of two of those the larger one is always known.

#image = affine_map<(y, c, i) -> (y * 2 + i, c)>
#window = affine_map<(y, c, i) -> (i)>
#pooled = affine_map<(y, c, i) -> (y, c)>

// CHECK-LABEL: @pool
// CHECK: arith.maximumf %{{.*}}, %cst{{.*}} fastmath<nnan> : f32
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan,nsz> : f32
func.func @pool(%x: tensor<3x4xi32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant -0.5 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xi32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: i32, %s: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<3x4xf32>
  %p = tensor.pad %r low[1, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %least : f32
  } : tensor<3x4xf32> to tensor<4x4xf32>
  %w = tensor.empty() : tensor<2xf32>
  %o = tensor.empty() : tensor<2x4xf32>
  %start = linalg.fill ins(%least : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.generic {indexing_maps = [#image, #window, #pooled], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<4x4xf32>, tensor<2xf32>) outs(%start : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  return %m : tensor<2x4xf32>
}

// Without ReLU a product may be -0.0; a sum with a constant is not. A pool of floats
// that come in may meet NaN.

// CHECK-LABEL: @pools
// CHECK: arith.maximumf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan,nsz> : f32
// CHECK: arith.maximumf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
func.func @pools(%x: tensor<4x4xi32>, %y: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant -0.5 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xi32>) outs(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: i32, %s: f32, %t: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %1, %one : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %w = tensor.empty() : tensor<2xf32>
  %o = tensor.empty() : tensor<2x4xf32>
  %start = linalg.fill ins(%least : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.generic {indexing_maps = [#image, #window, #pooled], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r#0, %w : tensor<4x4xf32>, tensor<2xf32>) outs(%start : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  %n = linalg.generic {indexing_maps = [#image, #window, #pooled], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r#1, %w : tensor<4x4xf32>, tensor<2xf32>) outs(%start : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  %q = linalg.generic {indexing_maps = [#image, #window, #pooled], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %w : tensor<4x4xf32>, tensor<2xf32>) outs(%start : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  return %m, %n, %q : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// Nor is a sum with a constant that has -0.0 among its numbers.

// CHECK-LABEL: @negative_zero
// CHECK: arith.maximumf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
func.func @negative_zero(%x: tensor<4x4xi32>) -> tensor<2x4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant -0.5 : f32
  %shifts = arith.constant dense<[1.0, -0.0, 2.0, 3.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %shifts : tensor<4x4xi32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: i32, %b: f32, %s: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  %w = tensor.empty() : tensor<2xf32>
  %o = tensor.empty() : tensor<2x4xf32>
  %start = linalg.fill ins(%least : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.generic {indexing_maps = [#image, #window, #pooled], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r, %w : tensor<4x4xf32>, tensor<2xf32>) outs(%start : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %0 = arith.maximumf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x4xf32>
  return %m : tensor<2x4xf32>
}

// A constant whose alignment is less than that of a float is not read: it may hold
// NaN, as this one does.

// CHECK-LABEL: @unread
// CHECK: arith.maximumf
// CHECK-NOT: fastmath
// CHECK: return
func.func @unread(%x: tensor<1x2xi32>, %o: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %c = arith.constant dense_resource<unaligned> : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %c : tensor<1x2xi32>, tensor<2xf32>) outs(%o : tensor<1x2xf32>) {
  ^bb0(%a: i32, %b: f32, %s: f32):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.maximumf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      unaligned: "0x010000000000C07F0000803F"
    }
  }
#-}
