// RUN: bquant-opt %s --bquant-fold-sign-cascades=verify-folding -split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#ch = affine_map<(d0, d1) -> (d1)>

// One plane a side, scale and shift for each channel: the i32 accumulator. The
// falling channel 1 becomes a negated filter; channel 2 has a zero scale and
// one code. The float chain is gone.
// CHECK-LABEL: @batch_norm
// CHECK: bquant.constant words(dense<{{\[\[\[}}0, 1], [-3, -4], [4, 5], [6, -1]]]> : tensor<1x4x2xi32>)
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<8x4xi32>
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}-1], [3], [-2147483648], [-8]]> : tensor<4x1xi32>
// CHECK: bquant.quantize %[[Y]] thresholds(%[[T]] : tensor<4x1xi32>) codes [0, 1] scalars
// CHECK-NOT: linalg.generic
func.func @batch_norm(%x: tensor<8x64xf32>) -> tensor<8x4xf32> {
  %w = bquant.constant words(dense<[[[0, 1], [2, 3], [4, 5], [6, -1]]]> : tensor<1x4x2xi32>) scalars(dense<[[0.5, 0.25, 1.0, 0.125]]> : tensor<1x4xf32>) : !bquant.tensor<4x64, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x64xf32> -> !bquant.tensor<8x64, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<8x64, 1>, !bquant.tensor<4x64, 1, axes = [0]>) -> tensor<8x4xf32>
  %scale = arith.constant dense<[1.0, -1.0, 0.0, 3.0]> : tensor<4xf32>
  %shift = arith.constant dense<[0.5, -0.5, 0.1, 2.4]> : tensor<4xf32>
  %init = tensor.empty() : tensor<8x4xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scale, %shift : tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %t : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x4xf32> -> !bquant.tensor<8x4, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<8x4, 1> -> tensor<8x4xf32>
  return %d : tensor<8x4xf32>
}

// -----

