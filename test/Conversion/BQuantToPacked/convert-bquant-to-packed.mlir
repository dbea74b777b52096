// RUN: bquant-opt %s --bquant-select-kernels --convert-bquant-to-packed --canonicalize --bquant-verify-words --split-input-file | FileCheck %s
// RUN: bquant-opt %s --bquant-select-kernels --convert-bquant-to-packed=rollback --canonicalize --bquant-verify-words --split-input-file | FileCheck %s

// All bits of a value from one generic and one pack. Constant scalars are in
// the body.
// CHECK-LABEL: func @cascade
// CHECK: %[[BITS:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x2x2x33xf32>) outs({{.*}} : tensor<1x2x2x33xi1>, tensor<1x2x2x33xi1>)
// CHECK: %[[UP:.*]] = arith.cmpf oge
// CHECK: %[[TERM:.*]] = arith.select %[[UP]]
// CHECK: %[[R:.*]] = arith.subf %{{.*}}, %[[TERM]]
// CHECK: arith.cmpf oge, %[[R]]
// CHECK: %[[W:.*]]:2 = bquant_packed.pack ins(%[[BITS]]#0, %[[BITS]]#1 : {{.*}}) outs({{.*}}) -> tensor<1x2x2x2xi32, #words>, tensor<1x2x2x2xi32, #words>
// Pooling: a slice for each tap and plane.
// CHECK-COUNT-8: tensor.extract_slice %[[W]]#
// CHECK: %[[MAX:.*]]:2 = linalg.generic {{.*}} outs({{.*}} : tensor<1x1x1x2xi32, #words>, tensor<1x1x1x2xi32, #words>)
// CHECK: %[[B:.*]]:2 = bquant_packed.unpack ins(%[[MAX]]#0, %[[MAX]]#1 :
// CHECK: linalg.generic {{.*}} ins(%[[B]]#0, %[[B]]#1 :
func.func @cascade(%x: tensor<1x2x2x33xf32>) -> tensor<1x1x1x33xf32> {
  %v = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>)
      : tensor<1x2x2x33xf32> -> !bquant.tensor<1x2x2x33, 2>
  %p = bquant.max_pool_2d %q window = [2, 2]
      : !bquant.tensor<1x2x2x33, 2> -> !bquant.tensor<1x1x1x33, 2>
  %0 = bquant.dequantize %p : !bquant.tensor<1x1x1x33, 2> -> tensor<1x1x1x33xf32>
  return %0 : tensor<1x1x1x33xf32>
}

// -----

