// RUN: bquant-test-opt %s --bquant-normalize-generics --bquant-sink-into-regions | FileCheck %s

#nibbles = #bquant_packed.layout.nibbles
#pairs = #bquant_test.layout.pairs
#words = #bquant_packed.layout.words

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// A layer that needs a tensor whole reads it from memory, and a sum by regions
// reads slices of it. If the regions were tensors of their own, layers that
// differ in nothing else would have different code.

// CHECK-LABEL: @after_all_regions
// CHECK-COUNT-2: math.exp
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [3, 32] [1, 1]
// CHECK:         %[[B1:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[A]] : tensor<1x4xf32>, tensor<4x32xf32>)
// CHECK:         %[[B3:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[A]] : tensor<3x4xf32>, tensor<4x32xf32>)
// CHECK:         %[[A1:.*]] = tensor.extract_slice %[[A]][0, 0] [1, 32] [1, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[A1]], %[[B1]] :
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[B3]] :
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
// CHECK-SAME:    %[[X:.*]]: tensor<1x32xf32>, %[[Y:.*]]: tensor<3x32xf32>, %{{.*}}: tensor<1x4xf32>
// CHECK:         %[[B1:.*]] = linalg.generic
// CHECK:         %[[B3:.*]] = linalg.generic
// CHECK:         %[[R1:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[B1]] :
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
// CHECK:         %[[R3:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[B3]] :
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
// CHECK:         %[[I1:.*]] = tensor.insert_slice %[[R1]] into %{{.*}}[0, 0] [1, 32] [1, 1]
// CHECK:         %[[I3:.*]] = tensor.insert_slice %[[R3]] into %[[I1]][1, 0] [3, 32] [1, 1]
// CHECK:         return %[[I3]]
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

// A concatenation that is only packed is no tensor: parts of a word are joined
// to it, and what its parts are assembled of is packed region by region.

