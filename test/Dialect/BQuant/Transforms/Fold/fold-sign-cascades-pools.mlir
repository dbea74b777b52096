// RUN: bquant-opt %s --bquant-fold-sign-cascades --split-input-file --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

// Before a quantize: the codes of a cascade rise with its input, and a product
// is no NaN. The quantize then is behind the product and folds.
// CHECK-LABEL: func @before_quantize
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x8x8x2xi32>
// CHECK-NOT: linalg.{{pooling|generic}}
// CHECK: %[[Q:.*]] = bquant.quantize %[[Y]] thresholds({{.*}}) codes [0, 1, 2, 3] {{.*}} -> !bquant.tensor<1x8x8x2, 2>
// CHECK: bquant.max_pool_2d %[[Q]] window = [3, 3] strides = [2, 2] pads = [1, 0, 1, 0] : !bquant.tensor<1x8x8x2, 2> -> !bquant.tensor<1x4x4x2, 2>
// REMARK: remark: [Passed] fold-sign-cascades | {{.*}}the max-pool before is one of codes
func.func @before_quantize(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %inf = arith.constant 0xFF800000 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %padded = tensor.pad %y low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %inf : f32
  } : tensor<1x8x8x2xf32> to tensor<1x9x9x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%padded, %window : tensor<1x9x9x2xf32>, tensor<3x3xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %p scalars(%v2 : tensor<2xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 2>
  %d = bquant.dequantize %q2 : !bquant.tensor<1x4x4x2, 2> -> tensor<1x4x4x2xf32>
  return %d : tensor<1x4x4x2xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A chain behind the pool becomes thresholds on the pool first, then on what
// the pool reads.
// CHECK-LABEL: func @before_chain
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x8x8x2xi32>
// CHECK-NOT: linalg.{{pooling|generic}}
// CHECK: bquant.quantize %[[Y]] {{.*}} -> !bquant.tensor<1x8x8x2, 1>
// CHECK: bquant.max_pool_2d
// REMARK: folded 2 steps into 1 threshold on the f32 result of 'linalg.pooling_nhwc_max'
// REMARK: the max-pool before is one of codes
// REMARK: folded 2 steps into 1 threshold on the i32 result of 'bquant.conv_2d'
func.func @before_chain(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %two = arith.constant 2.0 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x4x4x2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.mulf %a, %two : f32
    %1 = arith.subf %0, %two : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<1x4x4x2, 1> -> tensor<1x4x4x2xf32>
  return %d : tensor<1x4x4x2xf32>
}

// -----

// The float pool keeps NaN, which the maximum of codes would not.
// CHECK-LABEL: func @nan
// CHECK: linalg.pooling_nhwc_max
// CHECK: bquant.quantize
// REMARK: the max-pool before stays one of floats: its input can be NaN
func.func @nan(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %window : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %q = bquant.quantize %p scalars(%v : tensor<1xf32>) : tensor<1x4x4x4xf32> -> !bquant.tensor<1x4x4x4, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x4x4x4, 1> -> tensor<1x4x4x4xf32>
  return %d : tensor<1x4x4x4xf32>
}

// -----

// Zeros as padding may be greater than all that a window holds, which the
// maximum of codes would not know.
// CHECK-LABEL: func @zero_padding
// CHECK: linalg.pooling_nhwc_max
// CHECK: bquant.quantize
// REMARK: the max-pool before stays one of floats: its input can be less than its padding
func.func @zero_padding(%x: tensor<1x3x3x40xf32>) -> tensor<1x2x2x40xf32> {
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %s = bquant.sign %x : tensor<1x3x3x40xf32>
  %padded = tensor.pad %s low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x3x40xf32> to tensor<1x4x4x40xf32>
  %e = tensor.empty() : tensor<1x2x2x40xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%padded, %window : tensor<1x4x4x40xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %q = bquant.quantize %p scalars(%v : tensor<1xf32>) : tensor<1x2x2x40xf32> -> !bquant.tensor<1x2x2x40, 1>
  %d = bquant.dequantize %q : !bquant.tensor<1x2x2x40, 1> -> tensor<1x2x2x40xf32>
  return %d : tensor<1x2x2x40xf32>
}

// -----

// Codes that fall: the maximum is that of the least code.
// CHECK-LABEL: func @falling
// CHECK: linalg.pooling_nhwc_max
// REMARK: the max-pool before stays one of floats: the codes are not known to rise with the input
func.func @falling(%q: tensor<1x4x4x40xf32>) -> tensor<1x2x2x40xf32> {
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %t = arith.constant dense<0.5> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %s = bquant.sign %q : tensor<1x4x4x40xf32>
  %e = tensor.empty() : tensor<1x2x2x40xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%s, %window : tensor<1x4x4x40xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  %r = bquant.quantize %p thresholds(%t : tensor<1xf32>) codes [1, 0] scalars(%v : tensor<1xf32>) : tensor<1x2x2x40xf32> -> !bquant.tensor<1x2x2x40, 1>
  %d = bquant.dequantize %r : !bquant.tensor<1x2x2x40, 1> -> tensor<1x2x2x40xf32>
  return %d : tensor<1x2x2x40xf32>
}

// -----

// Decoded values that rise with their codes.
// CHECK-LABEL: func @decoded
// CHECK: %[[P:.*]] = bquant.max_pool_2d %{{.*}} window = [2, 2] strides = [2, 2] : !bquant.tensor<1x8x8x4, [2, 1], offset> -> !bquant.tensor<1x4x4x4, [2, 1], offset>
// CHECK: bquant.dequantize %[[P]]
// CHECK-NOT: linalg.pooling_nhwc_max
// REMARK: the max-pool is one of codes
func.func @decoded(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %c = arith.constant dense<1.5> : tensor<f32>
  %inf = arith.constant 0xFF800000 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, [2, 1], offset>
  %y = bquant.dequantize %q : !bquant.tensor<1x8x8x4, [2, 1], offset> -> tensor<1x8x8x4xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %p : tensor<1x4x4x4xf32>
}

// -----

// The gf-4 scalars of a Gaussian: 1000 decodes to less than 0111.
// CHECK-LABEL: func @not_monotone
// CHECK: linalg.pooling_nhwc_max
// REMARK: the max-pool of decoded values stays one of floats: the decoded values do not rise with the codes
func.func @not_monotone(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %v = arith.constant dense<[0.798, 0.483, 0.268, 0.160]> : tensor<4xf32>
  %inf = arith.constant 0xFF800000 : f32
  %q = bquant.quantize %x scalars(%v : tensor<4xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 4>
  %y = bquant.dequantize %q : !bquant.tensor<1x8x8x4, 4> -> tensor<1x8x8x4xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %p : tensor<1x4x4x4xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// Channel 1 falls: it is pooled by the complement of its code, and the next
// filter, 0b01, has its sign at this channel negated, 0b11.
// CHECK-LABEL: func @mirrored
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x8x8x2xi32>
// CHECK: arith.constant dense<{{\[\[}}3], [-1]]> : tensor<2x1xi32>
// CHECK: %[[Q:.*]] = bquant.quantize %[[Y]] {{.*}} codes [0, 1]
// CHECK: %[[P:.*]] = bquant.max_pool_2d %[[Q]]
// CHECK: %[[F:.*]] = bquant.constant words(dense<3> : tensor<1x1x1x1x1xi32>)
// CHECK: bquant.conv_2d %[[P]], %[[F]]
func.func @mirrored(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x1xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %w2 = bquant.constant words(dense<1> : tensor<1x1x1x1x1xi32>) scalars(dense<0.5> : tensor<1x1xf32>) : !bquant.tensor<1x1x1x2, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %shift = arith.constant dense<[-1.0, -0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %scale, %shift : tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %r = bquant.conv_2d %q2, %w2 : (!bquant.tensor<1x4x4x2, 1>, !bquant.tensor<1x1x1x2, 1, axes = [0]>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#tr = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// A product that also moves pixels does more than change signs.
// CHECK-LABEL: func @mirrored_transposed
// CHECK: linalg.pooling_nhwc_max
// CHECK: linalg.generic
func.func @mirrored_transposed(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x1xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %w2 = bquant.constant words(dense<1> : tensor<1x1x1x1x1xi32>) scalars(dense<0.5> : tensor<1x1xf32>) : !bquant.tensor<1x1x1x2, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %signs = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %t = arith.constant dense<0.25> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = linalg.generic {indexing_maps = [#ch, #tr, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%signs, %p : tensor<2xf32>, tensor<1x4x4x2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%s: f32, %a: f32, %out: f32):
    %0 = arith.mulf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %z thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%v : tensor<1xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %r = bquant.conv_2d %q2, %w2 : (!bquant.tensor<1x4x4x2, 1>, !bquant.tensor<1x1x1x2, 1, axes = [0]>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// The padded ones of the next convolution are not negated.
// CHECK-LABEL: func @mirrored_padded
// CHECK: linalg.pooling_nhwc_max
// CHECK: bquant.conv_2d {{.*}} pad_value = 1
func.func @mirrored_padded(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x1xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %w2 = bquant.constant words(dense<1> : tensor<1x1x3x3x1xi32>) scalars(dense<0.5> : tensor<1x1xf32>) : !bquant.tensor<1x3x3x2, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %shift = arith.constant dense<[-1.0, -0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %scale, %shift : tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %r = bquant.conv_2d %q2, %w2 pads = [1, 1, 1, 1] pad_value = 1 : (!bquant.tensor<1x4x4x2, 1>, !bquant.tensor<1x3x3x2, 1, axes = [0]>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#ch = affine_map<(d0, d1, d2, d3) -> (d3)>

// The filters of a group see its channels alone.
// CHECK-LABEL: func @mirrored_groups
// CHECK: linalg.pooling_nhwc_max
// CHECK: bquant.conv_2d {{.*}} groups = 2
func.func @mirrored_groups(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x4, 1, axes = [0]>
  %w2 = bquant.constant words(dense<1> : tensor<1x2x1x1x1xi32>) scalars(dense<0.5> : tensor<1x2xf32>) : !bquant.tensor<2x1x1x1, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %shift = arith.constant dense<[-1.0, -0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 1>
  %y = bquant.conv_2d %q, %w : (!bquant.tensor<1x8x8x4, 1>, !bquant.tensor<2x1x1x4, 1, axes = [0]>) -> tensor<1x8x8x2xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %f = linalg.fill ins(%inf : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%y, %window : tensor<1x8x8x2xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %scale, %shift : tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x4x4x2xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %r = bquant.conv_2d %q2, %w2 groups = 2 : (!bquant.tensor<1x4x4x2, 1>, !bquant.tensor<2x1x1x1, 1, axes = [0]>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}

// -----

// Of sizes that are known at run time there are no codes.
// CHECK-LABEL: func @dynamic_output
// CHECK: linalg.pooling_nhwc_max
func.func @dynamic_output(%x: tensor<1x4x4x8xf32>, %n: index) -> tensor<1x?x2x8xf32> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %least = arith.constant 0xFF800000 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 1>
  %s = bquant.dequantize %q : !bquant.tensor<1x4x4x8, 1> -> tensor<1x4x4x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty(%n) : tensor<1x?x2x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x?x2x8xf32>) -> tensor<1x?x2x8xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%s, %window : tensor<1x4x4x8xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x?x2x8xf32>) -> tensor<1x?x2x8xf32>
  return %p : tensor<1x?x2x8xf32>
}

// CHECK-LABEL: func @dynamic_input
// CHECK: linalg.pooling_nhwc_max
// CHECK: bquant.quantize
func.func @dynamic_input(%x: tensor<1x4x4x?xf32>) -> !bquant.tensor<1x2x2x8, 1> {
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x2x2x8xf32>
  %init = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x4x4x?xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
  %q = bquant.quantize %p scalars(%v : tensor<1xf32>)
      : tensor<1x2x2x8xf32> -> !bquant.tensor<1x2x2x8, 1>
  return %q : !bquant.tensor<1x2x2x8, 1>
}
