// A convolution, a pool and a matrix product on a batch of any size, and a bias
// that all samples share.
func.func @net(%x: tensor<?x8x8x3xf32> {bquant.name = "x"}, %bias: tensor<10xf32> {bquant.name = "bias"},
               %more: tensor<?x10xf32> {bquant.name = "more"}) -> (tensor<?x10xf32> {bquant.name = "y"}) {
  %f = arith.constant dense<0.1> : tensor<16x3x3x3xf32>
  %g = arith.constant dense<[[-0.1], [0.2], [0.3], [-0.4], [0.5], [0.6], [-0.7], [0.8], [0.9], [1.0]]> : tensor<10x1xf32>
  %v = arith.constant dense<[50.0, 25.0]> : tensor<2xf32>
  %u = arith.constant dense<0.5> : tensor<1xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<16x3x3x3xf32> -> !bquant.tensor<16x3x3x3, 1, axes = [0]>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<?x8x8x3xf32> -> !bquant.tensor<?x8x8x3, 2>
  %y = bquant.conv_2d %q, %w strides = [2, 2] pads = [1, 1, 1, 1]
      : (!bquant.tensor<?x8x8x3, 2>, !bquant.tensor<16x3x3x3, 1, axes = [0]>) -> tensor<?x4x4x16xf32>
  %z = tensor.collapse_shape %y [[0], [1, 2, 3]] : tensor<?x4x4x16xf32> into tensor<?x256xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8x8x3xf32>
  %e = tensor.empty(%n) : tensor<?x10xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x10xf32>) -> tensor<?x10xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, o, k) -> (n, k)>, affine_map<(n, o, k) -> (o, 0)>, affine_map<(n, o, k) -> (n, o)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%z, %g : tensor<?x256xf32>, tensor<10x1xf32>) outs(%i : tensor<?x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<?x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, o) -> (n, o)>, affine_map<(n, o) -> (o)>, affine_map<(n, o) -> (n, o)>, affine_map<(n, o) -> (n, o)>],
      iterator_types = ["parallel", "parallel"]} ins(%s, %bias, %more : tensor<?x10xf32>, tensor<10xf32>, tensor<?x10xf32>) outs(%e : tensor<?x10xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    %l = arith.addf %t, %m : f32
    linalg.yield %l : f32
  } -> tensor<?x10xf32>
  return %r : tensor<?x10xf32>
}
