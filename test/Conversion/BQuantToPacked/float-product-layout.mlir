// Filters of float products in blocks of their kernel's channels.
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-bquant-to-packed --canonicalize --cse | FileCheck %s

// A constant at compile time. Taps of a row and channels are one loop, in which the
// input lies.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 6 + d5)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 32, d4, d5)>
// CHECK-LABEL: @conv
// CHECK-DAG: %[[W:.*]] = arith.constant dense_resource<filter{{.*}}> : tensor<2x3x9x32xf32, #{{[a-z0-9_]+}}>
// CHECK-DAG: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]] : tensor<1x9x9x3xf32> into tensor<1x9x27xf32>
// CHECK: bquant_packed.product {{.*}} ins(%[[X]] : {{.*}} filters(%[[W]] : {{.*}} maps = [#[[$X]], #[[$W]]]
#x = affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w * 2 + j, c)>
#w = affine_map<(n, h, w, o, i, j, c) -> (o, i, j, c)>
func.func @conv(%x: tensor<1x9x9x3xf32>, %o: tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32> {
  %w = arith.constant dense<1.0> : tensor<40x3x3x3xf32>
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused ins(%x : tensor<1x9x9x3xf32>)
      filters(%w : tensor<40x3x3x3xf32>) outs(%o : tensor<1x4x4x40xf32>) maps = [#x, #w] -> tensor<1x4x4x40xf32>
  return %0 : tensor<1x4x4x40xf32>
}

// -----

// With a dilation the taps lie apart.
// CHECK-LABEL: @dilated
// CHECK-NOT: collapse_shape
// CHECK: bquant_packed.product {{.*}} ins(%arg0 : {{.*}} : tensor<2x3x3x3x32xf32, #{{[a-z0-9_]+}}>)
#x = affine_map<(n, h, w, o, i, j, c) -> (n, h + i * 2, w + j * 2, c)>
#w = affine_map<(n, h, w, o, i, j, c) -> (o, i, j, c)>
func.func @dilated(%x: tensor<1x9x9x3xf32>, %o: tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32> {
  %w = arith.constant dense<1.0> : tensor<40x3x3x3xf32>
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused ins(%x : tensor<1x9x9x3xf32>)
      filters(%w : tensor<40x3x3x3xf32>) outs(%o : tensor<1x4x4x40xf32>) maps = [#x, #w] -> tensor<1x4x4x40xf32>
  return %0 : tensor<1x4x4x40xf32>
}

// -----

// What is known at run time is transposed and laid out then.
// CHECK-LABEL: @runtime
// CHECK: %[[T:.*]] = linalg.transpose {{.*}} outs(%{{.*}} : tensor<40x8xf32>) permutation = [1, 0]
// CHECK: %[[W:.*]] = bquant_packed.relayout %[[T]] channels = 8 outputs = 0 : tensor<40x8xf32> -> tensor<2x8x32xf32, #[[$BLOCKS:[a-z0-9_]+]]>
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<2x8x32xf32, #[[$BLOCKS]]>)
func.func @runtime(%x: tensor<4x8xf32>, %w: tensor<8x40xf32>, %o: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused ins(%x : tensor<4x8xf32>)
      filters(%w : tensor<8x40xf32>) outs(%o : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return %0 : tensor<4x40xf32>
}

// -----

#words = #bquant_packed.layout.words

// Words: bits of groups of 24 channels begin a block each; 40 channels, in two.
// CHECK-LABEL: @words
// CHECK: %[[W:.*]] = arith.constant {{.*}} : tensor<2x3x1xi32, #words>
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<2x3x1xi32, #words>)
func.func @words(%x: tensor<4x3xf32>, %o: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %w = arith.constant dense<[[-1, 255], [0, 0], [-1, 255]]> : tensor<3x2xi32, #words>
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 24, bits = 256>) fused ins(%x : tensor<4x3xf32>)
      filters(%w : tensor<3x2xi32, #words>) outs(%o : tensor<4x40xf32>) maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<4x40xf32>
  return %0 : tensor<4x40xf32>
}

// -----

#words = #bquant_packed.layout.words

// Levels have the lanes of a block each; the loop of a row's taps and channels is
// not theirs.
// CHECK-DAG: #[[$BLOCK:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 32)>
// CHECK-LABEL: @levels
// CHECK-DAG: %[[L:.*]] = arith.constant {{.*}} : tensor<2x32xf32, #{{[a-z0-9_]+}}>
// CHECK-DAG: %[[W:.*]] = arith.constant {{.*}} : tensor<2x3x9x1xi32, #words>
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<2x3x9x1xi32, #words>) levels(%[[L]], %[[L]] : {{.*}} maps = [#{{.*}}, #{{.*}}, #[[$BLOCK]], #[[$BLOCK]]]
func.func @levels(%x: tensor<1x9x9x3xf32>, %o: tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32> {
  %w = arith.constant dense<-1> : tensor<3x3x3x2xi32, #words>
  %l = arith.constant dense<0.5> : tensor<40xf32>
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused ins(%x : tensor<1x9x9x3xf32>)
      filters(%w : tensor<3x3x3x2xi32, #words>) levels(%l, %l : tensor<40xf32>, tensor<40xf32>) outs(%o : tensor<1x4x4x40xf32>)
      maps = [affine_map<(n, h, w, o, i, j, c) -> (n, h * 2 + i, w * 2 + j, c)>, affine_map<(n, h, w, o, i, j, c) -> (i, j, c, o)>,
              affine_map<(n, h, w, o, i, j, c) -> (o)>, affine_map<(n, h, w, o, i, j, c) -> (o)>] -> tensor<1x4x4x40xf32>
  return %0 : tensor<1x4x4x40xf32>
}

// -----

// Border classes read slices of one filter, and of one input.
// CHECK-LABEL: @borders
// CHECK-DAG: %[[W:.*]] = arith.constant dense_resource<filter{{.*}}> : tensor<2x3x6x1xi32, #words>
// CHECK-DAG: %[[X:.*]] = tensor.collapse_shape %arg0
// CHECK: tensor.extract_slice %[[X]]
// CHECK: tensor.extract_slice %[[W]][0, 1, 2, 0] [2, 2, 4, 1]
// CHECK-COUNT-9: bquant_packed.product
func.func @borders(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x33xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x33x3x3x1xi32>) scalars(dense<0.5> : tensor<1x33xf32>)
      : !bquant.tensor<33x3x3x2, 1, axes = [0]>
  %y = bquant.conv_2d %x, %w pads = [1, 1, 1, 1] kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>)
      : (tensor<1x4x4x2xf32>, !bquant.tensor<33x3x3x2, 1, axes = [0]>) -> tensor<1x4x4x33xf32>
  return %y : tensor<1x4x4x33xf32>
}

// -----

// Two that read one filter may read more or fewer of its channels.
// CHECK-LABEL: @channels
// CHECK: bquant_packed.product {{.*}} filters(%[[W:[^ ]*]] : tensor<1x3x2xi32
// CHECK-NOT: filters(%[[W]] :
// CHECK: bquant_packed.product {{.*}} filters(
#words = #bquant_packed.layout.words
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
func.func @channels(%x: tensor<8x3xf32>, %a: tensor<8x40xf32>, %b: tensor<8x64xf32>) -> (tensor<8x40xf32>, tensor<8x64xf32>) {
  %w = arith.constant dense<-1> : tensor<3x2xi32, #words>
  %0 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 64, bits = 256>) fused ins(%x : tensor<8x3xf32>)
      filters(%w : tensor<3x2xi32, #words>) outs(%a : tensor<8x40xf32>) maps = [#x, #w] -> tensor<8x40xf32>
  %1 = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 64, bits = 256>) fused ins(%x : tensor<8x3xf32>)
      filters(%w : tensor<3x2xi32, #words>) outs(%b : tensor<8x64xf32>) maps = [#x, #w] -> tensor<8x64xf32>
  return %0, %1 : tensor<8x40xf32>, tensor<8x64xf32>
}
