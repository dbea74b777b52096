// A global's own syntax has no room for the type of its elements.
// RUN: bquant-opt %s --bquant-drop-layouts --mlir-print-op-generic | FileCheck %s

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 4, lanes = 4>
#words = #bquant_packed.layout.words

// A resource, dense elements and one value for all; other encodings stay.
// CHECK-DAG: initial_value = dense_resource<filter> : tensor<1x1x4xi32>, sym_name = "resource"
// CHECK-DAG: initial_value = dense<{{\[\[}}1], [2]]> : tensor<2x1xi32>, sym_name = "dense"
// CHECK-DAG: initial_value = dense<3> : tensor<2x1xi32>, sym_name = "splat"
// CHECK-DAG: initial_value = dense<4> : tensor<2x1xi32, "other">, sym_name = "other"
// CHECK-DAG: initial_value, sym_name = "uninitialized"
"memref.global"() <{constant, initial_value = dense_resource<filter> : tensor<1x1x4xi32, #blocks>, sym_name = "resource", type = memref<1x1x4xi32>}> : () -> ()
"memref.global"() <{constant, initial_value = dense<[[1], [2]]> : tensor<2x1xi32, #words>, sym_name = "dense", type = memref<2x1xi32>}> : () -> ()
"memref.global"() <{constant, initial_value = dense<3> : tensor<2x1xi32, #words>, sym_name = "splat", type = memref<2x1xi32>}> : () -> ()
"memref.global"() <{constant, initial_value = dense<4> : tensor<2x1xi32, "other">, sym_name = "other", type = memref<2x1xi32>}> : () -> ()
"memref.global"() <{initial_value, sym_name = "uninitialized", type = memref<2x1xi32>}> : () -> ()

{-#
  dialect_resources: { builtin: { filter: "0x0400000001000000020000000300000004000000" } }
#-}
