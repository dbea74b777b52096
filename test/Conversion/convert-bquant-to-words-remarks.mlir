// RUN: bquant-opt %s --convert-bquant-to-words --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: bquant-opt %s --convert-bquant-to-words=reference-fallback --bquant-verify-words --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FALLBACK

// CHECK: [Missed] NotConverted | {{.*}} | Function=groups | Reason="bquant.conv_2d: groups have no words yet"
// FALLBACK: [Missed] ReferenceRoute | {{.*}} | Function=groups | Reason="bquant.conv_2d: groups have no words yet"

// CHECK-LABEL: func @groups
// CHECK: bquant.conv_2d
// FALLBACK-LABEL: func @groups
// FALLBACK: bquant.unpack
// FALLBACK: arith.muli
func.func @groups(%x: tensor<1x4x4x2xf32>, %v: tensor<1xf32>) -> tensor<1x4x4x2xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, 1>
  %w = bquant.constant words(dense<1> : tensor<1x2x3x3x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x3x3x1, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 2
      : (!bquant.tensor<1x4x4x2, 1>, !bquant.tensor<2x3x3x1, 1>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}
