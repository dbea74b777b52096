// RUN: bquant-opt %s --split-input-file --bquant-drop-residues --canonicalize --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

#id = affine_map<(i, j) -> (i, j)>

// As frameworks write it, an op for each operation.
// CHECK-LABEL: func @apart
// CHECK-SAME: (%[[Y:.*]]: tensor<2x8xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Y]]
// CHECK: math.roundeven
// CHECK-NOT: arith
// CHECK: return %[[R]]
// REMARK: [Passed] drop-residue {{.*}}a straight-through residue (q - c) + c is taken for q
func.func @apart(%y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.roundeven %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x8xf32>
  return %q : tensor<2x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Fused, and scaled behind it; y - (y - q) is one, too.
// CHECK-LABEL: func @fused
// CHECK: %[[R:.*]] = math.floor %[[Y:.*]] : f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[R]], %{{.*}} : f32
// CHECK-NEXT: linalg.yield %[[S]]
// REMARK: [Passed] drop-residue {{.*}}is taken for q
func.func @fused(%y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = math.floor %a : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.subf %a, %1 : f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x8xf32>
  return %q : tensor<2x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// PACT's clamp, in either order of its sums; not with another number.
// CHECK-LABEL: func @clamp_by_magnitudes
// CHECK-SAME: (%[[X:.*]]: tensor<2x8xf32>)
// CHECK: %[[Z:.*]]:2 = linalg.generic
// CHECK: math.absf
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]]
// CHECK: %[[M:.*]] = arith.minimumf %{{.*}}, %[[A:.*]] : f32
// CHECK-NEXT: arith.maximumf %[[M]], %[[ZERO:.*]] : f32
// CHECK: return %[[Y]], %[[Z]]#1
// REMARK: [Passed] use-clamp {{.*}}0.5 * (|x| - |x - a| + a) is taken for clamp(x, 0, a)
func.func @clamp_by_magnitudes(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %a = arith.constant 2.5 : f32
  %b = arith.constant 2.4 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %y:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x8xf32>) outs(%e, %e : tensor<2x8xf32>, tensor<2x8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %0 = math.absf %in : f32
    %1 = arith.subf %in, %a : f32
    %2 = math.absf %1 : f32
    %3 = arith.subf %0, %2 : f32
    %4 = arith.addf %a, %3 : f32
    %5 = arith.mulf %4, %half : f32
    %6 = arith.addf %3, %b : f32
    %7 = arith.mulf %half, %6 : f32
    linalg.yield %5, %7 : f32, f32
  } -> (tensor<2x8xf32>, tensor<2x8xf32>)
  return %y#0, %y#1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// x is another result of the op: the clamp comes after it.
// CHECK-LABEL: func @clamp_of_another_result
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]]#0 :
// CHECK: arith.minimumf
// CHECK: arith.maximumf
// CHECK: return %[[R]]#0, %[[Y]]
// REMARK: [Passed] use-clamp
func.func @clamp_of_another_result(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e, %e : tensor<2x8xf32>, tensor<2x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o0: f32, %o1: f32):
    %x = arith.addf %p, %q : f32
    %0 = math.absf %x : f32
    %1 = arith.subf %x, %one : f32
    %2 = math.absf %1 : f32
    %3 = arith.subf %0, %2 : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %4, %half : f32
    linalg.yield %x, %5 : f32, f32
  } -> (tensor<2x8xf32>, tensor<2x8xf32>)
  return %r#0, %r#1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What is not rounded, and what another number is taken from.
// CHECK-LABEL: func @no_residue
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: math.roundeven
// CHECK: arith.subf
// CHECK: arith.addf
// REMARK-NOT: drop-residue
func.func @no_residue(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %e = tensor.empty() : tensor<2x8xf32>
  %p, %q = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e, %e : tensor<2x8xf32>, tensor<2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %n: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %0, %b : f32
    %2 = math.roundeven %a : f32
    %3 = arith.subf %2, %a : f32
    %4 = arith.addf %3, %b : f32
    linalg.yield %1, %4 : f32, f32
  } -> (tensor<2x8xf32>, tensor<2x8xf32>)
  return %p, %q : tensor<2x8xf32>, tensor<2x8xf32>
}
