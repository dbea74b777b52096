// The last stage alone: no allocation is left, inputs are not written, a function named
// like one of the C library calls that one.
//
// RUN: bquant-opt %s --bquant-llvm-pipeline | FileCheck %s

// CHECK-DAG: llvm.func @erff(f32) -> f32
// CHECK-NOT: @malloc

// CHECK-LABEL: llvm.func internal @__bquant_erff_0_generic(
// CHECK-SAME:    %{{.*}}: !llvm.ptr {llvm.dereferenceable = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.dereferenceable = 16 : i64, llvm.noalias})
// CHECK:         llvm.call @erff(

func.func @erff(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// Called and public: a copy of it is inside the caller.
// CHECK-LABEL: llvm.func internal @__bquant_caller_0_generic(
// CHECK-NOT:     @__bquant_erff
// CHECK:         llvm.call @erff(
// CHECK:         llvm.return
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @erff(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = math.absf %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// The first generic's result is read twice, so it has a place in the arena; the
// outputs are written directly.
// CHECK-LABEL: llvm.func internal @__bquant_arena(
// CHECK:         llvm.return
// CHECK-DAG: @arena_signature("{\22arena_bytes\22:128,
// CHECK-DAG: llvm.func @erff_net(
func.func @arena(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %a = math.absf %x : tensor<2x8xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = tensor.empty() : tensor<8x2xf32>
  %at = linalg.transpose ins(%a : tensor<2x8xf32>) outs(%t : tensor<8x2xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%a, %at : tensor<2x8xf32>, tensor<8x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
