// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-vectorize --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,X86
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a72" --bquant-vectorize --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ARM

// A maximum that keeps NaN, and takes +0 for more than -0: one instruction on
// AArch64. x86 has none; there three instructions a value carry what is needed
// for it, and it is put together after the last one.

// CHECK-LABEL: @pool
// X86: %[[START:.*]] = arith.constant dense<0xFF800000> : vector<32xf32>
// X86: %[[S:.*]]:3 = scf.for {{.*}} iter_args(%[[MAX:.*]] = %{{.*}}, %[[SIGNS:.*]] = %{{.*}}, %[[NAN:.*]] = %{{.*}}) -> (vector<32xf32>, vector<32xi32>, vector<32xf32>)
// X86: scf.for
// X86: %[[X:.*]] = vector.transfer_read
// X86-NEXT: %[[GREATER:.*]] = arith.cmpf ogt, %[[X]], %[[M:.*]] :
// X86-NEXT: arith.select %[[GREATER]], %[[X]], %[[M]] :
// X86-NEXT: %[[BITS:.*]] = arith.bitcast %[[X]]
// X86-NEXT: arith.andi %{{.*}}, %[[BITS]] :
// X86-NEXT: %[[IS:.*]] = arith.cmpf uno, %[[X]], %{{.*}} :
// X86-NEXT: %[[MASK:.*]] = arith.extsi %[[IS]]
// X86-NEXT: arith.bitcast %[[MASK]]
// X86-NEXT: scf.yield
// X86: arith.cmpf oeq, %[[S]]#0
// X86: %[[SIGN:.*]] = arith.andi %[[S]]#1, %{{.*}} : vector<32xi32>
// X86: arith.cmpf uno, %[[S]]#2, %[[S]]#2
// X86: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<32xi1>, vector<32xf32>
// X86-NOT: arith.maximumf
// ARM: scf.for {{.*}} -> (vector<32xf32>) {
// ARM: arith.maximumf
// ARM-NOT: arith.cmpf
func.func @pool(%x: tensor<3x3x32xf32>, %window: tensor<3x3xf32>) -> tensor<1x32xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x32xf32>
  %z = linalg.fill ins(%lowest : f32) outs(%e : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(w, c, i, j) -> (i, w + j, c)>, affine_map<(w, c, i, j) -> (i, j)>,
                       affine_map<(w, c, i, j) -> (w, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<3x3x32xf32>, tensor<3x3xf32>) outs(%z : tensor<1x32xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %0 = arith.maximumf %m, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}
