// Pools behind products.
//
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers \
// RUN:   --bquant-tile-pipeline --bquant-inline-layers --canonicalize --cse | FileCheck %s
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers=threads=2 \
// RUN:   --bquant-tile-pipeline=threads=2 --bquant-inline-layers --canonicalize --cse | FileCheck %s --check-prefix=THREADS

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words
#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 32, i, j)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#window = affine_map<(n, h, w, o, i, j) -> (n, h * 2 + i, w * 2 + j, o)>
#size = affine_map<(n, h, w, o, i, j) -> (i, j)>
#pooled = affine_map<(n, h, w, o, i, j) -> (n, h, w, o)>

// One loop over the pool's rows: the row that two windows share goes to the
// front, the product makes the two behind it, and the pool reads these three.

// CHECK-LABEL: @pool
// CHECK: scf.forall (%[[OC:.*]]) = (0) to (64) step (32)
// CHECK:   %[[F:.*]] = linalg.fill {{.*}} -> tensor<1x3x15x32xf32>
// CHECK:   scf.for %[[R:.*]] = %c0 to %c8 step %c1 iter_args(%{{.*}} = %{{.*}}, %[[W:.*]] = %[[F]])
// CHECK:     %[[LAST:.*]] = tensor.extract_slice %[[W]][0, 2, 0, 0] [1, 1, 15, 32]
// CHECK:     %[[W0:.*]] = tensor.insert_slice %[[LAST]] into %[[W]][0, 0, 0, 0]
// CHECK:     %[[W1:.*]] = scf.for %[[I:.*]] = %c0 to %c2 step %c1 iter_args(%{{.*}} = %[[W0]])
// CHECK:       %[[TO:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK:       scf.for
// CHECK:         %[[ROW:.*]] = affine.apply #{{.*}}()[%[[I]], %[[R]]]
// CHECK:         tensor.extract_slice %{{.*}}[0, %[[ROW]], %{{.*}}] [1, 3, 9]
// CHECK:         bquant_packed.product
// CHECK:         arith.sitofp
// CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[0, %[[TO]], 1, 0] [1, 1, 14, 32]
// CHECK:     tensor.extract_slice %[[W1]][0, 0, 0, 0] [1, 3, 9, 32]
// CHECK:     arith.maximumf
// CHECK:     tensor.extract_slice %[[W1]][0, 0, 8, 0] [1, 3, 7, 32]
// CHECK-NOT: bquant_packed.product

// For more threads rows are cut in two: the second half computes the row in front
// of it anew, number 7 of the product.

