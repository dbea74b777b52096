// RUN: bquant-opt %s --bquant-prepare-for-raising -split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-prepare-for-raising=max-dense=1 -split-input-file \
// RUN:   | FileCheck %s --check-prefix=LARGE

// Named ops become generics, a number moves into the body, and a parameter loses
// its dimensions of size 1.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: func @parameters
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x4x4xf32>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[V:.*]] = arith.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK: %[[A:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$C]], #[[$ID]]]
// CHECK-SAME: ins(%[[X]], %[[V]] : tensor<1x2x4x4xf32>, tensor<2xf32>)
// CHECK: arith.mulf
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]]
// CHECK-SAME: ins(%[[A]] : tensor<1x2x4x4xf32>)
// CHECK: arith.addf %{{.*}}, %[[TWO]]
func.func @parameters(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %v = arith.constant dense<[[[[1.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  %number = arith.constant dense<2.0> : tensor<f32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %a = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (0, c, h, w)>,
                       affine_map<(n, c, h, w) -> (0, c, 0, 0)>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %v : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>)
      outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<1x2x4x4xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>,
                       affine_map<(n, c, h, w) -> (n, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %number : tensor<1x2x4x4xf32>, tensor<f32>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// -----

// A named elementwise op; equal values become one.
// CHECK-LABEL: func @named
// CHECK: %[[S:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return %[[S]], %[[S]]
func.func @named(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  %b = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Folders read small resources, as dense constants.
// CHECK-LABEL: func @resource
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]>
// LARGE-LABEL: func @resource
// LARGE: arith.constant dense_resource<w>
func.func @resource() -> tensor<2xf32> {
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  return %w : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}

// -----

// What is canonicalized is what is at hand: ops of every dialect in the module,
// and those that preparing itself makes, here of affine.
// CHECK-LABEL: func @at_hand
// CHECK: %[[ROWS:.*]] = affine.apply
// CHECK: %[[E:.*]] = tensor.empty(%[[ROWS]])
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
// CHECK-NOT: scf.if
func.func @at_hand(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %yes = arith.constant true
  %c = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = scf.if %yes -> tensor<?x4xf32> {
    scf.yield %c : tensor<?x4xf32>
  } else {
    scf.yield %x : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// -----

// A pad that is inserted with steps between its elements stays: its width is
// not that of what is inserted.
// CHECK-LABEL: func @spread_pad
// CHECK: %[[PAD:.*]] = tensor.pad
// CHECK: tensor.insert_slice %[[PAD]] into %{{.*}}[0, 0] [1, 3] [1, 2]
func.func @spread_pad(%x: tensor<1x2xf32>) -> tensor<1x5xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x2xf32> to tensor<1x3xf32>
  %e = tensor.empty() : tensor<1x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5xf32>) -> tensor<1x5xf32>
  %y = tensor.insert_slice %pad into %zeros[0, 0] [1, 3] [1, 2] : tensor<1x3xf32> into tensor<1x5xf32>
  return %y : tensor<1x5xf32>
}

// -----

// A pad by less than nothing leaves elements out.
// CHECK-LABEL: func @negative_pad
// CHECK-SAME: (%[[X:.*]]: tensor<1x6x6x8xf32>)
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 1, 0, 0] [1, 5, 5, 8] [1, 1, 1, 1]
// CHECK: tensor.pad %[[SLICE]] low[0, 0, 2, 0] high[0, 0, 0, 0]
func.func @negative_pad(%x: tensor<1x6x6x8xf32>) -> tensor<1x5x7x8xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, -1, 2, 0] high[0, 0, -1, 0] {
  ^bb0(%n: index, %i: index, %j: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x6x6x8xf32> to tensor<1x5x7x8xf32>
  return %pad : tensor<1x5x7x8xf32>
}

// -----

// Complex numbers are no constants of arith.
// CHECK-LABEL: func @complex
// CHECK: %[[C:.*]] = arith.constant dense<(1.000000e+00,2.000000e+00)>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[C]] :
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %c = arith.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %c : tensor<4xcomplex<f32>>, tensor<complex<f32>>)
      outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %out: complex<f32>):
    %sum = complex.add %a, %b : complex<f32>
    linalg.yield %sum : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %y : tensor<4xcomplex<f32>>
}

// -----

// A comparison of bits, as some write `not`, is an xor.
// CHECK-LABEL: func @bits
// CHECK-SAME: (%[[A:.*]]: i1, %[[B:.*]]: i1)
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[NOT:.*]] = arith.xori %[[A]], %[[TRUE]]
// CHECK: %[[D:.*]] = arith.xori %[[A]], %[[B]]
// CHECK: %[[SAME:.*]] = arith.xori %[[D]], %[[TRUE]]
// CHECK: return %[[NOT]], %[[D]], %[[SAME]]
func.func @bits(%a: i1, %b: i1) -> (i1, i1, i1) {
  %false = arith.constant false
  %n = arith.cmpi eq, %a, %false : i1
  %d = arith.cmpi ne, %a, %b : i1
  %s = arith.cmpi eq, %a, %b : i1
  return %n, %d, %s : i1, i1, i1
}
