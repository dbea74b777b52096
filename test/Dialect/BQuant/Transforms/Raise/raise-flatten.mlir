// RUN: bquant-opt --bquant-raise --split-input-file %s | FileCheck %s

#i = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// An image of 2 channels and 1 x 3 pixels, flattened: columns 0..5 are c0p0,
// c0p1, c0p2, c1p0, c1p1, c1p2. Channels-last they are c0p0, c1p0, c0p1, ...
// The parameters of the columns and the quantized matrix go with them.
// CHECK-LABEL: func @flatten
// CHECK-DAG: arith.constant dense<[1.000000e+01, 1.300000e+01, 1.100000e+01, 1.400000e+01, 1.200000e+01, 1.500000e+01]> : tensor<6xf32>
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00, -2.000000e+00, -5.000000e+00, 3.000000e+00, 6.000000e+00]]> : tensor<1x6xf32>
// CHECK-DAG: bquant.quantize %[[W]]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 3, 1]
// CHECK-NOT: linalg.transpose
// CHECK: bquant.matmul
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @flatten(%x: tensor<4x2x1x3xf32>) -> tensor<4x1xf32> {
  %none = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %window = tensor.empty() : tensor<1x1xf32>
  %pe = tensor.empty() : tensor<4x2x1x3xf32>
  %pf = linalg.fill ins(%none : f32) outs(%pe : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %p = linalg.pooling_nchw_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<4x2x1x3xf32>, tensor<1x1xf32>) outs(%pf : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %f = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<4x2x1x3xf32> into tensor<4x6xf32>
  %shift = arith.constant dense<[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : tensor<6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %q = linalg.generic {indexing_maps = [#i, #c, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f, %shift : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %d = arith.subf %a, %s : f32
    %b = arith.cmpf oge, %d, %zero : f32
    %r = arith.select %b, %one, %minus : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %w = arith.constant dense<[[1.0, -2.0, 3.0, 4.0, -5.0, 6.0]]> : tensor<1x6xf32>
  %we = tensor.empty() : tensor<1x6xf32>
  %ws = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<1x6xf32>) outs(%we : tensor<1x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.cmpf oge, %a, %zero : f32
    %r = arith.select %b, %one, %minus : f32
    linalg.yield %r : f32
  } -> tensor<1x6xf32>
  %te = tensor.empty() : tensor<6x1xf32>
  %t = linalg.transpose ins(%ws : tensor<1x6xf32>) outs(%te : tensor<6x1xf32>) permutation = [1, 0]
  %ye = tensor.empty() : tensor<4x1xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul ins(%q, %t : tensor<4x6xf32>, tensor<6x1xf32>) outs(%yf : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>

// A matrix that is not known cannot be permuted: the image is transposed.
// CHECK-LABEL: func @unknown
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK: linalg.matmul
func.func @unknown(%x: tensor<4x2x1x3xf32>, %w: tensor<1x6xf32>) -> tensor<4x1xf32> {
  %none = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %window = tensor.empty() : tensor<1x1xf32>
  %pe = tensor.empty() : tensor<4x2x1x3xf32>
  %pf = linalg.fill ins(%none : f32) outs(%pe : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %p = linalg.pooling_nchw_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<4x2x1x3xf32>, tensor<1x1xf32>) outs(%pf : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %f = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<4x2x1x3xf32> into tensor<4x6xf32>
  %ye = tensor.empty() : tensor<4x1xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%f, %w : tensor<4x6xf32>, tensor<1x6xf32>) outs(%yf : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// What is read transposed has its columns elsewhere: the image is transposed.
// CHECK-LABEL: func @read_transposed
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK: linalg.matmul
func.func @read_transposed(%x: tensor<4x1x3x2xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[
    [2.0, 1.0, 1.0, -2.0, -1.0, -3.0], [-2.0, 2.0, 1.0, 3.0, 1.0, 1.0],
    [1.0, 1.0, 1.0, 3.0, -2.0, 2.0], [-1.0, 3.0, 1.0, -3.0, 2.0, 2.0],
    [-3.0, 3.0, -3.0, 1.0, -3.0, -1.0], [-1.0, -3.0, -3.0, -3.0, -3.0, 1.0]]> : tensor<6x6xf32>
  %te = tensor.empty() : tensor<4x2x1x3xf32>
  %p = linalg.transpose ins(%x : tensor<4x1x3x2xf32>) outs(%te : tensor<4x2x1x3xf32>) permutation = [0, 3, 1, 2]
  %f = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<4x2x1x3xf32> into tensor<4x6xf32>
  %ne = tensor.empty() : tensor<6x6xf32>
  %n = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<6x6xf32>) outs(%ne : tensor<6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<6x6xf32>
  %ye = tensor.empty() : tensor<4x6xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%f, %n : tensor<4x6xf32>, tensor<6x6xf32>) outs(%yf : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>

// The bits of a packed matrix go with the columns: 1 and 4 of 0..5, which are
// c0p1 and c1p1, come to be 2 and 3.
// CHECK-LABEL: func @packed
// CHECK: %[[Q:.*]] = bquant.quantize
// CHECK: %[[W:.*]] = bquant.constant words(dense<12> : tensor<1x1x1xi32>)
// CHECK: bquant.matmul %[[Q]], %[[W]]
func.func @packed(%x: tensor<4x2x1x3xf32>) -> tensor<4x1xf32> {
  %none = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %window = tensor.empty() : tensor<1x1xf32>
  %pe = tensor.empty() : tensor<4x2x1x3xf32>
  %pf = linalg.fill ins(%none : f32) outs(%pe : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %p = linalg.pooling_nchw_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<4x2x1x3xf32>, tensor<1x1xf32>) outs(%pf : tensor<4x2x1x3xf32>) -> tensor<4x2x1x3xf32>
  %f = tensor.collapse_shape %p [[0], [1, 2, 3]] : tensor<4x2x1x3xf32> into tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %q = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.cmpf oge, %a, %zero : f32
    %r = arith.select %b, %one, %minus : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %c = bquant.constant words(dense<18> : tensor<1x1x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<1x6, 1>
  %w = bquant.dequantize %c : !bquant.tensor<1x6, 1> -> tensor<1x6xf32>
  %ye = tensor.empty() : tensor<4x1xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %w : tensor<4x6xf32>, tensor<1x6xf32>) outs(%yf : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}
