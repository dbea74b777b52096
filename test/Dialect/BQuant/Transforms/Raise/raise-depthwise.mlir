// RUN: bquant-opt %s --bquant-raise-depthwise -split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-raise -split-input-file | FileCheck %s --check-prefix=ROUTE

// Filter c is the channel's: 1, 2 | 3, 4 becomes (1, 3), (2, 4). In the route reshapes around it go.
// CHECK-LABEL: func @constant
// CHECK-SAME: %[[X:.*]]: tensor<1x5x5x2x1xf32>
// CHECK-DAG: %[[F:.*]] = arith.constant dense<{{.*}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]{{.*}}> : tensor<1x2x2xf32>
// CHECK-DAG: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: %[[Z:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%[[A]], %[[F]] : tensor<1x5x5x2xf32>, tensor<1x2x2xf32>)
// CHECK: tensor.expand_shape %[[Z]] {{\[\[}}0], [1], [2], [3, 4]]
// ROUTE-LABEL: func @constant
func.func @constant(%x: tensor<1x5x5x2x1xf32>) -> tensor<1x3x3x2x1xf32> {
  %f = arith.constant dense<[[[[[1.0], [2.0]]]], [[[[3.0], [4.0]]]]]> : tensor<2x1x1x2x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x2x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x3x2x1xf32>) -> tensor<1x3x3x2x1xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %f : tensor<1x5x5x2x1xf32>, tensor<2x1x1x2x1xf32>)
      outs(%i : tensor<1x3x3x2x1xf32>) -> tensor<1x3x3x2x1xf32>
  return %y : tensor<1x3x3x2x1xf32>
}

// -----

// As importers write it: reshapes on both sides go, and the sum starts where it did.
// CHECK-LABEL: func @reshaped
// ROUTE-LABEL: func @reshaped
// ROUTE-SAME: %[[A:.*]]: tensor<1x5x5x8xf32>
// ROUTE: %[[Y:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins(%[[A]], %{{.*}} : tensor<1x5x5x8xf32>, tensor<3x3x8xf32>)
// ROUTE-NEXT: return %[[Y]]
func.func @reshaped(%a: tensor<1x5x5x8xf32>) -> tensor<1x3x3x8xf32> {
  %f = arith.constant dense<0.25> : tensor<8x1x3x3x1xf32>
  %zero = arith.constant 0.0 : f32
  %x = tensor.expand_shape %a [[0], [1], [2], [3, 4]] output_shape [1, 5, 5, 8, 1] : tensor<1x5x5x8xf32> into tensor<1x5x5x8x1xf32>
  %e = tensor.empty() : tensor<1x3x3x8x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x3x8x1xf32>) -> tensor<1x3x3x8x1xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x5x5x8x1xf32>, tensor<8x1x3x3x1xf32>)
      outs(%i : tensor<1x3x3x8x1xf32>) -> tensor<1x3x3x8x1xf32>
  %z = tensor.collapse_shape %y [[0], [1], [2], [3, 4]] : tensor<1x3x3x8x1xf32> into tensor<1x3x3x8xf32>
  return %z : tensor<1x3x3x8xf32>
}

// -----

// A filter that is not known is transposed.
// CHECK-LABEL: func @variable
// CHECK: linalg.transpose
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @variable(%x: tensor<1x5x5x8x1xf32>, %f: tensor<8x1x3x3x1xf32>, %i: tensor<1x3x3x8x1xf32>) -> tensor<1x3x3x8x1xf32> {
  %y = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x5x5x8x1xf32>, tensor<8x1x3x3x1xf32>)
      outs(%i : tensor<1x3x3x8x1xf32>) -> tensor<1x3x3x8x1xf32>
  return %y : tensor<1x3x3x8x1xf32>
}

// -----

// Each channel is repeated for its filters, before it is padded; two channels in a group stay.
// CHECK-LABEL: func @groups
// CHECK-SAME: %[[X:.*]]: tensor<1x3x3x4xf32>
// CHECK: %[[R:.*]] = linalg.broadcast ins(%[[X]] : tensor<1x3x3x4xf32>) outs(%{{.*}} : tensor<1x3x3x4x2xf32>) dimensions = [4]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK: %[[P:.*]] = tensor.pad %[[C]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins(%[[P]], %{{.*}} : tensor<1x5x5x8xf32>, tensor<3x3x8xf32>)
// CHECK: linalg.conv_2d_nhwgc_gfhwc
func.func @groups(%a: tensor<1x3x3x4xf32>, %f: tensor<4x2x3x3x1xf32>, %i: tensor<1x3x3x4x2xf32>,
                  %x2: tensor<1x5x5x4x2xf32>, %f2: tensor<4x1x3x3x2xf32>, %i2: tensor<1x3x3x4x1xf32>)
    -> (tensor<1x3x3x4x2xf32>, tensor<1x3x3x4x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%b0: index, %b1: index, %b2: index, %b3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x3x4xf32> to tensor<1x5x5x4xf32>
  %x = tensor.expand_shape %p [[0], [1], [2], [3, 4]] output_shape [1, 5, 5, 4, 1] : tensor<1x5x5x4xf32> into tensor<1x5x5x4x1xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x5x5x4x1xf32>, tensor<4x2x3x3x1xf32>)
      outs(%i : tensor<1x3x3x4x2xf32>) -> tensor<1x3x3x4x2xf32>
  %z = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x2, %f2 : tensor<1x5x5x4x2xf32>, tensor<4x1x3x3x2xf32>)
      outs(%i2 : tensor<1x3x3x4x1xf32>) -> tensor<1x3x3x4x1xf32>
  return %y, %z : tensor<1x3x3x4x2xf32>, tensor<1x3x3x4x1xf32>
}

// -----

// CHECK-LABEL: func @multiplier
// CHECK-SAME: %[[X:.*]]: tensor<1x5x5x4xi8>, %[[F:.*]]: tensor<3x3x4x3xi8>
// CHECK-DAG: %[[W:.*]] = tensor.collapse_shape %[[F]] {{\[\[}}0], [1], [2, 3]]
// CHECK-DAG: linalg.broadcast ins(%[[X]] : tensor<1x5x5x4xi8>)
// CHECK: %[[Z:.*]] = linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins(%{{.*}}, %[[W]] : tensor<1x5x5x12xi8>, tensor<3x3x12xi8>)
// CHECK: tensor.expand_shape %[[Z]]
func.func @multiplier(%x: tensor<1x5x5x4xi8>, %f: tensor<3x3x4x3xi8>, %i: tensor<1x3x3x4x3xi32>) -> tensor<1x3x3x4x3xi32> {
  %y = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x5x5x4xi8>, tensor<3x3x4x3xi8>)
      outs(%i : tensor<1x3x3x4x3xi32>) -> tensor<1x3x3x4x3xi32>
  return %y : tensor<1x3x3x4x3xi32>
}
