// RUN: bquant-opt %s --convert-bquant-to-packed | FileCheck %s
// RUN: bquant-opt %s --convert-bquant-to-packed=rollback | FileCheck %s
// RUN: bquant-opt %s --convert-bquant-to-reference | FileCheck %s --check-prefix=REFERENCE

// Words first: one plane does not wait for its scalar. 75 values a sample are
// two times 32 and 11.
// CHECK-LABEL: func @means
// REFERENCE-LABEL: func @means
func.func @means(%x: tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32> {
  // CHECK: bquant_packed.pack
  // CHECK: %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2, 3]] : tensor<2x3x5x5xf32> into tensor<2x75xf32>
  // CHECK: %[[WHOLE:.*]] = tensor.extract_slice %[[ROWS]][0, 0] [2, 64] [1, 1]
  // CHECK: %[[LANES:.*]] = tensor.expand_shape %[[WHOLE]] {{\[}}[0], [1, 2, 3]] output_shape [2, 1, 2, 32]
  // CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[LANES]] : tensor<2x1x2x32xf32>) outs(%{{.*}} : tensor<2x1x32xf64>)
  // CHECK: math.absf
  // CHECK: arith.extf
  // CHECK: arith.addf
  // CHECK: %[[PARTIAL:.*]] = tensor.collapse_shape %[[SUMS]] {{\[}}[0], [1, 2]] : tensor<2x1x32xf64> into tensor<2x32xf64>
  // CHECK: tensor.extract_slice %[[ROWS]][0, 64] [2, 11] [1, 1]
  // CHECK: %[[ALL:.*]] = tensor.insert_slice %{{.*}} into %[[PARTIAL]][0, 0] [2, 11] [1, 1]
  // CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[ALL]] : tensor<2x32xf64>) outs(%{{.*}} : tensor<2xf64>)
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[SUM]] : tensor<2xf64>) outs(%{{.*}} : tensor<2xf32>)
  // CHECK: %[[N:.*]] = arith.constant 7.500000e+01 : f64
  // CHECK: arith.divf %{{.*}}, %[[N]]
  // CHECK: arith.truncf
  // CHECK-NOT: bquant.solve
  // REFERENCE: bquant.solve <ls, 1> ins(%{{.*}} : tensor<2x75xf32>) outs(%{{.*}} : tensor<1x2xf32>)
  %q = bquant.quantize %x scheme(<ls, 1>) : tensor<2x3x5x5xf32> -> !bquant.tensor<2x3x5x5, 1, axes = [0]>
  %y = bquant.dequantize %q : !bquant.tensor<2x3x5x5, 1, axes = [0]> -> tensor<2x3x5x5xf32>
  return %y : tensor<2x3x5x5xf32>
}

// Many values in eight runs, 39 times 32 each, which threads share; 16 are left.
// CHECK-LABEL: func @many
func.func @many(%x: tensor<100x100xf32>) -> tensor<100x100xf32> {
  // CHECK: %[[RUNS:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2, 3]] output_shape [1, 8, 39, 32]
  // CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[RUNS]] : tensor<1x8x39x32xf32>) outs(%{{.*}} : tensor<1x8x32xf64>)
  // CHECK: %[[PARTIAL:.*]] = tensor.collapse_shape %[[SUMS]] {{\[}}[0], [1, 2]] : tensor<1x8x32xf64> into tensor<1x256xf64>
  // CHECK: tensor.insert_slice %{{.*}} into %[[PARTIAL]][0, 0] [1, 16] [1, 1]
  %q = bquant.quantize %x scheme(<ls, 1>) : tensor<100x100xf32> -> !bquant.tensor<100x100, 1>
  %y = bquant.dequantize %q : !bquant.tensor<100x100, 1> -> tensor<100x100xf32>
  return %y : tensor<100x100xf32>
}

// What has to be sorted is solved by a call, with scratch.
// CHECK-LABEL: func @sorted
func.func @sorted(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // CHECK: %[[ONE:.*]] = tensor.expand_shape %{{.*}} output_shape [1, 64]
  // CHECK: %[[SOLVED:.*]]:2 = bquant.solve <ls, 2> ins(%[[ONE]] : tensor<1x64xf32>) outs(%{{.*}}, %{{.*}} : tensor<2x1xf32>, tensor<1216xi8>)
  // CHECK: tensor.collapse_shape %[[SOLVED]]#0 {{\[}}[0, 1]] : tensor<2x1xf32> into tensor<2xf32>
  // CHECK: bquant_packed.pack
  %q = bquant.quantize %x scheme(<ls, 2>) : tensor<2x32xf32> -> !bquant.tensor<2x32, 2>
  %y = bquant.dequantize %q : !bquant.tensor<2x32, 2> -> tensor<2x32xf32>
  return %y : tensor<2x32xf32>
}

// Scalars for another dimension: its values are brought together.
// CHECK-LABEL: func @channels
func.func @channels(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  // CHECK: linalg.transpose {{.*}} permutation = [2, 0, 1]
  // CHECK: bquant.solve <ls, T> ins(%{{.*}} : tensor<5x6xf32>)
  %q = bquant.quantize %x scheme(<ls, T>) : tensor<2x3x5xf32> -> !bquant.tensor<2x3x5, [1, 1], axes = [2]>
  %y = bquant.dequantize %q : !bquant.tensor<2x3x5, [1, 1], axes = [2]> -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}
