// RUN: bquant-opt --bquant-prepare-for-raising --bquant-channels-last --bquant-raise-products \
// RUN:   --bquant-explain-floats --bquant-prepare-for-raising --split-input-file --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

// Padding, strides and dilations become attributes. The bias, here what the
// convolution starts with, is added after it. The source is NCHW: the constant
// filter is transposed, the argument's transpose stays at the border.
// CHECK-LABEL: func @conv
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x9x8xf32>)
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-DAG: %[[F:.*]] = arith.constant dense<{{\[\[\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]
// CHECK-DAG: %[[WQ:.*]] = bquant.quantize %[[F]] {{.*}} -> !bquant.tensor<3x1x2x2, 1>
// CHECK-DAG: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x2x9x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK-DAG: %[[XQ:.*]] = bquant.quantize %[[T]] {{.*}} -> !bquant.tensor<1x9x8x2, 1>
// CHECK: %[[Y:.*]] = bquant.conv_2d %[[XQ]], %[[WQ]] strides = [2, 1] dilations = [1, 3] pads = [1, 0, 2, 3]
// CHECK-SAME: -> tensor<1x5x10x3xf32>
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[B]] : tensor<1x5x10x3xf32>, tensor<3xf32>)
// CHECK: arith.addf
// CHECK: linalg.transpose ins(%[[Z]]
// CHECK-SAME: permutation = [0, 3, 1, 2]
// CHECK-NOT: linalg.transpose
// REMARK: [Passed] raise-product
// REMARK-SAME: bquant.conv_2d of !bquant.tensor<1x9x8x2, 1> by !bquant.tensor<3x1x2x2, 1>
func.func @conv(%x: tensor<1x2x9x8xf32>) -> tensor<1x3x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %b = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %w = arith.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]],
                             [[[5.0, 6.0]], [[7.0, 8.0]]],
                             [[[9.0, 10.0]], [[11.0, 12.0]]]]> : tensor<3x2x1x2xf32>
  %s = bquant.sign %x : tensor<1x2x9x8xf32>
  %f = bquant.sign %w : tensor<3x2x1x2xf32>
  %p = tensor.pad %s low[0, 0, 1, 2] high[0, 0, 0, 3] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x2x9x8xf32> to tensor<1x2x10x13xf32>
  %e = tensor.empty() : tensor<1x3x5x10xf32>
  %init = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x3x5x10xf32>)
      dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
      ins(%p, %f : tensor<1x2x10x13xf32>, tensor<3x2x1x2xf32>)
      outs(%init : tensor<1x3x5x10xf32>) -> tensor<1x3x5x10xf32>
  return %y : tensor<1x3x5x10xf32>
}

// -----

// What is padded with none of its values stays as it is; its filter is binary
// all the same, and the input float. A filter of height, width, channels,
// filter is transposed at compile time.
// CHECK-LABEL: func @padded_otherwise
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x2xf32>)
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: bquant.conv_2d %[[P]], %{{.*}} : (tensor<1x6x6x2xf32>, !bquant.tensor<8x3x3x2, 1>)
// REMARK: [Missed] raise-product {{.*}}the input stays float: it is quantized, and padded with what is none of its values
func.func @padded_otherwise(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.5 : f32
  %w = arith.constant dense<0.5> : tensor<3x3x2x8xf32>
  %f = bquant.sign %w : tensor<3x3x2x8xf32>
  %s = bquant.sign %x : tensor<1x4x4x2xf32>
  %p = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %one : f32
  } : tensor<1x4x4x2xf32> to tensor<1x6x6x2xf32>
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<1x6x6x2xf32>, tensor<3x3x2x8xf32>)
      outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// Channels padded with zeros are no padding of the image.
// CHECK-LABEL: func @padded_channels
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: bquant.conv_2d %[[P]]
// CHECK-SAME: (tensor<1x4x4x3xf32>, !bquant.tensor<8x1x1x3, 1>)
// REMARK: the input stays float: it is quantized, and padded with what is none of its values
func.func @padded_channels(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x1x1x3xf32>
  %f = bquant.sign %w : tensor<8x1x1x3xf32>
  %s = bquant.sign %x : tensor<1x4x4x2xf32>
  %p = tensor.pad %s low[0, 0, 0, 0] high[0, 0, 0, 1] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x2xf32> to tensor<1x4x4x3xf32>
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %f : tensor<1x4x4x3xf32>, tensor<8x1x1x3xf32>)
      outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// A result smaller than the image allows has no bquant op.