// Ascending constants need no rank: each is one comparison. A falling step is
// an inverted one.
// CHECK-LABEL: func @thresholds
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x2xi32>, tensor<2xi32>, tensor<2xi32>) outs({{.*}} : tensor<4x2xi1>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: i32, %[[T0:.*]]: i32, %[[T1:.*]]: i32, %{{.*}}: i1)
// CHECK-DAG: %[[GE0:.*]] = arith.cmpi sle, %[[T0]], %[[X]]
// CHECK-DAG: %[[GE1:.*]] = arith.cmpi sle, %[[T1]], %[[X]]
// CHECK-NOT: arith.addi
// CHECK: linalg.yield
// CHECK: bquant_packed.pack
func.func @thresholds(%x: tensor<4x2xi32>) -> tensor<4x2xf32> {
  %t = arith.constant dense<[[-2, 3], [0, 2147483647]]> : tensor<2x2xi32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x thresholds(%t : tensor<2x2xi32>) codes [0, 1, 0]
      scalars(%v : tensor<1xf32>) : tensor<4x2xi32> -> !bquant.tensor<4x2, 1>
  %r = bquant.constant words(dense<3> : tensor<1x2x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<2x2, 1>
  %0 = bquant.matmul %q, %r
      : (!bquant.tensor<4x2, 1>, !bquant.tensor<2x2, 1>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Thresholds in no known order: their number is counted.
// CHECK-LABEL: func @unsorted
// CHECK: arith.cmpf ole
// CHECK: arith.cmpf ole
// CHECK: arith.addi
// CHECK: arith.cmpi sgt
func.func @unsorted(%x: tensor<4x2xf32>, %t: tensor<2xf32>, %v: tensor<1xf32>) -> tensor<4x2xf32> {
  %q = bquant.quantize %x thresholds(%t : tensor<2xf32>) codes [0, 1, 0]
      scalars(%v : tensor<1xf32>) : tensor<4x2xf32> -> !bquant.tensor<4x2, 1>
  %r = bquant.constant words(dense<3> : tensor<1x2x1xi32>)
      scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<2x2, 1>
  %0 = bquant.matmul %q, %r
      : (!bquant.tensor<4x2, 1>, !bquant.tensor<2x2, 1>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Three classes of rows by one of columns. Each has taps and a K of its own;
// they share one constant filter, laid out, though its words are equal: slices of
// dense ones would be folded. Scalars follow once all is together.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5)>
// CHECK-DAG: #[[$F:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>
// CHECK-LABEL: func @border
// CHECK-DAG: %[[F3:.*]] = arith.constant dense_resource<filter{{.*}}> : tensor<2x3x1x1xi32, #{{[a-z0-9_]+}}>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[K3:.*]] = arith.constant 9 : i32
// CHECK-DAG: %[[K2:.*]] = arith.constant 6 : i32
// CHECK-DAG: %[[VW:.*]] = arith.constant 2.500000e-01 : f32
// CHECK: %[[X0:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [1, 2, 4]
// CHECK: %[[F2:.*]] = tensor.extract_slice %[[F3]][0, 1, 0, 0] [2, 2, 1, 1]
// CHECK: %[[Z:.*]] = linalg.fill ins(%[[ZERO]] : i32)
// CHECK: %[[P:.*]] = bquant_packed.product kernel(#bquant_packed.scalar<{{.*}}>) ins(%[[X0]] : tensor<1x2x4xi32, #words>) filters(%[[F2]] : tensor<2x2x1x1xi32, #{{[a-z0-9_]+}}>) outs(%[[Z]] : tensor<1x1x4x2xi32>) maps = [#[[$X]], #[[$F]]] -> tensor<1x1x4x2xi32>
// CHECK: %[[D0:.*]] = linalg.generic {{.*}} ins(%[[P]] :
// CHECK: arith.subi %[[K2]]
// CHECK: %[[R0:.*]] = tensor.insert_slice %[[D0]] into %{{.*}}[0, 0, 0, 0] [1, 1, 4, 2]
// CHECK: bquant_packed.product {{.*}} ins(%{{.*}} : tensor<1x4x4xi32, #words>) filters(%[[F3]] :
// CHECK: arith.subi %[[K3]]
// CHECK: %[[R1:.*]] = tensor.insert_slice %{{.*}} into %[[R0]][0, 1, 0, 0] [1, 2, 4, 2]
// CHECK: %[[F1:.*]] = tensor.extract_slice %[[F3]][0, 0, 0, 0] [2, 2, 1, 1]
// CHECK: bquant_packed.product {{.*}} filters(%[[F1]] :
// CHECK: %[[R2:.*]] = tensor.insert_slice %{{.*}} into %[[R1]][0, 3, 0, 0] [1, 1, 4, 2]
// CHECK: linalg.generic {{.*}} ins(%[[R2]] : tensor<1x4x4x2xi32>)
// CHECK: %[[D:.*]] = arith.sitofp
// CHECK: arith.mulf %[[D]], %[[VW]]
func.func @border(%x: tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 1>
  %w = bquant.constant words(dense<3> : tensor<1x2x3x1x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x3x1x3, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 0, 0]
      : (!bquant.tensor<1x4x4x3, 1>, !bquant.tensor<2x3x1x3, 1>)
      -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}

// -----

// Padding with +1: a tap that is left out adds the sum of its filter's signs,
// +1 for 0b011 and -1 for 0b001 in three channels, to K = 3.
// CHECK-LABEL: func @pad_value
// CHECK-DAG: %[[TOP:.*]] = arith.constant dense<4> : tensor<1xi32>
// CHECK-DAG: %[[ALL:.*]] = arith.constant 6 : i32
// CHECK-DAG: %[[BOTTOM:.*]] = arith.constant dense<2> : tensor<1xi32>
// CHECK: bquant_packed.product
// CHECK: ins(%{{.*}}, %[[TOP]] :
// CHECK: bquant_packed.product
// CHECK: arith.subi %[[ALL]]
// CHECK: bquant_packed.product
// CHECK: ins(%{{.*}}, %[[BOTTOM]] :
func.func @pad_value(%x: tensor<1x4x4x3xf32>) -> tensor<1x5x4x1xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 1>
  %w = bquant.constant words(dense<[[[[[3]], [[1]]]]]> : tensor<1x1x2x1x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<1x2x1x3, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 0, 0] pad_value = 1
      : (!bquant.tensor<1x4x4x3, 1>, !bquant.tensor<1x2x1x3, 1>)
      -> tensor<1x5x4x1xi32>
  return %0 : tensor<1x5x4x1xi32>
}

// -----

// Ternary by ternary: one product of signs and masks, which counts these, too.
// The constant 01, 11 in two channels is (mask 10, sign 10).
// CHECK-LABEL: func @ternary
// CHECK: %[[MASK:.*]] = arith.cmpi eq
// CHECK: %[[SIGN:.*]] = arith.andi
// CHECK: linalg.yield %[[MASK]], %[[SIGN]]
// CHECK: %[[W:.*]]:2 = bquant_packed.pack
// CHECK: %[[P:.*]]:2 = bquant_packed.product {{.*}} ins(%[[W]]#1, %[[W]]#0 : {{.*}} filters(%{{.*}}, %{{.*}} : tensor<1x1x1xi32, #{{[a-z0-9_]+}}>, tensor<1x1x1xi32, #{{[a-z0-9_]+}}>) {{.*}} masked_inputs masked_filters -> tensor<4x1xi32>, tensor<4x1xi32>
// CHECK: linalg.generic {{.*}} ins(%[[P]]#0, %[[P]]#1 :
// CHECK-NEXT: ^bb0(%[[D:.*]]: i32, %[[N:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[TWICE:.*]] = arith.shli %[[D]]
// CHECK-NEXT: arith.subi %[[N]], %[[TWICE]]
// CHECK-DAG: filter: "0x4000000002000000"
// CHECK-DAG: filter_1: "0x4000000002000000"
func.func @ternary(%x: tensor<4x2xf32>) -> tensor<4x1xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<4x2xf32> -> !bquant.tensor<4x2, [1, 1]>
  %w = bquant.constant words(dense<[[[2]], [[3]]]> : tensor<2x1x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<1x2, [1, 1]>
  %0 = bquant.matmul %q, %w
      : (!bquant.tensor<4x2, [1, 1]>, !bquant.tensor<1x2, [1, 1]>)
      -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// -----

// A ternary input by one plane: the mask is counted once a position, not once
// a filter.
// CHECK-DAG: #[[$POS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @ternary_input
// CHECK: %[[S:.*]] = tensor.collapse_shape %[[W:.*]]#1
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[W]]#0
// CHECK: %[[P:.*]] = bquant_packed.product {{.*}} ins(%[[S]], %[[M]] : {{.*}} masked_inputs -> tensor<1x2x2x5xi32>
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[M]], %{{.*}} : tensor<1x4x4xi32, #words>, tensor<3xi32>) outs(%{{.*}} : tensor<1x4x2xi32>)
// CHECK: %[[N:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[ROWS]], %{{.*}} : tensor<1x4x2xi32>, tensor<3xi32>) outs(%{{.*}} : tensor<1x2x2xi32>)
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[$POS]], {{.*}}], {{.*}} ins(%[[P]], %[[N]] :
func.func @ternary_input(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x5xi32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x2xf32> -> !bquant.tensor<1x4x4x2, [1, 1]>
  %w = bquant.constant words(dense<3> : tensor<1x5x3x3x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<5x3x3x2, 1>
  %0 = bquant.conv_2d %q, %w
      : (!bquant.tensor<1x4x4x2, [1, 1]>, !bquant.tensor<5x3x3x2, 1>)
      -> tensor<1x2x2x5xi32>
  return %0 : tensor<1x2x2x5xi32>
}

// -----

// An offset c = 0.5 adds t = (c w) W to (v w) D, W the sum of a filter's signs
// over the valid taps: constants of the border classes. One tap of 0b011 sums
// to 1, two to 2, and of 0b000 to -3 and -6.
// CHECK-LABEL: func @offset
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<[2.500000e-01, -7.500000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[BOTH:.*]] = arith.constant dense<[5.000000e-01, -1.500000e+00]> : tensor<2xf32>
// CHECK: %[[T0:.*]] = linalg.generic {{.*}} ins(%[[ONE]] : tensor<2xf32>) outs({{.*}} : tensor<1x1x4x2xf32>)
// CHECK: tensor.insert_slice %[[T0]]
// CHECK: %[[T1:.*]] = linalg.generic {{.*}} ins(%[[BOTH]] : tensor<2xf32>) outs({{.*}} : tensor<1x3x4x2xf32>)
// CHECK: tensor.insert_slice %[[T1]]
// CHECK: linalg.generic {{.*}} ins(%[[ONE]] : tensor<2xf32>) outs({{.*}} : tensor<1x1x4x2xf32>)
// CHECK: %[[T:.*]] = tensor.insert_slice {{.*}} : tensor<1x1x4x2xf32> into tensor<1x5x4x2xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[T]] : tensor<1x5x4x2xi32>, tensor<1x5x4x2xf32>)
// CHECK-NEXT: ^bb0(%[[D:.*]]: i32, %[[C:.*]]: f32, %{{.*}}: f32)
// CHECK: %[[F:.*]] = arith.sitofp %[[D]]
// CHECK: %[[VWD:.*]] = arith.mulf %[[F]]
// CHECK: arith.addf %[[C]], %[[VWD]]
func.func @offset(%x: tensor<1x4x4x3xf32>) -> tensor<1x5x4x2xf32> {
  %v = arith.constant dense<0.5> : tensor<1xf32>
  %c = arith.constant dense<0.5> : tensor<f32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>)
      : tensor<1x4x4x3xf32> -> !bquant.tensor<1x4x4x3, 1, offset>
  %w = bquant.constant words(dense<[[[[[3]], [[3]]], [[[0]], [[0]]]]]> : tensor<1x2x2x1x1xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<2x2x1x3, 1>
  %0 = bquant.conv_2d %q, %w pads = [1, 1, 0, 0]
      : (!bquant.tensor<1x4x4x3, 1, offset>, !bquant.tensor<2x2x1x3, 1>)
      -> tensor<1x5x4x2xf32>
  return %0 : tensor<1x5x4x2xf32>
}

// -----

// A right-hand side known at run time only is summed there, and an offset of
// each row gives a term of each row and column.
// CHECK-LABEL: func @offset_of_rows
// CHECK: math.ctpop
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<5xi32>, tensor<4xf32>, tensor<f32>) outs({{.*}} : tensor<4x5xf32>)
// CHECK: linalg.generic {{.*}} ins({{.*}}%[[T]] : tensor<4x5xi32>, tensor<4xf32>, tensor<f32>, tensor<4x5xf32>)
func.func @offset_of_rows(%x: tensor<4x40xf32>, %y: tensor<5x40xf32>, %v: tensor<1x4xf32>,
                          %c: tensor<4xf32>, %w: tensor<1xf32>) -> tensor<4x5xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1x4xf32>) offset(%c : tensor<4xf32>)
      : tensor<4x40xf32> -> !bquant.tensor<4x40, 1, axes = [0], offset>
  %r = bquant.quantize %y scalars(%w : tensor<1xf32>)
      : tensor<5x40xf32> -> !bquant.tensor<5x40, 1>
  %0 = bquant.matmul %q, %r
      : (!bquant.tensor<4x40, 1, axes = [0], offset>, !bquant.tensor<5x40, 1>)
      -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// The counter's range: 2 popcount(a xor b) may wrap, the dot does not.
// CHECK-LABEL: func @counter_range
// CHECK: bquant_packed.product {{.*}} ins(%{{.*}} : tensor<1x67108864xi32, #words>) filters(%{{.*}} : tensor<1x67108864x1xi32, #{{[a-z0-9_]+}}>)
// CHECK: arith.subi %c2147483647_i32,
func.func @counter_range(%x: tensor<1x2147483647xf32>, %v: tensor<1xf32>) -> tensor<1x1xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x2147483647xf32> -> !bquant.tensor<1x2147483647, 1>
  %0 = bquant.matmul %q, %q : (!bquant.tensor<1x2147483647, 1>, !bquant.tensor<1x2147483647, 1>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}
