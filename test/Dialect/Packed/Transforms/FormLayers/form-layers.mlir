// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-form-layers --bquant-name-layers | FileCheck %s

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#blocks1 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 64, parts = 2>
#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

#id = affine_map<(i, j) -> (i, j)>
#three = affine_map<(i, j, k) -> (i, j, k)>
#pixel = affine_map<(i, j, k) -> (i, k)>
#channels32 = affine_map<(i, j, k) -> (j floordiv 32, k)>
#channels64 = affine_map<(i, j, k) -> (j floordiv 64, k)>

// Two chains of the same regions are two places of one layer, which writes to what
// they are inserted into.

// CHECK-LABEL: @two_chains
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<1x64xf32>, %[[Z:[a-z0-9]+]]: tensor<3x64xf32>, %[[A:[a-z0-9]+]]: tensor<4x64xf32>, %[[B:[a-z0-9]+]]: tensor<4x64xf32>
// CHECK:         %[[R:.*]]:2 = bquant_packed.layer "layer" ins(%{{.*}} = %[[X]] : tensor<1x64xf32>, %{{.*}} = %[[Z]] : tensor<3x64xf32>) outs(%[[O:.*]] = %[[B]] : tensor<4x64xf32>, %[[P:.*]] = %[[A]] : tensor<4x64xf32>) {
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:           %[[A0:.*]] = tensor.insert_slice %{{.*}} into %[[P]][0, 0] [1, 64] [1, 1]
// CHECK-NEXT:      %[[A1:.*]] = tensor.insert_slice %{{.*}} into %[[A0]][1, 0] [3, 64] [1, 1]
// CHECK-NEXT:      %[[B0:.*]] = tensor.insert_slice %{{.*}} into %[[O]][0, 0] [1, 64] [1, 1]
// CHECK-NEXT:      %[[B1:.*]] = tensor.insert_slice %{{.*}} into %[[B0]][1, 0] [3, 64] [1, 1]
// CHECK-NEXT:      bquant_packed.yield %[[B1]], %[[A1]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]#1, %[[R]]#0
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

// The second chain begins with what comes after the first one: it stays, and reads
// parts of what the layer gives. A transposition is a layer of its own.

// CHECK-LABEL: @begins_later
// CHECK:         %[[R:.*]] = bquant_packed.layer "layer"
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:         }
// CHECK-DAG:     %[[R1:.*]] = tensor.extract_slice %[[R]][0, 0] [1, 64] [1, 1]
// CHECK-DAG:     %[[R3:.*]] = tensor.extract_slice %[[R]][1, 0] [3, 64] [1, 1]
// CHECK:         %[[T:.*]] = bquant_packed.layer "layer" ins(%{{.*}} = %[[R]] : tensor<4x64xf32>)
// CHECK:           linalg.transpose
// CHECK:         }
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[T]]
// CHECK:         %[[INIT:.*]] = tensor.expand_shape %[[FLAT]]
// CHECK:         %[[B0:.*]] = tensor.insert_slice %[[R1]] into %[[INIT]]
// CHECK:         %[[B1:.*]] = tensor.insert_slice %[[R3]] into %[[B0]]
// CHECK:         return %[[R]], %[[B1]]
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

// Kernels of other channels have other tiles: the product of the second region is
// a layer of its own.

