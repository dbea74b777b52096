// RUN: bquant-test-opt %s --bquant-lower-pack | FileCheck %s

#fours = #bquant_test.layout.fours
#octets = #bquant_packed.layout.octets
#pairs = #bquant_test.layout.pairs
#words = #bquant_packed.layout.words

// CHECK-LABEL: func @pack
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 31]
// CHECK: tensor.expand_shape {{.*}} tensor<8x64xi1> into tensor<8x2x32xi1>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK-NOT: bquant
func.func @pack(%b: tensor<8x33xi1>, %init: tensor<8x2xi32, #words>) -> tensor<8x2xi32, #words> {
  %w = bquant_packed.pack ins(%b : tensor<8x33xi1>)
      outs(%init : tensor<8x2xi32, #words>) -> tensor<8x2xi32, #words>
  return %w : tensor<8x2xi32, #words>
}

// CHECK-LABEL: func @unpack
// CHECK: arith.divui
// CHECK: tensor.extract
// CHECK: arith.trunci
// CHECK-NOT: bquant
func.func @unpack(%w: tensor<8x2xi32, #words>, %init: tensor<8x33xi1>) -> tensor<8x33xi1> {
  %b = bquant_packed.unpack ins(%w : tensor<8x2xi32, #words>)
      outs(%init : tensor<8x33xi1>) -> tensor<8x33xi1>
  return %b : tensor<8x33xi1>
}

// Each second word as its difference from the one before; a missing one is 0.
// CHECK-LABEL: func.func @pairs
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 31]
// CHECK: tensor.expand_shape %{{.*}} {{.*}} output_shape [8, 2, 32] : tensor<8x64xi1> into tensor<8x2x32xi1>
// CHECK: arith.ori
// CHECK: linalg.generic
// CHECK: arith.remui %{{.*}}, %c2
// CHECK: tensor.extract
// CHECK: arith.xori
// CHECK: arith.select
func.func @pairs(%b: tensor<8x33xi1>, %e: tensor<8x2xi32, #pairs>) -> tensor<8x2xi32, #pairs> {
  %w = bquant_packed.pack ins(%b : tensor<8x33xi1>)
      outs(%e : tensor<8x2xi32, #pairs>) -> tensor<8x2xi32, #pairs>
  return %w : tensor<8x2xi32, #pairs>
}

// CHECK-LABEL: func.func @octets
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 3]
// CHECK: tensor.expand_shape %{{.*}} {{.*}} output_shape [8, 3, 8] : tensor<8x24xi1> into tensor<8x3x8xi1>
// CHECK: arith.shli %{{.*}} : i8
func.func @octets(%b: tensor<8x21xi1>, %e: tensor<8x3xi8, #octets>) -> tensor<8x3xi8, #octets> {
  %w = bquant_packed.pack ins(%b : tensor<8x21xi1>)
      outs(%e : tensor<8x3xi8, #octets>) -> tensor<8x3xi8, #octets>
  return %w : tensor<8x3xi8, #octets>
}

// CHECK-LABEL: func.func @fours
// CHECK: tensor.pad %{{.*}} low[0, 0] high[0, 3]
// CHECK: tensor.expand_shape %{{.*}} {{.*}} output_shape [8, 8, 1] : tensor<8x8xi1> into tensor<8x8x1xi1>
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @fours(%b: tensor<8x5xi1>, %e: tensor<8x8xi8, #fours>) -> tensor<8x8xi8, #fours> {
  %w = bquant_packed.pack ins(%b : tensor<8x5xi1>)
      outs(%e : tensor<8x8xi8, #fours>) -> tensor<8x8xi8, #fours>
  return %w : tensor<8x8xi8, #fours>
}

// A tile of words may end with the channels.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[B:.*]]: tensor<8x?xi1>, %[[I:.*]]: tensor<8x?xi32
// CHECK-DAG: %[[WORDS:.*]] = tensor.dim %[[I]], %c1
// CHECK-DAG: %[[BITS:.*]] = tensor.dim %[[B]], %c1
// CHECK-DAG: %[[ALL:.*]] = arith.muli %[[WORDS]], %c32
// CHECK: %[[HIGH:.*]] = arith.subi %[[ALL]], %[[BITS]]
// CHECK: tensor.pad %[[B]] low[0, 0] high[0, %[[HIGH]]]
// CHECK: tensor.expand_shape {{.*}} : tensor<8x?xi1> into tensor<8x?x32xi1>
func.func @dynamic(%b: tensor<8x?xi1>, %e: tensor<8x?xi32, #words>) -> tensor<8x?xi32, #words> {
  %w = bquant_packed.pack ins(%b : tensor<8x?xi1>)
      outs(%e : tensor<8x?xi32, #words>) -> tensor<8x?xi32, #words>
  return %w : tensor<8x?xi32, #words>
}

// CHECK-LABEL: func.func @dynamic_word
// CHECK: tensor.pad
// CHECK: tensor<8x?xi1> to tensor<8x32xi1>
func.func @dynamic_word(%b: tensor<8x?xi1>, %e: tensor<8x1xi32, #words>) -> tensor<8x1xi32, #words> {
  %w = bquant_packed.pack ins(%b : tensor<8x?xi1>)
      outs(%e : tensor<8x1xi32, #words>) -> tensor<8x1xi32, #words>
  return %w : tensor<8x1xi32, #words>
}
