// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels=describe-layers | FileCheck %s --check-prefix=FAST
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels="describe-layers strategy=reference" | FileCheck %s --check-prefix=REFERENCE
// RUN: bquant-opt %s --bquant-select-kernels | FileCheck %s --check-prefix=NONE

// What becomes of each layer, in the order of the program.

// FAST: bquant.layers = [
// FAST-SAME: {arithmetic = "binary", estimated_cycles = {{[0-9]+}} : i64, function = "binary", kernel = "[[KERNEL:.*]]", layout = "words", limit_cycles = {{[0-9]+}} : i64, location = "fc", macs = 480 : i64, op = "matmul", operands = "2x40, 2 planes by 3x40, 1 plane", result = "2x3 f32", tile = array<i64: 2, 32>, weight_bytes = 0 : i64},
// FAST-SAME: {arithmetic = "float", {{.*}}function = "float", kernel = "fma<rows = 12, channels = 32, bits = 256>", {{.*}}location = "{{.*}}select-kernels-layers.mlir:[[#@LINE+16]]:8", macs = 30 : i64, op = "matmul", operands = "2x5 f32 by 5x3 f32",
// FAST-SAME: tile = array<i64: 12, 32>, weight_bytes = 0 : i64}]
// FAST: kernel(#bquant_packed.[[KERNEL]])

// REFERENCE: bquant.layers = [
// REFERENCE-SAME: {arithmetic = "reference", function = "binary", location = "fc", macs = 480 : i64, op = "matmul",
// REFERENCE-SAME: {arithmetic = "float", function = "float",

// NONE-NOT: bquant.layers

func.func @binary(%x: !bquant.tensor<2x40, 2>, %w: !bquant.tensor<3x40, 1, axes = [0]>) -> tensor<2x3xf32> {
  %y = bquant.matmul %x, %w : (!bquant.tensor<2x40, 2>, !bquant.tensor<3x40, 1, axes = [0]>) -> tensor<2x3xf32> loc("fc")
  return %y : tensor<2x3xf32>
}

func.func @float(%x: tensor<2x5xf32>, %w: tensor<5x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<2x5xf32>, tensor<5x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
