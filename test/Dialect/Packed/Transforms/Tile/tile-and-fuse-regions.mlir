// Ops that are done region by region.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-tile-and-fuse | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// What a layer needs whole lies in memory when its regions come: a sum of both
// reads slices of it. Were they tensors of their own, layers that differ in
// nothing else would have other code.

// CHECK-LABEL: @after_all_regions
// CHECK-COUNT-2: math.exp
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [3, 32] [1, 1]
// CHECK-DAG:     %[[A3:.*]] = tensor.extract_slice %[[A]][1, 0] [3, 32] [1, 1]
// CHECK-DAG:     %[[A1:.*]] = tensor.extract_slice %[[A]][0, 0] [1, 32] [1, 1]
// CHECK:         %[[T1:.*]] = tensor.extract_slice %[[A1]][0, 0] [1, 32] [1, 1]
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[T1]], %{{.*}} :
// CHECK:         %[[T3:.*]] = tensor.extract_slice %[[A3]][0, 0] [3, 32] [1, 1]
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[T3]], %{{.*}} :
func.func @after_all_regions(%x: tensor<1x32xf32>, %y: tensor<3x32xf32>, %v: tensor<1x4xf32>, %w: tensor<3x4xf32>) -> tensor<4x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %e1 = tensor.empty() : tensor<1x32xf32>
  %e3 = tensor.empty() : tensor<3x32xf32>
  %a1 = linalg.exp ins(%x : tensor<1x32xf32>) outs(%e1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %a3 = linalg.exp ins(%y : tensor<3x32xf32>) outs(%e3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %s = tensor.insert_slice %a1 into %e[0, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<4x32xf32>
  %a = tensor.insert_slice %a3 into %s[1, 0] [3, 32] [1, 1] : tensor<3x32xf32> into tensor<4x32xf32>
  %z1 = linalg.fill ins(%c0 : f32) outs(%e1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %z3 = linalg.fill ins(%c0 : f32) outs(%e3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %b1 = linalg.matmul ins(%v, %a : tensor<1x4xf32>, tensor<4x32xf32>) outs(%z1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %b3 = linalg.matmul ins(%w, %a : tensor<3x4xf32>, tensor<4x32xf32>) outs(%z3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %t = tensor.insert_slice %b1 into %e[0, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<4x32xf32>
  %b = tensor.insert_slice %b3 into %t[1, 0] [3, 32] [1, 1] : tensor<3x32xf32> into tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x32xf32>, tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// Regions that need nothing of each other are done together.

// CHECK-LABEL: @beside
// CHECK:         arith.mulf
// CHECK:         math.exp
// CHECK-NEXT:    arith.addf
// CHECK:         arith.mulf
// CHECK:         math.exp
// CHECK-NEXT:    arith.addf
func.func @beside(%x: tensor<1x32xf32>, %y: tensor<3x32xf32>, %v: tensor<1x4xf32>, %w: tensor<3x4xf32>, %u: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %e1 = tensor.empty() : tensor<1x32xf32>
  %e3 = tensor.empty() : tensor<3x32xf32>
  %a1 = linalg.exp ins(%x : tensor<1x32xf32>) outs(%e1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %a3 = linalg.exp ins(%y : tensor<3x32xf32>) outs(%e3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %s = tensor.insert_slice %a1 into %e[0, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<4x32xf32>
  %a = tensor.insert_slice %a3 into %s[1, 0] [3, 32] [1, 1] : tensor<3x32xf32> into tensor<4x32xf32>
  %z1 = linalg.fill ins(%c0 : f32) outs(%e1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %z3 = linalg.fill ins(%c0 : f32) outs(%e3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %b1 = linalg.matmul ins(%v, %u : tensor<1x4xf32>, tensor<4x32xf32>) outs(%z1 : tensor<1x32xf32>) -> tensor<1x32xf32>
  %b3 = linalg.matmul ins(%w, %u : tensor<3x4xf32>, tensor<4x32xf32>) outs(%z3 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %t = tensor.insert_slice %b1 into %e[0, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<4x32xf32>
  %b = tensor.insert_slice %b3 into %t[1, 0] [3, 32] [1, 1] : tensor<3x32xf32> into tensor<4x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x32xf32>, tensor<4x32xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<4x32xf32>
  return %r : tensor<4x32xf32>
}

// Two chains of the same regions are two places of one loop.

// CHECK-LABEL: @two_chains
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x64xf32>, %[[Z:[a-z0-9]+]]: tensor<3x64xf32>, %[[A:[a-z0-9]+]]: tensor<4x64xf32>, %[[B:[a-z0-9]+]]: tensor<4x64xf32>
// CHECK: %[[R:.*]]:2 = scf.forall {{.*}} shared_outs(%{{.*}} = %[[B]], %{{.*}} = %[[A]])
// CHECK:   arith.addf
// CHECK:   arith.mulf
// CHECK-NOT: scf.forall (
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @two_chains(%x: tensor<1x64xf32>, %z: tensor<3x64xf32>, %a: tensor<4x64xf32>, %b: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %e = tensor.empty() : tensor<1x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x64xf32>) outs(%e : tensor<1x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %i, %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x64xf32>
  %f = tensor.empty() : tensor<3x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<3x64xf32>) outs(%f : tensor<3x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.mulf %i, %i : f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %a0 = tensor.insert_slice %y into %a[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %a1 = tensor.insert_slice %w into %a0[1, 0] [3, 64] [1, 1] : tensor<3x64xf32> into tensor<4x64xf32>
  %b0 = tensor.insert_slice %y into %b[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %b1 = tensor.insert_slice %w into %b0[1, 0] [3, 64] [1, 1] : tensor<3x64xf32> into tensor<4x64xf32>
  return %a1, %b1 : tensor<4x64xf32>, tensor<4x64xf32>
}

// The second chain begins with what comes after the first one: it stays.

// CHECK-LABEL: @begins_later
// CHECK: %[[R:.*]] = scf.forall
// CHECK:   arith.addf
// CHECK:   arith.mulf
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape
// CHECK: %[[INIT:.*]] = tensor.expand_shape %[[FLAT]]
// CHECK: %[[B0:.*]] = tensor.insert_slice %{{.*}} into %[[INIT]]
// CHECK: %[[B1:.*]] = tensor.insert_slice %{{.*}} into %[[B0]]
// CHECK: return %[[R]], %[[B1]]
func.func @begins_later(%x: tensor<1x64xf32>, %z: tensor<3x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %e = tensor.empty() : tensor<1x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x64xf32>) outs(%e : tensor<1x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.addf %i, %i : f32
    linalg.yield %0 : f32
  } -> tensor<1x64xf32>
  %f = tensor.empty() : tensor<3x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<3x64xf32>) outs(%f : tensor<3x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %0 = arith.mulf %i, %i : f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %a = tensor.empty() : tensor<4x64xf32>
  %a0 = tensor.insert_slice %y into %a[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %a1 = tensor.insert_slice %w into %a0[1, 0] [3, 64] [1, 1] : tensor<3x64xf32> into tensor<4x64xf32>
  %et = tensor.empty() : tensor<64x4xf32>
  %t = linalg.transpose ins(%a1 : tensor<4x64xf32>) outs(%et : tensor<64x4xf32>) permutation = [1, 0]
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<64x4xf32> into tensor<256xf32>
  %b = tensor.expand_shape %flat [[0, 1]] output_shape [4, 64] : tensor<256xf32> into tensor<4x64xf32>
  %b0 = tensor.insert_slice %y into %b[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %b1 = tensor.insert_slice %w into %b0[1, 0] [3, 64] [1, 1] : tensor<3x64xf32> into tensor<4x64xf32>
  return %a1, %b1 : tensor<4x64xf32>, tensor<4x64xf32>
}

#pixel = affine_map<(i, j, k) -> (i, k)>
#channels32 = affine_map<(i, j, k) -> (j floordiv 32, k)>
#channels64 = affine_map<(i, j, k) -> (j floordiv 64, k)>

// Kernels of other channels have other tiles: the product of the second region is
// a layer of its own.

// CHECK-LABEL: @kernels_of_other_channels
// CHECK: bquant.packed_product kernel(#bquant.table<{{.*}} -> tensor<3x64xi32>
// CHECK: scf.forall (%{{.*}}) = (0) to (64) step (32)
// CHECK:   bquant.packed_product kernel(#bquant.popcount<{{.*}} -> tensor<1x32xi32>
// CHECK:   arith.sitofp
// CHECK:   arith.sitofp
func.func @kernels_of_other_channels(%x: tensor<1x17xi32>, %y: tensor<3x17xi8>, %v: tensor<2x17x32xi32>, %w: tensor<1x17x64xi8>) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : i32
  %e1 = tensor.empty() : tensor<1x64xi32>
  %z1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x64xi32>) -> tensor<1x64xi32>
  %p1 = bquant.packed_product kernel(#bquant.popcount<rows = 4, channels = 32, bits = 512>)
      ins(%x : tensor<1x17xi32>) filters(%v : tensor<2x17x32xi32>) outs(%z1 : tensor<1x64xi32>) maps = [#pixel, #channels32] -> tensor<1x64xi32>
  %f1 = tensor.empty() : tensor<1x64xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p1 : tensor<1x64xi32>) outs(%f1 : tensor<1x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %0 = arith.sitofp %i : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x64xf32>
  %e3 = tensor.empty() : tensor<3x64xi32>
  %z3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<3x64xi32>) -> tensor<3x64xi32>
  %p3 = bquant.packed_product kernel(#bquant.table<rows = 4, channels = 64, bits = 512>)
      ins(%y : tensor<3x17xi8>) filters(%w : tensor<1x17x64xi8>) outs(%z3 : tensor<3x64xi32>) maps = [#pixel, #channels64] -> tensor<3x64xi32>
  %f3 = tensor.empty() : tensor<3x64xf32>
  %r3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p3 : tensor<3x64xi32>) outs(%f3 : tensor<3x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %0 = arith.sitofp %i : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %e = tensor.empty() : tensor<4x64xf32>
  %s0 = tensor.insert_slice %r1 into %e[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
  %s1 = tensor.insert_slice %r3 into %s0[1, 0] [3, 64] [1, 1] : tensor<3x64xf32> into tensor<4x64xf32>
  return %s1 : tensor<4x64xf32>
}

// Bits of half a row could not be packed in their region: they are taken of the
// whole, where no tensor holds them.

// CHECK-LABEL: @bits_of_half_rows
// CHECK: %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [4, 16]
// CHECK: %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0, 16] [4, 16]
// CHECK: tensor.extract_slice %[[ALL]][0, 0] [4, 32]
// CHECK: arith.cmpf oge
// CHECK-NOT: arith.cmpf
// CHECK: bquant.pack {{.*}} -> tensor<4x1xi32>
func.func @bits_of_half_rows(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x1xi32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x32xf32>
  %all = tensor.insert_slice %y into %a[0, 16] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x32xf32>
  %eb = tensor.empty() : tensor<4x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : tensor<4x32xf32>) outs(%eb : tensor<4x32xi1>) {
  ^bb0(%i: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<4x32xi1>
  %ew = tensor.empty() : tensor<4x1xi32>
  %words = bquant.pack layout = words ins(%b : tensor<4x32xi1>) outs(%ew : tensor<4x1xi32>) -> tensor<4x1xi32>
  return %words : tensor<4x1xi32>
}
