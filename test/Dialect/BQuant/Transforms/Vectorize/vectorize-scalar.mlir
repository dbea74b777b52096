// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-vectorize=strategy=scalar --canonicalize --cse | FileCheck %s

// Five words a channel: pairs in an i64, and the last one alone. What follows
// is vectors again.

// CHECK-LABEL: @tile
// CHECK: %[[P:.*]] = scf.for %[[O:.*]] = %c0 to %c32
// CHECK: scf.for %[[C:.*]] = %c0 to %c4 step %c2
// CHECK: tensor.extract %{{.*}}[%[[O]], %[[C]]]
// CHECK: %[[X:.*]] = arith.xori %{{.*}}, %{{.*}} : i64
// CHECK: math.ctpop %[[X]] : i64
// CHECK: math.ctpop %{{.*}} : i32
// CHECK: tensor.insert
// CHECK: vector.transfer_read %[[P]]
// CHECK: arith.muli %{{.*}} : vector<32xi32>
// CHECK-NOT: linalg
func.func @tile(%x: tensor<1x5xi32>, %w: tensor<32x5xi32>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, o, c) -> (m, c)>, affine_map<(m, o, c) -> (o, c)>, affine_map<(m, o, c) -> (m, o)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x5xi32>, tensor<32x5xi32>) outs(%z : tensor<1x32xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %0 = arith.xori %a, %b : i32
    %1 = math.ctpop %0 : i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, o) -> (m, o)>, affine_map<(m, o) -> (m, o)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.muli %a, %c2 : i32
    linalg.yield %0 : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}

// A filter of equal words was folded into the body: a pair of them is
// 7 * (2^32 + 1), the last one 7.
// CHECK-LABEL: @splat
// CHECK-DAG: %[[PAIR:.*]] = arith.constant 30064771079 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 7 : i32
// CHECK: arith.xori %{{.*}}, %[[PAIR]] : i64
// CHECK: arith.xori %{{.*}}, %[[ONE]] : i32
// CHECK-NOT: linalg
func.func @splat(%x: tensor<1x5xi32>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c7 = arith.constant 7 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, o, c) -> (m, c)>, affine_map<(m, o, c) -> (m, o)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x5xi32>) outs(%z : tensor<1x32xi32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.xori %a, %c7 : i32
    %1 = math.ctpop %0 : i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, o) -> (m, o)>, affine_map<(m, o) -> (m, o)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.muli %a, %c2 : i32
    linalg.yield %0 : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}
