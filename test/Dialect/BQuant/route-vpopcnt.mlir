// The route of a binary convolution, as it shows at each level.

// RUN: bquant-opt %s --convert-bquant-to-words --bquant-tile-and-fuse --canonicalize --bquant-vectorize | FileCheck %s --check-prefix=VECTOR
// RUN: bquant-opt %s --bquant-fast=features=+avx512f,+avx512vpopcntdq -o %t.mlir
// RUN: FileCheck %s --check-prefix=LLVM < %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -O3 -mtriple=x86_64-linux-gnu -mattr=+avx512f,+avx512bw,+avx512vpopcntdq | FileCheck %s --check-prefix=ASM

// VECTOR-NOT: conv_2d
// VECTOR: math.ctpop %{{.*}} : vector<32xi32>
// LLVM: llvm.intr.ctpop(%{{.*}}) : (vector<32xi32>) -> vector<32xi32>
// ASM: vpopcntd %zmm
func.func @route(%x: tensor<1x6x6x64xf32>) -> tensor<1x6x6x32xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %w = bquant.constant words(dense<1> : tensor<1x32x3x3x2xi32>) scalars(dense<0.5> : tensor<1x32xf32>) : !bquant.tensor<32x3x3x64, 1, axes = [0]>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<32x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x32xf32>
  return %y : tensor<1x6x6x32xf32>
}
