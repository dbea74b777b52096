// RUN: bquant-opt %s --bquant-select-kernels --convert-bquant-to-packed --canonicalize --cse | FileCheck %s
// RUN: bquant-opt %s --bquant-select-kernels --convert-bquant-to-packed=rollback --canonicalize --cse | FileCheck %s

// Nine windows along each side, none like another, would be 81 regions:
// the columns are padded, the rows are nine regions. A mask says which words are the
// image's: all channels of the last word are five.

// CHECK-LABEL: @bits
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<[-1, 31]> : tensor<2xi32>
// CHECK: %[[ONES:.*]] = linalg.generic {{.*}} ins(%[[ROW]] : tensor<2xi32>) outs(%{{.*}} : tensor<1x9x9x2xi32, #words>)
// CHECK: %[[MASK:.*]] = tensor.pad %[[ONES]] low[0, 0, 4, 0] high[0, 0, 4, 0]
// CHECK: %[[SIGN:.*]] = tensor.pad %{{.*}} low[0, 0, 4, 0] high[0, 0, 4, 0]
// CHECK-NOT: tensor.pad
// CHECK: %[[SIGNS:.*]] = tensor.collapse_shape %[[SIGN]]
// CHECK: %[[MASKS:.*]] = tensor.collapse_shape %[[MASK]]
// CHECK: %[[S:.*]] = tensor.extract_slice %[[SIGNS]][0, 0, 0] [1, 5, 34]
// CHECK: %[[M:.*]] = tensor.extract_slice %[[MASKS]][0, 0, 0] [1, 5, 34]
// CHECK: bquant_packed.product {{.*}} ins(%[[S]], %[[M]] : {{.*}} masked_inputs ->
// CHECK-COUNT-9: tensor.insert_slice
// CHECK-NOT: tensor.insert_slice
func.func @bits(%x: tensor<1x9x9x37xf32>, %v: tensor<1xf32>) -> tensor<1x9x9x8xf32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x9x9x37xf32> -> !bquant.tensor<1x9x9x37, 1>
  %f = bquant.constant words(dense<1> : tensor<1x8x9x9x2xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<8x9x9x37, 1>
  %r = bquant.conv_2d %q, %f pads = [4, 4, 4, 4]
      : (!bquant.tensor<1x9x9x37, 1>, !bquant.tensor<8x9x9x37, 1>) -> tensor<1x9x9x8xf32>
  return %r : tensor<1x9x9x8xf32>
}

// Floats need no mask.

// CHECK-LABEL: @floats
// CHECK: tensor.pad %arg0 low[0, 0, 4, 0] high[0, 0, 4, 0]
// CHECK: } : tensor<1x9x9x2xf32> to tensor<1x9x17x2xf32>
// CHECK-NOT: tensor.pad
// CHECK-COUNT-9: tensor.insert_slice
// CHECK-NOT: tensor.insert_slice
func.func @floats(%x: tensor<1x9x9x2xf32>) -> tensor<1x9x9x1xf32> {
  %f = bquant.constant words(dense<1> : tensor<1x1x9x9x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<1x9x9x2, 1>
  %r = bquant.conv_2d %x, %f pads = [4, 4, 4, 4]
      : (tensor<1x9x9x2xf32>, !bquant.tensor<1x9x9x2, 1>) -> tensor<1x9x9x1xf32>
  return %r : tensor<1x9x9x1xf32>
}
