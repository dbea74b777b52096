// RUN: bquant-opt %s --bquant-raise --split-input-file | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel3 = affine_map<(d0, d1, d2) -> (d1)>

// A 1-D convolution is a 2-D one of height 1; what stands between two of them
// has the images' rank.
// CHECK-LABEL: func @conv_1d
// CHECK-SAME: %[[X:.+]]: tensor<1x8x20xf32>
// CHECK: %[[Q:.+]] = bquant.quantize {{.*}} : tensor<1x1x20x8xf32> -> !bquant.tensor<1x1x20x8, 1>
// CHECK: %[[Y:.+]] = bquant.conv_2d %[[Q]], %{{.*}} strides = [1, 2] dilations = [1, 3] pads = [0, 0, 2, 2]
// CHECK-SAME: (!bquant.tensor<1x1x20x8, 1>, !bquant.tensor<16x1x3x8, 1>) -> tensor<1x1x9x16xf32>
// CHECK: %[[R:.+]] = bquant.quantize {{.*}} : tensor<1x1x9x16xf32> -> !bquant.tensor<1x1x9x16, 1>
// CHECK-NOT: tensor.{{expand|collapse}}_shape
// CHECK: bquant.conv_2d %[[R]], %{{.*}} -> tensor<1x1x7x4xf32>
// CHECK: tensor.collapse_shape
// CHECK-NEXT: return
func.func @conv_1d(%x: tensor<1x8x20xf32>) -> tensor<1x4x7xf32> {
  %f = arith.constant dense<0.25> : tensor<16x8x3xf32>
  %g = arith.constant dense<-0.25> : tensor<4x16x3xf32>
  %bias = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<1x8x20xf32>
  %w = bquant.sign %f : tensor<16x8x3xf32>
  %p = tensor.pad %s low[0, 0, 2] high[0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x8x20xf32> to tensor<1x8x24xf32>
  %e = tensor.empty() : tensor<1x16x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x9xf32>) -> tensor<1x16x9xf32>
  %y = linalg.conv_1d_ncw_fcw {strides = dense<2> : vector<1xi64>, dilations = dense<3> : vector<1xi64>}
      ins(%p, %w : tensor<1x8x24xf32>, tensor<16x8x3xf32>) outs(%z : tensor<1x16x9xf32>) -> tensor<1x16x9xf32>
  %a = linalg.generic {indexing_maps = [#id3, #channel3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %bias : tensor<1x16x9xf32>, tensor<16xf32>) outs(%e : tensor<1x16x9xf32>) {
  ^bb0(%i: f32, %b: f32, %o: f32):
    %sum = arith.addf %i, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x16x9xf32>
  %t = bquant.sign %a : tensor<1x16x9xf32>
  %v = bquant.sign %g : tensor<4x16x3xf32>
  %e2 = tensor.empty() : tensor<1x4x7xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  %r = linalg.conv_1d_ncw_fcw {strides = dense<1> : vector<1xi64>, dilations = dense<1> : vector<1xi64>}
      ins(%t, %v : tensor<1x16x9xf32>, tensor<4x16x3xf32>) outs(%z2 : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  return %r : tensor<1x4x7xf32>
}

// -----

// Channels last already.
// CHECK-LABEL: func @conv_1d_nwc
// CHECK: bquant.conv_2d {{.*}} (!bquant.tensor<2x1x9x8, 1>, !bquant.tensor<4x1x3x8, 1>) -> tensor<2x1x7x4xf32>
func.func @conv_1d_nwc(%x: tensor<2x9x8xf32>) -> tensor<2x7x4xf32> {
  %f = arith.constant dense<0.25> : tensor<3x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<2x9x8xf32>
  %w = bquant.sign %f : tensor<3x8x4xf32>
  %e = tensor.empty() : tensor<2x7x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  %y = linalg.conv_1d_nwc_wcf {strides = dense<1> : vector<1xi64>, dilations = dense<1> : vector<1xi64>}
      ins(%s, %w : tensor<2x9x8xf32>, tensor<3x8x4xf32>) outs(%z : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  return %y : tensor<2x7x4xf32>
}

// -----

// A depthwise convolution with a binary filter is a grouped one; its bias is
// added without groups.
// CHECK-LABEL: func @depthwise
// CHECK: %[[Y:.+]] = bquant.conv_2d %{{.*}}, %{{.*}} pads = [1, 1, 1, 1] groups = 8
// CHECK-SAME: (!bquant.tensor<1x5x5x8, 1>, !bquant.tensor<8x3x3x1, 1>) -> tensor<1x5x5x8xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<1x5x5x8xf32>, tensor<8xf32>)
// CHECK-NOT: tensor<1x5x5x8x1xf32>
func.func @depthwise(%x: tensor<1x8x5x5xf32>) -> tensor<1x8x5x5xf32> {
  %f = arith.constant dense<0.25> : tensor<8x1x3x3xf32>
  %bias = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %s = bquant.sign %x : tensor<1x8x5x5xf32>
  %w = bquant.sign %f : tensor<8x1x3x3xf32>
  %p = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x8x5x5xf32> to tensor<1x8x7x7xf32>
  %c = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<8x1x3x3xf32> into tensor<8x3x3xf32>
  %e = tensor.empty() : tensor<1x8x5x5xf32>
  %b = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%e : tensor<1x8x5x5xf32>) dimensions = [0, 2, 3]
  %y = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%p, %c : tensor<1x8x7x7xf32>, tensor<8x3x3xf32>) outs(%b : tensor<1x8x5x5xf32>) -> tensor<1x8x5x5xf32>
  return %y : tensor<1x8x5x5xf32>
}
