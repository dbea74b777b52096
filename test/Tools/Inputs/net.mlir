func.func @net(%x: tensor<2x8xf32> {bquant.name = "x"})
    -> (tensor<2x3xf32> {bquant.name = "y"}, tensor<2x8xf32>) {
  %w = arith.constant dense<[[ 1.0, -2.0, 3.0, -4.0,  5.0, -6.0,  7.0, -8.0],
                             [-1.0,  1.0, 1.0,  1.0, -1.0,  1.0, -1.0,  1.0],
                             [ 0.5,  0.5, 0.5, -0.5, -0.5, -0.5,  0.5,  0.5]]>
      : tensor<3x8xf32>
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %xq = bquant.quantize %x scalars(%s : tensor<1xf32>)
      : tensor<2x8xf32> -> !bquant.tensor<2x8, 1>
  %wq = bquant.quantize %w scheme(<ls, 1>)
      : tensor<3x8xf32> -> !bquant.tensor<3x8, 1, axes = [0]>
  %y = bquant.matmul %xq, %wq
      : (!bquant.tensor<2x8, 1>, !bquant.tensor<3x8, 1, axes = [0]>) -> tensor<2x3xf32>
  %z = math.absf %x : tensor<2x8xf32>
  return %y, %z : tensor<2x3xf32>, tensor<2x8xf32>
}
