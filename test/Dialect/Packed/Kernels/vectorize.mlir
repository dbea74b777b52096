// Tiles that pack pairs have two words; a step of two elements, a state of two
// vectors for each of two rows.
//
// RUN: bquant-test-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --convert-bquant-to-packed \
// RUN:   --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers \
// RUN:   --bquant-tile-pipeline --bquant-vectorize-pipeline | FileCheck %s

// CHECK-LABEL: func.func @parity
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c64
// CHECK: %[[PAIR:.*]] = arith.xori %[[W0:.*]], %{{.*}} : i32
// CHECK: %[[WORDS:.*]] = vector.from_elements %[[W0]], %[[PAIR]], %{{.*}}, %{{.*}} : vector<2x2xi32>
// CHECK: vector.transfer_write %[[WORDS]]
// CHECK: scf.for %[[K:.*]] = %c0 to %c4 step %c2 iter_args({{.*}}) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>)
// CHECK: %[[STEP:.*]] = vector.transfer_read %{{.*}}[%c0, %[[K]]]{{.*}} : tensor<2x4xi32, #pairs>, vector<2xi32>
// CHECK: vector.extract %[[STEP]][0]
// CHECK: vector.extract %[[STEP]][1]
// CHECK: math.ctpop %{{.*}} : vector<4xi32>
func.func @parity(%x: tensor<2x128xf32>, %v: tensor<1xf32>) -> tensor<2x4xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<2x128xf32> -> !bquant.tensor<2x128, 1>
  %w = bquant.constant words(dense<5> : tensor<1x4x4xi32>) scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<4x128, 1>
  %0 = bquant.matmul %q, %w kernel(#bquant_test.parity<rows = 2, channels = 4>) : (!bquant.tensor<2x128, 1>, !bquant.tensor<4x128, 1>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
