// RUN: bquant-opt %s --bquant-batch-to-sample --split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-batch-to-sample=block=1 --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: not bquant-opt %s --bquant-batch-to-sample=block=0 2>&1 | FileCheck %s --check-prefix=NONE

// ONE-NOT: bquant.block
// NONE: expected at least 1 sample in a block, but got 0

// A dense layer takes all the time: a function on a block beside that on one.
// What all samples share is as it was; scalars are each sample's own.

// CHECK-LABEL: func.func @dense(
// CHECK-SAME:      %{{.*}}: tensor<1x512xf32> {bquant.batch, bquant.name = "x"}, %{{.*}}: tensor<512xf32>) -> (tensor<1x512xf32> {bquant.batch})
// CHECK-NOT:     attributes
// CHECK:         bquant.matmul {{.*}} -> tensor<1x512xf32>
// CHECK-LABEL: func.func @dense_block(
// CHECK-SAME:      %[[X:.*]]: tensor<16x512xf32> {bquant.batch, bquant.name = "x"}, %{{.*}}: tensor<512xf32>) -> (tensor<16x512xf32> {bquant.batch})
// CHECK-SAME:      attributes {bquant.block = {of = "dense", samples = 16 : i64}}
// CHECK:         %[[Q:.*]] = bquant.quantize %[[X]] scheme(<ls, 2>) : tensor<16x512xf32> -> !bquant.tensor<16x512, 2, axes = [0]>
// CHECK:         bquant.matmul %[[Q]], {{.*}} -> tensor<16x512xf32>
// CHECK-NOT:     ?
func.func @dense(%x: tensor<?x512xf32> {bquant.name = "x"}, %b: tensor<512xf32>) -> tensor<?x512xf32> {
  %g = arith.constant dense<0.1> : tensor<512x512xf32>
  %w = bquant.quantize %g scheme(<ls, 1>) : tensor<512x512xf32> -> !bquant.tensor<512x512, 1, axes = [0]>
  %q = bquant.quantize %x scheme(<ls, 2>) : tensor<?x512xf32> -> !bquant.tensor<?x512, 2, axes = [0]>
  %y = bquant.matmul %q, %w
      : (!bquant.tensor<?x512, 2, axes = [0]>, !bquant.tensor<512x512, 1, axes = [0]>) -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}

// -----

// Rows of a sequence use a filter often enough, and little work is not worth it.

// CHECK-LABEL: func.func @sequence(
// CHECK-NOT:   bquant.block
func.func @sequence(%x: tensor<?x8x512xf32>) -> tensor<?x8x512xf32> {
  %w = arith.constant dense<0.1> : tensor<512x512xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x512xf32>
  %e = tensor.empty(%n) : tensor<?x8x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x512xf32>) -> tensor<?x8x512xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x8x512xf32>, tensor<512x512xf32>) outs(%f : tensor<?x8x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x8x512xf32>
  return %y : tensor<?x8x512xf32>
}

// The pixels of an image are rows, of a convolution in any order of dimensions.

// CHECK-LABEL: func.func @image(
// CHECK-NOT:   bquant.block
func.func @image(%x: tensor<?x16x10x10xf32>) -> tensor<?x32x8x8xf32> {
  %w = arith.constant dense<0.1> : tensor<32x16x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16x10x10xf32>
  %e = tensor.empty(%n) : tensor<?x32x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32x8x8xf32>) -> tensor<?x32x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw
      ins(%x, %w : tensor<?x16x10x10xf32>, tensor<32x16x3x3xf32>)
      outs(%f : tensor<?x32x8x8xf32>) -> tensor<?x32x8x8xf32>
  return %y : tensor<?x32x8x8xf32>
}

// CHECK-LABEL: func.func @little(
// CHECK-NOT:   bquant.block
func.func @little(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %g = arith.constant dense<0.1> : tensor<64x64xf32>
  %w = bquant.quantize %g scheme(<ls, 1>) : tensor<64x64xf32> -> !bquant.tensor<64x64, 1, axes = [0]>
  %y = bquant.matmul %x, %w : (tensor<?x64xf32>, !bquant.tensor<64x64, 1, axes = [0]>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
