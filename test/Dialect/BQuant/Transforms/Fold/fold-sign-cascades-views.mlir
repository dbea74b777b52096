// What only moves elements does not stop a chain: it moves to the source, and
// constants are read by its indices.
//
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file --remark-format=emitRemark --remarks-filter=bquant 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A transpose of a non-constant between scale and quantize, as NCHW leaves it.
// CHECK-LABEL: @transpose
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[}}5.000000e-01], [2.500000e-01]]> : tensor<2x1xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<2x3xf32>) outs(%{{.*}} : tensor<3x2xf32>) permutation = [1, 0]
// CHECK: bquant.quantize %[[T]] thresholds(%[[C]] : tensor<2x1xf32>) codes [0, 1]
// CHECK-NOT: arith.mulf
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %s = arith.constant dense<[[2.0, 2.0, 2.0], [4.0, 4.0, 4.0]]> : tensor<2x3xf32>
  %one = arith.constant dense<1.0> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %y = arith.mulf %x, %s : tensor<2x3xf32>
  %t = linalg.transpose ins(%y : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
  %z = arith.subf %t, %one : tensor<3x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<3x2xf32> -> !bquant.tensor<3x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<3x2, 1> -> tensor<3x2xf32>
  return %d : tensor<3x2xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// Flatten: a threshold for each column. Both columns of the falling channel
// come from one filter, which is negated.
// CHECK-LABEL: @flatten
// CHECK: bquant.constant words(dense<{{\[\[\[\[\[}}5]]], {{\[\[\[}}9]]]]]>
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x1x2x2xi32>
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}0], [-3], [0], [-3]]> : tensor<4x1xi32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[Y]] {{.*}} : tensor<1x1x2x2xi32> into tensor<1x4xi32>
// CHECK: bquant.quantize %[[F]] thresholds(%[[T]] : tensor<4x1xi32>) codes [0, 1]
// REMARK: [Passed] {{.*}}folded 4 steps into 1 threshold on the i32 result of 'bquant.conv_2d', some channels negated
func.func @flatten(%x: tensor<1x1x2x4xf32>) -> tensor<1x4xf32> {
  %w = bquant.constant words(dense<[[[[[5]]], [[[6]]]]]> : tensor<1x2x1x1x1xi32>) scalars(dense<[[0.5, 1.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x1x2x4xf32> -> !bquant.tensor<1x1x2x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x1x2x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x1x2x2xf32>
  %shift = arith.constant dense<[0.25, -3.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x1x2x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %shift : tensor<1x1x2x2xf32>, tensor<2xf32>) outs(%e : tensor<1x1x2x2xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x1x2x2xf32>
  %f = tensor.collapse_shape %z [[0], [1, 2, 3]] : tensor<1x1x2x2xf32> into tensor<1x4xf32>
  %b = arith.constant dense<[[0.0, -9.0, 0.0, -9.0]]> : tensor<1x4xf32>
  %g = arith.subf %f, %b : tensor<1x4xf32>
  %q2 = bquant.quantize %g scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<1x4, 1> -> tensor<1x4xf32>
  return %d : tensor<1x4xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#ch = affine_map<(d0, d1, d2) -> (d1)>

// Channels first, back by a transpose and flattened: column c comes from
// channel c / 3.
// CHECK-LABEL: @channels_first
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00], [-1.000000e+00], [-1.000000e+00], [-2.000000e+00], [-2.000000e+00], [-2.000000e+00]]> : tensor<6x1xf32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %arg0
// CHECK: bquant.quantize %[[F]] thresholds(%[[T]]
// CHECK-NOT: arith.addf
func.func @channels_first(%x: tensor<4x2x3xf32>) -> tensor<4x6xf32> {
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<4x2x3xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<4x2x3xf32>, tensor<2xf32>) outs(%e : tensor<4x2x3xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x2x3xf32>
  %f = tensor.collapse_shape %z [[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %f scalars(%v : tensor<1xf32>) : tensor<4x6xf32> -> !bquant.tensor<4x6, 1>
  %d = bquant.dequantize %q : !bquant.tensor<4x6, 1> -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// A channel shuffle: reshape, transpose, reshape.
// CHECK-LABEL: @channel_shuffle
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}1.000000e+00], [3.000000e+00], [2.000000e+00], [4.000000e+00]]> : tensor<4x1xf32>
// CHECK: tensor.expand_shape %arg0
// CHECK: linalg.transpose
// CHECK: %[[F:.*]] = tensor.collapse_shape
// CHECK: bquant.quantize %[[F]] thresholds(%[[T]]
func.func @channel_shuffle(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %b = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<3x4xf32>
  %z = arith.subf %x, %b : tensor<3x4xf32>
  %g = tensor.expand_shape %z [[0], [1, 2]] output_shape [3, 2, 2] : tensor<3x4xf32> into tensor<3x2x2xf32>
  %e = tensor.empty() : tensor<3x2x2xf32>
  %t = linalg.transpose ins(%g : tensor<3x2x2xf32>) outs(%e : tensor<3x2x2xf32>) permutation = [0, 2, 1]
  %f = tensor.collapse_shape %t [[0], [1, 2]] : tensor<3x2x2xf32> into tensor<3x4xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %f scalars(%v : tensor<1xf32>) : tensor<3x4xf32> -> !bquant.tensor<3x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<3x4, 1> -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

// -----

// The half of the channels, of a reshape there and back.
// CHECK-LABEL: @slice
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}3.000000e+00], [4.000000e+00]]> : tensor<2x1xf32>
// CHECK: %[[F:.*]] = tensor.extract_slice
// CHECK: bquant.quantize %[[F]] thresholds(%[[T]]
func.func @slice(%x: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<3x4xf32>
  %z = arith.subf %x, %b : tensor<3x4xf32>
  %g = tensor.collapse_shape %z [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %h = tensor.expand_shape %g [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %s = tensor.extract_slice %h[0, 2] [3, 2] [1, 1] : tensor<3x4xf32> to tensor<3x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %s scalars(%v : tensor<1xf32>) : tensor<3x2xf32> -> !bquant.tensor<3x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<3x2, 1> -> tensor<3x2xf32>
  return %d : tensor<3x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// A generic that transposes what it reads, with its steps in one body.
// CHECK-LABEL: @transposing_body
// CHECK: %[[S:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: %[[T:.*]] = arith.constant dense<5.000000e-01> : tensor<1xf32>
// CHECK: bquant.quantize %[[S]] thresholds(%[[T]]
func.func @transposing_body(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %z = linalg.generic {indexing_maps = [#tr, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<2x3xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %two : f32
    %2 = arith.subf %1, %one : f32
    linalg.yield %2 : f32
  } -> tensor<3x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<3x2xf32> -> !bquant.tensor<3x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<3x2, 1> -> tensor<3x2xf32>
  return %d : tensor<3x2xf32>
}

// -----

// The rows of the product become channels: its scalars go by columns, so the
// accumulator is no source, but the f32 product is.
// CHECK-LABEL: @transposed_product
// CHECK: bquant.matmul {{.*}} -> tensor<2x2xf32>
// CHECK: %[[F:.*]] = linalg.transpose
// CHECK: bquant.quantize %[[F]] thresholds
// REMARK: [Passed] {{.*}}on the f32 result of 'bquant.matmul'
func.func @transposed_product(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[0.5, 1.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x4, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<2x4, 1>, !bquant.tensor<2x4, 1, axes = [0]>) -> tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%y : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %b = arith.constant dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %z = arith.subf %t, %b : tensor<2x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<2x2, 1> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}

// -----

// A scale for each row stays; what comes behind it folds.
// CHECK-LABEL: @per_row
// CHECK: %[[Z:.*]] = arith.mulf
// CHECK: bquant.quantize %[[Z]] thresholds
// REMARK: [Passed] {{.*}}folded 1 step into 1 threshold on the f32 result of 'arith.mulf', which reads what is a constant that varies within a channel
func.func @per_row(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = arith.constant dense<[[2.0, 2.0], [4.0, 4.0]]> : tensor<2x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %y = arith.mulf %x, %s : tensor<2x2xf32>
  %z = arith.subf %y, %one : tensor<2x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2x2, 1> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}

// -----

// Nothing is left to fold in front of one.
// CHECK-LABEL: @per_row_only
// CHECK: bquant.quantize %{{.*}} scalars
// REMARK: [Missed] {{.*}}not folded: 'arith.mulf' reads what is a constant that varies within a channel
func.func @per_row_only(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = arith.constant dense<[[2.0, 2.0], [4.0, 4.0]]> : tensor<2x2xf32>
  %y = arith.mulf %x, %s : tensor<2x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<2x2xf32> -> !bquant.tensor<2x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2x2, 1> -> tensor<2x2xf32>
  return %d : tensor<2x2xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>
#first = affine_map<(m, n) -> (0, n)>

// The index of a dimension of size 1 is 0, as it may be written.
// CHECK-LABEL: @index_of_one
// CHECK: %[[T:.*]] = arith.constant dense<-1.000000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %arg0 thresholds(%[[T]]
func.func @index_of_one(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %s = arith.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %one = arith.constant dense<1.0> : tensor<1x4xf32>
  %a = arith.addf %x, %one : tensor<1x4xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %y = linalg.generic {indexing_maps = [#first, #n, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<1x4xf32>, tensor<4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%i: f32, %f: f32, %o: f32):
    %0 = arith.mulf %i, %f : f32
    linalg.yield %0 : f32
  } -> tensor<1x4xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x4xf32> -> !bquant.tensor<1x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x4, 1> -> tensor<1x4xf32>
  return %d : tensor<1x4xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#n = affine_map<(m, n) -> (n)>

// Which channels these are is not known.
// CHECK-LABEL: @dynamic_slice
// CHECK: %[[Z:.*]] = tensor.extract_slice
// CHECK: bquant.quantize %[[Z]] scalars(
func.func @dynamic_slice(%x: tensor<2x8xf32>, %at: index) -> tensor<2x4xf32> {
  %s = arith.constant dense<[1.0, 2.0, 4.0, 8.0, 1.0, 2.0, 4.0, -8.0]> : tensor<8xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  %y = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<2x8xf32>, tensor<8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%i: f32, %f: f32, %o: f32):
    %0 = arith.addf %i, %f : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %z = tensor.extract_slice %y[0, %at] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2x4, 1> -> tensor<2x4xf32>
  return %d : tensor<2x4xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>

// What is before the last step is made for each element of the quantize, and
// has no output to read.
// CHECK-LABEL: @reads_its_output
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} outs(%arg1
// CHECK: bquant.quantize %[[Z]] scalars(
func.func @reads_its_output(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %z = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%y : tensor<2x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %c = arith.constant 1.0 : f32
    %0 = arith.addf %i, %o : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<2x4xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<2x4, 1> -> tensor<2x4xf32>
  return %d : tensor<2x4xf32>
}