// CHECK-LABEL: func @partial
// CHECK: linalg.conv_2d_nhwc_fhwc
// REMARK: [Missed] raise-product {{.*}}linalg.conv_2d_nhwc_fhwc stays float: no bquant op has this form of product
func.func @partial(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<8x3x3x2xf32>
  %f = bquant.sign %w : tensor<8x3x3x2xf32>
  %e = tensor.empty() : tensor<1x3x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x4x8xf32>) -> tensor<1x3x4x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x6x6x2xf32>, tensor<8x3x3x2xf32>)
      outs(%init : tensor<1x3x4x8xf32>) -> tensor<1x3x4x8xf32>
  return %y : tensor<1x3x4x8xf32>
}

// -----

// Signs by a float filter stay float; the filter lies along the reduction, and
// the bias comes after the sum.
// CHECK-LABEL: func @float_filter
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf32>)
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[\[}}1.100000e+00, 4.770000e+00], [2.370000e+00, 5.005000e+00], [3.141500e+00, 6.666700e+00]]> : tensor<3x2xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[7.000000e+00, 8.000000e+00, 9.000000e+00]> : tensor<3xf32>
// CHECK-DAG: %[[S:.*]] = bquant.sign %[[X]]
// CHECK-DAG: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[Y:.*]] = linalg.matmul indexing_maps
// CHECK-SAME: ins(%[[S]], %[[W]] : tensor<4x2xf32>, tensor<3x2xf32>) outs(%[[ZEROS]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[B]] : tensor<4x3xf32>, tensor<3xf32>)
// CHECK: arith.addf
// REMARK: [Missed] raise-product {{.*}}linalg.matmul stays float: the input is quantized, but the filter is float
func.func @float_filter(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1.1, 2.37, 3.1415], [4.77, 5.005, 6.6667]]> : tensor<2x3xf32>
  %b = arith.constant dense<[7.0, 8.0, 9.0]> : tensor<3xf32>
  %s = bquant.sign %x : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %init = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<4x3xf32>)
      dimensions = [0]
  %y = linalg.matmul ins(%s, %w : tensor<4x2xf32>, tensor<2x3xf32>)
      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// Linear layers as torch-mlir writes them: the transposed weight is the natural
