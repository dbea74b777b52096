// RUN: bquant-opt %s --bquant-form-layers --cse --bquant-name-layers | FileCheck %s

// By the location, of which a part may be a name; two that do the same are one,
// whatever they are called.
// CHECK-LABEL: func.func @f(
// CHECK:         bquant_packed.layer "conv/1"
// CHECK:         bquant_packed.layer "inner"
// CHECK:         bquant_packed.layer "layer"
// CHECK-NOT:     bquant_packed.layer
#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<64xf32>, %z: tensor<64xf32>, %w: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %y = math.absf %i : f32
    linalg.yield %y : f32
  } -> tensor<64xf32> loc("conv/1")
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %y = math.exp %i : f32
    linalg.yield %y : f32
  } -> tensor<64xf32> loc(fused["f.py":3:4, "inner"])
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%w : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %y = math.sqrt %i : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %y = math.absf %i : f32
    linalg.yield %y : f32
  } -> tensor<64xf32> loc("conv2")
  return %a, %b, %c, %d : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
