// RUN: bquant-opt --bquant-prepare-for-raising=max-dense=2 --bquant-channels-last %s | FileCheck %s

// A filter that is a resource is transposed in a new one, element by element.
// CHECK-LABEL: func @resource
// CHECK: arith.constant dense_resource<{{.*}}> : tensor<1x1x3x2xf32>
// CHECK: {-#
// CHECK: "0x{{[04]*}}0000803F000080400000004000
// CHECK-SAME: 00A040000040400000C040"
func.func @resource(%x: tensor<1x2x1x3xf32>) -> tensor<1x1x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<1x2x1x3xf32>
  %e = tensor.empty() : tensor<1x1x1x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %y = linalg.conv_2d_nchw_fchw
      {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x2x1x3xf32>, tensor<1x2x1x3xf32>)
      outs(%init : tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
