// RUN: bquant-opt %s --bquant-batch-to-sample --split-input-file --verify-diagnostics | FileCheck %s

// Convolution, pool and flatten, with a size computed from the batch's.

// CHECK-LABEL: func.func @network(
// CHECK-SAME:      %[[X:.*]]: tensor<1x8x8x3xf32> {bquant.batch, bquant.name = "x"},
// CHECK-SAME:      %[[B:.*]]: tensor<10xf32>) -> (tensor<1x10xf32> {bquant.batch})
// CHECK:         bquant.quantize %[[X]] {{.*}} -> !bquant.tensor<1x8x8x3, 2>
// CHECK:         bquant.conv_2d {{.*}} -> tensor<1x4x4x16xf32>
// CHECK:         bquant.max_pool_2d {{.*}} -> !bquant.tensor<1x2x2x16, 1>
// CHECK:         tensor.collapse_shape {{.*}} into tensor<1x64xf32>
// CHECK:         bquant.quantize {{.*}} -> !bquant.tensor<1x64, 1, axes = [0]>
// CHECK:         bquant.matmul {{.*}} -> tensor<1x10xf32>
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x10xf32>)
// CHECK-NOT:     ?
func.func @network(%x: tensor<?x8x8x3xf32> {bquant.name = "x"}, %b: tensor<10xf32>) -> tensor<?x10xf32> {
  %f = arith.constant dense<0.1> : tensor<16x3x3x3xf32>
  %g = arith.constant dense<0.1> : tensor<10x64xf32>
  %v = arith.constant dense<[0.98, 0.53]> : tensor<2xf32>
  %u = arith.constant dense<0.5> : tensor<1xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<16x3x3x3xf32> -> !bquant.tensor<16x3x3x3, 1, axes = [0]>
  %m = bquant.quantize %g scheme(<ls, 1>) : tensor<10x64xf32> -> !bquant.tensor<10x64, 1, axes = [0]>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<?x8x8x3xf32> -> !bquant.tensor<?x8x8x3, 2>
  %y = bquant.conv_2d %q, %w strides = [2, 2] pads = [1, 1, 1, 1]
      : (!bquant.tensor<?x8x8x3, 2>, !bquant.tensor<16x3x3x3, 1, axes = [0]>) -> tensor<?x4x4x16xf32>
  %r = bquant.quantize %y scalars(%u : tensor<1xf32>) : tensor<?x4x4x16xf32> -> !bquant.tensor<?x4x4x16, 1>
  %p = bquant.max_pool_2d %r window = [2, 2] strides = [2, 2]
      : !bquant.tensor<?x4x4x16, 1> -> !bquant.tensor<?x2x2x16, 1>
  %d = bquant.dequantize %p : !bquant.tensor<?x2x2x16, 1> -> tensor<?x2x2x16xf32>
  %z = tensor.collapse_shape %d [[0], [1, 2, 3]] : tensor<?x2x2x16xf32> into tensor<?x64xf32>
  %s = bquant.quantize %z scheme(<ls, 1>) : tensor<?x64xf32> -> !bquant.tensor<?x64, 1, axes = [0]>
  %k = bquant.matmul %s, %m
      : (!bquant.tensor<?x64, 1, axes = [0]>, !bquant.tensor<10x64, 1, axes = [0]>) -> tensor<?x10xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x8x3xf32>
  %e = tensor.empty(%n) : tensor<?x10xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%k, %b : tensor<?x10xf32>, tensor<10xf32>) outs(%e : tensor<?x10xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    linalg.yield %t : f32
  } -> tensor<?x10xf32>
  return %a : tensor<?x10xf32>
}

// -----

// Rows of a sequence beside the samples, and the batch in another place.

// CHECK-LABEL: func.func @rows(
// CHECK:         tensor.collapse_shape {{.*}} : tensor<1x4x8xf32> into tensor<4x8xf32>
// CHECK:         linalg.transpose {{.*}} outs(%{{.*}} : tensor<8x4xf32>) permutation = [1, 0]
// CHECK:         tensor.expand_shape {{.*}} : tensor<4x8xf32> into tensor<1x4x8xf32>
// CHECK:         tensor.pad
// CHECK:         } : tensor<1x4x8xf32> to tensor<1x6x8xf32>
// CHECK:         tensor.extract_slice {{.*}}[0, 1, 0] [1, 4, 8] [1, 1, 1] : tensor<1x6x8xf32> to tensor<1x4x8xf32>
// CHECK:         tensor.insert_slice {{.*}}[0, 2, 0] [1, 4, 8] [1, 1, 1] : tensor<1x4x8xf32> into tensor<1x6x8xf32>
// CHECK:         tensor.concat dim(1) {{.*}} -> tensor<1x12x8xf32>
// CHECK:         math.absf {{.*}} : tensor<1x12x8xf32>
// CHECK-NOT:     ?
func.func @rows(%x: tensor<?x4x8xf32>) -> tensor<?x12x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4x8xf32>
  %rows = arith.muli %n, %c4 : index
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x8xf32> into tensor<?x8xf32>
  %e = tensor.empty(%rows) : tensor<8x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x8xf32>) outs(%e : tensor<8x?xf32>) permutation = [1, 0]
  %g = tensor.empty(%rows) : tensor<?x8xf32>
  %b = linalg.transpose ins(%t : tensor<8x?xf32>) outs(%g : tensor<?x8xf32>) permutation = [1, 0]
  %c = tensor.expand_shape %b [[0, 1], [2]] output_shape [%n, 4, 8] : tensor<?x8xf32> into tensor<?x4x8xf32>
  %p = tensor.pad %c low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<?x4x8xf32> to tensor<?x6x8xf32>
  %s = tensor.extract_slice %p[0, 1, 0] [%n, 4, 8] [1, 1, 1] : tensor<?x6x8xf32> to tensor<?x4x8xf32>
  %u = tensor.insert_slice %s into %p[0, 2, 0] [%n, 4, 8] [1, 1, 1] : tensor<?x4x8xf32> into tensor<?x6x8xf32>
  %d = tensor.concat dim(1) %u, %p : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x12x8xf32>
  %y = math.absf %d : tensor<?x12x8xf32>
  return %y : tensor<?x12x8xf32>
}

