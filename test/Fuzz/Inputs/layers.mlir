func.func @conv(%x: tensor<2x6x5x33xf32>) -> tensor<2x3x3x20xf32> {
  %f = arith.constant dense<0.5> : tensor<20x3x3x33xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<20x3x3x33xf32> -> !bquant.tensor<20x3x3x33, 1, axes = [0]>
  %v = arith.constant dense<[0.98, 0.53]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<2x6x5x33xf32> -> !bquant.tensor<2x6x5x33, 2>
  %y = bquant.conv_2d %q, %w strides = [2, 2] dilations = [1, 1] pads = [1, 1, 1, 1]
      : (!bquant.tensor<2x6x5x33, 2>, !bquant.tensor<20x3x3x33, 1, axes = [0]>) -> tensor<2x3x3x20xf32>
  return %y : tensor<2x3x3x20xf32>
}
// -----
func.func @ternary(%x: tensor<1x4x4x8xf32>, %t: tensor<1xf32>) -> tensor<1x4x4x8xi32> {
  %f = arith.constant dense<-0.5> : tensor<8x1x1x8xf32>
  %w = bquant.quantize %f scheme(<ls, T>) : tensor<8x1x1x8xf32> -> !bquant.tensor<8x1x1x8, [1, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%t : tensor<1xf32>) : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 1>
  %y = bquant.conv_2d %q, %w groups = 1 pad_value = 0
      : (!bquant.tensor<1x4x4x8, 1>, !bquant.tensor<8x1x1x8, [1, 1], axes = [0]>) -> tensor<1x4x4x8xi32>
  return %y : tensor<1x4x4x8xi32>
}
// -----
func.func @matrices(%x: tensor<3x40xf32>) -> tensor<3x5xf32> {
  %f = arith.constant dense<0.25> : tensor<5x40xf32>
  %b = arith.constant dense<1.0> : tensor<5xf32>
  %w = bquant.quantize %f scheme(<gf, 2>) : tensor<5x40xf32> -> !bquant.tensor<5x40, 2, axes = [0]>
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %t = arith.constant dense<[-0.5, 0.25, 0.75]> : tensor<3xf32>
  %o = arith.constant dense<0.75> : tensor<f32>
  %s = arith.constant dense<0.5> : tensor<1xf32>
  %a = math.absf %x : tensor<3x40xf32>
  %q = bquant.quantize %a thresholds(%t : tensor<3xf32>) codes [0, 1, 2, 3] scalars(%s : tensor<1xf32>) offset(%o : tensor<f32>)
      : tensor<3x40xf32> -> !bquant.tensor<3x40, [2, 1], offset>
  %d = bquant.dequantize %q : !bquant.tensor<3x40, [2, 1], offset> -> tensor<3x40xf32>
  %p = bquant.quantize %d scalars(%v : tensor<1xf32>) : tensor<3x40xf32> -> !bquant.tensor<3x40, 1>
  %y = bquant.matmul %p, %w : (!bquant.tensor<3x40, 1>, !bquant.tensor<5x40, 2, axes = [0]>) -> tensor<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<3x5xf32>, tensor<5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %out: f32):
    %k = arith.addf %i, %j : f32
    linalg.yield %k : f32
  } -> tensor<3x5xf32>
  return %z : tensor<3x5xf32>
}
// -----
func.func @pool(%x: tensor<?x6x6x7xf32>) -> tensor<?x63xf32> {
  %v = arith.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<?x6x6x7xf32> -> !bquant.tensor<?x6x6x7, 2>
  %p = bquant.max_pool_2d %q window = [3, 3] strides = [2, 2] pads = [0, 1, 0, 1]
      : !bquant.tensor<?x6x6x7, 2> -> !bquant.tensor<?x3x3x7, 2>
  %d = bquant.dequantize %p : !bquant.tensor<?x3x3x7, 2> -> tensor<?x3x3x7xf32>
  %y = tensor.collapse_shape %d [[0], [1, 2, 3]] : tensor<?x3x3x7xf32> into tensor<?x63xf32>
  return %y : tensor<?x63xf32>
}
// -----
func.func @signs(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %f = arith.constant dense<0.5> : tensor<4x3x3x3xf32>
  %e = tensor.empty() : tensor<1x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x8x8xf32>) outs(%e : tensor<1x3x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.cmpf oge, %a, %zero : f32
    %c = arith.select %b, %one, %minus : f32
    linalg.yield %c : f32
  } -> tensor<1x3x8x8xf32>
  %i = tensor.empty() : tensor<1x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%s, %f : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}
// -----
func.func @resource(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = bquant.constant words(dense_resource<w> : tensor<1x4x1xi32>) scalars(dense<0.5> : tensor<1x4xf32>)
      : !bquant.tensor<4x4, 1, axes = [0]>
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x4xf32> -> !bquant.tensor<2x4, 1>
  %y = bquant.matmul %q, %w : (!bquant.tensor<2x4, 1>, !bquant.tensor<4x4, 1, axes = [0]>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
{-# dialect_resources: { builtin: { w: "0x0400000005000000030000000f00000000000000" } } #-}