// A quantize right behind a product needs no scale: ternary by one plane.
// CHECK-LABEL: @no_steps
// CHECK: %[[Y:.*]] = bquant.conv_2d {{.*}} -> tensor<1x4x4x2xi32>
// CHECK: arith.constant dense<{{\[\[}}-2, 0, 3], [0, 0, 1]]>
// CHECK: bquant.quantize %[[Y]] {{.*}} codes [0, 1, 2, 3]
func.func @no_steps(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x2x3x3x1xi32>) scalars(dense<[[0.5, 3.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x3x3x4, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x4x4x4xf32> -> !bquant.tensor<1x4x4x4, [1, 1]>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x4, [1, 1]>, !bquant.tensor<2x3x3x4, 1, axes = [0]>) -> tensor<1x4x4x2xf32>
  %v2 = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q2 = bquant.quantize %y scalars(%v2 : tensor<2xf32>) : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 2>
  %d = bquant.dequantize %q2 : !bquant.tensor<1x4x4x2, 2> -> tensor<1x4x4x2xf32>
  return %d : tensor<1x4x4x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#ch = affine_map<(d0, d1) -> (d1)>

// The f32 product is wanted, too: it is its factor times the accumulator. The
// falling channel keeps its filter and has a longer table.
// CHECK-LABEL: @other_use
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<8x2xi32>
// CHECK: arith.constant dense<[3.750000e-01, 1.500000e+00]>
// CHECK: %[[F:.*]] = linalg.generic
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: bquant.quantize %[[Y]] {{.*}} codes [0, 1, 0]
// CHECK: return %{{.*}}, %[[F]]
func.func @other_use(%x: tensor<8x32xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[0.5, 2.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x32, 1, axes = [0]>
  %v = arith.constant dense<0.75> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<8x32xf32> -> !bquant.tensor<8x32, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<8x32, 1>, !bquant.tensor<2x32, 1, axes = [0]>) -> tensor<8x2xf32>
  %scale = arith.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %init = tensor.empty() : tensor<8x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scale : tensor<8x2xf32>, tensor<2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<8x2xf32>
  %q2 = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d, %y : tensor<8x2xf32>, tensor<8x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#ch = affine_map<(d0, d1) -> (d1)>

// The paper's block: batch norm (rsqrt of constants) and clamp of a float that
// a shortcut was added to. NaN has code 0 like -inf, so rising channels are
// plain thresholds; the falling one is negated.
// CHECK-LABEL: @float_shortcut
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-DAG: %[[SIGNS:.*]] = arith.constant dense<[1.000000e+00, -1.000000e+00]>
// CHECK-DAG: %[[T:.*]] = arith.constant dense<{{.*}}> : tensor<2x3xf32>
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[SIGNS]], %[[SUM]]
// CHECK: bquant.quantize %[[N]] thresholds(%[[T]] : tensor<2x3xf32>) codes [0, 1, 2, 3] scalars
// CHECK-NOT: math.rsqrt
func.func @float_shortcut(%x: tensor<8x2xf32>, %y: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %mean = arith.constant dense<[0.1, -0.2]> : tensor<2xf32>
  %var = arith.constant dense<[0.9, 1.7]> : tensor<2xf32>
  %gamma = arith.constant dense<[1.1, -0.7]> : tensor<2xf32>
  %beta = arith.constant dense<[0.0, 0.3]> : tensor<2xf32>
  %eps = arith.constant 1.0e-5 : f32
  %lo = arith.constant -2.0 : f32
  %hi = arith.constant 2.0 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %initc = tensor.empty() : tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x2xf32>, tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%var : tensor<2xf32>) outs(%initc : tensor<2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.addf %a, %eps : f32
    %1 = math.rsqrt %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  %centred = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %mean : tensor<8x2xf32>, tensor<2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x2xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #ch, #ch, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%centred, %r, %gamma, %beta : tensor<8x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %g : f32
    %2 = arith.addf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<8x2xf32>
  %clamped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled : tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.cmpf ult, %a, %lo : f32
    %1 = arith.select %0, %lo, %a : f32
    %2 = arith.cmpf ugt, %1, %hi : f32
    %3 = arith.select %2, %hi, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<8x2xf32>
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %clamped scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// PReLU with a negative slope rises on both sides of a valley, in three ops as
// importers leave it: a comparison, a product, a select. NaN has code 0.
// CHECK-LABEL: @prelu_negative_slope
// CHECK: %[[T:.*]] = arith.constant dense<[0xFF800000, -1.999999{{.*}}, 1.000000e+00]> : tensor<3xf32>
// CHECK: bquant.quantize %arg0 thresholds(%[[T]] : tensor<3xf32>) codes [0, 1, 0, 1] scalars
func.func @prelu_negative_slope(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %slope = arith.constant dense<-0.5> : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %init1 = tensor.empty() : tensor<8x2xi1>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x2xf32>) outs(%init1 : tensor<8x2xi1>) {
  ^bb0(%a: f32, %out: i1):
    %0 = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<8x2xi1>
  %m = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %slope : tensor<8x2xf32>, tensor<1xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x2xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %x, %m : tensor<8x2xi1>, tensor<8x2xf32>, tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%c: i1, %a: f32, %b: f32, %out: f32):
    %0 = arith.select %c, %a, %b : f32
    %1 = arith.subf %0, %one : f32
    linalg.yield %1 : f32
  } -> tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %s scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// All in one body: the sum is split off as the source.
// CHECK-LABEL: @fused_body
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: %[[T:.*]] = arith.constant dense<-2.000000e+00> : tensor<1xf32>
// CHECK: bquant.quantize %[[SUM]] thresholds(%[[T]] : tensor<1xf32>) codes [0, 1]
func.func @fused_body(%x: tensor<8x2xf32>, %y: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x2xf32>, tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %half : f32
    %2 = arith.addf %1, %one : f32
    linalg.yield %2 : f32
  } -> tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#ch = affine_map<(d0, d1) -> (d1)>

// Two planes of activations: a float product. The falling channel is
// a negated filter.
// CHECK-LABEL: @float_product
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [-7]]]> : tensor<1x2x1xi32>)
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}-5.000000e-01], [-1.000000e+00]]> : tensor<2x1xf32>
// CHECK: bquant.quantize %[[Y]] thresholds(%[[T]] : tensor<2x1xf32>) codes [0, 1]
func.func @float_product(%x: tensor<8x32xf32>) -> tensor<8x2xf32> {
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[0.5, 2.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x32, 1, axes = [0]>
  %v = arith.constant dense<[0.75, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x32xf32> -> !bquant.tensor<8x32, 2>
  %y = bquant.matmul %q, %w : (!bquant.tensor<8x32, 2>, !bquant.tensor<2x32, 1, axes = [0]>) -> tensor<8x2xf32>
  %scale = arith.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scale : tensor<8x2xf32>, tensor<2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %one : f32
    linalg.yield %1 : f32
  } -> tensor<8x2xf32>
  %v1 = arith.constant dense<1.0> : tensor<1xf32>
  %q2 = bquant.quantize %z scalars(%v1 : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#ch = affine_map<(d0, d1) -> (d1)>

// A product of constant scalars is finite, so a zero scale (channel 0) has one
// code; the other channel falls, and so does the table.
// CHECK-LABEL: @zero_scale
// CHECK: bquant.constant words(dense<{{\[\[\[}}5], [6]]]> : tensor<1x2x1xi32>)
// CHECK: %[[Y:.*]] = bquant.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}0x7FC00000], [1.00000012]]> : tensor<2x1xf32>
// CHECK: bquant.quantize %[[Y]] thresholds(%[[T]] : tensor<2x1xf32>) codes [1, 0]
func.func @zero_scale(%x: tensor<8x32xf32>) -> tensor<8x2xf32> {
  %w = bquant.constant words(dense<[[[5], [6]]]> : tensor<1x2x1xi32>) scalars(dense<[[0.5, 2.0]]> : tensor<1x2xf32>) : !bquant.tensor<2x32, 1, axes = [0]>
  %v = arith.constant dense<[0.75, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x32xf32> -> !bquant.tensor<8x32, 2>
  %y = bquant.matmul %q, %w : (!bquant.tensor<8x32, 2>, !bquant.tensor<2x32, 1, axes = [0]>) -> tensor<8x2xf32>
  %scale = arith.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scale : tensor<8x2xf32>, tensor<2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.addf %0, %one : f32
    linalg.yield %1 : f32
  } -> tensor<8x2xf32>
  %v1 = arith.constant dense<1.0> : tensor<1xf32>
  %q2 = bquant.quantize %z scalars(%v1 : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q2 : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// Named ops, tensors of arith ops, and a shift in a resource. By algebra the
// second threshold were 0.5; but 0.49999994 - 1.5 rounds to -1.
// CHECK-LABEL: @named
// CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00], [0.49999994]]>
// CHECK: bquant.quantize %arg0 thresholds(%[[T]] : tensor<2x1xf32>) codes [0, 1]
func.func @named(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %s = arith.constant dense_resource<scale> : tensor<2xf32>
  %c = arith.constant dense<1.0> : tensor<8x2xf32>
  %init = tensor.empty() : tensor<8x2xf32>
  %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%init : tensor<8x2xf32>) dimensions = [0]
  %m = linalg.add ins(%x, %b : tensor<8x2xf32>, tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) -> tensor<8x2xf32>
  %z = arith.addf %m, %c : tensor<8x2xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %z scalars(%v : tensor<1xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 1>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 1> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}
// 0, -1.5
{-# dialect_resources: { builtin: { scale: "0x04000000000000000000C0BF" } } #-}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Thresholds before, thresholds after.
// CHECK-LABEL: @thresholds
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00]>
// CHECK: bquant.quantize %arg0 {{.*}} codes [0, 2, 1, 3]
func.func @thresholds(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %half = arith.constant 0.5 : f32
  %init = tensor.empty() : tensor<8x2xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x2xf32>) outs(%init : tensor<8x2xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.mulf %a, %half : f32
    linalg.yield %0 : f32
  } -> tensor<8x2xf32>
  %t = arith.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf32>
  %v = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %q = bquant.quantize %z thresholds(%t : tensor<3xf32>) codes [0, 2, 1, 3] scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %d = bquant.dequantize %q : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}

// -----

// CHECK-LABEL: @decoded_again
// CHECK: %[[Q:.*]] = bquant.quantize
// CHECK: %[[D:.*]] = bquant.dequantize %[[Q]]
// CHECK: return %[[D]]
func.func @decoded_again(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %0 = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %1 = bquant.dequantize %0 : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  %2 = bquant.quantize %1 scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %3 = bquant.dequantize %2 : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  return %3 : tensor<8x2xf32>
}

// -----

// 0.25 - 1 is negative: code 2 comes back as 1.
// CHECK-LABEL: @not_decoded_again
// CHECK-COUNT-2: bquant.quantize
func.func @not_decoded_again(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %v = arith.constant dense<[0.25, 1.0]> : tensor<2xf32>
  %0 = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %1 = bquant.dequantize %0 : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  %2 = bquant.quantize %1 scalars(%v : tensor<2xf32>) : tensor<8x2xf32> -> !bquant.tensor<8x2, 2>
  %3 = bquant.dequantize %2 : !bquant.tensor<8x2, 2> -> tensor<8x2xf32>
  return %3 : tensor<8x2xf32>
}
