// RUN: bquant-opt %s --convert-bquant-to-packed --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROUNDED
// RUN: bquant-opt %s --convert-bquant-to-packed=rollback --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROUNDED
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-bquant-to-packed --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --convert-bquant-to-packed --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROUNDED

// A float input by bits: words along the output channels, one sum for each scalar.

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// Signs of each of 40 filters: +, -, +.
// CHECK-LABEL: @matmul
// CHECK-DAG: %[[WORDS:.*]] = arith.constant dense<{{\[\[}}-1, 255], [0, 0], [-1, 255]]> : tensor<3x2xi32, #words>
// CHECK-DAG: %[[ZEROS:.*]] = linalg.fill
// FMA: %[[Y:.*]] = bquant_packed.product fused ins(%{{.*}} : tensor<1x3xf32>)
// ROUNDED: %[[Y:.*]] = bquant_packed.product ins(%{{.*}} : tensor<1x3xf32>)
// CHECK-SAME: filters(%[[WORDS]] : tensor<3x2xi32, #words>) outs(%[[ZEROS]] : tensor<1x40xf32>) maps = [#[[$X]], #[[$W]]] -> tensor<1x40xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]],
// CHECK: arith.mulf
func.func @matmul(%x: tensor<1x3xf32>) -> tensor<1x40xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x40x1xi32>) scalars(dense<0.5> : tensor<1x40xf32>)
      : !bquant.tensor<40x3, 1, axes = [0]>
  %y = bquant.matmul %x, %w : (tensor<1x3xf32>, !bquant.tensor<40x3, 1, axes = [0]>) -> tensor<1x40xf32>
  return %y : tensor<1x40xf32>
}

// Ternary: mask and sign, one sum. Codes 10, 00, 11.
// CHECK-LABEL: @ternary
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<{{\[\[}}0], [1], [1]]> : tensor<3x1xi32, #words>
// CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<{{\[\[}}0], [0], [1]]> : tensor<3x1xi32, #words>
// CHECK: bquant_packed.product {{.*}} filters(%[[MASK]], %[[SIGN]] : {{.*}} ratios = [1, 1] -> tensor<2x1xf32>
func.func @ternary(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %w = bquant.constant words(dense<[[[5]], [[4]]]> : tensor<2x1x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<1x3, [1, 1]>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<1x3, [1, 1]>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// Uniform levels -3, -1, 1, 3: one sum, too.
// CHECK-LABEL: @uniform
// CHECK: bquant_packed.product {{.*}} : tensor<3x1xi32, #words>, tensor<3x1xi32, #words>) {{.*}} ratios = [2, 1] -> tensor<2x1xf32>
func.func @uniform(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %w = bquant.constant words(dense<[[[5]], [[4]]]> : tensor<2x1x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<1x3, [2, 1]>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<1x3, [2, 1]>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// Three border classes, one filter; two planes are two sums.
// CHECK-LABEL: @conv
// CHECK: %[[WORDS:.*]] = arith.constant {{.*}} : tensor<3x1x2x2xi32, #words>
// CHECK: tensor.extract_slice %[[WORDS]][1, 0, 0, 0] [2, 1, 2, 2]
// CHECK: bquant_packed.product {{(fused )?}}ins(%{{.*}} : tensor<1x2x4x2xf32>) filters({{.*}} : tensor<2x1x2x2xi32, #words>, tensor<2x1x2x2xi32, #words>) {{.*}} -> tensor<1x1x4x33xf32>, tensor<1x1x4x33xf32>
// CHECK: bquant_packed.product {{(fused )?}}ins(%{{.*}} : tensor<1x4x4x2xf32>) filters({{.*}} : tensor<3x1x2x2xi32, #words>, tensor<3x1x2x2xi32, #words>)
// CHECK: tensor.extract_slice %[[WORDS]][0, 0, 0, 0] [2, 1, 2, 2]
func.func @conv(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x33xf32> {
  %w = bquant.constant words(dense<1> : tensor<2x33x3x1x1xi32>) scalars(dense<0.5> : tensor<2x33xf32>)
      : !bquant.tensor<33x3x1x2, 2, axes = [0]>
  %y = bquant.conv_2d %x, %w pads = [1, 1, 0, 0]
      : (tensor<1x4x4x2xf32>, !bquant.tensor<33x3x1x2, 2, axes = [0]>) -> tensor<1x4x4x33xf32>
  return %y : tensor<1x4x4x33xf32>
}

// Padding alone: zeros.
// CHECK-LABEL: @padding
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(
// CHECK-NEXT:   linalg.yield %{{.*}} : f32
// CHECK: tensor.insert_slice %{{.*}}[0, 0, 0, 0]
// CHECK: bquant_packed.product
func.func @padding(%x: tensor<1x1x1x2xf32>) -> tensor<1x3x1x1xf32> {
  %w = bquant.constant words(dense<1> : tensor<1x1x1x1x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<1x1x1x2, 1>
  %y = bquant.conv_2d %x, %w pads = [1, 1, 0, 0]
      : (tensor<1x1x1x2xf32>, !bquant.tensor<1x1x1x2, 1>) -> tensor<1x3x1x1xf32>
  return %y : tensor<1x3x1x1xf32>
}

// A filter that is known at run time only is transposed there.
// CHECK-LABEL: @runtime
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
// CHECK: bquant_packed.product
func.func @runtime(%x: tensor<2x3xf32>, %f: tensor<4x3xf32>, %v: tensor<1xf32>) -> tensor<2x4xf32> {
  %w = bquant.quantize %f scalars(%v : tensor<1xf32>) : tensor<4x3xf32> -> !bquant.tensor<4x3, 1>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<4x3, 1>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
