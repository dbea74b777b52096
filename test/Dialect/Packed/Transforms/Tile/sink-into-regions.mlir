// RUN: bquant-opt %s --bquant-normalize-generics --bquant-sink-into-regions | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

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
// CHECK:         %[[I1:.*]] = tensor.insert_slice %[[R1]] into %{{.*}}[0, 0] [1, 32] [1, 1]
// CHECK:         %[[R3:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[B3]] :
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
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

// Bits of half a row could not be packed in their region: they are taken of the
// whole, where no tensor holds them.

// CHECK-LABEL: @bits_of_half_rows
// CHECK:         %[[A:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [4, 16]
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0, 16] [4, 16]
// CHECK:         linalg.generic {{.*}} ins(%[[ALL]] : tensor<4x32xf32>)
// CHECK:           arith.cmpf oge
// CHECK-NOT:       arith.cmpf
// CHECK:         bquant.pack {{.*}} -> tensor<4x1xi32>
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
