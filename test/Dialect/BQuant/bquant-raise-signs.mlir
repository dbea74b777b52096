// RUN: bquant-opt --bquant-raise --split-input-file --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

// Two ops, as importers write where(x >= 0, 1, -1).
// CHECK-LABEL: func @select
// CHECK-SAME: (%[[X:.*]]: tensor<2x8xf32>)
// CHECK-NEXT: %[[S:.*]] = bquant.sign %[[X]]
// CHECK-NEXT: return %[[S]]
func.func @select(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %eb = tensor.empty() : tensor<2x8xi1>
  %b = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x8xf32>) outs(%eb : tensor<2x8xi1>) {
  ^bb0(%a: f32, %o: i1):
    %c = arith.cmpf oge, %a, %zero : f32
    linalg.yield %c : i1
  } -> tensor<2x8xi1>
  %e = tensor.empty() : tensor<2x8xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<2x8xi1>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: i1, %o: f32):
    %c = arith.select %a, %one, %minus : f32
    linalg.yield %c : f32
  } -> tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}

// -----

// One op, constants as operands of rank 0.
// CHECK-LABEL: func @fused
// CHECK-NEXT: bquant.sign
// CHECK-NEXT: return
func.func @fused(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %minus = arith.constant dense<-1.0> : tensor<1x1xf32>
  %e = tensor.empty() : tensor<2x8xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>,
                       affine_map<(i, j) -> ()>, affine_map<(i, j) -> (0, 0)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %zero, %one, %minus
          : tensor<2x8xf32>, tensor<f32>, tensor<f32>, tensor<1x1xf32>)
      outs(%e : tensor<2x8xf32>) {
  ^bb0(%a: f32, %z: f32, %p: f32, %m: f32, %o: f32):
    %b = arith.cmpf oge, %a, %z : f32
    %c = arith.select %b, %p, %m : f32
    linalg.yield %c : f32
  } -> tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}

// -----

// Every spelling with the values 1, 1, -1, -1 for x > 0, zero, x < 0, NaN.
// CHECK-LABEL: func @spellings
// CHECK-NOT: linalg.generic
// CHECK: %[[S:.*]] = bquant.sign
// CHECK-NEXT: return %[[S]], %[[S]], %[[S]], %[[S]]
func.func @spellings(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>,
                                            tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %minuszero = arith.constant dense<-0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  // 0 <= x.
  %b0 = arith.cmpf ole, %zero, %x : tensor<8xf32>
  %s0 = arith.select %b0, %one, %minus : tensor<8xi1>, tensor<8xf32>
  // Not (x < 0 or NaN).
  %b1 = arith.cmpf ult, %x, %minuszero : tensor<8xf32>
  %s1 = arith.select %b1, %minus, %one : tensor<8xi1>, tensor<8xf32>
  // 2 * (x >= 0) - 1.
  %f = arith.uitofp %b0 : tensor<8xi1> to tensor<8xf32>
  %t = arith.mulf %f, %two : tensor<8xf32>
  %s2 = arith.subf %t, %one : tensor<8xf32>
  // The bit of x > 0 or x = 0.
  %g = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %h = arith.cmpf oeq, %x, %zero : tensor<8xf32>
  %i = arith.ori %g, %h : tensor<8xi1>
  %s3 = arith.select %i, %one, %minus : tensor<8xi1>, tensor<8xf32>
  return %s0, %s1, %s2, %s3
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// The comparison is of a value inside the op.
// CHECK-LABEL: func @inside
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: bquant.sign %[[Y]]
func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %one : f32
    %b = arith.cmpf oge, %y, %zero : f32
    %c = arith.select %b, %one, %minus : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// NaN or a zero would have another sign: left, and said.
// CHECK-LABEL: func @others
// CHECK-NOT: bquant.sign
// CHECK: return
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: zero gives -1 and NaN gives -1, expected 1 and -1
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: zero gives 1 and NaN gives 1, expected 1 and -1
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: zero gives 0 and NaN gives 0, expected 1 and -1
func.func @others(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>,
                                         tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %s0 = arith.select %b0, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %b1 = arith.cmpf uge, %x, %zero : tensor<8xf32>
  %s1 = arith.select %b1, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %b2 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %p = arith.select %b0, %one, %zero : tensor<8xi1>, tensor<8xf32>
  %s2 = arith.select %b2, %minus, %p : tensor<8xi1>, tensor<8xf32>
  return %s0, %s1, %s2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Looks at x otherwise than by comparison with zero.
// CHECK-LABEL: func @neither
// CHECK-NOT: bquant.sign
// CHECK: return
func.func @neither(%x: tensor<8xf32>, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf oge, %x, %half : tensor<8xf32>
  %s0 = arith.select %b0, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %b1 = arith.cmpf oge, %x, %y : tensor<8xf32>
  %s1 = arith.select %b1, %one, %minus : tensor<8xi1>, tensor<8xf32>
  // Two different values.
  %b2 = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %b3 = arith.cmpf oge, %y, %zero : tensor<8xf32>
  %b4 = arith.andi %b2, %b3 : tensor<8xi1>
  %s2 = arith.select %b4, %one, %minus : tensor<8xi1>, tensor<8xf32>
  return %s0, %s1, %s2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Of a constant, only the numbers it holds count: the first has neither zeros
// nor NaN, the second a zero.
// CHECK-LABEL: func @constants
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[S:.*]] = bquant.sign %[[A]]
// CHECK-NOT: bquant.sign
// CHECK: return %[[S]], %{{.*}} :
// REMARK: [Missed] raise-sign
// REMARK-SAME: zero gives 0 and NaN gives 0
// REMARK-NOT: [Missed] raise-sign
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %minus = arith.constant dense<-1.0> : tensor<2xf32>
  %x = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %y = arith.constant dense<[0.0, -2.0]> : tensor<2xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<2xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<2xf32>
  %p0 = arith.select %b0, %one, %zero : tensor<2xi1>, tensor<2xf32>
  %s0 = arith.select %b1, %minus, %p0 : tensor<2xi1>, tensor<2xf32>
  %b2 = arith.cmpf ogt, %y, %zero : tensor<2xf32>
  %b3 = arith.cmpf olt, %y, %zero : tensor<2xf32>
  %p1 = arith.select %b2, %one, %zero : tensor<2xi1>, tensor<2xf32>
  %s1 = arith.select %b3, %minus, %p1 : tensor<2xi1>, tensor<2xf32>
  return %s0, %s1 : tensor<2xf32>, tensor<2xf32>
}
