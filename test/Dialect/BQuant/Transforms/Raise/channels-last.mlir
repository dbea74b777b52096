// RUN: bquant-opt --bquant-prepare-for-raising --bquant-channels-last --bquant-prepare-for-raising \
// RUN:   --split-input-file %s | FileCheck %s

// A residual block with padding, max-pool, per-channel parameters and a mean at
// its end: two borders, nothing between. The mean reads the counterpart, and its order
// (h, w) stays.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$MEAN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-LABEL: func @block
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x8x8xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x4x8x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK-NOT: linalg.transpose
// CHECK: tensor.pad %[[T]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK-SAME: tensor<1x10x10x4xf32>, tensor<4x3x3x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$C]], #[[$ID]]]
// CHECK: arith.mulf
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]]
// CHECK: arith.addf
// CHECK: linalg.pooling_nhwc_max
// CHECK-SAME: tensor<1x8x8x4xf32>, tensor<2x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$MEAN]]], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
// CHECK: return %{{.*}} : tensor<1x4xf32>
func.func @block(%x: tensor<1x4x8x8xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<4x4x3x3xf32>
  %v = arith.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>)
      outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, i) -> (0, c, h, i)>,
                       affine_map<(n, c, h, i) -> (0, c, 0, 0)>,
                       affine_map<(n, c, h, i) -> (n, c, h, i)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %v : tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>)
      outs(%e : tensor<1x4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x4x8x8xf32>
  %z = arith.addf %s, %x : tensor<1x4x8x8xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %init2 = linalg.fill ins(%lowest : f32) outs(%e2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %q = linalg.pooling_nchw_max
      {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%z, %window : tensor<1x4x8x8xf32>, tensor<2x2xf32>)
      outs(%init2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %e3 = tensor.empty() : tensor<1x4xf32>
  %init3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x4xf32>) -> tensor<1x4xf32>
  %mean = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, i) -> (n, c, h, i)>,
                       affine_map<(n, c, h, i) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%q : tensor<1x4x4x4xf32>) outs(%init3 : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<1x4xf32>
  return %mean : tensor<1x4xf32>
}

// -----

// An image of one channel and a result of one pixel are reshaped.
// CHECK-LABEL: func @units
// CHECK-NOT: linalg.transpose
// CHECK: tensor.expand_shape {{.*}} into tensor<2x3x3x1xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK-NOT: linalg.transpose
// CHECK: return %{{.*}} : tensor<2x4xf32>
func.func @units(%x: tensor<2x1x3x3xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<4x1x3x3xf32>
  %e = tensor.empty() : tensor<2x4x1x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<2x1x3x3xf32>, tensor<4x1x3x3xf32>)
      outs(%init : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2, 3]] : tensor<2x4x1x1xf32> into tensor<2x4xf32>
  return %flat : tensor<2x4xf32>
}

// -----

// Transposes that a producer put around each convolution go; quantized values
// move with the floats they come from, for each sample too.
// CHECK-LABEL: func @producer
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x4x8x8xf32>, %[[W:[a-z0-9]+]]: tensor<4x1x1x4xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] {{.*}} permutation = [0, 2, 3, 1]
// CHECK: %[[Q:.*]] = bquant.quantize %[[T]] scheme(<ls, 2>) : tensor<2x8x8x4xf32> -> !bquant.tensor<2x8x8x4, 2, axes = [0]>
// CHECK: %[[D:[a-z0-9]+]] = bquant.dequantize %[[Q]]
// CHECK: %[[Y:[a-z0-9]+]] = linalg.conv_2d_nhwc_fhwc {{.*}} ins(%[[D]], %[[W]]
// CHECK: %[[B:.*]] = linalg.transpose ins(%[[Y]] {{.*}} permutation = [0, 3, 1, 2]
// CHECK: return %[[B]]
func.func @producer(%x: tensor<2x4x8x8xf32>, %w: tensor<4x1x1x4xf32>) -> tensor<2x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %q = bquant.quantize %x scheme(<ls, 2>)
      : tensor<2x4x8x8xf32> -> !bquant.tensor<2x4x8x8, 2, axes = [0]>
  %d = bquant.dequantize %q : !bquant.tensor<2x4x8x8, 2, axes = [0]> -> tensor<2x4x8x8xf32>
  %e = tensor.empty() : tensor<2x8x8x4xf32>
  %t = linalg.transpose ins(%d : tensor<2x4x8x8xf32>) outs(%e : tensor<2x8x8x4xf32>)
      permutation = [0, 2, 3, 1]
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %y = linalg.conv_2d_nhwc_fhwc
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%t, %w : tensor<2x8x8x4xf32>, tensor<4x1x1x4xf32>)
      outs(%init : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  %r = tensor.empty() : tensor<2x4x8x8xf32>
  %b = linalg.transpose ins(%y : tensor<2x8x8x4xf32>) outs(%r : tensor<2x4x8x8xf32>)
      permutation = [0, 3, 1, 2]
  return %b : tensor<2x4x8x8xf32>
}

