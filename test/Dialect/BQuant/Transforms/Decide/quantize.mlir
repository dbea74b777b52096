// RUN: bquant-opt --bquant-quantize="weights=ls-1 activations=ls-2" --split-input-file %s \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: bquant-opt --bquant-quantize="weights=ls-T activations=fp skip=first,head*" \
// RUN:   --split-input-file %s --remark-policy=all --remarks-filter=bquant \
// RUN:   --remark-format=emitRemark 2>%t.skip | FileCheck %s --check-prefix=SKIP
// RUN: FileCheck %s --check-prefix=REMARK-SKIP <%t.skip
// RUN: bquant-opt --bquant-quantize="activations=twn clamp=1.5" --split-input-file %s \
// RUN:   | FileCheck %s --check-prefix=CLAMP

// Zeros that the image is padded with are no values of the quantization, and
// stay zeros.
// CHECK-LABEL: func @network
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x8x4xf32>)
// CHECK-DAG: %[[XQ:.*]] = bquant.quantize %[[X]] scheme(<ls, 2>) : tensor<2x8x8x4xf32> -> !bquant.tensor<2x8x8x4, 2, axes = [0]>
// CHECK-DAG: %[[WQ:.*]] = bquant.quantize %{{.*}} scheme(<ls, 1>) : tensor<8x3x3x4xf32> -> !bquant.tensor<8x3x3x4, 1, axes = [0]>
// CHECK: bquant.conv_2d %[[XQ]], %[[WQ]] pads = [1, 1, 1, 1]
// CHECK: bquant.matmul %{{.*}}, %{{.*}} : (!bquant.tensor<2x512, 2, axes = [0]>, !bquant.tensor<10x512, 1, axes = [0]>)
// CHECK-NOT: linalg.matmul
// REMARK: [Passed] raise-product {{.*}}bquant.matmul
// REMARK: [Passed] raise-product {{.*}}bquant.conv_2d
// SKIP-LABEL: func @network
// SKIP: linalg.conv_2d_nhwc_fhwc
// SKIP: linalg.matmul
// SKIP: bquant.matmul %{{.*}}, %{{.*}} : (tensor<2x10xf32>, !bquant.tensor<4x10, [1, 1], axes = [0]>)
// REMARK-SKIP: [Missed] quantize {{.*}}"stays float: it is the first product"
// REMARK-SKIP: [Missed] quantize {{.*}}"stays float: its name is of 'head*'"
// CLAMP-LABEL: func @network
// CLAMP-DAG: %[[MOST:.*]] = arith.constant 1.500000e+00 : f32
// CLAMP-DAG: %[[LEAST:.*]] = arith.constant -1.500000e+00 : f32
// CLAMP: %[[BELOW:.*]] = arith.minimumf %{{.*}}, %[[MOST]]
// CLAMP: arith.maximumf %[[BELOW]], %[[LEAST]]
// CLAMP: bquant.quantize %{{.*}} scheme(<twn>) : tensor<2x8x8x4xf32> -> !bquant.tensor<2x8x8x4, [1, 1], axes = [0]>
func.func @network(%x: tensor<2x8x8x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0.5> : tensor<8x3x3x4xf32>
  %g = arith.constant dense<0.25> : tensor<10x512xf32>
  %h = arith.constant dense<0.75> : tensor<4x10xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %i: index, %j: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x8x8x4xf32> to tensor<2x10x10x4xf32>
  %e = tensor.empty() : tensor<2x8x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%p, %f : tensor<2x10x10x4xf32>, tensor<8x3x3x4xf32>)
      outs(%z : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  %flat = tensor.collapse_shape %y [[0], [1, 2, 3]]
      : tensor<2x8x8x8xf32> into tensor<2x512xf32>
  %e1 = tensor.empty() : tensor<2x10xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x10xf32>) -> tensor<2x10xf32>
  %m = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%flat, %g : tensor<2x512xf32>, tensor<10x512xf32>)
      outs(%z1 : tensor<2x10xf32>) -> tensor<2x10xf32> loc("head.0")
  %e2 = tensor.empty() : tensor<2x4xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%m, %h : tensor<2x10xf32>, tensor<4x10xf32>)
      outs(%z2 : tensor<2x4xf32>) -> tensor<2x4xf32> loc("tail")
  return %r : tensor<2x4xf32>
}

