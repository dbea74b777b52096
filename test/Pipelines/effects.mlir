// Loop nests without outs, and ones that do more than compute their results, are legal:
// each pass and each route takes or leaves them.
//
// RUN: bquant-opt %s --bquant-batch-to-sample -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-bufferize-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-channels-last -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-compare-selected -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-decompose-packed -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-drop-asserts -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-explain-floats -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-fast -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-flatten-columns -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-fold-constants -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-fold-sign-cascades -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-form-buffer-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-form-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-group-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-hoist-buffers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-inline-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-drop-layouts -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-copies -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-linalg-pack -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-max-num -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-pack -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-relayouts -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-read-inits-as-inputs -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-pads -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-lower-solve -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-multiply-by-reciprocals -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-name-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-normalize-generics -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-bound-codes -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-encode-maps -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-outline-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-plan-arena -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-prepare-for-raising -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-raise -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-pack-filter-levels -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-raise-depthwise -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-raise-max-pools -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-raise-products -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-raise-signs -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-reference -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-results-to-arguments -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-round-to-bf16 -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-select-kernels -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-simplify-maxima -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-sink-into-regions -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-solve-scalars -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-split-empty-tensors -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-split-layers -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-tile-pipeline -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-llvm-pipeline -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-vectorize -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-verify-raised -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-verify-tiles -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-verify-words -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-wrap-entry-points -split-input-file -o /dev/null
// RUN: bquant-opt %s --convert-bquant-to-packed -split-input-file -o /dev/null
// RUN: bquant-opt %s --convert-bquant-to-reference -split-input-file -o /dev/null
// RUN: bquant-opt %s --convert-linalg-to-product -split-input-file -o /dev/null
// RUN: bquant-opt %s --bquant-fast -split-input-file | FileCheck %s

// What they observe is still observed.
// CHECK: llvm.func internal @__bquant_no_outs_reduction
// CHECK: llvm.store
// CHECK: llvm.func internal @__bquant_effects
// CHECK: llvm.store

memref.global @seen : memref<4x40xf32>
func.func @no_outs(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x40xf32>) {
  ^bb0(%a: f32):
    %ok = arith.cmpf une, %a, %zero : f32
    cf.assert %ok, "expected no zero"
    linalg.yield
  }
  return %x : tensor<4x40xf32>
}

// -----

memref.global @seen : memref<4x40xf32>
func.func @no_outs_reduction(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %c0 = arith.constant 0 : index
  %seen = memref.get_global @seen : memref<4x40xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x40xf32>) {
  ^bb0(%a: f32):
    memref.store %a, %seen[%c0, %c0] : memref<4x40xf32>
    linalg.yield
  }
  return %x : tensor<4x40xf32>
}

// -----

memref.global @seen : memref<4x40xf32>
func.func @effects(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %c0 = arith.constant 0 : index
  %seen = memref.get_global @seen : memref<4x40xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x40xf32>
  %n = linalg.negf ins(%x : tensor<4x40xf32>) outs(%e : tensor<4x40xf32>) -> tensor<4x40xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<4x40xf32>) outs(%e : tensor<4x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %ok = arith.cmpf une, %a, %zero : f32
    cf.assert %ok, "expected no zero"
    memref.store %a, %seen[%c0, %c0] : memref<4x40xf32>
    %r = arith.divf %zero, %a : f32
    linalg.yield %r : f32
  } -> tensor<4x40xf32>
  %s = linalg.abs ins(%y : tensor<4x40xf32>) outs(%e : tensor<4x40xf32>) -> tensor<4x40xf32>
  %z = linalg.negf ins(%s : tensor<4x40xf32>) outs(%e : tensor<4x40xf32>) -> tensor<4x40xf32>
  return %z : tensor<4x40xf32>
}

// -----

memref.global @seen : memref<4x40xf32>
func.func @memory(%x: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %m = memref.get_global @seen : memref<4x40xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<4x40xf32>) outs(%m : memref<4x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return %x : tensor<4x40xf32>
}
