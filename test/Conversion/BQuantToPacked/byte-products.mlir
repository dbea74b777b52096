// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=icelake-server" --bquant-select-kernels --convert-bquant-to-packed | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-select-kernels --convert-bquant-to-packed | FileCheck %s --check-prefix=NEON

// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 * 3 + d5)>
// CHECK-DAG: #[[$STEPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 16, d4, d5 floordiv 4)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3 floordiv 64, d4, d5 floordiv 3)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d5 * 2, d2 + d4, d3)>

// Signed bytes are codes less 128. The filter's words have four of its column's
// bytes; sums start from its sum, which comes off, of NEON's sums of signed
// bytes both ways: from 0.
// CHECK-LABEL: @matmul
// CHECK: %[[CODES:.*]] = linalg.generic
// CHECK: arith.xori %{{.*}}, %c-128_i8
// CHECK: %[[BASE:.*]] = arith.constant dense<[-3840, 512]> : tensor<2xi32>
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[BASE]] : tensor<2xi32>)
// CHECK: bquant_packed.product kernel(#bquant_packed.bytes
// CHECK-SAME: ins(%[[CODES]] : tensor<4x4xi8, #codes>) filters(%{{.*}} : tensor<1x1x16xi32, #{{[a-z0-9_]+}}>) outs(%[[START]] : tensor<4x2xi32>)
// NEON-LABEL: @matmul
// NEON: linalg.fill
// NEON: %[[START:.*]] = linalg.fill
// NEON: bquant_packed.product {{.*}} outs(%[[START]] : tensor<4x2xi32>)
func.func @matmul(%x: tensor<4x4xi8>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[3, -1], [7, -1], [9, -1], [11, -1]]> : tensor<4x2xi8>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x2xi32>
  %o = linalg.fill ins(%z : i32) outs(%e : tensor<4x2xi32>) -> tensor<4x2xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x4xi8>, tensor<4x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Padding is of codes; the taps of a row and their channels are one loop; what
// the sums start from at each place is added.
// CHECK-LABEL: @conv
// CHECK-SAME: %{{.*}}: tensor<1x5x5x16xi8>, %[[O:.*]]: tensor<1x5x5x2xi32>
// CHECK: arith.xori
// CHECK: %[[FILL:.*]] = arith.constant -125 : i8
// CHECK: tensor.pad
// CHECK: tensor.yield %[[FILL]]
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : tensor<1x7x7x16xi8, #codes> into tensor<1x7x112xi8, #codes>
// CHECK: bquant_packed.product kernel(#bquant_packed.bytes{{.*}} ins(%[[ROWS]] : tensor<1x7x112xi8, #codes>) filters(%{{.*}} : tensor<1x3x12x16xi32, #{{[a-z0-9_]+}}>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[O]] : tensor<1x5x5x2xi32>, tensor<1x5x5x2xi32>)
func.func @conv(%x: tensor<1x5x5x16xi8>, %o: tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32> {
  %w = arith.constant dense<5> : tensor<2x3x3x16xi8>
  %c3 = arith.constant 3 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %c3 : i8
  } : tensor<1x5x5x16xi8> to tensor<1x7x7x16xi8>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x7x7x16xi8>, tensor<2x3x3x16xi8>)
      outs(%o : tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32>
  return %0 : tensor<1x5x5x2xi32>
}

// A row of three pixels is nine bytes: of the filter three zeros are added, of
// the image a column, which they are multiplied by.
// CHECK-LABEL: @image
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : tensor<1x5x5x3xi8> into tensor<1x5x15xi8>
// CHECK: arith.xori
// CHECK: %[[ROWS:.*]] = tensor.pad %{{.*}} low[0, 1, 3] high[0, 1, 6]
// CHECK: bquant_packed.product kernel(#bquant_packed.bytes{{.*}} ins(%[[ROWS]] : tensor<1x7x24xi8, #codes>) filters(%{{.*}} : tensor<1x3x3x16xi32, #{{[a-z0-9_]+}}>)
// CHECK-SAME: maps = [#[[$IMAGE]], #[[$STEPS]]]
func.func @image(%x: tensor<1x5x5x3xi8>, %o: tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32> {
  %w = arith.constant dense<5> : tensor<2x3x3x3xi8>
  %c3 = arith.constant 3 : i8
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %c3 : i8
  } : tensor<1x5x5x3xi8> to tensor<1x7x7x3xi8>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x7x7x3xi8>, tensor<2x3x3x3xi8>)
      outs(%o : tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32>
  return %0 : tensor<1x5x5x2xi32>
}