// -----

// Groups have one quantization: that of the image, and a filter of all groups.
// CHECK-LABEL: func @groups
// CHECK-DAG: %[[XQ:.*]] = bquant.quantize %{{.*}} scheme(<ls, 2>) : tensor<1x8x8x4xf32> -> !bquant.tensor<1x8x8x4, 2, axes = [0]>
// CHECK-DAG: %[[WQ:.*]] = bquant.quantize %{{.*}} scheme(<ls, 1>) : tensor<8x3x3x2xf32> -> !bquant.tensor<8x3x3x2, 1, axes = [0]>
// CHECK: bquant.conv_2d %[[XQ]], %[[WQ]] {{.*}}groups = 2
// A product of two activations, and a depthwise convolution, stay.
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
// CHECK: linalg.matmul
// SKIP-LABEL: func @groups
// CLAMP-LABEL: func @groups
func.func @groups(%x: tensor<1x8x8x4xf32>, %m: tensor<8x8xf32>, %d: tensor<1x8x8x8xf32>)
    -> (tensor<1x6x6x2x4xf32>, tensor<1x6x6x8xf32>, tensor<8x8xf32>, tensor<8x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0.5> : tensor<2x4x3x3x2xf32>
  %g = arith.constant dense<0.5> : tensor<3x3x8xf32>
  %s = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 2]
      : tensor<1x8x8x4xf32> into tensor<1x8x8x2x2xf32>
  %e = tensor.empty() : tensor<1x6x6x2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  %y = linalg.conv_2d_nhwgc_gfhwc
      ins(%s, %f : tensor<1x8x8x2x2xf32>, tensor<2x4x3x3x2xf32>)
      outs(%z : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  %e1 = tensor.empty() : tensor<1x6x6x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %w = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>,
      dilations = dense<1> : tensor<2xi64>}
      ins(%d, %g : tensor<1x8x8x8xf32>, tensor<3x3x8xf32>)
      outs(%z1 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%m, %m : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%z2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %h = arith.constant dense<0.75> : tensor<10x8xf32>
  %e3 = tensor.empty() : tensor<8x10xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %q = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %h : tensor<8x8xf32>, tensor<10x8xf32>)
      outs(%z3 : tensor<8x10xf32>) -> tensor<8x10xf32>
  return %y, %w, %r, %q
      : tensor<1x6x6x2x4xf32>, tensor<1x6x6x8xf32>, tensor<8x8xf32>, tensor<8x10xf32>
}

// -----

// Images without elements, and of a size that is known at run time, stay float.
// CHECK-LABEL: func @no_planes
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK: bquant.matmul
// CHECK: bquant.matmul
// SKIP-LABEL: func @no_planes
// CLAMP-LABEL: func @no_planes
func.func @no_planes(%x: tensor<1x0x5x3xf32>, %y: tensor<1x?x5x3xf32>,
                     %z: tensor<2x32xf32>, %a: tensor<1x0x3x4xf32>,
                     %b: tensor<1x?x3x4xf32>, %c: tensor<2x32xf32>)
    -> (tensor<1x0x3x4xf32>, tensor<1x?x3x4xf32>, tensor<2x32xf32>) {
  %f = arith.constant dense<0.5> : tensor<4x1x3x3xf32>
  %g = arith.constant dense<0.25> : tensor<32x32xf32>
  %empty = linalg.conv_2d_nhwc_fhwc ins(%x, %f : tensor<1x0x5x3xf32>, tensor<4x1x3x3xf32>)
      outs(%a : tensor<1x0x3x4xf32>) -> tensor<1x0x3x4xf32>
  %dynamic = linalg.conv_2d_nhwc_fhwc ins(%y, %f : tensor<1x?x5x3xf32>, tensor<4x1x3x3xf32>)
      outs(%b : tensor<1x?x3x4xf32>) -> tensor<1x?x3x4xf32>
  %m = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%z, %g : tensor<2x32xf32>, tensor<32x32xf32>)
      outs(%c : tensor<2x32xf32>) -> tensor<2x32xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%m, %g : tensor<2x32xf32>, tensor<32x32xf32>)
      outs(%c : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %empty, %dynamic, %r : tensor<1x0x3x4xf32>, tensor<1x?x3x4xf32>, tensor<2x32xf32>
}
