// RUN: bquant-opt %s --bquant-prepare-tosa | FileCheck %s
// RUN: bquant-opt %s --bquant-import-pipeline | FileCheck %s --check-prefix=IMPORT
// RUN: not bquant-opt %S/Inputs/resource.mlir --bquant-prepare-tosa 2>&1 | FileCheck %s --check-prefix=BYTES

// Upstream's folder of the slice would end the process.
// CHECK-LABEL: func.func @slice
// CHECK:         "tosa.const"() <{values = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}>
// IMPORT-LABEL: func.func @slice
// IMPORT-NOT:     tosa
// IMPORT:         return
func.func @slice() -> tensor<1xf32> {
  %c = "tosa.const"() <{values = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xf32>
  %s = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %y = tosa.slice %c, %s, %s : (tensor<2xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// What no slice reads stays where it is.
// CHECK-LABEL: func.func @other
// CHECK:         dense_resource<two>
// IMPORT-LABEL: func.func @other
// IMPORT:         arith.constant dense_resource<two>
// IMPORT-NOT:     tosa
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = "tosa.const"() <{values = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xf32>
  %y = tosa.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// IMPORT-LABEL: func.func @linalg
// IMPORT-NEXT:    linalg.exp
func.func @linalg(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = linalg.exp ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// BYTES: error: expected a resource of 'tensor<3xf32>', but got one of other bytes

{-# dialect_resources: { builtin: { two: "0x040000000000803F00000040" } } #-}
