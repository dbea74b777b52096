// A depthwise convolution of bytes that do not fill a register, down to the machine:
// three rows of a column come side by side by one or two shuffles, and are summed
// with their filters.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VBMI --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=cascadelake --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI --input-file=%t.s

// Of eight results side by side there are ten columns, of two registers twenty.
// VBMI-LABEL: __bquant_f_1_layer:
// VBMI-COUNT-20: vperm{{(t2|i2)?}}b
// VBMI-NOT: vperm{{(t2|i2)?}}b
// VBMI-LABEL: .Lfunc_end
// VNNI-LABEL: __bquant_f_1_layer:
// VNNI: vpshufb{{[[:space:]]}}{{.*}}%zmm
// VNNI: vpdpbusd{{[[:space:]]}}{{.*}}%zmm
func.func @f(%x: tensor<1x10x18x32xi8>) -> tensor<1x8x16x32xi32> {
  %w = arith.constant dense<101> : tensor<3x3x32xi8>
  %z = arith.constant dense<0> : tensor<1x8x16x32xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x10x18x32xi8>, tensor<3x3x32xi8>)
      outs(%z : tensor<1x8x16x32xi32>) -> tensor<1x8x16x32xi32>
  return %0 : tensor<1x8x16x32xi32>
}
