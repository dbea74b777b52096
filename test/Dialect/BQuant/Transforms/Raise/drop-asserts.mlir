// What torch-mlir writes into 1 / x: a network does not end the process it lives in.
//
// RUN: bquant-opt %s --bquant-drop-asserts \
// RUN:     --remarks-filter=bquant --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: bquant-opt %s --bquant-llvm-pipeline | FileCheck %s --check-prefix=LLVM
// RUN: bquant-opt %s --bquant-fast | FileCheck %s --check-prefix=LLVM
// RUN: bquant-opt %s --bquant-reference | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: abort
// LLVM: llvm.fdiv
// LLVM-NOT: abort

// CHECK: :[[#@LINE+13]]:5: remark: {{.*}}drop-asserts{{.*}}left out the assert "unimplemented: tensor with zero element": where it fails the program computes on
// CHECK-LABEL: func.func @reciprocal(
// CHECK-NOT:     cf.assert
// CHECK:         arith.divf
func.func @reciprocal(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x40xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x40xf32>) outs(%e : tensor<4x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %ok = arith.cmpf one, %a, %zero : f32
    cf.assert %ok, "unimplemented: tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<4x40xf32>
  return %y : tensor<4x40xf32>
}

// Outside of a loop nest too.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT:     cf.assert
func.func @plain(%x: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract %x[%c0] : tensor<1xf32>
  %ok = arith.cmpf one, %a, %zero : f32
  cf.assert %ok, "expected a number other than 0"
  return %x : tensor<1xf32>
}
