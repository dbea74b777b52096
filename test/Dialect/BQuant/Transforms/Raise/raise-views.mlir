// RUN: bquant-opt --bquant-raise --split-input-file %s | FileCheck %s

// Moving elements and quantizing them commute, so a product sees through what
// moves the elements of its quantized input.

// A padding by the value of +1 is the product's own.
// CHECK-LABEL: func @padded_by_one
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x2xf32>)
// CHECK: %[[Q:.*]] = bquant.quantize %[[X]] {{.*}} -> !bquant.tensor<1x4x4x2, 1>
// CHECK: bquant.conv_2d %[[Q]], %{{.*}} pads = [0, 3, 1, 2] pad_value = 1
func.func @padded_by_one(%x: tensor<1x4x4x2xf32>) -> tensor<1x5x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x3x3x2xf32>
  %f = bquant.sign %w : tensor<8x3x3x2xf32>
  %s = bquant.sign %x : tensor<1x4x4x2xf32>
  %p = tensor.pad %s low[0, 0, 1, 0] high[0, 3, 2, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x4x4x2xf32> to tensor<1x7x7x2xf32>
  %e = tensor.empty() : tensor<1x5x5x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<1x7x7x2xf32>, tensor<8x3x3x2xf32>)
      outs(%init : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  return %y : tensor<1x5x5x8xf32>
}

// -----

// So it is behind a max-pool of signs.
// CHECK-LABEL: func @padded_by_one_behind_a_pool
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x8x2xf32>)
// CHECK: %[[Q:.*]] = bquant.quantize %[[X]] {{.*}} -> !bquant.tensor<1x8x8x2, 1>
// CHECK: %[[M:.*]] = bquant.max_pool_2d %[[Q]]
// CHECK: bquant.conv_2d %[[M]], %{{.*}} pads = [1, 1, 1, 1] pad_value = 1
func.func @padded_by_one_behind_a_pool(%x: tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %w = arith.constant dense<0.5> : tensor<8x3x3x2xf32>
  %f = bquant.sign %w : tensor<8x3x3x2xf32>
  %s = bquant.sign %x : tensor<1x8x8x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %m = tensor.empty() : tensor<1x4x4x2xf32>
  %lowest = linalg.fill ins(%least : f32) outs(%m : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %q = linalg.pooling_nhwc_max
      {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>)
      outs(%lowest : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %p = tensor.pad %q low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x6x2xf32>
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<1x6x6x2xf32>, tensor<8x3x3x2xf32>)
      outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// Another value that the quantization keeps pads the float.
// CHECK-LABEL: func @padded_by_minus_one
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x2xf32>)
// CHECK: %[[P:.*]] = tensor.pad %[[X]]
// CHECK: tensor.yield %cst
// CHECK: %[[Q:.*]] = bquant.quantize %[[P]] {{.*}} -> !bquant.tensor<1x6x6x2, 1>
// CHECK: bquant.conv_2d %[[Q]], %{{.*}} : (!bquant.tensor<1x6x6x2, 1>
func.func @padded_by_minus_one(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x3x3x2xf32>
  %f = bquant.sign %w : tensor<8x3x3x2xf32>
  %s = bquant.sign %x : tensor<1x4x4x2xf32>
  %p = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %minus : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x6x2xf32>
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<1x6x6x2xf32>, tensor<8x3x3x2xf32>)
      outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// A linear layer on a sequence: leading dimensions are rows.
// CHECK-LABEL: func @rows
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x3xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: %[[Q:.*]] = bquant.quantize %[[C]] {{.*}} -> !bquant.tensor<10x3, 1>
// CHECK: bquant.matmul %[[Q]]
func.func @rows(%x: tensor<2x5x3xf32>, %e: tensor<10x2xf32>) -> tensor<10x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[0.5, -0.5, 0.5], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %s = bquant.sign %x : tensor<2x5x3xf32>
  %f = bquant.sign %w : tensor<2x3xf32>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<2x5x3xf32> into tensor<10x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<10x2xf32>) -> tensor<10x2xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %f : tensor<10x3xf32>, tensor<2x3xf32>) outs(%init : tensor<10x2xf32>)
      -> tensor<10x2xf32>
  return %y : tensor<10x2xf32>
}

// -----

