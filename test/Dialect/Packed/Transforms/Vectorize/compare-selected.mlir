// RUN: bquant-opt %s --split-input-file --bquant-compare-selected --canonicalize --cse | FileCheck %s

// What is selected by its sign, or a part of it: the greater of the two, by a
// comparison of the two themselves.

#id = affine_map<(m, n) -> (m, n)>
#channel = affine_map<(m, n) -> (n)>

// CHECK-LABEL: @scalar
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[P:.*]] = arith.mulf %[[X]]
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[X]], %[[P]]
// CHECK: arith.select %[[C]], %[[X]], %[[P]]
func.func @scalar(%x: tensor<1x8xf32>, %o: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.25 : f32
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x8xf32>) outs(%o : tensor<1x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.cmpf ugt, %a, %zero : f32
    %1 = arith.mulf %a, %slope : f32
    %2 = arith.select %0, %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// A slope for each channel, of which a tile has some.

// CHECK-LABEL: @channels
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.cmpf ogt, %{{.*}}, %[[P]]
func.func @channels(%x: tensor<1x4xf32>, %o: tensor<1x4xf32>, %at: index) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.1, 0.2, 0.3, 1.0, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32>
  %slope = tensor.extract_slice %slopes[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %slope : tensor<1x4xf32>, tensor<4xf32>) outs(%o : tensor<1x4xf32>) {
  ^bb0(%a: f32, %c: f32, %s: f32):
    %0 = arith.cmpf oge, %a, %zero : f32
    %1 = arith.mulf %c, %a : f32
    %2 = arith.select %0, %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// -----

// Slopes that are no part: of a negative number -0.5 of it is greater, but so it
// is of a positive one with 2.0; 0 of infinity is NaN.

// CHECK-LABEL: @others
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-COUNT-4: arith.cmpf ogt, %{{.*}}, %[[ZERO]]
// CHECK: arith.cmpf olt, %{{.*}}, %[[ZERO]]
#id = affine_map<(m, n) -> (m, n)>
#channel = affine_map<(m, n) -> (n)>
func.func @others(%x: tensor<1x4xf32>, %u: tensor<4xf32>, %o: tensor<1x4xf32>)
    -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.5 : f32
  %large = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %slopes = arith.constant dense<[0.1, 0.0, 0.3, 1.0]> : tensor<4xf32>
  %r:5 = linalg.generic {indexing_maps = [#id, #channel, #channel, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %u, %slopes : tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o, %o, %o, %o, %o : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %s0: f32, %s1: f32, %s2: f32, %s3: f32, %s4: f32):
    %0 = arith.cmpf ogt, %a, %zero : f32
    %1 = arith.mulf %a, %negative : f32
    %2 = arith.select %0, %a, %1 : f32
    %3 = arith.cmpf ogt, %2, %zero : f32
    %4 = arith.mulf %2, %large : f32
    %5 = arith.select %3, %2, %4 : f32
    %6 = arith.cmpf ogt, %5, %zero : f32
    %7 = arith.mulf %5, %c : f32
    %8 = arith.select %6, %5, %7 : f32
    %9 = arith.cmpf ogt, %8, %zero : f32
    %10 = arith.mulf %8, %d : f32
    %11 = arith.select %9, %8, %10 : f32
    %12 = arith.cmpf olt, %11, %zero : f32
    %13 = arith.mulf %11, %half : f32
    %14 = arith.select %12, %11, %13 : f32
    linalg.yield %2, %5, %8, %11, %14 : f32, f32, f32, f32, f32
  } -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// What a reduction starts from is a part in the first step alone.

// CHECK-LABEL: @start
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.cmpf ogt, %[[X]], %[[ZERO]]
func.func @start(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xf32>) outs(%half : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.cmpf ogt, %a, %zero : f32
    %1 = arith.mulf %a, %s : f32
    %2 = arith.select %0, %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
