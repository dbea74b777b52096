// RUN: bquant-opt %s --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @sign_of_sign
// CHECK: %[[S:.*]] = bquant.sign
// CHECK-NEXT: return %[[S]]
func.func @sign_of_sign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bquant.sign %x : tensor<4xf32>
  %1 = bquant.sign %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @window_of_one
// CHECK-NOT: max_pool
func.func @window_of_one(%x: tensor<1x4x4x8xf32>, %v: tensor<2xf32>) -> tensor<1x4x4x8xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 2>
  %p = bquant.max_pool_2d %q window = [1, 1] : !bquant.tensor<1x4x4x8, 2> -> !bquant.tensor<1x4x4x8, 2>
  %d = bquant.dequantize %p : !bquant.tensor<1x4x4x8, 2> -> tensor<1x4x4x8xf32>
  return %d : tensor<1x4x4x8xf32>
}

// -----

// A stride of two moves: it stays.
// CHECK-LABEL: @strided_window_of_one
// CHECK: max_pool
func.func @strided_window_of_one(%x: tensor<1x4x4x8xf32>, %v: tensor<2xf32>) -> tensor<1x2x2x8xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 2>
  %p = bquant.max_pool_2d %q window = [1, 1] strides = [2, 2] : !bquant.tensor<1x4x4x8, 2> -> !bquant.tensor<1x2x2x8, 2>
  %d = bquant.dequantize %p : !bquant.tensor<1x2x2x8, 2> -> tensor<1x2x2x8xf32>
  return %d : tensor<1x2x2x8xf32>
}

// -----

#words = #bquant_packed.layout.words

// CHECK-LABEL: @unpack_of_pack
// CHECK-SAME: %[[A:.*]]: tensor<4x40xi1>, %[[B:.*]]: tensor<4x40xi1>
// CHECK-NEXT: return %[[B]], %[[A]]
func.func @unpack_of_pack(%a: tensor<4x40xi1>, %b: tensor<4x40xi1>, %w: tensor<4x2xi32, #words>) -> (tensor<4x40xi1>, tensor<4x40xi1>) {
  %0:2 = bquant_packed.pack ins(%a, %b : tensor<4x40xi1>, tensor<4x40xi1>)
      outs(%w, %w : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>, tensor<4x2xi32, #words>
  %1:2 = bquant_packed.unpack ins(%0#1, %0#0 : tensor<4x2xi32, #words>, tensor<4x2xi32, #words>)
      outs(%a, %b : tensor<4x40xi1>, tensor<4x40xi1>) -> tensor<4x40xi1>, tensor<4x40xi1>
  return %1#0, %1#1 : tensor<4x40xi1>, tensor<4x40xi1>
}

// -----

#words = #bquant_packed.layout.words

// Another number of elements of the same words: it stays.
// CHECK-LABEL: @unpack_of_longer_pack
// CHECK: bquant_packed.unpack
func.func @unpack_of_longer_pack(%a: tensor<4x40xi1>, %w: tensor<4x2xi32, #words>, %i: tensor<4x39xi1>) -> tensor<4x39xi1> {
  %0 = bquant_packed.pack ins(%a : tensor<4x40xi1>) outs(%w : tensor<4x2xi32, #words>) -> tensor<4x2xi32, #words>
  %1 = bquant_packed.unpack ins(%0 : tensor<4x2xi32, #words>) outs(%i : tensor<4x39xi1>) -> tensor<4x39xi1>
  return %1 : tensor<4x39xi1>
}

// -----

// Dead values go.
// CHECK-LABEL: @dead
// CHECK-NEXT: return
func.func @dead(%x: tensor<1x4x4x8xf32>, %v: tensor<2xf32>) {
  %q = bquant.quantize %x scalars(%v : tensor<2xf32>) : tensor<1x4x4x8xf32> -> !bquant.tensor<1x4x4x8, 2>
  %d = bquant.dequantize %q : !bquant.tensor<1x4x4x8, 2> -> tensor<1x4x4x8xf32>
  return
}

// -----

// Sizes are known without the value: tensor.dim asks the ops.
// CHECK-LABEL: @sizes
// CHECK-DAG: arith.constant 4 : index
// CHECK-NOT: tensor.dim
// CHECK: return
func.func @sizes(%x: tensor<1x4x4x8xf32>, %w: !bquant.tensor<16x3x3x8, 1>) -> index {
  %c1 = arith.constant 1 : index
  %y = bquant.conv_2d %x, %w pads = [1, 1, 1, 1] : (tensor<1x4x4x8xf32>, !bquant.tensor<16x3x3x8, 1>) -> tensor<1x4x4x16xf32>
  %d = tensor.dim %y, %c1 : tensor<1x4x4x16xf32>
  return %d : index
}
