// RUN: bquant-opt %s --convert-bquant-to-reference --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: bquant-opt %s --convert-bquant-to-packed --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s

// What neither lowering can take stays, and says why.
// CHECK: remark: [Missed] not-converted | Category:bquant | Function=online {{.*}}bquant.quantize: this scheme is solved at compile time only
// CHECK: remark: [Missed] not-converted | Category:bquant | Function=dynamic {{.*}}bquant.quantize: scalars of a dynamic shape are not solved at run time
// CHECK-LABEL: func @online
// CHECK: bquant.quantize {{.*}} scheme
func.func @online(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %q = bquant.quantize %x scheme(<ls, 3>)
      : tensor<2x3xf32> -> !bquant.tensor<2x3, 3>
  %0 = bquant.dequantize %q : !bquant.tensor<2x3, 3> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @dynamic
// CHECK: bquant.quantize {{.*}} scheme
func.func @dynamic(%x: tensor<?x3xf32>) {
  %q = bquant.quantize %x scheme(<ls, 1>)
      : tensor<?x3xf32> -> !bquant.tensor<?x3, 1, axes = [0]>
  return
}
