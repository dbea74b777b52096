// RUN: bquant-opt %s --bquant-hoist-constants | FileCheck %s

// Vectors and numbers stay.
// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[D:.*]] = arith.constant dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}, 4.0{{.*}}]> : tensor<4xf32>
// CHECK-NEXT:    bquant_packed.layer "l" ins(%[[I:.*]] = %[[X]] : tensor<4xf32>, %[[K:.*]] = %[[C]] : tensor<4xf32>, %[[M:.*]] = %[[D]] : tensor<4xf32>) outs(%[[O:.*]] = %[[E]] : tensor<4xf32>) {
// CHECK:           arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK:           linalg.add ins(%[[I]], %[[K]] :
// CHECK:           linalg.mul ins(%{{.*}}, %[[M]] : {{.*}}) outs(%[[O]] :
func.func @constants(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %y = bquant_packed.layer "l" ins(%i = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %zero = arith.constant 0 : index
    %none = arith.constant dense<0.0> : vector<4xf32>
    %c = arith.constant dense<2.0> : tensor<4xf32>
    %s = linalg.add ins(%i, %c : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %w = vector.transfer_write %none, %s[%zero] : vector<4xf32>, tensor<4xf32>
    %d = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %p = linalg.mul ins(%w, %d : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