// CHECK-LABEL: @kernels_of_other_channels
// CHECK:         %[[P:.*]] = bquant_packed.layer "layer"
// CHECK:           bquant_packed.product kernel(#bquant_packed.table<{{.*}} -> tensor<3x64xi32>
// CHECK:         bquant_packed.layer "layer" ins({{.*}}, %{{.*}} = %[[P]] : tensor<3x64xi32>)
// CHECK:           bquant_packed.product kernel(#bquant_packed.popcount<{{.*}} -> tensor<1x64xi32>
// CHECK:           arith.sitofp
// CHECK:           arith.sitofp
func.func @kernels_of_other_channels(%x: tensor<1x17xi32, #words>, %y: tensor<3x17xi8, #nibbles>, %v: tensor<2x17x32xi32, #blocks>, %w: tensor<1x17x64xi8, #blocks1>) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : i32
  %e1 = tensor.empty() : tensor<1x64xi32>
  %z1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x64xi32>) -> tensor<1x64xi32>
  %p1 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 32, bits = 512>)
      ins(%x : tensor<1x17xi32, #words>) filters(%v : tensor<2x17x32xi32, #blocks>) outs(%z1 : tensor<1x64xi32>) maps = [#pixel, #channels32] -> tensor<1x64xi32>
  %f1 = tensor.empty() : tensor<1x64xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p1 : tensor<1x64xi32>) outs(%f1 : tensor<1x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %0 = arith.sitofp %i : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x64xf32>
  %e3 = tensor.empty() : tensor<3x64xi32>
  %z3 = linalg.fill ins(%c0 : i32) outs(%e3 : tensor<3x64xi32>) -> tensor<3x64xi32>
  %p3 = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 512>)
      ins(%y : tensor<3x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks1>) outs(%z3 : tensor<3x64xi32>) maps = [#pixel, #channels64] -> tensor<3x64xi32>
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

// The domain of a pack is in elements and that of the op beside it in words: they
// are no regions of one layer.

// CHECK-LABEL: @word_beside_pack
// CHECK:         %[[B:.*]] = bquant_packed.layer "layer"
// CHECK:           bquant_packed.pack
// CHECK:           bquant_packed.yield %{{.*}} : tensor<4x1xi32, #words>
// CHECK:         %[[R:.*]] = bquant_packed.layer "layer"
// CHECK:           arith.shli
// CHECK:           bquant_packed.yield %{{.*}} : tensor<4x1xi32, #words>
// CHECK:         %[[S0:.*]] = tensor.insert_slice %[[B]] into %{{.*}}[0, 0] [4, 1] [1, 1]
// CHECK:         tensor.insert_slice %[[R]] into %[[S0]][0, 1] [4, 1] [1, 1]
func.func @word_beside_pack(%x: tensor<4x32xi1>, %y: tensor<4x1xi32, #words>) -> tensor<4x2xi32> {
  %c16 = arith.constant 16 : i32
  %e = tensor.empty() : tensor<4x1xi32, #words>
  %b = bquant_packed.pack ins(%x : tensor<4x32xi1>) outs(%e : tensor<4x1xi32, #words>) -> tensor<4x1xi32, #words>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x1xi32, #words>) outs(%e : tensor<4x1xi32, #words>) {
  ^bb0(%i: i32, %o: i32):
    %0 = arith.shli %i, %c16 : i32
    linalg.yield %0 : i32
  } -> tensor<4x1xi32, #words>
  %s = tensor.empty() : tensor<4x2xi32>
  %s0 = tensor.insert_slice %b into %s[0, 0] [4, 1] [1, 1] : tensor<4x1xi32, #words> into tensor<4x2xi32>
  %s1 = tensor.insert_slice %r into %s0[0, 1] [4, 1] [1, 1] : tensor<4x1xi32, #words> into tensor<4x2xi32>
  return %s1 : tensor<4x2xi32>
}

// What computes a filter of constants is in each layer that reads it, and a layer
// of its own for others.

// CHECK-LABEL: @computed_filter
// CHECK:         %[[F:.*]] = bquant_packed.layer "layer" outs(%{{.*}} = %{{.*}} : tensor<1x1x32xi32, #{{[a-z0-9_]+}}>) {
// CHECK:           arith.xori
// CHECK:         }
// CHECK:         bquant_packed.layer "first" ins(%{{.*}} = %{{.*}} : tensor<3x1xi32, #words>) outs
// CHECK:           arith.xori
// CHECK:           bquant_packed.product
// CHECK:         bquant_packed.layer "second" ins(%{{.*}} = %{{.*}} : tensor<3x1xi32, #words>) outs
// CHECK:           arith.xori
// CHECK:           bquant_packed.product
func.func @computed_filter(%x: tensor<3x1xi32, #words>, %y: tensor<3x1xi32, #words>) -> (tensor<3x32xi32>, tensor<3x32xi32>, tensor<1x1x32xi32, #blocks>) {
  %c0 = arith.constant 0 : i32
  %stored = arith.constant dense<5> : tensor<1x1x32xi32, #blocks>
  %ef = tensor.empty() : tensor<1x1x32xi32, #blocks>
  %f = linalg.generic {indexing_maps = [#three, #three], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%stored : tensor<1x1x32xi32, #blocks>) outs(%ef : tensor<1x1x32xi32, #blocks>) {
  ^bb0(%i: i32, %o: i32):
    %0 = arith.xori %i, %i : i32
    linalg.yield %0 : i32
  } -> tensor<1x1x32xi32, #blocks>
  %e = tensor.empty() : tensor<3x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<3x32xi32>) -> tensor<3x32xi32>
  %z2 = linalg.fill ins(%c0 : i32) outs(%e : tensor<3x32xi32>) -> tensor<3x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 32, bits = 512>)
      ins(%x : tensor<3x1xi32, #words>) filters(%f : tensor<1x1x32xi32, #blocks>) outs(%z : tensor<3x32xi32>) maps = [#pixel, #channels32] -> tensor<3x32xi32> loc("first")
  %q = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 32, bits = 512>)
      ins(%y : tensor<3x1xi32, #words>) filters(%f : tensor<1x1x32xi32, #blocks>) outs(%z2 : tensor<3x32xi32>) maps = [#pixel, #channels32] -> tensor<3x32xi32> loc("second")
  return %p, %q, %f : tensor<3x32xi32>, tensor<3x32xi32>, tensor<1x1x32xi32, #blocks>
}

// An op that is not tiled is a layer of its own, with what it starts from, or
// changes a tensor in place.

// CHECK-LABEL: @rest
// CHECK-SAME:    %[[X:.*]]: tensor<9xf32>, %[[A:.*]]: tensor<f32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<f32>
// CHECK:         %[[S:.*]] = bquant_packed.layer "layer" ins(%[[I:.*]] = %[[X]] : tensor<9xf32>) outs(%{{.*}} = %[[E]] : tensor<f32>) {
// CHECK:           %[[Z:.*]] = linalg.fill
// CHECK:           linalg.reduce {{.*}} ins(%[[I]] : tensor<9xf32>) outs(%[[Z]] :
// CHECK:         }
// CHECK:         %[[T:.*]] = bquant_packed.layer "layer" ins(%[[J:.*]] = %[[X]] : tensor<9xf32>) outs(%[[O:.*]] = %[[A]] : tensor<f32>) {
// CHECK:           linalg.reduce {{.*}} ins(%[[J]] : tensor<9xf32>) outs(%[[O]] :
// CHECK:         }
// CHECK:         return %[[S]], %[[T]]
func.func @rest(%x: tensor<9xf32>, %a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<9xf32>) outs(%z : tensor<f32>) dimensions = [0]
  %t = linalg.reduce { arith.addf } ins(%x : tensor<9xf32>) outs(%a : tensor<f32>) dimensions = [0]
  return %s, %t : tensor<f32>, tensor<f32>
}

// What an op starts from is made in another block: it stays there.

// CHECK-LABEL: @fill_of_another_block
// CHECK:         %[[Z:.*]] = linalg.fill
// CHECK:         cf.cond_br
// CHECK:         bquant_packed.layer "layer" ins({{.*}} = %[[Z]] : tensor<4x32xf32>) outs(
// CHECK-NOT:       linalg.fill
// CHECK:           linalg.matmul
func.func @fill_of_another_block(%p: i1, %x: tensor<4x32xf32>, %w: tensor<32x32xf32>) -> tensor<4x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  cf.cond_br %p, ^product, ^input
^product:
  %y = linalg.matmul ins(%x, %w : tensor<4x32xf32>, tensor<32x32xf32>) outs(%z : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
^input:
  return %x : tensor<4x32xf32>
}
