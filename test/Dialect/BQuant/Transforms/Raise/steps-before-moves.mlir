// RUN: bquant-opt %s --bquant-steps-before-moves -split-input-file | FileCheck %s

#i = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
#r = affine_map<(d0, d1) -> (d0)>

// Bits that are compared on one axis order and scaled on another, by a parameter
// too: it goes along the dimension that its own becomes.
// CHECK-DAG: #[[$I:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$R:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @transposed
// CHECK-SAME: %[[B:.*]]: tensor<2x3xi1>
// CHECK: %[[F:.*]] = linalg.generic {indexing_maps = [#[[$I]], #[[$R]], #[[$I]]]{{.*}} ins(%[[B]], %{{.*}} : tensor<2x3xi1>, tensor<2xf32>) outs(%{{.*}} : tensor<2x3xf32>)
// CHECK: arith.uitofp
// CHECK: arith.mulf
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[F]] : tensor<2x3xf32>)
// CHECK: return %[[T]]
func.func @transposed(%b: tensor<2x3xi1>, %v: tensor<2xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xi1>
  %f = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x3xi1>) outs(%e : tensor<3x2xi1>) permutation = [1, 0]
  %s = linalg.generic {indexing_maps = [#i, #c, #i], iterator_types = ["parallel", "parallel"]}
      ins(%t, %v : tensor<3x2xi1>, tensor<2xf32>) outs(%f : tensor<3x2xf32>) {
  ^bb0(%p: i1, %u: f32, %o: f32):
    %q = arith.uitofp %p : i1 to f32
    %m = arith.mulf %q, %u : f32
    linalg.yield %m : f32
  } -> tensor<3x2xf32>
  return %s : tensor<3x2xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>

// Two readers of one flattened sign; what the padding of the sum holds is computed.
// CHECK-LABEL: func @flattened_and_padded
// CHECK-SAME: %[[X:.*]]: tensor<1x2x4xf32>
// CHECK-DAG: %[[FILL:.*]] = arith.constant 3.000000e+00 : f32
// CHECK: %[[S:.*]] = bquant.sign %[[X]]
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<1x2x4xf32>)
// CHECK: math.absf
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[A]] : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
// CHECK: arith.addf
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<1x2x4xf32>)
// CHECK: arith.addf
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[D]]
// CHECK: %[[P:.*]] = tensor.pad %[[C]]
// CHECK: tensor.yield %[[FILL]]
// CHECK: return %[[P]]
func.func @flattened_and_padded(%x: tensor<1x2x4xf32>) -> tensor<1x10xf32> {
  %two = arith.constant 2.0 : f32
  %s = bquant.sign %x : tensor<1x2x4xf32>
  %f = tensor.collapse_shape %s [[0], [1, 2]] : tensor<1x2x4xf32> into tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %a = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.absf %p : f32
    linalg.yield %q : f32
  } -> tensor<1x8xf32>
  %g = tensor.collapse_shape %s [[0], [1, 2]] : tensor<1x2x4xf32> into tensor<1x8xf32>
  %b = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%g, %a : tensor<1x8xf32>, tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<1x8xf32>
  %fill = arith.constant 1.0 : f32
  %p = tensor.pad %b low[0, 1] high[0, 1] {
  ^bb0(%n: index, %m: index):
    tensor.yield %fill : f32
  } : tensor<1x8xf32> to tensor<1x10xf32>
  %d = tensor.empty() : tensor<1x10xf32>
  %h = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x10xf32>) outs(%d : tensor<1x10xf32>) {
  ^bb0(%q: f32, %o: f32):
    %r = arith.addf %q, %two : f32
    linalg.yield %r : f32
  } -> tensor<1x10xf32>
  return %h : tensor<1x10xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>

// What is put together of bits, into an empty tensor, is cast before.
// CHECK-LABEL: func @concatenated
// CHECK-SAME: (%[[A:.*]]: tensor<1x3xi1>, %[[B:.*]]: tensor<1x5xi1>)
// CHECK-DAG: %[[FA:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<1x3xi1>)
// CHECK-DAG: %[[FB:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<1x5xi1>)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<1x8xf32>
// CHECK: %[[I:.*]] = tensor.insert_slice %[[FA]] into %[[E]]
// CHECK: %[[J:.*]] = tensor.insert_slice %[[FB]] into %[[I]]
// CHECK: return %[[J]]
func.func @concatenated(%a: tensor<1x3xi1>, %b: tensor<1x5xi1>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xi1>
  %x = tensor.insert_slice %a into %e[0, 0] [1, 3] [1, 1] : tensor<1x3xi1> into tensor<1x8xi1>
  %y = tensor.insert_slice %b into %x[0, 3] [1, 5] [1, 1] : tensor<1x5xi1> into tensor<1x8xi1>
  %f = tensor.empty() : tensor<1x8xf32>
  %s = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<1x8xi1>) outs(%f : tensor<1x8xf32>) {
  ^bb0(%p: i1, %o: f32):
    %q = arith.uitofp %p : i1 to f32
    linalg.yield %q : f32
  } -> tensor<1x8xf32>
  return %s : tensor<1x8xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// Floats have many values; a parameter along a flattened dimension has no dimension