// CHECK-LABEL: @parts_of_a_word
// CHECK-SAME:    %[[X1:.*]]: tensor<1x16xf32>, %[[X3:.*]]: tensor<3x16xf32>, %[[Y:.*]]: tensor<4x16xf32>
// CHECK-NOT:     tensor<4x32xf32>
// CHECK:         %[[B1:.*]] = linalg.generic {{.*}} ins(%[[X1]] : tensor<1x16xf32>)
// CHECK:         %[[B3:.*]] = linalg.generic {{.*}} ins(%[[X3]] : tensor<3x16xf32>)
// CHECK:         %[[BY:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<4x16xf32>)
// CHECK:         %[[P1:.*]] = bquant_packed.pack ins(%[[B1]] : tensor<1x16xi1>)
// CHECK:         %[[P3:.*]] = bquant_packed.pack ins(%[[B3]] : tensor<3x16xi1>)
// CHECK:         %[[I1:.*]] = tensor.insert_slice %[[P1]] into %{{.*}}[0, 0] [1, 1]
// CHECK:         %[[X:.*]] = tensor.insert_slice %[[P3]] into %[[I1]][1, 0] [3, 1]
// CHECK:         %[[PY:.*]] = bquant_packed.pack ins(%[[BY]] : tensor<4x16xi1>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[PY]] : tensor<4x1xi32, #words>, tensor<4x1xi32, #words>)
// CHECK-NEXT:    ^bb0(%[[LOW:.*]]: i32, %[[HIGH:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT:      %[[SHIFTED:.*]] = arith.shli %[[HIGH]], %c16_i32
// CHECK-NEXT:      arith.ori %[[LOW]], %[[SHIFTED]]
func.func @parts_of_a_word(%x1: tensor<1x16xf32>, %x3: tensor<3x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x1xi32, #words> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %e16 = tensor.empty() : tensor<4x16xf32>
  %s = tensor.insert_slice %x1 into %e16[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<4x16xf32>
  %x = tensor.insert_slice %x3 into %s[1, 0] [3, 16] [1, 1] : tensor<3x16xf32> into tensor<4x16xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x32xf32>
  %all = tensor.insert_slice %y into %a[0, 16] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x32xf32>
  %eb = tensor.empty() : tensor<4x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : tensor<4x32xf32>) outs(%eb : tensor<4x32xi1>) {
  ^bb0(%i: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<4x32xi1>
  %ew = tensor.empty() : tensor<4x1xi32, #words>
  %words = bquant_packed.pack ins(%b : tensor<4x32xi1>) outs(%ew : tensor<4x1xi32, #words>) -> tensor<4x1xi32, #words>
  return %words : tensor<4x1xi32, #words>
}

// Parts that have elements of their own in every layout are packed in their
// places, with their own thresholds; two packs may read them.

// CHECK-LABEL: @parts_of_elements
// CHECK-SAME:    %[[X:.*]]: tensor<4x64xf32>, %[[Y:.*]]: tensor<4x40xf32>, %[[T:.*]]: tensor<104xf32>
// CHECK-NOT:     tensor<4x104xf32>
// CHECK:         %[[TX:.*]] = tensor.extract_slice %[[T]][0] [64] [1]
// CHECK:         %[[BX:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[TX]] : tensor<4x64xf32>, tensor<64xf32>)
// CHECK:         %[[TY:.*]] = tensor.extract_slice %[[T]][64] [40] [1]
// CHECK:         %[[BY:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[TY]] : tensor<4x40xf32>, tensor<40xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<4x64xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[Y]] : tensor<4x40xf32>)
// CHECK:         %[[PX:.*]]:2 = bquant_packed.pack ins(%[[BX]] : tensor<4x64xi1>) outs(%{{.*}} : tensor<4x2xi32, #pairs>, tensor<4x16xi8, #nibbles>)
// CHECK:         %[[PY:.*]]:2 = bquant_packed.pack ins(%[[BY]] : tensor<4x40xi1>) outs(%{{.*}} : tensor<4x2xi32, #pairs>, tensor<4x10xi8, #nibbles>)
// CHECK:         %[[W:.*]] = tensor.insert_slice %[[PX]]#0 into %{{.*}}[0, 0] [4, 2]
// CHECK:         tensor.insert_slice %[[PY]]#0 into %[[W]][0, 2] [4, 2]
// CHECK:         %[[N:.*]] = tensor.insert_slice %[[PX]]#1 into %{{.*}}[0, 0] [4, 16]
// CHECK:         tensor.insert_slice %[[PY]]#1 into %[[N]][0, 16] [4, 10]
func.func @parts_of_elements(%x: tensor<4x64xf32>, %y: tensor<4x40xf32>, %t: tensor<104xf32>) -> (tensor<4x4xi32, #pairs>, tensor<4x26xi8, #nibbles>, tensor<4x4xi32, #words>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x104xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<4x104xf32>
  %all = tensor.insert_slice %y into %a[0, 64] [4, 40] [1, 1] : tensor<4x40xf32> into tensor<4x104xf32>
  %eb = tensor.empty() : tensor<4x104xi1>
  %b = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%all, %t : tensor<4x104xf32>, tensor<104xf32>) outs(%eb : tensor<4x104xi1>) {
  ^bb0(%i: f32, %threshold: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %threshold : f32
    linalg.yield %0 : i1
  } -> tensor<4x104xi1>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : tensor<4x104xf32>) outs(%eb : tensor<4x104xi1>) {
  ^bb0(%i: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<4x104xi1>
  %ep = tensor.empty() : tensor<4x4xi32, #pairs>
  %ew = tensor.empty() : tensor<4x4xi32, #words>
  %en = tensor.empty() : tensor<4x26xi8, #nibbles>
  %p:2 = bquant_packed.pack ins(%b : tensor<4x104xi1>) outs(%ep, %en : tensor<4x4xi32, #pairs>, tensor<4x26xi8, #nibbles>) -> tensor<4x4xi32, #pairs>, tensor<4x26xi8, #nibbles>
  %q = bquant_packed.pack ins(%c : tensor<4x104xi1>) outs(%ew : tensor<4x4xi32, #words>) -> tensor<4x4xi32, #words>
  return %p#0, %p#1, %q : tensor<4x4xi32, #pairs>, tensor<4x26xi8, #nibbles>, tensor<4x4xi32, #words>
}

// Bits of other parts of rows could not be packed by themselves: they are taken
// of the whole, where no tensor holds them.

// CHECK-LABEL: @parts_of_nibbles
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [4, 6]
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0, 6] [4, 26]
// CHECK:         linalg.generic {{.*}} ins(%[[ALL]] : tensor<4x32xf32>)
// CHECK:           arith.cmpf oge
// CHECK-NOT:       arith.cmpf
// CHECK:         bquant_packed.pack {{.*}} -> tensor<4x8xi8, #nibbles>
func.func @parts_of_nibbles(%x: tensor<4x6xf32>, %y: tensor<4x26xf32>) -> tensor<4x8xi8, #nibbles> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x32xf32>
  %all = tensor.insert_slice %y into %a[0, 6] [4, 26] [1, 1] : tensor<4x26xf32> into tensor<4x32xf32>
  %eb = tensor.empty() : tensor<4x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : tensor<4x32xf32>) outs(%eb : tensor<4x32xi1>) {
  ^bb0(%i: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<4x32xi1>
  %ew = tensor.empty() : tensor<4x8xi8, #nibbles>
  %nibbles = bquant_packed.pack ins(%b : tensor<4x32xi1>) outs(%ew : tensor<4x8xi8, #nibbles>) -> tensor<4x8xi8, #nibbles>
  return %nibbles : tensor<4x8xi8, #nibbles>
}

// Nor are they of a concatenation that something else reads, too.

// CHECK-LABEL: @also_read
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [4, 32]
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0, 32] [4, 32]
// CHECK:         linalg.generic {{.*}} ins(%[[ALL]] : tensor<4x64xf32>)
// CHECK:         return %{{.*}}, %[[ALL]]
func.func @also_read(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> (tensor<4x2xi32, #words>, tensor<4x64xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %all = tensor.insert_slice %y into %a[0, 32] [4, 32] [1, 1] : tensor<4x32xf32> into tensor<4x64xf32>
  %eb = tensor.empty() : tensor<4x64xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%all : tensor<4x64xf32>) outs(%eb : tensor<4x64xi1>) {
  ^bb0(%i: f32, %o: i1):
    %0 = arith.cmpf oge, %i, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<4x64xi1>
  %ew = tensor.empty() : tensor<4x2xi32, #words>
  %words = bquant_packed.pack ins(%b : tensor<4x64xi1>) outs(%ew : tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>
  return %words, %all : tensor<4x2xi32, #words>, tensor<4x64xf32>
}
