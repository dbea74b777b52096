// RUN: bquant-opt --bquant-verify-raised --split-input-file --verify-diagnostics %s

func.func @channels_first(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>,
                          %o: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{'linalg.conv_2d_nchw_fchw' op [verify_raised_c1] expected a convolution or pooling on tensors that has a channels-last form, but got linalg.conv_2d_nchw_fchw}}
  %y = linalg.conv_2d_nchw_fchw
      ins(%x, %w : tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>)
      outs(%o : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// -----

func.func @on_memrefs(%x: memref<1x2x4x4xf32>, %w: memref<3x3xf32>,
                      %o: memref<1x2x2x2xf32>) {
  // expected-error @+1 {{that has a channels-last form, but got linalg.pooling_nchw_max on memrefs}}
  linalg.pooling_nchw_max
      ins(%x, %w : memref<1x2x4x4xf32>, memref<3x3xf32>)
      outs(%o : memref<1x2x2x2xf32>)
  return
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
