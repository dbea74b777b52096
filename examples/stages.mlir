// Signs as an importer leaves them, weights as floats, a scale and a shift, and
// the next layer's quantization.
func.func @layer(%x: tensor<1x4x4x32xf32>) -> tensor<1x2x2x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x4x32xf32>
  %one = arith.constant dense<1.0> : tensor<1x4x4x32xf32>
  %minus = arith.constant dense<-1.0> : tensor<1x4x4x32xf32>
  %positive = arith.cmpf oge, %x, %zero : tensor<1x4x4x32xf32>
  %s = arith.select %positive, %one, %minus : tensor<1x4x4x32xi1>, tensor<1x4x4x32xf32>
  %w = arith.constant dense<0.5> : tensor<32x3x3x32xf32>
  %b = arith.constant dense<-3.0> : tensor<1x2x2x32xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%s, %w : tensor<1x4x4x32xf32>, tensor<32x3x3x32xf32>)
      outs(%b : tensor<1x2x2x32xf32>) -> tensor<1x2x2x32xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %y scalars(%v : tensor<1xf32>) : tensor<1x2x2x32xf32> -> !bquant.tensor<1x2x2x32, 1>
  %r = bquant.dequantize %q : !bquant.tensor<1x2x2x32, 1> -> tensor<1x2x2x32xf32>
  return %r : tensor<1x2x2x32xf32>
}