// THREADS-LABEL: @pool
// THREADS: scf.forall {{.*}} to (64) step (32)
// THREADS:   scf.for {{.*}} to %c4 step
// THREADS:   bquant_packed.product
// THREADS:   tensor.parallel_insert_slice %{{.*}} into %{{.*}}[0, 0, 0, %{{.*}}] [1, 4, 7, 32]
// THREADS: scf.forall {{.*}} to (64) step (32)
// THREADS:   %[[F:.*]] = linalg.fill {{.*}} -> tensor<1x3x15x32xf32>
// THREADS:   tensor.extract_slice %[[F]][0, 2, 1, 0] [1, 1, 14, 32]
// THREADS:   tensor.extract_slice %{{.*}}[0, 7, %{{.*}}] [1, 3, 9]
// THREADS:   bquant_packed.product
// THREADS:   scf.for {{.*}} to %c4 step
// THREADS:   bquant_packed.product
// THREADS:   tensor.parallel_insert_slice %{{.*}} into %{{.*}}[0, 4, 0, %{{.*}}] [1, 4, 7, 32]
func.func @pool(%x: tensor<1x18x16xi32, #words>) -> tensor<1x8x7x64xf32> {
  %c0 = arith.constant 0 : i32
  %least = arith.constant 0xFF800000 : f32
  %w = arith.constant dense_resource<w> : tensor<2x3x3x32xi32, #blocks>
  %e = tensor.empty() : tensor<1x16x14x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x16x14x64xi32>) -> tensor<1x16x14x64xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<1x18x16xi32, #words>) filters(%w : tensor<2x3x3x32xi32, #blocks>) outs(%z : tensor<1x16x14x64xi32>) maps = [#input, #filter] -> tensor<1x16x14x64xi32>
  %ef = tensor.empty() : tensor<1x16x14x64xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x16x14x64xi32>) outs(%ef : tensor<1x16x14x64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x16x14x64xf32>
  %pad = tensor.pad %f low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %least : f32
  } : tensor<1x16x14x64xf32> to tensor<1x17x15x64xf32>
  %s = tensor.empty() : tensor<3x3xf32>
  %ey = tensor.empty() : tensor<1x8x7x64xf32>
  %zy = linalg.fill ins(%least : f32) outs(%ey : tensor<1x8x7x64xf32>) -> tensor<1x8x7x64xf32>
  %y = linalg.generic {indexing_maps = [#window, #size, #pooled], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%pad, %s : tensor<1x17x15x64xf32>, tensor<3x3xf32>) outs(%zy : tensor<1x8x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x8x7x64xf32>
  return %y : tensor<1x8x7x64xf32>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words
#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 32, i, j)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#window = affine_map<(n, h, w, o, i, j) -> (n, h * 2 + i, w * 2 + j, o)>
#size = affine_map<(n, h, w, o, i, j) -> (i, j)>
#pooled = affine_map<(n, h, w, o, i, j) -> (n, h, w, o)>

// Two read what the product gives: it has to be there as a whole.

// CHECK-LABEL: @read_twice
// CHECK: scf.forall
// CHECK:   bquant_packed.product
// CHECK:   tensor.parallel_insert_slice {{.*}} into tensor<1x16x14x64xf32>
// CHECK: tensor.pad
// CHECK: scf.forall
// CHECK:   arith.maximumf
func.func @read_twice(%x: tensor<1x18x16xi32, #words>) -> (tensor<1x8x7x64xf32>, tensor<1x16x14x64xf32>) {
  %c0 = arith.constant 0 : i32
  %least = arith.constant 0xFF800000 : f32
  %w = arith.constant dense_resource<w> : tensor<2x3x3x32xi32, #blocks>
  %e = tensor.empty() : tensor<1x16x14x64xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x16x14x64xi32>) -> tensor<1x16x14x64xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<1x18x16xi32, #words>) filters(%w : tensor<2x3x3x32xi32, #blocks>) outs(%z : tensor<1x16x14x64xi32>) maps = [#input, #filter] -> tensor<1x16x14x64xi32>
  %ef = tensor.empty() : tensor<1x16x14x64xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x16x14x64xi32>) outs(%ef : tensor<1x16x14x64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x16x14x64xf32>
  %pad = tensor.pad %f low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %least : f32
  } : tensor<1x16x14x64xf32> to tensor<1x17x15x64xf32>
  %s = tensor.empty() : tensor<3x3xf32>
  %ey = tensor.empty() : tensor<1x8x7x64xf32>
  %zy = linalg.fill ins(%least : f32) outs(%ey : tensor<1x8x7x64xf32>) -> tensor<1x8x7x64xf32>
  %y = linalg.generic {indexing_maps = [#window, #size, #pooled], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%pad, %s : tensor<1x17x15x64xf32>, tensor<3x3xf32>) outs(%zy : tensor<1x8x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x8x7x64xf32>
  return %y, %f : tensor<1x8x7x64xf32>, tensor<1x16x14x64xf32>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#words = #bquant_packed.layout.words

#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 32, i, j)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#window = affine_map<(n, h, w, o, i, j) -> (n, h * 2 + i, w * 2 + j, o)>
#size = affine_map<(n, h, w, o, i, j) -> (i, j)>
#pooled = affine_map<(n, h, w, o, i, j) -> (n, h, w, o)>

// The pool alone reads the whole; the signs, which come after the pool, have sunk
// into its regions and read these. It has to be there as a whole, too.

// CHECK-LABEL: @regions_read_twice
// CHECK: scf.forall
// CHECK:   bquant_packed.product
// CHECK:   bquant_packed.product
// CHECK:   tensor.parallel_insert_slice {{.*}} into tensor<1x16x14x64xf32>
// CHECK: scf.forall
// CHECK:   linalg.generic
// CHECK:     arith.addf
// CHECK: scf.forall
// CHECK:   arith.cmpf oge
// CHECK:   bquant_packed.pack
// CHECK:   arith.cmpf oge
// CHECK:   bquant_packed.pack
// THREADS-LABEL: @regions_read_twice
func.func @regions_read_twice(%x: tensor<1x18x16xi32>) -> (tensor<1x8x7x64xf32>, tensor<1x16x14x2xi32, #words>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : tensor<2x3x3x32xi32, #blocks>
  %x0 = tensor.extract_slice %x[0, 0, 0] [1, 3, 16] [1, 1, 1] : tensor<1x18x16xi32> to tensor<1x3x16xi32, #words>
  %e0 = tensor.empty() : tensor<1x1x14x64xi32>
  %z0 = linalg.fill ins(%c0 : i32) outs(%e0 : tensor<1x1x14x64xi32>) -> tensor<1x1x14x64xi32>
  %p0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x0 : tensor<1x3x16xi32, #words>) filters(%w : tensor<2x3x3x32xi32, #blocks>) outs(%z0 : tensor<1x1x14x64xi32>) maps = [#input, #filter] -> tensor<1x1x14x64xi32>
  %x1 = tensor.extract_slice %x[0, 1, 0] [1, 17, 16] [1, 1, 1] : tensor<1x18x16xi32> to tensor<1x17x16xi32, #words>
  %e1 = tensor.empty() : tensor<1x15x14x64xi32>
  %z1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x15x14x64xi32>) -> tensor<1x15x14x64xi32>
  %p1 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x1 : tensor<1x17x16xi32, #words>) filters(%w : tensor<2x3x3x32xi32, #blocks>) outs(%z1 : tensor<1x15x14x64xi32>) maps = [#input, #filter] -> tensor<1x15x14x64xi32>
  %e = tensor.empty() : tensor<1x16x14x64xi32>
  %i0 = tensor.insert_slice %p0 into %e[0, 0, 0, 0] [1, 1, 14, 64] [1, 1, 1, 1] : tensor<1x1x14x64xi32> into tensor<1x16x14x64xi32>
  %p = tensor.insert_slice %p1 into %i0[0, 1, 0, 0] [1, 15, 14, 64] [1, 1, 1, 1] : tensor<1x15x14x64xi32> into tensor<1x16x14x64xi32>
  %ef = tensor.empty() : tensor<1x16x14x64xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x16x14x64xi32>) outs(%ef : tensor<1x16x14x64xf32>) {
  ^bb0(%a: i32, %o: f32):
    %0 = arith.sitofp %a : i32 to f32
    linalg.yield %0 : f32
  } -> tensor<1x16x14x64xf32>
  %s = tensor.empty() : tensor<2x2xf32>
  %ey = tensor.empty() : tensor<1x8x7x64xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x8x7x64xf32>) -> tensor<1x8x7x64xf32>
  %y = linalg.generic {indexing_maps = [#window, #size, #pooled], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%f, %s : tensor<1x16x14x64xf32>, tensor<2x2xf32>) outs(%zy : tensor<1x8x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x8x7x64xf32>
  %eb = tensor.empty() : tensor<1x16x14x64xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%f : tensor<1x16x14x64xf32>) outs(%eb : tensor<1x16x14x64xi1>) {
  ^bb0(%a: f32, %o: i1):
    %0 = arith.cmpf oge, %a, %zero : f32
    linalg.yield %0 : i1
  } -> tensor<1x16x14x64xi1>
  %ew = tensor.empty() : tensor<1x16x14x2xi32, #words>
  %words = bquant_packed.pack ins(%b : tensor<1x16x14x64xi1>) outs(%ew : tensor<1x16x14x2xi32, #words>) -> tensor<1x16x14x2xi32, #words>
  return %y, %words : tensor<1x8x7x64xf32>, tensor<1x16x14x2xi32, #words>
}
