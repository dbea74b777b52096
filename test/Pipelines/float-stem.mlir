// The first layer of a network with 16 registers: twelve sums, three pixels and one
// register of the filter. Nothing of the loop lies on the stack, and the loop over
// taps and channels of a row is one.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s

// CHECK: vbroadcastss {{.*}}, %ymm
// CHECK-NEXT: vmovaps {{.*}}, %ymm
// CHECK-NOT: rsp
// CHECK-COUNT-12: vfmadd231ps
// CHECK-NOT: {{rsp|vfmadd|mulps}}
// CHECK: cmpq $21
// CHECK-NEXT: jne

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
