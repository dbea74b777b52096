// Tiles of the results of pack and unpack. Those that are not known to be of whole
// words are not fused.
// RUN: bquant-opt %s --transform-interpreter --canonicalize -split-input-file | FileCheck %s

#words = #bquant_packed.layout.words

// CHECK-LABEL: @second_of_pack
// CHECK: %[[P:.*]]:2 = bquant_packed.pack ins(%{{.*}}, %{{.*}} : tensor<1x32xi1>, tensor<1x32xi1>)
// CHECK: linalg.generic {{.*}} ins(%[[P]]#1 :
func.func @second_of_pack(%a: tensor<4x64xi1>, %b: tensor<4x64xi1>, %w: tensor<4x2xi32, #words>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0:2 = bquant_packed.pack ins(%a, %b : tensor<4x64xi1>, tensor<4x64xi1>)
      outs(%w, %w : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>, tensor<4x2xi32, #words>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0#1 : tensor<4x2xi32, #words>) outs(%o : tensor<4x2xi32>) {
  ^bb0(%x: i32, %y: i32):
    %n = arith.addi %x, %x : i32
    linalg.yield %n : i32
  } -> tensor<4x2xi32>
  return %1 : tensor<4x2xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// CHECK-LABEL: @second_of_unpack
// CHECK: %[[P:.*]]:2 = bquant_packed.unpack ins(%{{.*}}, %{{.*}} : tensor<1x1xi32, #words>, tensor<1x1xi32, #words>)
// CHECK: linalg.generic {{.*}} ins(%[[P]]#1 :
func.func @second_of_unpack(%a: tensor<4x2xi32, #words>, %b: tensor<4x2xi32, #words>, %w: tensor<4x64xi1>, %o: tensor<4x64xi1>) -> tensor<4x64xi1> {
  %0:2 = bquant_packed.unpack ins(%a, %b : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>)
      outs(%w, %w : tensor<4x64xi1>, tensor<4x64xi1>) -> tensor<4x64xi1>, tensor<4x64xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0#1 : tensor<4x64xi1>) outs(%o : tensor<4x64xi1>) {
  ^bb0(%x: i1, %y: i1):
    %n = arith.addi %x, %x : i1
    linalg.yield %n : i1
  } -> tensor<4x64xi1>
  return %1 : tensor<4x64xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// A tile with the end of the row has a size that is not known.
// CHECK-LABEL: @tail_of_unpack
// CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<4x3xi32, #words>)
// CHECK: scf.for
func.func @tail_of_unpack(%a: tensor<4x3xi32, #words>, %w: tensor<4x70xi1>, %o: tensor<4x70xi1>) -> tensor<4x70xi1> {
  %0 = bquant_packed.unpack ins(%a : tensor<4x3xi32, #words>)
      outs(%w : tensor<4x70xi1>) -> tensor<4x70xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x70xi1>) outs(%o : tensor<4x70xi1>) {
  ^bb0(%x: i1, %y: i1):
    %n = arith.addi %x, %x : i1
    linalg.yield %n : i1
  } -> tensor<4x70xi1>
  return %1 : tensor<4x70xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// Each window is the next word.
// CHECK-LABEL: @whole_words
// CHECK: scf.for
// CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<4x1xi32, #words>)
func.func @whole_words(%a: tensor<4x2xi32, #words>, %w: tensor<4x64xi1>, %o: tensor<4x2x32xi1>) -> tensor<4x2x32xi1> {
  %0 = bquant_packed.unpack ins(%a : tensor<4x2xi32, #words>)
      outs(%w : tensor<4x64xi1>) -> tensor<4x64xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, s, j) -> (i, s * 32 + j)>, affine_map<(i, s, j) -> (i, s, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<4x64xi1>) outs(%o : tensor<4x2x32xi1>) {
  ^bb0(%x: i1, %y: i1):
    %n = arith.addi %x, %x : i1
    linalg.yield %n : i1
  } -> tensor<4x2x32xi1>
  return %1 : tensor<4x2x32xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [0, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// Each window begins one channel after the one before.
// CHECK-LABEL: @windows
// CHECK: bquant_packed.unpack ins(%{{.*}} : tensor<4x2xi32, #words>)
// CHECK: scf.for
func.func @windows(%a: tensor<4x2xi32, #words>, %w: tensor<4x64xi1>, %o: tensor<4x33x32xi1>) -> tensor<4x33x32xi1> {
  %0 = bquant_packed.unpack ins(%a : tensor<4x2xi32, #words>)
      outs(%w : tensor<4x64xi1>) -> tensor<4x64xi1>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, s, j) -> (i, s + j)>, affine_map<(i, s, j) -> (i, s, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<4x64xi1>) outs(%o : tensor<4x33x32xi1>) {
  ^bb0(%x: i1, %y: i1):
    %n = arith.addi %x, %x : i1
    linalg.yield %n : i1
  } -> tensor<4x33x32xi1>
  return %1 : tensor<4x33x32xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [0, 1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#nibbles = #bquant_packed.layout.nibbles

// Eight nibbles are a word.
// CHECK-DAG: #[[$CHANNELS:.*]] = affine_map<()[s0] -> ((s0 floordiv 8) * 32)>
// CHECK-LABEL: @nibbles
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x64xi1>, %[[W:[a-z0-9]+]]:
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0 to %c16 step %c8
// CHECK: %[[O:.*]] = affine.apply #[[$CHANNELS]]()[%[[J]]]
// CHECK: tensor.extract_slice %[[A]][%[[I]], %[[O]]] [1, 32] [1, 1]
// CHECK: tensor.extract_slice %[[W]][%[[I]], %{{.*}}] [1, 8] [1, 1]
// CHECK: bquant_packed.pack ins(%{{.*}} : tensor<1x32xi1>) outs(%{{.*}} : tensor<1x8xi8, #nibbles>)
func.func @nibbles(%a: tensor<4x64xi1>, %w: tensor<4x16xi8, #nibbles>, %o: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %0 = bquant_packed.pack ins(%a : tensor<4x64xi1>)
      outs(%w : tensor<4x16xi8, #nibbles>) -> tensor<4x16xi8, #nibbles>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x16xi8, #nibbles>) outs(%o : tensor<4x16xi8>) {
  ^bb0(%x: i8, %y: i8):
    %n = arith.addi %x, %x : i8
    linalg.yield %n : i8
  } -> tensor<4x16xi8>
  return %1 : tensor<4x16xi8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#nibbles = #bquant_packed.layout.nibbles

// CHECK-LABEL: @half_words
// CHECK: bquant_packed.pack ins(%{{.*}} : tensor<4x64xi1>)
// CHECK: scf.for
func.func @half_words(%a: tensor<4x64xi1>, %w: tensor<4x16xi8, #nibbles>, %o: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %0 = bquant_packed.pack ins(%a : tensor<4x64xi1>)
      outs(%w : tensor<4x16xi8, #nibbles>) -> tensor<4x16xi8, #nibbles>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x16xi8, #nibbles>) outs(%o : tensor<4x16xi8>) {
  ^bb0(%x: i8, %y: i8):
    %n = arith.addi %x, %x : i8
    linalg.yield %n : i8
  } -> tensor<4x16xi8>
  return %1 : tensor<4x16xi8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#words = #bquant_packed.layout.words

// The last word has fewer channels than others.
// CHECK-LABEL: @part_of_the_last_word
// CHECK: bquant_packed.pack ins(%{{.*}} : tensor<4x50xi1>)
// CHECK: scf.for
func.func @part_of_the_last_word(%a: tensor<4x50xi1>, %w: tensor<4x2xi32, #words>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %0 = bquant_packed.pack ins(%a : tensor<4x50xi1>)
      outs(%w : tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x2xi32, #words>) outs(%o : tensor<4x2xi32>) {
  ^bb0(%x: i32, %y: i32):
    %n = arith.addi %x, %x : i32
    linalg.yield %n : i32
  } -> tensor<4x2xi32>
  return %1 : tensor<4x2xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.fuse %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
