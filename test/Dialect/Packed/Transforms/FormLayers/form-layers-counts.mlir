// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-form-layers | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-form-layers=threads=2 | FileCheck %s --check-prefix=THREADS

// What a product alone reads and is little beside it is formed with it on one
// thread: here counts of what it reads. Not what reads something else,
// which would have to stay in memory for longer.

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words
#input = affine_map<(h, w, o, i, c) -> (h + i, w * 2 + c)>
#filter = affine_map<(h, w, o, i, c) -> (o floordiv 32, i, c)>
#rows = affine_map<(h, w, i, c) -> (h + i, w * 2 + c)>
#window = affine_map<(h, w, i, c) -> (i, c)>
#points = affine_map<(h, w, i, c) -> (h, w)>
#pixel = affine_map<(h, w, o) -> (h, w)>
#id = affine_map<(h, w, o) -> (h, w, o)>
#plane = affine_map<(h, w) -> (h, w)>

// CHECK-LABEL: @counts
// CHECK-SAME: %[[X:.*]]: tensor<6x16xi32, #words>, %[[OTHER:.*]]: tensor<6x16xi32, #words>
// CHECK: %[[B:.*]] = bquant_packed.layer "" ins(%{{.*}} = %[[OTHER]] :
// CHECK: bquant_packed.layer "" ins(%[[I:.*]] = %[[X]] : tensor<6x16xi32, #words>, %{{.*}} = %[[B]] : tensor<4x8xi32>)
// CHECK: bquant_packed.product {{.*}} ins(%[[I]] :
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[I]],
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[A]],
// CHECK-NOT: bquant_packed.layer
// CHECK: return
// THREADS-LABEL: @counts
// THREADS-COUNT-3: bquant_packed.layer
// THREADS-NOT: bquant_packed.layer
func.func @counts(%x: tensor<6x16xi32, #words>, %other: tensor<6x16xi32, #words>) -> tensor<4x8x64xi32> {
  %c0 = arith.constant 0 : i32
  %w = arith.constant dense_resource<w> : tensor<2x3x2x32xi32, #blocks>
  %e = tensor.empty() : tensor<4x8x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x8x64xi32>) -> tensor<4x8x64xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<6x16xi32, #words>) filters(%w : tensor<2x3x2x32xi32, #blocks>) outs(%z : tensor<4x8x64xi32>)
      maps = [#input, #filter] -> tensor<4x8x64xi32>
  %s = tensor.empty() : tensor<4x8xi32>
  %t = linalg.fill ins(%c0 : i32) outs(%s : tensor<4x8xi32>) -> tensor<4x8xi32>
  %u = linalg.fill ins(%c0 : i32) outs(%s : tensor<4x8xi32>) -> tensor<4x8xi32>
  %k = tensor.empty() : tensor<3x2xi32>
  %a = linalg.generic {indexing_maps = [#rows, #window, #points], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %k : tensor<6x16xi32, #words>, tensor<3x2xi32>) outs(%t : tensor<4x8xi32>) {
  ^bb0(%i: i32, %j: i32, %o: i32):
    %n = math.ctpop %i : i32
    %m = arith.addi %o, %n : i32
    linalg.yield %m : i32
  } -> tensor<4x8xi32>
  %b = linalg.generic {indexing_maps = [#rows, #window, #points], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%other, %k : tensor<6x16xi32, #words>, tensor<3x2xi32>) outs(%u : tensor<4x8xi32>) {
  ^bb0(%i: i32, %j: i32, %o: i32):
    %n = math.ctpop %i : i32
    %m = arith.addi %o, %n : i32
    linalg.yield %m : i32
  } -> tensor<4x8xi32>
  %r = linalg.generic {indexing_maps = [#id, #pixel, #pixel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %a, %b : tensor<4x8x64xi32>, tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8x64xi32>) {
  ^bb0(%i: i32, %j: i32, %l: i32, %o: i32):
    %n = arith.subi %i, %j : i32
    %m = arith.subi %n, %l : i32
    linalg.yield %m : i32
  } -> tensor<4x8x64xi32>
  return %r : tensor<4x8x64xi32>
}

