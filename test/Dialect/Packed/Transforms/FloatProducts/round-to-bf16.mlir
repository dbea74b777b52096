// Products of floats with operands rounded to bf16.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=float-precision=bf16 --convert-linalg-to-product --bquant-round-to-bf16 | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n2" --bquant-select-kernels=float-precision=bf16 --convert-linalg-to-product --bquant-round-to-bf16 | FileCheck %s --check-prefixes=CHECK,NEON
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-select-kernels=float-precision=bf16 --convert-linalg-to-product --bquant-round-to-bf16 --remarks-filter=bquant --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels="strategy=reference float-precision=bf16" --convert-linalg-to-product=bytes=false --bquant-round-to-bf16=emulate | FileCheck %s --check-prefix=REFERENCE
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=float-precision=bf16 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: expected a CPU with dot products of bf16 (avx512bf16, bf16) for float precision bf16

// What pads the image pads what is rounded, and makes its channels even.
// CHECK-LABEL: @stem
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<1x8x8x3xf32>) outs(%{{.*}} : tensor<1x8x8x3xbf16>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[P:.*]] = tensor.pad %[[R]] low[0, 1, 1, 0] high[0, 1, 1, 1]
// CHECK: tensor.yield %{{.*}} : bf16
// CHECK: %[[W:.*]] = arith.constant dense_resource<{{.*}}> : tensor<64x3x3x4xbf16>
// AVX512: bquant_packed.product kernel(#bquant_packed.bf16<rows = 12, channels = 32, bits = 512>) fused ins(%[[P]] : tensor<1x10x10x4xbf16>) filters(%[[W]]
// NEON: bquant_packed.product kernel(#bquant_packed.bf16<rows = 3, channels = 32, bits = 128>) fused ins(%[[P]] : tensor<1x10x10x4xbf16>) filters(%[[W]]
// REMARK: remark: {{.*}}float-precision{{.*}}input and filter are rounded to bf16, and summed in f32: the result differs from that of f32
// REFERENCE-LABEL: @stem
// REFERENCE-NOT: bf16
// REFERENCE: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x10x10x3xf32>)
// REFERENCE: %[[BITS:.*]] = arith.bitcast %[[A:.*]] : f32 to i32
// REFERENCE: arith.shrui %[[BITS]]
// REFERENCE: arith.cmpf uno, %[[A]], %[[A]]
// REFERENCE: bquant_packed.product kernel(#bquant_packed.fma
// REFERENCE-NOT: bf16
func.func @stem(%x: tensor<1x8x8x3xf32>, %o: tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x3xf32> to tensor<1x10x10x3xf32>
  %w = arith.constant dense<0.375> : tensor<64x3x3x3xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x10x10x3xf32>, tensor<64x3x3x3xf32>)
      outs(%o : tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  return %0 : tensor<1x8x8x64xf32>
}

// A border that is no zero is none of the channel that is added.
// CHECK-LABEL: @border
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x10x10x3xf32>)
// CHECK: tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 0, 0, 1]
func.func @border(%x: tensor<1x8x8x3xf32>, %o: tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x8x8x3xf32> to tensor<1x10x10x3xf32>
  %w = arith.constant dense<0.375> : tensor<64x3x3x3xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x10x10x3xf32>, tensor<64x3x3x3xf32>)
      outs(%o : tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  return %0 : tensor<1x8x8x64xf32>
}

// Nothing is padded where the reduction is even; the filter has it in front.
// CHECK-LABEL: @dense
// CHECK-NOT: tensor.pad
// CHECK: bquant_packed.product kernel(#bquant_packed.bf16<{{.*}} filters(%{{.*}} : tensor<8x40xbf16>)
func.func @dense(%x: tensor<1x8xf32>, %o: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %w = arith.constant dense<0.375> : tensor<8x40xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x40xf32>) outs(%o : tensor<1x40xf32>) -> tensor<1x40xf32>
  return %0 : tensor<1x40xf32>
}

// Not rounded.
// CHECK-LABEL: @run_time
// CHECK-NOT: bf16
// CHECK: bquant_packed.product kernel(#bquant_packed.fma
// REMARK: remark: {{.*}}float-precision{{.*}}in f32, not bf16: expected a constant filter
func.func @run_time(%x: tensor<1x8xf32>, %w: tensor<8x40xf32>, %o: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x40xf32>) outs(%o : tensor<1x40xf32>) -> tensor<1x40xf32>
  return %0 : tensor<1x40xf32>
}

// CHECK-LABEL: @depthwise
// CHECK-NOT: bf16
// CHECK: bquant_packed.product kernel(#bquant_packed.fma
// REMARK: remark: {{.*}}float-precision{{.*}}in f32, not bf16: expected a convolution of one group
func.func @depthwise(%x: tensor<1x8x8x32xf32>, %o: tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  %w = arith.constant dense<0.375> : tensor<3x3x32xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x8x8x32xf32>, tensor<3x3x32xf32>)
      outs(%o : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32>
  return %0 : tensor<1x6x6x32xf32>
}