// one. Here the signs are of the K x N matrix; the transpose goes to the
// constant behind them.
// CHECK-LABEL: func @linear
// CHECK-DAG: %[[W1:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]>
// CHECK-DAG: %[[W2:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
// CHECK-DAG: %[[Q1:.*]] = bquant.quantize %[[W1]]
// CHECK-DAG: %[[Q2:.*]] = bquant.quantize %[[W2]]
// CHECK-DAG: bquant.matmul %{{.*}}, %[[Q1]]
// CHECK-DAG: bquant.matmul %{{.*}}, %[[Q2]]
// CHECK-NOT: linalg.transpose
func.func @linear(%x: tensor<4x2xf32>, %e: tensor<4x3xf32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %w1 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %w2 = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %s1 = bquant.sign %w1 : tensor<3x2xf32>
  %e1 = tensor.empty() : tensor<2x3xf32>
  %t1 = linalg.transpose ins(%s1 : tensor<3x2xf32>) outs(%e1 : tensor<2x3xf32>)
      permutation = [1, 0]
  %s2 = bquant.sign %w2 : tensor<2x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y1 = linalg.matmul ins(%x, %t1 : tensor<4x2xf32>, tensor<2x3xf32>)
      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y2 = linalg.matmul ins(%x, %s2 : tensor<4x2xf32>, tensor<2x3xf32>)
      outs(%init : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y1, %y2 : tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

// A contraction written out, batched; it adds to an argument.
// CHECK-LABEL: func @batched
// CHECK-SAME: %[[ACC:[a-z0-9]*]]: tensor<5x4x3xf32>
// CHECK: %[[Y:.*]] = bquant.matmul
// CHECK-SAME: (!bquant.tensor<5x4x2, 1>, !bquant.tensor<5x3x2, 1>) -> tensor<5x4x3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[ACC]]
// CHECK: arith.addf
func.func @batched(%x: tensor<5x4x2xf32>, %w: tensor<5x3x2xf32>,
                   %acc: tensor<5x4x3xf32>) -> tensor<5x4x3xf32> {
  %s = bquant.sign %x : tensor<5x4x2xf32>
  %f = bquant.sign %w : tensor<5x3x2xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>,
                       affine_map<(b, m, n, k) -> (b, n, k)>,
                       affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %f : tensor<5x4x2xf32>, tensor<5x3x2xf32>)
      outs(%acc : tensor<5x4x3xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<5x4x3xf32>
  return %y : tensor<5x4x3xf32>
}

// -----

// What the source quantized itself: only the products are raised. Scalars along
// the reduction cannot leave it.
// CHECK-LABEL: func @dequantized
// CHECK: %[[XQ:.*]] = bquant.quantize %{{.*}} scheme(<ls, 2>)
// CHECK: bquant.matmul %[[XQ]]
// CHECK-NOT: bquant.matmul
// CHECK: linalg.matmul
// REMARK: [Missed] raise-product {{.*}}linalg.matmul stays float: scalars vary along the reduction
func.func @dequantized(%x: tensor<4x2xf32>, %w: tensor<3x2xf32>, %e: tensor<4x3xf32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %q = bquant.quantize %x scheme(<ls, 2>)
      : tensor<4x2xf32> -> !bquant.tensor<4x2, 2, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<4x2, 2, axes = [0]> -> tensor<4x2xf32>
  %r = bquant.quantize %w scheme(<ls, 1>)
      : tensor<3x2xf32> -> !bquant.tensor<3x2, 1, axes = [1]>
  %g = bquant.dequantize %r : !bquant.tensor<3x2, 1, axes = [1]> -> tensor<3x2xf32>
  %f = bquant.sign %w : tensor<3x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%d, %f : tensor<4x2xf32>, tensor<3x2xf32>) outs(%init : tensor<4x3xf32>)
      -> tensor<4x3xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %g : tensor<4x2xf32>, tensor<3x2xf32>) outs(%init : tensor<4x3xf32>)
      -> tensor<4x3xf32>
  return %y, %z : tensor<4x3xf32>, tensor<4x3xf32>
}

// -----

// Groups are split from the channels; the ops around stay channels-last.
// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x5x6xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[XQ:.*]] = bquant.quantize %[[T]]
// CHECK: %[[Y:.*]] = bquant.conv_2d %[[XQ]], %{{.*}} pads = [1, 1, 1, 1] groups = 2
// CHECK-SAME: (!bquant.tensor<1x5x6x4, 1>, !bquant.tensor<6x3x3x2, 1>) -> tensor<1x5x6x6xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.transpose ins(%[[Y]] {{.*}} permutation = [0, 3, 1, 2]
func.func @groups(%x: tensor<1x4x5x6xf32>) -> tensor<1x6x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<6x2x3x3xf32>
  %s = bquant.sign %x : tensor<1x4x5x6xf32>
  %f = bquant.sign %w : tensor<6x2x3x3xf32>
  %p = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x4x5x6xf32> to tensor<1x4x7x8xf32>
  %xg = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 7, 8]
      : tensor<1x4x7x8xf32> into tensor<1x2x2x7x8xf32>
  %fg = tensor.expand_shape %f [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 3]
      : tensor<6x2x3x3xf32> into tensor<2x3x2x3x3xf32>
  %e = tensor.empty() : tensor<1x2x3x5x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x5x6xf32>)
      -> tensor<1x2x3x5x6xf32>
  %y = linalg.conv_2d_ngchw_gfchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%xg, %fg : tensor<1x2x2x7x8xf32>, tensor<2x3x2x3x3xf32>)
      outs(%init : tensor<1x2x3x5x6xf32>) -> tensor<1x2x3x5x6xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]]
      : tensor<1x2x3x5x6xf32> into tensor<1x6x5x6xf32>
  return %r : tensor<1x6x5x6xf32>
}

// -----

