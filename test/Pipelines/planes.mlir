// Planes of every kind on a side take the fast route: no op stays without words
// or vectors.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" \
// RUN:   --bquant-select-kernels=strategy=popcount --convert-bquant-to-packed --bquant-verify-words --canonicalize --cse \
// RUN:   --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers --bquant-tile-pipeline --bquant-vectorize-pipeline --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARKS --allow-empty
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg. --implicit-check-not=bquant.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" \
// RUN:   --bquant-select-kernels=strategy=table --convert-bquant-to-packed --bquant-verify-words \
// RUN:   --canonicalize --cse --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers --bquant-tile-pipeline --bquant-vectorize-pipeline \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARKS --allow-empty
// RUN: FileCheck %s --check-prefix=TABLE --input-file=%t.mlir --implicit-check-not=linalg. --implicit-check-not=bquant.
// RUN: bquant-opt %s --bquant-select-kernels=strategy=scalar --convert-bquant-to-packed --bquant-verify-words --canonicalize --cse \
// RUN:   --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers --bquant-tile-pipeline --bquant-vectorize-pipeline \
// RUN:   --remark-policy=all --remarks-filter=bquant --remark-format=emitRemark -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARKS --allow-empty
// REMARKS-NOT: Missed

// 1 by 4; the maximum of codes behind it.
// CHECK-LABEL: func @planes_0
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_0
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_0(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<1xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<4x32x3x3x2xi32>) scalars(dense<0.5> : tensor<4x32xf32>) : !bquant.tensor<32x3x3x64, 4, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 1>, !bquant.tensor<32x3x3x64, 4, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%s : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 1>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 1> -> !bquant.tensor<1x4x4x32, 1>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 1> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 4 by 1; the maximum of codes behind it.
// CHECK-LABEL: func @planes_1
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_1
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_1(%x: tensor<1x4x4x64xf32>, %s: tensor<4xf32>, %t: tensor<15xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<1x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, 1, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<4xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 4>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 4>, !bquant.tensor<32x3x3x64, 1, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<15xf32>) codes [2, 7, 12, 1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13] scalars(%s : tensor<4xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 4>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 4> -> !bquant.tensor<1x4x4x32, 4>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 4> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 4 by 4; the maximum of codes behind it.
// CHECK-LABEL: func @planes_2
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_2
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_2(%x: tensor<1x4x4x64xf32>, %s: tensor<4xf32>, %t: tensor<15xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<4x32x3x3x2xi32>) scalars(dense<0.5> : tensor<4x32xf32>) : !bquant.tensor<32x3x3x64, 4, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<4xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 4>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 4>, !bquant.tensor<32x3x3x64, 4, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<15xf32>) codes [2, 7, 12, 1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13] scalars(%s : tensor<4xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 4>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 4> -> !bquant.tensor<1x4x4x32, 4>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 4> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 3 by 2; the maximum of codes behind it.
// CHECK-LABEL: func @planes_3
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_3
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_3(%x: tensor<1x4x4x64xf32>, %s: tensor<3xf32>, %t: tensor<7xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<2x32xf32>) : !bquant.tensor<32x3x3x64, 2, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<3xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 3>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 3>, !bquant.tensor<32x3x3x64, 2, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<7xf32>) codes [2, 7, 4, 1, 6, 3, 0, 5] scalars(%s : tensor<3xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 3>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 3> -> !bquant.tensor<1x4x4x32, 3>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 3> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// [1, 1] by [1, 1]; the maximum of codes behind it.
// CHECK-LABEL: func @planes_4
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_4
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_4(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<3xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, [1, 1]>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, [1, 1]>, !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [2, 3, 0, 1] scalars(%s : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [1, 1]>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, [1, 1]> -> !bquant.tensor<1x4x4x32, [1, 1]>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, [1, 1]> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// [8, 4, 2, 1] by [4, 2, 1]; the maximum of codes behind it.
// CHECK-LABEL: func @planes_5
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_5
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_5(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<15xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<3x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, [4, 2, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, [8, 4, 2, 1]>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, [8, 4, 2, 1]>, !bquant.tensor<32x3x3x64, [4, 2, 1], axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<15xf32>) codes [2, 7, 12, 1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13] scalars(%s : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [8, 4, 2, 1]>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, [8, 4, 2, 1]> -> !bquant.tensor<1x4x4x32, [8, 4, 2, 1]>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, [8, 4, 2, 1]> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// [3, 2] by 3; the maximum of codes behind it.
// CHECK-LABEL: func @planes_6
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_6
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_6(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<3xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<3x32x3x3x2xi32>) scalars(dense<0.5> : tensor<3x32xf32>) : !bquant.tensor<32x3x3x64, 3, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, [3, 2]>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, [3, 2]>, !bquant.tensor<32x3x3x64, 3, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [2, 3, 0, 1] scalars(%s : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [3, 2]>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, [3, 2]> -> !bquant.tensor<1x4x4x32, [3, 2]>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, [3, 2]> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 2 by [1, 1]; the maximum of codes behind it.
// CHECK-LABEL: func @planes_7
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_7
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_7(%x: tensor<1x4x4x64xf32>, %s: tensor<2xf32>, %t: tensor<3xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<2xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 2>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 2>, !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [2, 3, 0, 1] scalars(%s : tensor<2xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 2>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 2> -> !bquant.tensor<1x4x4x32, 2>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 2> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 1 by [2, 1], padded with +1; the maximum of codes behind it.
// CHECK-LABEL: func @planes_8
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_8
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_8(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<1xf32>) -> tensor<1x4x4x32xf32> {
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, [2, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] pad_value = 1 : (!bquant.tensor<1x4x4x64, 1>, !bquant.tensor<32x3x3x64, [2, 1], axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%s : tensor<1xf32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 1>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 1> -> !bquant.tensor<1x4x4x32, 1>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 1> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// [2, 1] by [1, 1], with an offset; the maximum of codes behind it.
// CHECK-LABEL: func @planes_9
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_9
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_9(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<3xf32>) -> tensor<1x4x4x32xf32> {
  %c = arith.constant dense<0.25> : tensor<f32>
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, [2, 1], offset>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, [2, 1], offset>, !bquant.tensor<32x3x3x64, [1, 1], axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<3xf32>) codes [2, 3, 0, 1] scalars(%s : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, [2, 1], offset>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, [2, 1], offset> -> !bquant.tensor<1x4x4x32, [2, 1], offset>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, [2, 1], offset> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 4 by 2, with an offset; the maximum of codes behind it.
// CHECK-LABEL: func @planes_10
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_10
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_10(%x: tensor<1x4x4x64xf32>, %s: tensor<4xf32>, %t: tensor<15xf32>) -> tensor<1x4x4x32xf32> {
  %c = arith.constant dense<0.25> : tensor<f32>
  %w = bquant.constant words(dense<123456789> : tensor<2x32x3x3x2xi32>) scalars(dense<0.5> : tensor<2x32xf32>) : !bquant.tensor<32x3x3x64, 2, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<4xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 4, offset>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x4x4x64, 4, offset>, !bquant.tensor<32x3x3x64, 2, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<15xf32>) codes [2, 7, 12, 1, 6, 11, 0, 5, 10, 15, 4, 9, 14, 3, 8, 13] scalars(%s : tensor<4xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 4, offset>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 4, offset> -> !bquant.tensor<1x4x4x32, 4, offset>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 4, offset> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}

// 1 by 3, padded with +1, with an offset; the maximum of codes behind it.
// CHECK-LABEL: func @planes_11
// CHECK: math.ctpop %{{.*}} : vector<16xi32>
// TABLE-LABEL: func @planes_11
// TABLE: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
func.func @planes_11(%x: tensor<1x4x4x64xf32>, %s: tensor<1xf32>, %t: tensor<1xf32>) -> tensor<1x4x4x32xf32> {
  %c = arith.constant dense<0.25> : tensor<f32>
  %w = bquant.constant words(dense<123456789> : tensor<3x32x3x3x2xi32>) scalars(dense<0.5> : tensor<3x32xf32>) : !bquant.tensor<32x3x3x64, 3, axes = [0]>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x64xf32> -> !bquant.tensor<1x4x4x64, 1, offset>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] pad_value = 1 : (!bquant.tensor<1x4x4x64, 1, offset>, !bquant.tensor<32x3x3x64, 3, axes = [0]>) -> tensor<1x4x4x32xf32>
  %r = bquant.quantize %y thresholds(%t : tensor<1xf32>) codes [0, 1] scalars(%s : tensor<1xf32>) offset(%c : tensor<f32>) : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 1, offset>
  %p = bquant.max_pool_2d %r window = [3, 3] pads = [1, 1, 1, 1] : !bquant.tensor<1x4x4x32, 1, offset> -> !bquant.tensor<1x4x4x32, 1, offset>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x32, 1, offset> -> tensor<1x4x4x32xf32>
  return %d : tensor<1x4x4x32xf32>
}