// -----

// Nothing here has channels.
// CHECK-LABEL: func @untouched
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @untouched(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %y = arith.addf %x, %x : tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// -----

// A flattened image needs its own order: one transpose at that border.
// CHECK-LABEL: func @flatten
// CHECK: %[[Y:.*]] = linalg.conv_2d_nhwc_fhwc
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[Y]] {{.*}} permutation = [0, 3, 1, 2]
// CHECK: tensor.collapse_shape %[[T]]
func.func @flatten(%x: tensor<1x1x4x4xf32>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<2x1x1x1xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>)
      outs(%init : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2, 3]] : tensor<1x2x4x4xf32> into tensor<1x32xf32>
  return %flat : tensor<1x32xf32>
}

// -----

// CHECK-LABEL: func @depthwise
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}} %[[W]] : tensor<1x4x5x2xf32>, tensor<1x2x2xf32>)
func.func @depthwise(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x2x4x5xf32>, tensor<2x1x2xf32>)
      outs(%init : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// -----

// A dimension of size 1 behind the last one, and before the first, goes in front of the padding.
// CHECK-LABEL: func @units
// CHECK-DAG: tensor.expand_shape %arg0 {{\[\[}}0], [1], [2, 3]]{{.*}} into tensor<2x3x4x1xf32>
// CHECK-DAG: tensor.pad {{.*}} low[0, 0, 1, 0] high[0, 0, 2, 0]
// CHECK-DAG: tensor.expand_shape %arg0 {{\[\[}}0, 1], [2], [3]]{{.*}} into tensor<1x2x3x4xf32>
// CHECK-DAG: tensor.pad {{.*}} low[0, 0, 0, 1] high[0, 0, 0, 2]
func.func @units(%x: tensor<2x3x4xf32>) -> (tensor<2x3x7x1xf32>, tensor<1x2x3x7xf32>) {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : f32
  } : tensor<2x3x4xf32> to tensor<2x3x7xf32>
  %q = tensor.pad %x low[0, 0, 1] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %c : f32
  } : tensor<2x3x4xf32> to tensor<2x3x7xf32>
  %y = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [2, 3, 7, 1]
      : tensor<2x3x7xf32> into tensor<2x3x7x1xf32>
  %z = tensor.expand_shape %q [[0, 1], [2], [3]] output_shape [1, 2, 3, 7]
      : tensor<2x3x7xf32> into tensor<1x2x3x7xf32>
  return %y, %z : tensor<2x3x7x1xf32>, tensor<1x2x3x7xf32>
}

// -----

// An image gets a channel as a plane more; its border is added to pixels.
// CHECK-LABEL: func @plane
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x8x8xf32>,
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 0, 0] high[0, 1, 0, 0]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[P]] : tensor<1x4x8x8xf32>)
// CHECK: tensor.pad %[[T]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.conv_2d_nhwc_fhwc
func.func @plane(%x: tensor<1x3x8x8xf32>, %init: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = arith.constant dense<0.5> : tensor<2x4x3x3xf32>
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %one : f32
  } : tensor<1x3x8x8xf32> to tensor<1x4x8x8xf32>
  %q = tensor.pad %p low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%q, %w : tensor<1x4x10x10xf32>, tensor<2x4x3x3xf32>)
      outs(%init : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}
