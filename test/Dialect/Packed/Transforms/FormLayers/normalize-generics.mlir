// RUN: bquant-opt %s --bquant-normalize-generics | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>

// Named ops that feed each other are one generic.
// CHECK-LABEL: @chain
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[Y:.*]]: tensor<8x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]], %[[Y]] :
// CHECK:           arith.addf
// CHECK-NEXT:      math.exp
// CHECK-NOT:     linalg.generic
func.func @chain(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %s = linalg.add ins(%x, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.exp ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// The dimensions of the result come first, in their order, and each reader of a
// fill has one of its own.
// CHECK-LABEL: @loops
// CHECK-COUNT-2: linalg.fill
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%[[F:.*]] :
// CHECK:           arith.addf
// CHECK-NOT:     outs(%[[F]] :
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-NOT:     outs(%[[F]] :
// CHECK:           arith.maximumf
func.func @loops(%x: tensor<4x8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x8x16xf32>) outs(%z : tensor<8x16xf32>) dimensions = [0]
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8x16xf32>) outs(%z : tensor<8x16xf32>) dimensions = [0]
  return %s, %m : tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: @units
// CHECK-SAME:    %[[X:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16x1x1xf32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[B]]
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]]{{.*}} ins(%[[X]], %[[FLAT]] :
func.func @units(%x: tensor<8x16xf32>, %b: tensor<16x1x1xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, 0, 0)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<8x16xf32>, tensor<16x1x1xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %sum = arith.addf %p, %q : f32
    linalg.yield %sum : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Elements of few channels are in one row, unless another op of a layer makes or
// reads them.

// CHECK-LABEL: @few_channels(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xf32>
// CHECK: %[[ROW:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2, 3]]
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[ROW]] : tensor<192xf32>)
// CHECK: %[[IMAGE:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1, 2, 3]]
// CHECK: tensor.pad %[[IMAGE]]
#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @few_channels(%x: tensor<1x8x8x3xf32>) -> tensor<1x10x10x3xi8> {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x8x8x3xi8>
  %y = linalg.generic {indexing_maps = [#image, #image],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x8x8x3xf32>) outs(%e : tensor<1x8x8x3xi8>) {
  ^bb0(%a: f32, %s: i8):
    %0 = arith.fptosi %a : f32 to i8
    linalg.yield %0 : i8
  } -> tensor<1x8x8x3xi8>
  %p = tensor.pad %y low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x8x8x3xi8> to tensor<1x10x10x3xi8>
  return %p : tensor<1x10x10x3xi8>
}

// CHECK-LABEL: @read_again
// CHECK-NOT: collapse_shape
#matrix = affine_map<(n, c) -> (n, c)>
#rows = affine_map<(n, c) -> (n)>
func.func @read_again(%x: tensor<8x3xf32>) -> (tensor<8x3xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x3xf32>
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x3xf32>) outs(%e : tensor<8x3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x3xf32>
  %t = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x3xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %y, %t : tensor<8x3xf32>, tensor<8xf32>
}

// Many channels, and parameters of channels, are as they were.

// CHECK-LABEL: @other_channels
// CHECK-NOT: collapse_shape
#channel = affine_map<(n, c) -> (c)>
func.func @other_channels(%x: tensor<8x8xf32>, %y: tensor<8x3xf32>, %c: tensor<3xf32>)
    -> (tensor<8x8xf32>, tensor<8x3xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x3xf32>
  %0 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = math.exp %a : f32
    linalg.yield %2 : f32
  } -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#matrix, #channel, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%y, %c : tensor<8x3xf32>, tensor<3xf32>) outs(%f : tensor<8x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<8x3xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x3xf32>
}

// Constants for each channel, from which two products start, are two fills.
// CHECK-LABEL: @constants
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
func.func @constants(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<4x2xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// Without an element to compute.
// CHECK-LABEL: @empty
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK-NOT: linalg
// CHECK: return %[[FILL]]
func.func @empty(%x: tensor<3x0xf32>, %w: tensor<0x16xf32>) -> tensor<3x16xf32> {
  %z = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<3x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x16xf32>) -> tensor<3x16xf32>
  %s = linalg.sqrt ins(%x : tensor<3x0xf32>) outs(%x : tensor<3x0xf32>) -> tensor<3x0xf32>
  %r = linalg.matmul ins(%s, %w : tensor<3x0xf32>, tensor<0x16xf32>) outs(%i : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %r : tensor<3x16xf32>
}
