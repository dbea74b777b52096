// RUN: bquant-opt --bquant-verify-raised --split-input-file --verify-diagnostics %s

func.func @channels_first(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>,
                          %o: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{[verify_raised_c1] expected channels-last convolutions and poolings only}}
  %y = linalg.conv_2d_nchw_fchw
      ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>)
      outs(%o : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// -----

func.func @other_dialect(%b: i1, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = bquant.quantize %x scheme(<ls, 1>) : tensor<4x8xf32> -> !bquant.tensor<4x8, 1>
  %q = bquant.quantize %x scheme(<gf, 1>) : tensor<4x8xf32> -> !bquant.tensor<4x8, 1>
  // expected-error @+1 {{[verify_raised_c2] expected scaled-binary values between bquant ops only}}
  %r = arith.select %b, %p, %q : !bquant.tensor<4x8, 1>
  %y = bquant.dequantize %r : !bquant.tensor<4x8, 1> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{[verify_raised_c3] expected no scaled-binary block arguments}}
func.func @argument(%q: !bquant.tensor<4x8, 1>) {
  return
}

// -----

func.func @fine(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %q = bquant.quantize %x scheme(<ls, 1>) : tensor<4x8xf32> -> !bquant.tensor<4x8, 1>
  %y = bquant.dequantize %q : !bquant.tensor<4x8, 1> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
