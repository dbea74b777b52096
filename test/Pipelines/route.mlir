// One binary layer on the whole route: popcounts of vectors, the intrinsic, the
// instruction; and no float arithmetic but the epilogue's.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-fast --mlir-print-ir-after=bquant-vectorize -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VECTOR
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.mlir
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=sapphirerapids --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=sapphirerapids --emit=obj -o %t.o --report=%t.txt
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.txt

// VECTOR-NOT: conv_2d
// VECTOR: math.ctpop %{{.*}} : vector<16xi32>

// LLVM-NOT: llvm.call @malloc
// LLVM: llvm.func internal @__bquant_layer_1_layer
// LLVM: llvm.intr.ctpop(%{{.*}}) : (vector<16xi32>) -> vector<16xi32>
// LLVM-NOT: llvm.call @malloc
// LLVM: llvm.func internal @__bquant_layer(

// ASM-NOT: vfmadd
// ASM: __bquant_layer_1_layer
// ASM-NOT: vfmadd
// ASM: vpopcntd
// ASM-NOT: vfmadd
// ASM: .size	__bquant_layer,

// REPORT: quantize, binary: 1x8x8x64 f32 -> 1x8x8x64, 1 plane
// REPORT: conv_2d, binary: 1x8x8x64, 1 plane by 32x3x3x64, 1 plane -> 1x8x8x32 {{f32|i32}}, 1,179,648 MAC (100.0 %), 2,432 bytes of weights
// REPORT-NOT: float:
func.func @layer(%x: tensor<1x8x8x64xf32>) -> tensor<1x8x8x32xf32> {
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %w = arith.constant dense<1.0> : tensor<32x3x3x64xf32>
  %xq = bquant.quantize %x scalars(%s : tensor<1xf32>)
      : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
  %wq = bquant.quantize %w scheme(<ls, 1>)
      : tensor<32x3x3x64xf32> -> !bquant.tensor<32x3x3x64, 1, axes = [0]>
  %y = bquant.conv_2d %xq, %wq pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<32x3x3x64, 1, axes = [0]>)
      -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}