// Two activations: the one that lies across the reduction is transposed.
// CHECK-LABEL: func @activations
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x3xf32>, %[[Y:.*]]: tensor<2x3x4xf32>
// CHECK-DAG: %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<2x3x4xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK-DAG: %[[A:.*]] = bquant.quantize %[[X]]
// CHECK-DAG: %[[B:.*]] = bquant.quantize %[[T]] {{.*}} -> !bquant.tensor<2x4x3, 1>
// CHECK: bquant.matmul %[[A]], %[[B]]
func.func @activations(%x: tensor<2x5x3xf32>, %y: tensor<2x3x4xf32>,
                       %e: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<2x5x3xf32>
  %t = bquant.sign %y : tensor<2x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %z = linalg.batch_matmul ins(%s, %t : tensor<2x5x3xf32>, tensor<2x3x4xf32>)
      outs(%init : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %z : tensor<2x5x4xf32>
}

// -----

// A max-pool of quantized values, padded with -inf, is one of their codes.
// CHECK-LABEL: func @pooled
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x2xf32>
// CHECK: %[[Q:.*]] = bquant.quantize %[[X]]
// CHECK: %[[M:.*]] = bquant.max_pool_2d %[[Q]] window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1]
// CHECK: bquant.conv_2d %[[M]]
func.func @pooled(%x: tensor<1x4x4x2xf32>, %e: tensor<1x2x2x2xf32>,
                  %o: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %w = arith.constant dense<0.5> : tensor<8x1x1x2xf32>
  %f = bquant.sign %w : tensor<8x1x1x2xf32>
  %s = bquant.sign %x : tensor<1x4x4x2xf32>
  %p = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %least : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x6x2xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %start = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %m = linalg.pooling_nhwc_max
      {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %window : tensor<1x6x6x2xf32>, tensor<3x3xf32>)
      outs(%start : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%m, %f : tensor<1x2x2x2xf32>, tensor<8x1x1x2xf32>)
      outs(%init : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  return %y : tensor<1x2x2x8xf32>
}

// -----

// A concatenation of channels, as torch-mlir writes it, becomes channels-last.
// CHECK-LABEL: func @concat
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 2] [1, 4, 4, 3] [1, 1, 1, 1]
// CHECK: bquant.quantize %{{.*}} -> !bquant.tensor<1x4x4x5, 1>
// CHECK: bquant.conv_2d
func.func @concat(%x: tensor<1x2x4x4xf32>, %y: tensor<1x3x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x5x1x1xf32>
  %f = bquant.sign %w : tensor<8x5x1x1xf32>
  %c = tensor.concat dim(1) %x, %y : (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x5x4x4xf32>
  %s = bquant.sign %c : tensor<1x5x4x4xf32>
  %e = tensor.empty() : tensor<1x8x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %z = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %f : tensor<1x5x4x4xf32>, tensor<8x5x1x1xf32>)
      outs(%init : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %z : tensor<1x8x4x4xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Values that are quantized alike are put together first; the same slice twice.
// CHECK-LABEL: func @put_together
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x6xf32>, %[[Y:[^:]*]]: tensor<4x2xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK: %[[I:.*]] = tensor.insert_slice %[[S]] into %{{.*}}[0, 0]
// CHECK: %[[J:.*]] = tensor.insert_slice %[[Y]] into %[[I]][0, 2]
// CHECK: %[[K:.*]] = tensor.insert_slice %[[S]] into %[[J]][0, 4]
// CHECK: %[[Q:.*]] = bquant.quantize %[[K]] {{.*}} -> !bquant.tensor<4x6, 1>
// CHECK: bquant.matmul %[[Q]]
func.func @put_together(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>, %init: tensor<4x2xf32>)
    -> tensor<4x2xf32> {
  %sx = bquant.sign %x : tensor<4x6xf32>
  %sy = bquant.sign %y : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %s = tensor.extract_slice %sx[0, 1] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %i = tensor.insert_slice %s into %e[0, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
  %j = tensor.insert_slice %sy into %i[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
  %k = tensor.insert_slice %s into %j[0, 4] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>
  %p = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%k, %w : tensor<4x6xf32>, tensor<2x6xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %p : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// Others stay float.
// CHECK-LABEL: func @put_together_otherwise
// CHECK: bquant.matmul %{{.*}} : (tensor<4x6xf32>
func.func @put_together_otherwise(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>, %init: tensor<4x2xf32>)
    -> tensor<4x2xf32> {
  %sx = bquant.sign %x : tensor<4x6xf32>
  %k = tensor.insert_slice %y into %sx[0, 2] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0]]> : tensor<2x6xf32>
  %p = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%k, %w : tensor<4x6xf32>, tensor<2x6xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %p : tensor<4x2xf32>
}

// -----

// A move that leaves nothing is no input of planes, nor are more elements than
// a type counts.
// CHECK-LABEL: func @nothing_left
// CHECK: linalg.matmul
func.func @nothing_left(%x: tensor<4x8xf32>, %init: tensor<0x5xf32>) -> tensor<0x5xf32> {
  %s = bquant.sign %x : tensor<4x8xf32>
  %none = tensor.extract_slice %s[1, 0] [0, 8] [1, 1] : tensor<4x8xf32> to tensor<0x8xf32>
  %w = arith.constant dense<1.0> : tensor<5x8xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%none, %w : tensor<0x8xf32>, tensor<5x8xf32>)
      outs(%init : tensor<0x5xf32>) -> tensor<0x5xf32>
  return %y : tensor<0x5xf32>
}

// CHECK-LABEL: func @too_many
// CHECK: linalg.matmul
func.func @too_many(%x: tensor<4611686018427387904x3xf32>,
                    %init: tensor<4611686018427387904x5xf32>)
    -> tensor<4611686018427387904x5xf32> {
  %s = bquant.sign %x : tensor<4611686018427387904x3xf32>
  %w = arith.constant dense<1.0> : tensor<5x3xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%s, %w : tensor<4611686018427387904x3xf32>, tensor<5x3xf32>)
      outs(%init : tensor<4611686018427387904x5xf32>) -> tensor<4611686018427387904x5xf32>
  return %y : tensor<4611686018427387904x5xf32>
}

// -----

// Thresholds of each channel go with their elements; what is scaled behind them
// has the same ones.
// CHECK-LABEL: func @thresholds
// CHECK-SAME: (%[[X:.*]]: tensor<2x1x2x2xf32>)
// CHECK-DAG: %[[T:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [-1.000000e+00, 0.000000e+00, 5.000000e-01], [1.000000e+00, 2.000000e+00, 3.000000e+00], [-1.000000e+00, 0.000000e+00, 5.000000e-01]]> : tensor<4x3xf32>
// CHECK-DAG: %[[V:.*]] = arith.constant dense<2.500000e-01> : tensor<1xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<7.500000e-01> : tensor<f32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[X]]
// CHECK: bquant.quantize %[[F]] thresholds(%[[T]] : tensor<4x3xf32>) codes [0, 1, 2, 3] scalars(%[[V]] : tensor<1xf32>) offset(%[[C]] : tensor<f32>)
// CHECK: bquant.matmul
func.func @thresholds(%x: tensor<2x1x2x2xf32>) -> tensor<2x1xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %t = arith.constant dense<[[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]]> : tensor<2x3xf32>
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %c = arith.constant dense<1.5> : tensor<f32>
  %w = arith.constant dense<[[0.5, -0.5, 0.5, 0.5]]> : tensor<1x4xf32>
  %q = bquant.quantize %x thresholds(%t : tensor<2x3xf32>) codes [0, 1, 2, 3] scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<2x1x2x2xf32> -> !bquant.tensor<2x1x2x2, [2, 1], offset>
  %d = bquant.dequantize %q : !bquant.tensor<2x1x2x2, [2, 1], offset> -> tensor<2x1x2x2xf32>
  %f = tensor.collapse_shape %d [[0], [1, 2, 3]] : tensor<2x1x2x2xf32> into tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.mulf %p, %half : f32
    linalg.yield %m : f32
  } -> tensor<2x4xf32>
  %ye = tensor.empty() : tensor<2x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ye : tensor<2x1xf32>) -> tensor<2x1xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%s, %w : tensor<2x4xf32>, tensor<1x4xf32>) outs(%init : tensor<2x1xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// -----

// Tables side by side are one table. Transposed, thresholds would vary along
// another dimension than the last: then the decoded values are told apart.
// CHECK-LABEL: func @tables
// CHECK-DAG: %[[T:.*]] = arith.constant dense<{{\[\[}}1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]> : tensor<4x1xf32>
// CHECK: %[[Q:.*]] = bquant.quantize %{{.*}} thresholds(%{{.*}} : tensor<2x1xf32>)
// CHECK: %[[D:.*]] = bquant.dequantize %[[Q]]
// CHECK: bquant.quantize %{{.*}} thresholds(%[[T]] : tensor<4x1xf32>)
// CHECK: bquant.matmul
// CHECK: %[[M:.*]] = linalg.transpose ins(%[[D]] : tensor<4x2xf32>)
// CHECK: %[[S:.*]] = bquant.quantize %[[M]] scalars(
// CHECK: bquant.matmul %[[S]]
func.func @tables(%x: tensor<4x2xf32>) -> (tensor<4x1xf32>, tensor<2x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %u = arith.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %w = arith.constant dense<[[0.5, -0.5, 0.5, 0.5]]> : tensor<1x4xf32>
  %q = bquant.quantize %x thresholds(%t : tensor<2x1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x2xf32> -> !bquant.tensor<4x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, 1> -> tensor<4x2xf32>
  %r = bquant.quantize %x thresholds(%u : tensor<2x1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<4x2xf32> -> !bquant.tensor<4x2, 1>
  %f = bquant.dequantize %r : !bquant.tensor<4x2, 1> -> tensor<4x2xf32>
  %both = tensor.concat dim(1) %d, %f : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %ye = tensor.empty() : tensor<4x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x1xf32>) -> tensor<4x1xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%both, %w : tensor<4x4xf32>, tensor<1x4xf32>) outs(%init : tensor<4x1xf32>) -> tensor<4x1xf32>
  %te = tensor.empty() : tensor<2x4xf32>
  %tr = linalg.transpose ins(%d : tensor<4x2xf32>) outs(%te : tensor<2x4xf32>) permutation = [1, 0]
  %ze = tensor.empty() : tensor<2x1xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ze : tensor<2x1xf32>) -> tensor<2x1xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%tr, %w : tensor<2x4xf32>, tensor<1x4xf32>) outs(%zi : tensor<2x1xf32>) -> tensor<2x1xf32>
  return %y, %z : tensor<4x1xf32>, tensor<2x1xf32>
}