// Rows of a matrix that are no whole words are padded.
// CHECK-LABEL: @narrow
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 2]
// CHECK: bquant_packed.product kernel(#bquant_packed.bytes{{.*}} ins(%{{.*}} : tensor<4x8xi8, #codes>) filters(%{{.*}} : tensor<1x2x16xi32, #{{[a-z0-9_]+}}>)
func.func @narrow(%x: tensor<4x6xi8>, %o: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<5> : tensor<6x2xi8>
  %0 = linalg.matmul ins(%x, %w : tensor<4x6xi8>, tensor<6x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

// Of channels with an input each a step takes a column: of five taps three and
// three, a row of zeros the last one, which is as far away as a row that is.
// CHECK-LABEL: @depthwise
// CHECK: tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 2, 0, 0]
// CHECK: bquant_packed.product kernel(#bquant_packed.bytes<{{.*}}taps = 3>) ins(%{{.*}} : tensor<1x11x5x64xi8, #codes>) filters(%{{.*}} : tensor<1x3x2x64xi32, #{{[a-z0-9_]+}}>)
// CHECK-SAME: maps = [#[[$CHANNEL]], #[[$COLUMN]]]
func.func @depthwise(%x: tensor<1x9x5x64xi8>, %o: tensor<1x1x3x64xi32>) -> tensor<1x1x3x64xi32> {
  %w = arith.constant dense<5> : tensor<5x3x64xi8>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x9x5x64xi8>, tensor<5x3x64xi8>)
      outs(%o : tensor<1x1x3x64xi32>) -> tensor<1x1x3x64xi32>
  return %0 : tensor<1x1x3x64xi32>
}

// A bias that the only reader adds is a part of what the sums start from.
// CHECK-LABEL: @bias
// CHECK: %[[START:.*]] = arith.constant dense<[-3830, 532]> : tensor<2xi32>
// CHECK: linalg.generic {{.*}} ins(%[[START]] : tensor<2xi32>)
// CHECK: %[[P:.*]] = bquant_packed.product
// CHECK: linalg.generic {{.*}} ins(%[[P]],
// CHECK-NEXT: ^bb0(%[[SUM:[a-z0-9_]*]]: i32,
// CHECK-NEXT: arith.sitofp %[[SUM]]
func.func @bias(%x: tensor<4x4xi8>, %e: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[3, -1], [7, -1], [9, -1], [11, -1]]> : tensor<4x2xi8>
  %bias = arith.constant dense<[10, 20]> : tensor<2xi32>
  %z = arith.constant 0 : i32
  %i = tensor.empty() : tensor<4x2xi32>
  %o = linalg.fill ins(%z : i32) outs(%i : tensor<4x2xi32>) -> tensor<4x2xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x4xi8>, tensor<4x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<4x2xi32>, tensor<2xi32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%sum: i32, %b: i32, %out: f32):
    %t = arith.addi %sum, %b : i32
    %f = arith.sitofp %t : i32 to f32
    linalg.yield %f : f32
  } -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// So are two, one after the other.
