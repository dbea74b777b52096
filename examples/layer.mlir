// A 3x3 convolution with 2-bit activations and 1-bit weights: the weights are
// packed at compile time, the activations at run time by their stored scalars.
func.func @layer(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %f = arith.constant dense<0.1> : tensor<64x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<64x3x3x64xf32> -> !bquant.tensor<64x3x3x64, 1, axes = [0]>
  %v = arith.constant dense<[0.98, 0.53]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x56x56x64xf32> -> !bquant.tensor<1x56x56x64, 2>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x56x56x64, 2>, !bquant.tensor<64x3x3x64, 1, axes = [0]>) -> tensor<1x56x56x64xf32>
  return %y : tensor<1x56x56x64xf32>
}
