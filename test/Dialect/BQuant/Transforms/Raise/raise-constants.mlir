// RUN: bquant-opt --bquant-raise --split-input-file %s | FileCheck %s

#i = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// The mean of magnitudes is computed here; the signs stay a quantization.
// CHECK-LABEL: func @mean_of_magnitudes
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, -2.000000e+00, 3.000000e+00, -4.000000e+00]]> : tensor<1x4xf32>
// CHECK-DAG: %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<1xf32>
// CHECK-DAG: bquant.quantize %[[W]] scalars(%[[V]] : tensor<1xf32>)
// CHECK-NOT: math.absf
func.func @mean_of_magnitudes(%x: tensor<4x4xf32>, %out: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %w = arith.constant dense<[[1.0, -2.0, 3.0, -4.0]]> : tensor<1x4xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %four = arith.constant dense<4.0> : tensor<1xf32>
  %m = math.absf %w : tensor<1x4xf32>
  %e = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %t = linalg.generic {indexing_maps = [#i, #r], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<1x4xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<1xf32>
  %v = arith.divf %t, %four : tensor<1xf32>
  %g = tensor.empty() : tensor<1x4xf32>
  %filter = linalg.generic {indexing_maps = [#i, #r, #i], iterator_types = ["parallel", "parallel"]}
      ins(%w, %v : tensor<1x4xf32>, tensor<1xf32>) outs(%g : tensor<1x4xf32>) {
  ^bb0(%p: f32, %u: f32, %o: f32):
    %b = arith.cmpf oge, %p, %zero : f32
    %s = arith.select %b, %one, %minus : f32
    %q = arith.mulf %u, %s : f32
    linalg.yield %q : f32
  } -> tensor<1x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%x, %filter : tensor<4x4xf32>, tensor<1x4xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

// The parameters of a batch norm: a conversion that rounds, a square root,
// each rounded. A broadcast of a constant stays one.
// CHECK-LABEL: func @parameters
// CHECK-DAG: arith.constant dense<[0.999994993, 0.499999404]> : tensor<2xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2xf32>) outs(%{{.*}} : tensor<3x2xf32>)
func.func @parameters() -> (tensor<2xf32>, tensor<3x2xf32>) {
  %v = arith.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %eps = arith.constant 1.000000e-05 : f64
  %e = tensor.empty() : tensor<2xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%v : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %f = arith.truncf %eps : f64 to f32
    %s = arith.addf %x, %f : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %r = math.rsqrt %a : tensor<2xf32>
  %g = tensor.empty() : tensor<3x2xf32>
  %b = linalg.broadcast ins(%v : tensor<2xf32>) outs(%g : tensor<3x2xf32>) dimensions = [0]
  return %r, %b : tensor<2xf32>, tensor<3x2xf32>
}

// -----

// Both scalars of an activation in one resource: sliced, collapsed, copied,
// expanded.
// CHECK-LABEL: func @sliced
// CHECK-DAG: %[[V:.*]] = arith.constant dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf32>
// CHECK: bquant.quantize %{{.*}} scalars(%[[V]] : tensor<2xf32>)
// CHECK-SAME: -> !bquant.tensor<4x8, 2>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#i = affine_map<(d0, d1) -> (d0, d1)>
#u = affine_map<(d0, d1) -> (0, 0)>
func.func @sliced(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>, %out: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %vs = arith.constant dense_resource<vs> : tensor<2xf32>
  %e = tensor.empty() : tensor<1xf32>
  %s0 = tensor.extract_slice %vs[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %c0 = tensor.collapse_shape %s0 [] : tensor<1xf32> into tensor<f32>
  %g0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                        iterator_types = ["parallel"]}
      ins(%c0 : tensor<f32>) outs(%e : tensor<1xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<1xf32>
  %v0 = tensor.expand_shape %g0 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %s1 = tensor.extract_slice %vs[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %c1 = tensor.collapse_shape %s1 [] : tensor<1xf32> into tensor<f32>
  %g1 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                        iterator_types = ["parallel"]}
      ins(%c1 : tensor<f32>) outs(%e : tensor<1xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<1xf32>
  %v1 = tensor.expand_shape %g1 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
  %b1 = bquant.sign %x : tensor<4x8xf32>
  %q = tensor.empty() : tensor<4x8xf32>
  %t1 = linalg.generic {indexing_maps = [#u, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%v0, %b1 : tensor<1x1xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %m = arith.mulf %p, %r : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %r2 = arith.subf %x, %t1 : tensor<4x8xf32>
  %b2 = bquant.sign %r2 : tensor<4x8xf32>
  %t2 = linalg.generic {indexing_maps = [#u, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%v1, %b2 : tensor<1x1xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>) {
  ^bb0(%p: f32, %r: f32, %o: f32):
    %m = arith.mulf %p, %r : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %sum = arith.addf %t1, %t2 : tensor<4x8xf32>
  %f = bquant.sign %w : tensor<2x8xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%sum, %f : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      vs: "0x040000000000803F0000003F"
    }
  }
#-}

// -----

// Of a constant, only the numbers it holds count: the first has neither zeros
// nor NaN, the second a zero, and torch's sign of it is a number of its own.
// CHECK-LABEL: func @constants
// CHECK-DAG: %[[A:.*]] = arith.constant dense<{{\[}}[1.000000e+00, -2.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG: bquant.quantize %[[A]] {{.*}} -> !bquant.tensor<1x2, 1>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[}}[0.000000e+00, -1.000000e+00]]> : tensor<1x2xf32>
// CHECK: linalg.matmul {{.*}} %[[B]]
func.func @constants(%in: tensor<4x2xf32>, %out: tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x2xf32>
  %one = arith.constant dense<1.0> : tensor<1x2xf32>
  %minus = arith.constant dense<-1.0> : tensor<1x2xf32>
  %x = arith.constant dense<[[1.0, -2.0]]> : tensor<1x2xf32>
  %y = arith.constant dense<[[0.0, -2.0]]> : tensor<1x2xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<1x2xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<1x2xf32>
  %p0 = arith.select %b0, %one, %zero : tensor<1x2xi1>, tensor<1x2xf32>
  %s0 = arith.select %b1, %minus, %p0 : tensor<1x2xi1>, tensor<1x2xf32>
  %b2 = arith.cmpf ogt, %y, %zero : tensor<1x2xf32>
  %b3 = arith.cmpf olt, %y, %zero : tensor<1x2xf32>
  %p1 = arith.select %b2, %one, %zero : tensor<1x2xi1>, tensor<1x2xf32>
  %s1 = arith.select %b3, %minus, %p1 : tensor<1x2xi1>, tensor<1x2xf32>
  %z = arith.constant 0.0 : f32
  %init = linalg.fill ins(%z : f32) outs(%out : tensor<4x1xf32>) -> tensor<4x1xf32>
  %m0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%in, %s0 : tensor<4x2xf32>, tensor<1x2xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  %m1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%in, %s1 : tensor<4x2xf32>, tensor<1x2xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %m0, %m1 : tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// Three taps rarely show all levels: the filters together do. They are ternary,
// and that behind a reshape that groups are, too.
// CHECK-LABEL: func @ternary_depthwise
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00, 0.000000e+00, {{.*}}> : tensor<1x8xf32>
// CHECK: %[[W:.*]] = bquant.quantize %{{.*}} scalars(%[[V]] : tensor<1x8xf32>) : tensor<8x1x3x1xf32> -> !bquant.tensor<8x1x3x1, [1, 1], axes = [0]>
// CHECK: bquant.conv_2d %{{.*}}, %[[W]] groups = 8
func.func @ternary_depthwise(%x: tensor<1x1x5x8xf32>) -> tensor<1x1x3x8x1xf32> {
  %f = arith.constant dense<[[[[[2.0], [-2.0], [0.0]]]], [[[[2.0], [2.0], [-2.0]]]], [[[[0.0], [-2.0], [0.0]]]], [[[[0.0], [0.0], [0.0]]]], [[[[-2.0], [0.0], [2.0]]]], [[[[2.0], [0.0], [2.0]]]], [[[[-2.0], [-2.0], [2.0]]]], [[[[0.0], [2.0], [-2.0]]]]]> : tensor<8x1x1x3x1xf32>
  %zero = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<1x1x5x8xf32>
  %g = tensor.expand_shape %s [[0], [1], [2], [3, 4]] output_shape [1, 1, 5, 8, 1] : tensor<1x1x5x8xf32> into tensor<1x1x5x8x1xf32>
  %e = tensor.empty() : tensor<1x1x3x8x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x3x8x1xf32>) -> tensor<1x1x3x8x1xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%g, %f : tensor<1x1x5x8x1xf32>, tensor<8x1x1x3x1xf32>)
      outs(%i : tensor<1x1x3x8x1xf32>) -> tensor<1x1x3x8x1xf32>
  return %y : tensor<1x1x3x8x1xf32>
}
