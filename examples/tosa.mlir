// A quantized convolution as a producer of TOSA leaves it: the sign of the
// activations as a comparison and a select, the weights multiplied out, each
// filter's to plus and minus one magnitude, and a bias.
func.func @layer(%x: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %minus = "tosa.const"() <{values = dense<-1.0> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %p = tosa.greater_equal %x, %zero : (tensor<1x6x6x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6x4xi1>
  %s = tosa.select %p, %one, %minus
      : (tensor<1x6x6x4xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x6x4xf32>
  %w = "tosa.const"() <{values = dense<[
      [[[0.5, 0.5, -0.5, 0.5], [-0.5, 0.5, 0.5, -0.5]], [[0.5, -0.5, -0.5, -0.5], [0.5, 0.5, 0.5, -0.5]]],
      [[[-0.3, 0.3, 0.3, 0.3], [0.3, -0.3, 0.3, 0.3]], [[0.3, 0.3, -0.3, -0.3], [-0.3, -0.3, 0.3, 0.3]]],
      [[[0.7, -0.7, 0.7, -0.7], [0.7, 0.7, -0.7, -0.7]], [[-0.7, 0.7, 0.7, 0.7], [0.7, -0.7, 0.7, 0.7]]],
      [[[-0.2, -0.2, -0.2, 0.2], [0.2, 0.2, 0.2, 0.2]], [[0.2, -0.2, 0.2, -0.2], [-0.2, 0.2, -0.2, 0.2]]]
    ]> : tensor<4x2x2x4xf32>}> : () -> tensor<4x2x2x4xf32>
  %b = "tosa.const"() <{values = dense<[0.1, -0.2, 0.3, -0.4]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = tosa.conv2d %s, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 1, 0, 1, 0>,
      stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x6x6x4xf32>, tensor<4x2x2x4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x6x6x4xf32>
  return %y : tensor<1x6x6x4xf32>
}
