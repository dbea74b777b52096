// The first layer of a network in bf16: 24 sums, 12 pixels and two registers of the
// filter, an instruction for two steps. Nothing of the loop lies on the stack. Inputs are
// rounded by the instruction for it.
//
// RUN: bquant-compile %s --float-precision=bf16 --target-triple=x86_64-linux-gnu --target-cpu=znver4 --emit=asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s
// RUN: bquant-compile %s --float-precision=bf16 --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n2 --emit=asm -o %t.arm.s
// RUN: FileCheck %s --check-prefix=ARM --input-file=%t.arm.s

// On a machine without, the reference needs neither its instructions nor a library's.
// RUN: bquant-compile %s --float-precision=bf16 --strategy=reference --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.reference.s
// RUN: FileCheck %s --check-prefix=REFERENCE --input-file=%t.reference.s --implicit-check-not=bf2

// The same by the names of the whole routes.
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-fast=float-precision=bf16 | FileCheck %s --check-prefix=TEXT
// TEXT: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-reference=float-precision=bf16 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=bf16
// PLAIN: llvm.intr.fma

// CHECK: vcvtneps2bf16
// CHECK: vbroadcastss {{.*}}, %zmm
// CHECK-NOT: rsp
// CHECK-COUNT-24: vdpbf16ps {{.*}}%zmm
// CHECK-NOT: {{rsp|vdpbf16ps|vfmadd}}
// CHECK: {{jb|jne}}
// ARM: bfcvtn
// ARM-COUNT-24: bfdot
// REFERENCE: vfmadd

func.func @stem(%x: tensor<1x224x224x3xf32>) -> tensor<1x112x112x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x224x224x3xf32> to tensor<1x230x230x3xf32>
  %w = arith.constant dense<0.375> : tensor<64x7x7x3xf32>
  %empty = tensor.empty() : tensor<1x112x112x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
  %y = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x230x230x3xf32>, tensor<64x7x7x3xf32>)
      outs(%init : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
  return %y : tensor<1x112x112x64xf32>
}
