// RUN: bquant-opt %s --bquant-lower-linalg-pack | FileCheck %s
// RUN: bquant-opt %s --bquant-fast -o /dev/null

// Tiles of a layout become dimensions.
// CHECK-LABEL: func @tiles
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 3]
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2, 3]] output_shape [2, 2, 2, 4]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// CHECK-NOT: linalg.unpack
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [4, 5] [1, 1]
func.func @tiles(%x: tensor<4x5xf32>, %z: tensor<2x2x2x4xf32>) -> (tensor<2x2x2x4xf32>, tensor<4x5xf32>) {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x2x2x4xf32>
  %p = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4]
      into %e : tensor<4x5xf32> -> tensor<2x2x2x4xf32>
  %f = tensor.empty() : tensor<4x5xf32>
  %u = linalg.unpack %z inner_dims_pos = [0, 1] inner_tiles = [2, 4]
      into %f : tensor<2x2x2x4xf32> -> tensor<4x5xf32>
  return %p, %u : tensor<2x2x2x4xf32>, tensor<4x5xf32>
}

// A slice of what is unpacked is one still, where canonicalization comes after.
// CHECK-LABEL: func @slice_of_tiles
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<1x2x2xf32> to tensor<1x1x2xf32>
func.func @slice_of_tiles(%x: tensor<1x2x1x5xf32>) -> tensor<1x1x2xf32> {
  %e = tensor.empty() : tensor<1x2x2xf32>
  %u = linalg.unpack %x inner_dims_pos = [2] inner_tiles = [5]
      into %e : tensor<1x2x1x5xf32> -> tensor<1x2x2xf32>
  %s = tensor.extract_slice %u[0, 0, 0] [1, 1, 2] [1, 1, 1] : tensor<1x2x2xf32> to tensor<1x1x2xf32>
  return %s : tensor<1x1x2xf32>
}