// A filter a channel: only units of the filter move, and its signs move along.
// CHECK-LABEL: func @depthwise
// CHECK-SAME: %[[X:.*]]: tensor
// CHECK-DAG: %[[W:.*]] = bquant.quantize %{{.*}} : tensor<4x3x3x1xf32> -> !bquant.tensor<4x3x3x1, 1>
// CHECK-DAG: %[[T:.*]] = linalg.transpose ins(%[[X]] {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[XQ:.*]] = bquant.quantize %[[T]]
// CHECK: bquant.conv_2d %[[XQ]], %[[W]] groups = 4
// CHECK-SAME: (!bquant.tensor<1x5x6x4, 1>, !bquant.tensor<4x3x3x1, 1>) -> tensor<1x3x4x4xf32>
func.func @depthwise(%x: tensor<1x4x5x6xf32>) -> tensor<1x4x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<4x1x3x3xf32>
  %s = bquant.sign %x : tensor<1x4x5x6xf32>
  %f = bquant.sign %w : tensor<4x1x3x3xf32>
  %xg = tensor.expand_shape %s [[0], [1, 2], [3], [4]] output_shape [1, 4, 1, 5, 6]
      : tensor<1x4x5x6xf32> into tensor<1x4x1x5x6xf32>
  %fg = tensor.expand_shape %f [[0, 1], [2], [3], [4]] output_shape [4, 1, 1, 3, 3]
      : tensor<4x1x3x3xf32> into tensor<4x1x1x3x3xf32>
  %e = tensor.empty() : tensor<1x4x1x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x1x3x4xf32>)
      -> tensor<1x4x1x3x4xf32>
  %y = linalg.conv_2d_ngchw_gfchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%xg, %fg : tensor<1x4x1x5x6xf32>, tensor<4x1x1x3x3xf32>)
      outs(%init : tensor<1x4x1x3x4xf32>) -> tensor<1x4x1x3x4xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2], [3], [4]]
      : tensor<1x4x1x3x4xf32> into tensor<1x4x3x4xf32>
  return %r : tensor<1x4x3x4xf32>
}

// -----

// A filter that is multiplied out to one magnitude a row is binary where the
// input is; by a float input it is taken as any float filter.
// CHECK-LABEL: func @levels
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[\[}}5.000000e-01, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<2x3xf32>
// CHECK-DAG: %[[WQ:.*]] = bquant.quantize %[[W]] scalars(%[[V]]
// CHECK-DAG: bquant.matmul %{{.*}}, %[[WQ]] : (!bquant.tensor<4x3, 1>, !bquant.tensor<2x3, 1, axes = [0]>)
// CHECK-DAG: linalg.matmul
func.func @levels(%x: tensor<4x3xf32>, %e: tensor<4x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[0.5, -0.5, 0.5], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
  %s = bquant.sign %x : tensor<4x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%s, %w : tensor<4x3xf32>, tensor<2x3xf32>) outs(%init : tensor<4x2xf32>)
      -> tensor<4x2xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<4x3xf32>, tensor<2x3xf32>) outs(%init : tensor<4x2xf32>)
      -> tensor<4x2xf32>
  return %y, %z : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// A filter may have an offset as an input may.
// CHECK-LABEL: func @filter_offset
// CHECK: bquant.matmul %{{.*}}, %{{.*}} : (!bquant.tensor<4x64, 1>, !bquant.tensor<8x64, 1, offset>)
func.func @filter_offset(%x: tensor<4x64xf32>, %y: tensor<8x64xf32>) -> tensor<4x8xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %c = arith.constant dense<0.5> : tensor<f32>
  %z = arith.constant 0.0 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<4x64xf32> -> !bquant.tensor<4x64, 1>
  %r = bquant.quantize %y scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<8x64xf32> -> !bquant.tensor<8x64, 1, offset>
  %a = bquant.dequantize %q : !bquant.tensor<4x64, 1> -> tensor<4x64xf32>
  %b = bquant.dequantize %r : !bquant.tensor<8x64, 1, offset> -> tensor<8x64xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<4x64xf32>, tensor<8x64xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}

// -----