// CHECK-LABEL: @biases
// CHECK: %[[START:.*]] = arith.constant dense<[-3830, 533]> : tensor<2xi32>
// CHECK: linalg.generic {{.*}} ins(%[[START]] : tensor<2xi32>)
// CHECK: bquant_packed.product
// CHECK-NOT: arith.addi
// CHECK: arith.sitofp
func.func @biases(%x: tensor<4x4xi8>, %e: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[3, -1], [7, -1], [9, -1], [11, -1]]> : tensor<4x2xi8>
  %bias = arith.constant dense<[10, 20]> : tensor<2xi32>
  %more = arith.constant dense<[0, 1]> : tensor<2xi32>
  %z = arith.constant 0 : i32
  %i = tensor.empty() : tensor<4x2xi32>
  %o = linalg.fill ins(%z : i32) outs(%i : tensor<4x2xi32>) -> tensor<4x2xi32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x4xi8>, tensor<4x2xi8>) outs(%o : tensor<4x2xi32>) -> tensor<4x2xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<4x2xi32>, tensor<2xi32>) outs(%i : tensor<4x2xi32>) {
  ^bb0(%sum: i32, %b: i32, %out: i32):
    %t = arith.addi %sum, %b : i32
    linalg.yield %t : i32
  } -> tensor<4x2xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%1, %more : tensor<4x2xi32>, tensor<2xi32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%sum: i32, %b: i32, %out: f32):
    %t = arith.addi %sum, %b : i32
    %f = arith.sitofp %t : i32 to f32
    linalg.yield %f : f32
  } -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// An image without signs, whose planes get more, is transposed as it is: codes.
// CHECK-LABEL: @planes
// CHECK-SAME: %[[X:.*]]: tensor<1x3x4x4xi8>
// CHECK: %[[FILL:.*]] = arith.constant -121 : i8
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 0, 0] high[0, 1, 0, 0]
// CHECK: tensor.yield %[[FILL]]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[P]] : tensor<1x4x4x4xi8>) outs(%{{.*}} : tensor<1x4x4x4xi8, #codes>) permutation = [0, 2, 3, 1]
// CHECK-NOT: arith.xori
// CHECK: bquant_packed.product
func.func @planes(%x: tensor<1x3x4x4xi8>) -> tensor<1x3x3x2xi32> {
  %w = arith.constant dense<5> : tensor<2x2x2x4xi8>
  %top = arith.constant -128 : i8
  %c7 = arith.constant 7 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x4x4xi8>
  %s = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x3x4x4xi8>) outs(%e : tensor<1x3x4x4xi8>) {
  ^bb0(%a: i8, %b: i8):
    %0 = arith.xori %a, %top : i8
    linalg.yield %0 : i8
  } -> tensor<1x3x4x4xi8>
  %p = tensor.pad %s low[0, 0, 0, 0] high[0, 1, 0, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      tensor.yield %c7 : i8
  } : tensor<1x3x4x4xi8> to tensor<1x4x4x4xi8>
  %t = tensor.empty() : tensor<1x4x4x4xi8>
  %last = linalg.transpose ins(%p : tensor<1x4x4x4xi8>) outs(%t : tensor<1x4x4x4xi8>) permutation = [0, 2, 3, 1]
  %o = tensor.empty() : tensor<1x3x3x2xi32>
  %init = linalg.fill ins(%zero : i32) outs(%o : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%last, %w : tensor<1x4x4x4xi8>, tensor<2x2x2x4xi8>)
      outs(%init : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
  return %0 : tensor<1x3x3x2xi32>
}

// The constant of a pad may be in its body, which another pad does not see.
// CHECK-LABEL: @constant_within
// CHECK: tensor.pad %{{.*}} low[0, 1, 3] high[0, 1, 6]
// CHECK: bquant_packed.product
func.func @constant_within(%x: tensor<1x5x5x3xi8>, %o: tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32> {
  %w = arith.constant dense<5> : tensor<2x3x3x3xi8>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %b: index, %c: index, %d: index):
      %c3 = arith.constant 3 : i8
      tensor.yield %c3 : i8
  } : tensor<1x5x5x3xi8> to tensor<1x7x7x3xi8>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x7x7x3xi8>, tensor<2x3x3x3xi8>)
      outs(%o : tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32>
  return %0 : tensor<1x5x5x2xi32>
}