// before; tensors that are moved otherwise do not meet.
// CHECK-LABEL: func @left
// CHECK: linalg.transpose
// CHECK: math.absf
// CHECK: tensor.collapse_shape
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @left(%x: tensor<2x8xf32>, %y: tensor<1x2x4xf32>, %v: tensor<8xf32>)
    -> (tensor<8x2xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %e = tensor.empty() : tensor<8x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x8xf32>) outs(%e : tensor<8x2xf32>) permutation = [1, 0]
  %a = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.absf %p : f32
    linalg.yield %q : f32
  } -> tensor<8x2xf32>
  %s = bquant.sign %y : tensor<1x2x4xf32>
  %f = tensor.collapse_shape %s [[0], [1, 2]] : tensor<1x2x4xf32> into tensor<1x8xf32>
  %d = tensor.empty() : tensor<1x8xf32>
  %m = linalg.generic {indexing_maps = [#i, #c, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f, %v : tensor<1x8xf32>, tensor<8xf32>) outs(%d : tensor<1x8xf32>) {
  ^bb0(%p: f32, %u: f32, %o: f32):
    %q = arith.mulf %p, %u : f32
    linalg.yield %q : f32
  } -> tensor<1x8xf32>
  %z = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
  %n = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f, %z : tensor<1x8xf32>, tensor<1x8xf32>) outs(%d : tensor<1x8xf32>) {
  ^bb0(%p: f32, %u: f32, %o: f32):
    %q = arith.addf %p, %u : f32
    linalg.yield %q : f32
  } -> tensor<1x8xf32>
  return %a, %m, %n : tensor<8x2xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>
#n = affine_map<(d0, d1) -> ()>

// A number, and a constant tensor that holds one number, beside what is sliced:
// both go along, the tensor in the shape of the whole.
// CHECK-LABEL: func @number_and_splat
// CHECK-SAME: %[[B:.*]]: tensor<2x8xi1>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<2x8xf32>
// CHECK-DAG: %[[MINUS:.*]] = arith.constant -1.000000e+00 : f32
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<2x8xi1>)
// CHECK: arith.uitofp
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[F]], %[[ONE]], %[[MINUS]] : tensor<2x8xf32>, tensor<2x8xf32>, f32)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: %[[S:.*]] = tensor.extract_slice %[[D]][0, 1] [2, 3] [1, 2]
// CHECK: return %[[S]]
func.func @number_and_splat(%b: tensor<2x8xi1>) -> tensor<2x3xf32> {
  %one = arith.constant dense<1.0> : tensor<2x3xf32>
  %minus = arith.constant -1.0 : f32
  %t = tensor.extract_slice %b[0, 1] [2, 3] [1, 2] : tensor<2x8xi1> to tensor<2x3xi1>
  %e = tensor.empty() : tensor<2x3xf32>
  %f = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<2x3xi1>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%p: i1, %o: f32):
    %q = arith.uitofp %p : i1 to f32
    linalg.yield %q : f32
  } -> tensor<2x3xf32>
  %d = linalg.generic {indexing_maps = [#i, #i, #n, #i], iterator_types = ["parallel", "parallel"]}
      ins(%f, %one, %minus : tensor<2x3xf32>, tensor<2x3xf32>, f32) outs(%e : tensor<2x3xf32>) {
  ^bb0(%p: f32, %u: f32, %m: f32, %o: f32):
    %r = arith.subf %p, %u : f32
    %s = arith.mulf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  return %d : tensor<2x3xf32>
}

// -----

#i = affine_map<(d0, d1) -> (d0, d1)>

// A splat has the shape of what is transposed.
// CHECK-LABEL: func @transposed_beside_splat
// CHECK-SAME: %[[B:.*]]: tensor<2x3xi1>
// CHECK: %[[V:.*]] = arith.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[V]] : tensor<2x3xi1>, tensor<2x3xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[F]] : tensor<2x3xf32>)
// CHECK: return %[[T]]
func.func @transposed_beside_splat(%b: tensor<2x3xi1>) -> tensor<3x2xf32> {
  %v = arith.constant dense<2.0> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x2xi1>
  %f = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x3xi1>) outs(%e : tensor<3x2xi1>) permutation = [1, 0]
  %s = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel", "parallel"]}
      ins(%t, %v : tensor<3x2xi1>, tensor<3x2xf32>) outs(%f : tensor<3x2xf32>) {
  ^bb0(%p: i1, %u: f32, %o: f32):
    %q = arith.uitofp %p : i1 to f32
    %m = arith.mulf %q, %u : f32
    linalg.yield %m : f32
  } -> tensor<3x2xf32>
  return %s : tensor<3x2xf32>
}