// A uniform quantizer written out has as many values as integers lie within its
// bounds. Without bounds it stays float, and that is said; so does a filter of
// too many values.
// CHECK-LABEL: func @rounded
// CHECK-DAG: %[[V:.*]] = arith.constant dense<0.166666672> : tensor<1xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[T:.*]] = arith.constant dense<[0.166666672, 5.000000e-01, 0.833333373]> : tensor<3xf32>
// CHECK: bquant.quantize %{{.*}} thresholds(%[[T]] : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%[[V]] : tensor<1xf32>) offset(%[[C]] : tensor<f32>)
// CHECK-SAME: -> !bquant.tensor<4x64, [2, 1], offset>
// CHECK: bquant.matmul %{{.*}}, %{{.*}} : (!bquant.tensor<4x64, [2, 1], offset>, !bquant.tensor<8x64, 1>)
// CHECK: bquant.matmul %{{.*}}, %{{.*}} : (tensor<4x64xf32>, !bquant.tensor<8x64, 1>)
// CHECK: linalg.matmul
// REMARK: NaN gives the least of the levels, and not NaN as written
// REMARK: linalg.matmul stays float: the filter has few values, but they are not those of one to three planes in every bit
// REMARK: the input stays float: it is rounded, but not to 2 to 256 levels that are known and evenly spaced
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @rounded(%x: tensor<4x64xf32>, %e: tensor<4x64xf32>, %o: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %c = arith.constant dense<0.5> : tensor<8x64xf32>
  %w = bquant.sign %c : tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %zero : f32
    %b = arith.minimumf %a, %one : f32
    %m = arith.mulf %b, %three : f32
    %q = math.roundeven %m : f32
    %d = arith.divf %q, %three : f32
    linalg.yield %d : f32
  } -> tensor<4x64xf32>
  %u = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %zero : f32
    %q = math.roundeven %a : f32
    linalg.yield %q : f32
  } -> tensor<4x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %w : tensor<4x64xf32>, tensor<8x64xf32>) outs(%init : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  %v = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%u, %w : tensor<4x64xf32>, tensor<8x64xf32>) outs(%init : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  %few = arith.constant dense<"0xCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E000000009A9999BECDCCCC3ECDCCCC3DCDCC4CBE0000003FCDCC4C3ECDCCCCBDCDCCCCBE9A99993E"> : tensor<8x64xf32>
  %z = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %few : tensor<4x64xf32>, tensor<8x64xf32>) outs(%init : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %y, %v, %z : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>

// TTQ's levels of floats: the op that computes these is named. So is the float
// part of what is put together.
// CHECK-LABEL: func @floats
// CHECK: linalg.matmul
// CHECK: bquant.matmul %{{.*}} : (tensor<1x16xf32>
// REMARK: linalg.matmul stays float: the filter takes a sum of floats for each scalar or offset, which pays only in a large matrix or with a quantized input, but the input is what 'arith.maximumf' computes in floats at
// REMARK: the input stays float: it is put together of values that are not all quantized alike: a part is what 'arith.maximumf' computes in floats at
func.func @floats(%x: tensor<1x16xf32>, %z: tensor<1x4xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %zero : f32
    linalg.yield %a : f32
  } -> tensor<1x16xf32>
  %w = arith.constant dense<[[-0.4, 0.0, 0.7, 0.7, -0.4, -0.4, 0.0, 0.7, -0.4, 0.0, 0.7, 0.7, -0.4, -0.4, 0.0, 0.7]]> : tensor<1x16xf32>
  %o = tensor.empty() : tensor<1x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %w : tensor<1x16xf32>, tensor<1x16xf32>) outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
  %s = bquant.sign %z : tensor<1x4xf32>
  %f = tensor.extract_slice %r[0, 0] [1, 12] [1, 1] : tensor<1x16xf32> to tensor<1x12xf32>
  %c = tensor.concat dim(1) %s, %f : (tensor<1x4xf32>, tensor<1x12xf32>) -> tensor<1x16xf32>
  %v = arith.constant dense<0.5> : tensor<1x16xf32>
  %b = bquant.sign %v : tensor<1x16xf32>
  %q = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %b : tensor<1x16xf32>, tensor<1x16xf32>) outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y, %q : tensor<1x1xf32>, tensor<1x1xf32>
}
