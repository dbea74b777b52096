// A float filter of at most four numbers a channel is bits and levels where the
// machine chooses by masks.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels --convert-linalg-to-product --bquant-pack-filter-levels --canonicalize \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=strategy=reference --convert-linalg-to-product=bytes=false --canonicalize | FileCheck %s --check-prefix=FLOATS
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver3" --bquant-select-kernels --convert-linalg-to-product --bquant-pack-filter-levels --canonicalize | FileCheck %s --check-prefix=FLOATS
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-select-kernels --convert-linalg-to-product --bquant-pack-filter-levels --canonicalize | FileCheck %s --check-prefix=FLOATS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// The first channel has three numbers, the second one two. The words have a bit
// for each: 1 for the number 1 and the highest for the number 2.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$L:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: @three
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<{{\[\[}}0], [0], [1], [0], [0], [1], [0], [0], [1], [0], [0], [1], [0], [0], [1], [0]]> : tensor<16x1xi32, #words>
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<{{\[\[}}0], [3], [2], [0], [3], [0], [2], [1], [2], [0], [3], [0], [2], [1], [2], [0]]> : tensor<16x1xi32, #words>
// CHECK-DAG: %[[L0:.*]] = arith.constant dense<[-7.500000e-01, 1.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[L1:.*]] = arith.constant dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[L2:.*]] = arith.constant dense<[5.000000e-01, 2.000000e+00]> : tensor<2xf32>
// CHECK: bquant_packed.product kernel(#bquant_packed.fma<{{.*}}) fused ins({{.*}}) filters(%[[HIGH]], %[[LOW]] : {{.*}}) levels(%[[L0]], %[[L1]], %[[L2]] : {{.*}}) outs({{.*}}) maps = [#[[$X]], #[[$W]], #[[$W]], #[[$L]], #[[$L]], #[[$L]]]
// REMARK: [Passed] filter-levels {{.*}}the filter has 3 numbers a channel at most: it is 152 bytes of bits and levels, and no bit of the result changes
// FLOATS-LABEL: @three
// FLOATS-NOT: levels(
func.func @three(%x: tensor<4x16xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[-0.75, 0.0, 0.5, -0.75, 0.0, 0.5, -0.75, 0.0, 0.5, -0.75, 0.0, 0.5, -0.75, 0.0, 0.5, -0.75],
                             [1.0, 2.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]]> : tensor<2x16xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<4x16xf32>, tensor<2x16xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Zeros of both signs are two numbers, since one of them changes a sum of -0.
// CHECK-LABEL: @zeros
// CHECK: levels(%{{.*}}, %{{.*}} : tensor<1xf32>, tensor<1xf32>)
// REMARK: [Passed] filter-levels {{.*}}the filter has 2 numbers
func.func @zeros(%x: tensor<4x16xf32>, %o: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %w = arith.constant dense<[[0.0, -0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<1x16xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<4x16xf32>, tensor<1x16xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// Five numbers, or fewer elements of a channel than are worth it, or channels that
// read elements of their own, or no constant: floats.
// CHECK-LABEL: @floats
// CHECK-COUNT-4: bquant_packed.product
// CHECK-NOT: levels(
// REMARK-NOT: filter-levels
func.func @floats(%x: tensor<4x16xf32>, %s: tensor<4x4xf32>, %i: tensor<1x6x6x2xf32>, %v: tensor<1x16xf32>, %o: tensor<4x1xf32>, %d: tensor<1x1x1x2xf32>)
    -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<1x1x1x2xf32>, tensor<4x1xf32>) {
  %five = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x16xf32>
  %few = arith.constant dense<[[1.0, 2.0, 1.0, 2.0]]> : tensor<1x4xf32>
  %own = arith.constant dense<2.0> : tensor<6x6x2xf32>
  %0 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %five : tensor<4x16xf32>, tensor<1x16xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  %1 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%s, %few : tensor<4x4xf32>, tensor<1x4xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%i, %own : tensor<1x6x6x2xf32>, tensor<6x6x2xf32>) outs(%d : tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %3 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %v : tensor<4x16xf32>, tensor<1x16xf32>) outs(%o : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %0, %1, %2, %3 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<1x1x1x2xf32>, tensor<4x1xf32>
}

// What has no shape gets no kernel, which alone makes the bits worth it.
// CHECK-LABEL: @dynamic
// CHECK-COUNT-2: bquant_packed.product fused ins
// CHECK-NOT: levels(
func.func @dynamic(%x: tensor<?x16xf32>, %y: tensor<4x?xf32>, %w: tensor<?x16xf32>, %z: tensor<4x16xf32>, %o: tensor<?x1xf32>, %p: tensor<4x?xf32>) -> (tensor<?x1xf32>, tensor<4x?xf32>) {
  %two = arith.constant dense<[[1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x16xf32>
  %0 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %two : tensor<?x16xf32>, tensor<1x16xf32>) outs(%o : tensor<?x1xf32>) -> tensor<?x1xf32>
  %1 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%z, %w : tensor<4x16xf32>, tensor<?x16xf32>) outs(%p : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %1 : tensor<?x1xf32>, tensor<4x?xf32>
}
