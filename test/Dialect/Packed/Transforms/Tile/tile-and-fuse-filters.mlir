// Filters that a generic computes of constants.
//
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers \
// RUN:   --bquant-tile-pipeline --bquant-inline-layers --canonicalize --cse | FileCheck %s
// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers=threads=2 \
// RUN:   --bquant-tile-pipeline=threads=2 --bquant-inline-layers --canonicalize --cse | FileCheck %s --check-prefix=THREADS

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes
#words = #bquant_packed.layout.words
#id = affine_map<(b, p, i) -> (b, p, i)>
#stored = affine_map<(b, p, i) -> (b, i)>
#part = affine_map<(b, p, i) -> (p)>
#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w * 4 + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 16, i, j floordiv 4)>

// A block of channels is computed in front of all pixels, rows of the image
// included, in the loop over the blocks. Both border classes read it.

// CHECK-LABEL: @border_classes
// CHECK-SAME: %[[X:.*]]: tensor<1x6x60xi8, #codes>
// CHECK-DAG: %[[W:.*]] = arith.constant dense_resource<w> : tensor<2x96xi32, #words>
// CHECK-NOT: linalg.generic
// CHECK: scf.forall (%[[OC:.*]]) = (0) to (32) step (16)
// CHECK:   %[[B:.*]] = affine.apply #{{.*}}(%[[OC]])
// CHECK:   %[[S:.*]] = tensor.extract_slice %[[W]][%[[B]], 0] [1, 96] [1, 1]
// CHECK:   %[[E:.*]] = tensor.empty() : tensor<1x2x96xi32, #blocks>
// CHECK:   %[[U:.*]] = scf.for %{{.*}} = %c0 to %c96 step %c32 iter_args(%{{.*}} = %[[E]])
// CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x32xi32, #words>, tensor<2xi32, #words>) outs(%{{.*}} : tensor<1x2x32xi32, #blocks>)
// CHECK:   %[[C:.*]] = tensor.collapse_shape %[[U]]
// CHECK:   %[[F:.*]] = tensor.expand_shape %[[C]] {{.*}} output_shape [1, 3, 4, 16]
// CHECK:   %[[TOP:.*]] = tensor.extract_slice %[[F]][0, 1, 0, 0] [1, 2, 4, 16] [1, 1, 1, 1]
// CHECK:   scf.for
// CHECK:     bquant_packed.product {{.*}} filters(%[[TOP]] : tensor<1x2x4x16xi32, #{{[a-z0-9_]+}}>)
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       bquant_packed.product {{.*}} filters(%[[F]] : tensor<1x3x4x16xi32, #{{[a-z0-9_]+}}>)

// For threads border classes have tiles of their own, which share what is
// computed once.

// THREADS-LABEL: @border_classes
// THREADS: %[[U:.*]] = scf.forall {{.*}} -> (tensor<2x2x96xi32, #{{[a-z0-9_]+}}>)
// THREADS: %[[C:.*]] = tensor.collapse_shape %[[U]]
// THREADS: %[[F:.*]] = tensor.expand_shape %[[C]]
// THREADS: scf.forall
// THREADS: bquant_packed.product
// THREADS: scf.forall
// THREADS: bquant_packed.product
func.func @border_classes(%x: tensor<1x6x60xi8, #codes>) -> tensor<1x5x12x32xi32> {
  %c0 = arith.constant 0 : i32
  %mask = arith.constant 252645135 : i32
  %w = arith.constant dense_resource<w> : tensor<2x96xi32, #words>
  %shifts = arith.constant dense<[0, 4]> : tensor<2xi32, #words>
  %e = tensor.empty() : tensor<2x2x96xi32, #blocks>
  %u = linalg.generic {indexing_maps = [#stored, #part, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %shifts : tensor<2x96xi32, #words>, tensor<2xi32, #words>) outs(%e : tensor<2x2x96xi32, #blocks>) {
  ^bb0(%p: i32, %s: i32, %o: i32):
    %0 = arith.shrui %p, %s : i32
    %1 = arith.andi %0, %mask : i32
    linalg.yield %1 : i32
  } -> tensor<2x2x96xi32, #blocks>
  %c = tensor.collapse_shape %u [[0], [1, 2]] : tensor<2x2x96xi32, #blocks> into tensor<2x192xi32, #blocks>
  %f = tensor.expand_shape %c [[0], [1, 2, 3]] output_shape [2, 3, 4, 16] : tensor<2x192xi32, #blocks> into tensor<2x3x4x16xi32, #blocks>
  %x1 = tensor.extract_slice %x[0, 0, 0] [1, 2, 60] [1, 1, 1] : tensor<1x6x60xi8, #codes> to tensor<1x2x60xi8, #codes>
  %f1 = tensor.extract_slice %f[0, 1, 0, 0] [2, 2, 4, 16] [1, 1, 1, 1] : tensor<2x3x4x16xi32, #blocks> to tensor<2x2x4x16xi32, #blocks>
  %e1 = tensor.empty() : tensor<1x1x12x32xi32>
  %z1 = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<1x1x12x32xi32>) -> tensor<1x1x12x32xi32>
  %p1 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x1 : tensor<1x2x60xi8, #codes>) filters(%f1 : tensor<2x2x4x16xi32, #blocks>) outs(%z1 : tensor<1x1x12x32xi32>)
      maps = [#input, #filter] -> tensor<1x1x12x32xi32>
  %e2 = tensor.empty() : tensor<1x4x12x32xi32>
  %z2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<1x4x12x32xi32>) -> tensor<1x4x12x32xi32>
  %p2 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x : tensor<1x6x60xi8, #codes>) filters(%f : tensor<2x3x4x16xi32, #blocks>) outs(%z2 : tensor<1x4x12x32xi32>)
      maps = [#input, #filter] -> tensor<1x4x12x32xi32>
  %d = tensor.empty() : tensor<1x5x12x32xi32>
  %i1 = tensor.insert_slice %p1 into %d[0, 0, 0, 0] [1, 1, 12, 32] [1, 1, 1, 1] : tensor<1x1x12x32xi32> into tensor<1x5x12x32xi32>
  %i2 = tensor.insert_slice %p2 into %i1[0, 1, 0, 0] [1, 4, 12, 32] [1, 1, 1, 1] : tensor<1x4x12x32xi32> into tensor<1x5x12x32xi32>
  return %i2 : tensor<1x5x12x32xi32>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes
#words = #bquant_packed.layout.words
#id = affine_map<(b, p, i) -> (b, p, i)>
#stored = affine_map<(b, p, i) -> (b, i)>
#part = affine_map<(b, p, i) -> (p)>
#input = affine_map<(n, h, w, o, i, j) -> (n, h + i, w * 4 + j)>
#filter = affine_map<(n, h, w, o, i, j) -> (o floordiv 16, i, j floordiv 4)>

// Of one region, too, rows of the image are inside of the loop over blocks, and
// images.

// CHECK-LABEL: @one_region
// CHECK: scf.forall (%{{.*}}) = (0) to (32) step (16)
// CHECK:   scf.for
// CHECK:     linalg.generic
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK:     scf.for %{{.*}} = %c0 to %c4 step %c1
// CHECK:       scf.for %{{.*}} = %c0 to %c12 step %c6
// CHECK:         bquant_packed.product

// THREADS-LABEL: @one_region
// THREADS: scf.forall {{.*}} -> (tensor<2x2x96xi32, #{{[a-z0-9_]+}}>)
// THREADS: scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) = (0, 0, 0) to (32, 2, 4) step (16, 1, 1)
func.func @one_region(%x: tensor<2x6x60xi8, #codes>) -> tensor<2x4x12x32xi32> {
  %c0 = arith.constant 0 : i32
  %w = arith.constant dense_resource<w> : tensor<2x96xi32, #words>
  %shifts = arith.constant dense<[0, 4]> : tensor<2xi32, #words>
  %e = tensor.empty() : tensor<2x2x96xi32, #blocks>
  %u = linalg.generic {indexing_maps = [#stored, #part, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %shifts : tensor<2x96xi32, #words>, tensor<2xi32, #words>) outs(%e : tensor<2x2x96xi32, #blocks>) {
  ^bb0(%p: i32, %s: i32, %o: i32):
    %0 = arith.shrui %p, %s : i32
    linalg.yield %0 : i32
  } -> tensor<2x2x96xi32, #blocks>
  %c = tensor.collapse_shape %u [[0], [1, 2]] : tensor<2x2x96xi32, #blocks> into tensor<2x192xi32, #blocks>
  %f = tensor.expand_shape %c [[0], [1, 2, 3]] output_shape [2, 3, 4, 16] : tensor<2x192xi32, #blocks> into tensor<2x3x4x16xi32, #blocks>
  %e2 = tensor.empty() : tensor<2x4x12x32xi32>
  %z2 = linalg.fill ins(%c0 : i32) outs(%e2 : tensor<2x4x12x32xi32>) -> tensor<2x4x12x32xi32>
  %p2 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x : tensor<2x6x60xi8, #codes>) filters(%f : tensor<2x3x4x16xi32, #blocks>) outs(%z2 : tensor<2x4x12x32xi32>)
      maps = [#input, #filter] -> tensor<2x4x12x32xi32>
  return %p2 : tensor<2x4x12x32xi32>
}

// -----

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>
#codes = #bquant_packed.layout.codes
#id = affine_map<(b, g, i) -> (b, g, i)>
#input = affine_map<(b, m, o, j) -> (b, m, j)>
#filter = affine_map<(b, m, o, j) -> (b, o floordiv 16, j floordiv 4)>

// Of one row with each filter, the rows of a tile are not those of the batch:
// they share a block of the filter.

// CHECK-LABEL: @one_row_each
// CHECK: scf.for
// CHECK:   bquant_packed.product {{.*}} ins(%{{.*}} : tensor<1x1x16xi8, #codes>) filters(%{{.*}} : tensor<1x1x4x16xi32, #{{[a-z0-9_]+}}>)

// THREADS-LABEL: @one_row_each
// THREADS: bquant_packed.product {{.*}} ins(%{{.*}} : tensor<1x1x16xi8, #codes>) filters(%{{.*}} : tensor<1x1x4x16xi32, #{{[a-z0-9_]+}}>)
func.func @one_row_each(%x: tensor<6x1x16xi8, #codes>) -> tensor<6x1x32xi32> {
  %c0 = arith.constant 0 : i32
  %shift = arith.constant 4 : i32
  %w = arith.constant dense_resource<w> : tensor<6x2x64xi32>
  %e = tensor.empty() : tensor<6x2x64xi32, #blocks>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<6x2x64xi32>) outs(%e : tensor<6x2x64xi32, #blocks>) {
  ^bb0(%p: i32, %o: i32):
    %0 = arith.shrui %p, %shift : i32
    linalg.yield %0 : i32
  } -> tensor<6x2x64xi32, #blocks>
  %f = tensor.expand_shape %u [[0], [1], [2, 3]] output_shape [6, 2, 4, 16] : tensor<6x2x64xi32, #blocks> into tensor<6x2x4x16xi32, #blocks>
  %e1 = tensor.empty() : tensor<6x1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e1 : tensor<6x1x32xi32>) -> tensor<6x1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>)
      ins(%x : tensor<6x1x16xi8, #codes>) filters(%f : tensor<6x2x4x16xi32, #blocks>) outs(%z : tensor<6x1x32xi32>)
      maps = [#input, #filter] -> tensor<6x1x32xi32>
  return %p : tensor<6x1x32xi32>
}
