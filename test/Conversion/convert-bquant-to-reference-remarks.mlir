// RUN: bquant-opt %s --convert-bquant-to-reference --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s

// What has no reference stays, and says why.
// CHECK: remark: [Missed] NotConverted | Category:bquant | Function=online {{.*}}bquant.quantize: scalars that are solved at run time are not converted
// CHECK-LABEL: func @online
// CHECK: bquant.quantize {{.*}} scheme
func.func @online(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = bquant.quantize %x scheme(<ls, 1>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 1>
  %0 = bquant.dequantize %q : !bquant.tensor<2x3, 1> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
