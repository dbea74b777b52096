// RUN: bquant-opt %s --bquant-lower-transpositions -split-input-file | FileCheck %s

// Whole blocks: no element goes alone.
// CHECK-LABEL: @blocks
// CHECK-NOT:     affine.min
// CHECK:         scf.forall (%[[H:.*]]) in (56)
// CHECK:           scf.for %[[W:.*]] = %{{.*}} to %c48{{.*}} step %c16
// CHECK:             scf.for %[[C:.*]] = %{{.*}} to %c64{{.*}} step %c4
// CHECK:               vector.transfer_read %arg0[%[[N:.*]], %[[C]], %[[H]], %[[W]]], %{{.*}} {in_bounds = [true]} : memref<1x64x56x48xf32>, vector<4xf32>
// CHECK:               %[[C1:.*]] = affine.apply #{{.*}}(%[[C]])
// CHECK:               vector.transfer_read %arg0[%[[N]], %[[C1]], %[[H]], %[[W]]]
// CHECK:               vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5]
// CHECK-NEXT:          vector.shuffle %{{.*}}, %{{.*}} [2, 6, 3, 7]
// CHECK-COUNT-6:       vector.shuffle
// CHECK-NOT:           vector.shuffle
// CHECK:               vector.transfer_write %{{.*}}, %arg1[%[[N]], %[[H]], %[[W]], %[[C]]] {in_bounds = [true]} : vector<4xf32>, memref<1x56x48x64xf32>
// CHECK:               %[[W1:.*]] = affine.apply #{{.*}}(%[[W]])
// CHECK:               vector.transfer_write %{{.*}}, %arg1[%[[N]], %[[H]], %[[W1]], %[[C]]]
// CHECK-NOT:     memref.load
// CHECK-NOT:     linalg
func.func @blocks(%a: memref<1x64x56x48xf32>, %b: memref<1x56x48x64xf32>) {
  linalg.transpose ins(%a : memref<1x64x56x48xf32>) outs(%b : memref<1x56x48x64xf32>) permutation = [0, 2, 3, 1]
  return
}

// -----

// What a block leaves over is a block that begins earlier, in both dimensions.
// CHECK-DAG:   #[[$TAIL_W:.*]] = affine_map<(d0) -> (d0, 3)>
// CHECK-DAG:   #[[$TAIL_C:.*]] = affine_map<(d0) -> (d0, 6)>
// CHECK-LABEL: @tails
// CHECK:         scf.forall (%{{.*}}) in (5)
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %c7{{.*}} step %c4
// CHECK-NEXT:        affine.min #[[$TAIL_W]](%[[I]])
// CHECK:             scf.for %[[O:.*]] = %{{.*}} to %c10{{.*}} step %c4
// CHECK-NEXT:          affine.min #[[$TAIL_C]](%[[O]])
// CHECK-COUNT-4:       vector.transfer_read
// CHECK-COUNT-8:       vector.shuffle
// CHECK-COUNT-4:       vector.transfer_write
// CHECK-NOT:           vector.transfer_write
// CHECK-NOT:     linalg
func.func @tails(%a: memref<5x7x10xf32>, %b: memref<5x10x7xf32, strided<[100, 10, 1], offset: 2>>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>,
                                   affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : memref<5x10x7xf32, strided<[100, 10, 1], offset: 2>>)
      outs(%a : memref<5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// Three channels of an image: 16 pixels are three vectors. Of one dimension
// more there is nothing to share.
// CHECK-DAG:   #[[$FIRST:.*]] = affine_map<(d0) -> (d0 * 3)>
// CHECK-DAG:   #[[$SECOND:.*]] = affine_map<(d0) -> (d0 * 3 + 16)>
// CHECK-LABEL: @few
// CHECK-NOT:     scf.forall
// CHECK:         scf.for %[[W:.*]] = %{{.*}} to %c224{{.*}} step %c16
// CHECK:           %[[R:.*]] = vector.transfer_read %arg0[%{{.*}}, %[[W]]]{{.*}} vector<16xf32>
// CHECK:           %[[G:.*]] = vector.transfer_read
// CHECK:           %[[B:.*]] = vector.transfer_read
// CHECK:           %[[FLAT:.*]] = memref.collapse_shape %arg1 {{.*}} : memref<224x3xf32> into memref<672xf32>
// CHECK:           %[[I:.*]] = affine.apply #[[$FIRST]](%[[W]])
// CHECK:           %[[RG:.*]] = vector.shuffle %[[R]], %[[G]] [0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5]
// CHECK:           %[[RGB:.*]] = vector.shuffle %[[RG]], %[[B]] [0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15]
// CHECK:           vector.transfer_write %[[RGB]], %[[FLAT]][%[[I]]]
// CHECK:           affine.apply #[[$SECOND]](%[[W]])
// CHECK-COUNT-2:   vector.transfer_write
func.func @few(%a: memref<3x224xf32>, %b: memref<224x3xf32>) {
  linalg.transpose ins(%a : memref<3x224xf32>) outs(%b : memref<224x3xf32>) permutation = [1, 0]
  return
}

// -----

// Pixels that do not lie one behind the other: blocks of two.
// CHECK-LABEL: @few_apart
// CHECK:         vector.transfer_read %arg0{{.*}} vector<2xf32>
// CHECK:         vector.shuffle %{{.*}}, %{{.*}} [0, 2]
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [1, 3]
func.func @few_apart(%a: memref<3x224xf32>, %b: memref<224x3xf32, strided<[4, 1]>>) {
  linalg.transpose ins(%a : memref<3x224xf32>) outs(%b : memref<224x3xf32, strided<[4, 1]>>) permutation = [1, 0]
  return
}

// -----

// Bytes: 16 in a vector, in four steps.
// CHECK-LABEL: @bytes
// CHECK-COUNT-16: vector.transfer_read {{.*}} vector<16xi8>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.transfer_write
func.func @bytes(%a: memref<32x16xi8>, %b: memref<16x32xi8>) {
  linalg.transpose ins(%a : memref<32x16xi8>) outs(%b : memref<16x32xi8>) permutation = [1, 0]
  return
}

// -----

// Side by side in both, a dimension of 1, bits, another stride, arithmetic.
// CHECK-LABEL: @left_alone
// CHECK-COUNT-4: linalg.transpose
// CHECK:         linalg.generic
// CHECK-NOT:     vector
func.func @left_alone(%a: memref<4x6x8xf32>, %b: memref<6x4x8xf32>,
                      %c: memref<1x8xf32>, %d: memref<8x1xf32>,
                      %e: memref<8x8xi1>, %f: memref<8x8xi1>,
                      %g: memref<8x8xf32, strided<[16, 2]>>, %h: memref<8x8xf32>) {
  linalg.transpose ins(%a : memref<4x6x8xf32>) outs(%b : memref<6x4x8xf32>) permutation = [1, 0, 2]
  linalg.transpose ins(%c : memref<1x8xf32>) outs(%d : memref<8x1xf32>) permutation = [1, 0]
  linalg.transpose ins(%e : memref<8x8xi1>) outs(%f : memref<8x8xi1>) permutation = [1, 0]
  linalg.transpose ins(%g : memref<8x8xf32, strided<[16, 2]>>) outs(%h : memref<8x8xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%h : memref<8x8xf32>) outs(%h : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %in : f32
    linalg.yield %sum : f32
  }
  return
}