// -----

// Without a batch nothing changes; neither do functions that nobody can call.

// CHECK-LABEL: func.func @static(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// CHECK-LABEL: func.func private @private(%{{.*}}: tensor<?xf32>) -> tensor<?xf32>
func.func private @private(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{[batch_to_sample_c1] expected the leading dimension alone to be dynamic in argument 0 of 'f', but got 'tensor<4x?xf32>'}}
func.func @f(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %x : tensor<4x?xf32>
}

// -----

// expected-error @below {{[batch_to_sample_c1] expected the leading dimension alone to be dynamic in argument 1 of 'f', but got 'tensor<?x?xf32>'}}
func.func @f(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}

// -----

func.func @f(%x: tensor<?x4xf32>, %y: tensor<2xf32>) -> (tensor<?x4xf32>, tensor<2xf32>) {
  // expected-error @below {{'func.return' op [batch_to_sample_c3] expected the batch to be the leading dimension of result 1, but got 'tensor<2xf32>'}}
  return %x, %y : tensor<?x4xf32>, tensor<2xf32>
}

// -----

func.func @f(%x: tensor<?x4xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'linalg.reduce' op [batch_to_sample_c2] expected to treat each sample of the batch by itself, but it reduces over the batch}}
  %y = linalg.reduce { arith.addf } ins(%x : tensor<?x4xf32>) outs(%i : tensor<4xf32>) dimensions = [0]
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error-re @below {{'bquant.quantize' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it solves one set of scalars for the whole batch}}
  %q = bquant.quantize %x scheme(<ls, 2>) : tensor<?x8xf32> -> !bquant.tensor<?x8, 2>
  %y = bquant.dequantize %q : !bquant.tensor<?x8, 2> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x2x8xf32>) -> tensor<?x2x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %h = arith.muli %n, %c2 : index
  // expected-error-re @below {{'tensor.expand_shape' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it groups samples}}
  %y = tensor.expand_shape %x [[0, 1], [2]] output_shape [%h, 2, 8] : tensor<?x8xf32> into tensor<?x2x8xf32>
  return %y : tensor<?x2x8xf32>
}

// -----

func.func @f(%x: tensor<?x2x8xf32>, %e: tensor<2x?x8xf32>) -> tensor<?x2x8xf32> {
  return %x : tensor<?x2x8xf32>
}
// expected-error @-3 {{in argument 1 of 'f', but got 'tensor<2x?x8xf32>'}}

// -----

func.func @f(%x: tensor<?x2x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2x8xf32>
  %e = tensor.empty(%n) : tensor<2x?x8xf32>
  %t = linalg.transpose ins(%x : tensor<?x2x8xf32>) outs(%e : tensor<2x?x8xf32>) permutation = [1, 0, 2]
  // expected-error-re @below {{'tensor.collapse_shape' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it mixes the samples with another dimension}}
  %y = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x?x8xf32> into tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // expected-error-re @below {{'arith.index_cast' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it uses the size of the batch}}
  %i = arith.index_cast %n : index to i32
  %t = tensor.splat %i : tensor<8xi32>
  return %x : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'linalg.softmax' op [batch_to_sample_c2] expected to treat each sample of the batch by itself, but it is not known to}}
  %y = linalg.softmax dimension(1) ins(%x : tensor<?x8xf32>) outs(%i : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// A product of every sample with every other.
func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  // expected-error-re @below {{'tensor.empty' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it has more than one dynamic dimension}}
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %x : tensor<?x8xf32>
}

// -----

// Sums over a window of samples.
func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x8xf32>, %w: tensor<2xf32>) -> tensor<?x8xf32> {
  // expected-error-re @below {{'linalg.generic' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it reads several samples at once}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x8xf32>, tensor<2xf32>) outs(%i : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x8xi64>) -> tensor<?x8xi64> {
  // expected-error-re @below {{'linalg.generic' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it depends on the place of a sample in the batch}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%i : tensor<?x8xi64>) {
  ^bb0(%a: f32, %o: i64):
    %t = linalg.index 0 : index
    %u = arith.index_cast %t : index to i64
    linalg.yield %u : i64
  } -> tensor<?x8xi64>
  return %y : tensor<?x8xi64>
}

// -----

func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error-re @below {{'linalg.generic' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it reads the batch or its size in its body}}
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x8xf32>) outs(%i : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.constant 0 : index
    %t = tensor.extract %x[%c, %c] : tensor<?x8xf32>
    linalg.yield %t : f32
  } -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error-re @below {{'tensor.extract_slice' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it takes some of the samples}}
  %s = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
  return %x : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>, %y: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %c = tensor.cast %y : tensor<4x8xf32> to tensor<?x8xf32>
  %z = arith.addf %x, %c : tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
// expected-error-re @-4 {{'tensor.cast' op {{\[}}batch_to_sample_c2{{\]}} {{.*}}, but it has a dynamic dimension that is not the batch's}}
