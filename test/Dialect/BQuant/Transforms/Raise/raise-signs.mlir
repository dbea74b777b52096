// RUN: bquant-opt --bquant-prepare-for-raising --bquant-raise-signs --bquant-explain-floats \
// RUN:   --bquant-prepare-for-raising --split-input-file --remark-policy=all \
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
// REMARK-SAME: not bquant's sign: zero gives -1 instead of 1"
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: NaN gives 1 instead of -1"
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: zero gives 0 instead of 1 and NaN gives 0 instead of -1
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

// The seven ops of sign(x) + (x == 0), as torch-mlir writes them. NaN is none of
// its signs.
// CHECK-LABEL: func @corrected
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[S:.*]] = bquant.sign %[[X]]
// CHECK-NEXT: return %[[S]]
// REMARK: [Analysis] raise-sign
// REMARK-SAME: NaN gives -1, and not 0 as written
func.func @corrected(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %p = arith.select %b0, %one, %zero : tensor<8xi1>, tensor<8xf32>
  %s = arith.select %b1, %minus, %p : tensor<8xi1>, tensor<8xf32>
  %b2 = arith.cmpf oeq, %x, %zero : tensor<8xf32>
  %e = arith.uitofp %b2 : tensor<8xi1> to tensor<8xf32>
  %r = arith.addf %s, %e : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// As others correct a sign: by a choice, by a byte, by an integer, by a half;
// TFLite nests its selects the other way round.
// CHECK-LABEL: func @corrections
// CHECK-NOT: linalg.generic
// CHECK: %[[S:.*]] = bquant.sign
// CHECK-NEXT: return %[[S]], %[[S]], %[[S]], %[[S]]
func.func @corrections(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>,
                                              tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %m = arith.select %b1, %minus, %zero : tensor<8xi1>, tensor<8xf32>
  %s = arith.select %b0, %one, %m : tensor<8xi1>, tensor<8xf32>
  %b2 = arith.cmpf oeq, %x, %zero : tensor<8xf32>
  %r0 = arith.select %b2, %one, %s : tensor<8xi1>, tensor<8xf32>
  %b3 = arith.cmpf oeq, %zero, %x : tensor<8xf32>
  %i8 = arith.extui %b3 : tensor<8xi1> to tensor<8xi8>
  %e = arith.sitofp %i8 : tensor<8xi8> to tensor<8xf32>
  %r1 = arith.addf %s, %e : tensor<8xf32>
  %b4 = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %i64 = arith.extui %b4 : tensor<8xi1> to tensor<8xi64>
  %two = arith.constant dense<2> : tensor<8xi64>
  %onei = arith.constant dense<1> : tensor<8xi64>
  %t = arith.muli %i64, %two : tensor<8xi64>
  %d = arith.subi %t, %onei : tensor<8xi64>
  %r2 = arith.sitofp %d : tensor<8xi64> to tensor<8xf32>
  // sign(sign(x) + 1/2).
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %h = arith.addf %s, %half : tensor<8xf32>
  %b5 = arith.cmpf olt, %h, %zero : tensor<8xf32>
  %r3 = arith.select %b5, %minus, %one : tensor<8xi1>, tensor<8xf32>
  %b6 = arith.cmpf uno, %x, %x : tensor<8xf32>
  %r4 = arith.select %b6, %minus, %r3 : tensor<8xi1>, tensor<8xf32>
  return %r0, %r1, %r2, %r4
      : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A byte overflows where a signed bit does: not what it looks like.
// CHECK-LABEL: func @signed_bit
// CHECK-NOT: bquant.sign
// CHECK: return
func.func @signed_bit(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %b = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %f = arith.sitofp %b : tensor<8xi1> to tensor<8xf32>
  %t = arith.mulf %f, %two : tensor<8xf32>
  %s = arith.subf %t, %one : tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// The integer of a bit that is 0 is +0, not -0: 1 / g is inf or -1 here.
// CHECK-LABEL: func @zero_bit
// CHECK-NOT: bquant.sign
// CHECK: return
func.func @zero_bit(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %minus_two = arith.constant dense<-2.0> : tensor<8xf32>
  %b = arith.cmpf ult, %x, %zero : tensor<8xf32>
  %g = arith.sitofp %b : tensor<8xi1> to tensor<8xf32>
  %i = arith.divf %one, %g : tensor<8xf32>
  %c = arith.cmpf olt, %i, %minus_two : tensor<8xf32>
  %s = arith.select %c, %one, %minus : tensor<8xi1>, tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// Straight-through residues (s - c) + c are s where c is bounded: by a clamp, in
// any of its spellings (the second takes NaN to -1).
// CHECK-LABEL: func @residues
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[S:.*]] = bquant.sign %[[X]]
// CHECK-NEXT: return %[[S]], %[[S]], %[[S]]
func.func @residues(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>,
                                           tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %s = arith.select %b, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %c0 = arith.maximumf %x, %minus : tensor<8xf32>
  %c1 = arith.minimumf %c0, %one : tensor<8xf32>
  %d0 = arith.subf %s, %c1 : tensor<8xf32>
  %r0 = arith.addf %d0, %c1 : tensor<8xf32>
  %l = arith.cmpf ult, %x, %minus : tensor<8xf32>
  %c2 = arith.select %l, %minus, %x : tensor<8xi1>, tensor<8xf32>
  %g = arith.cmpf ugt, %c2, %one : tensor<8xf32>
  %c3 = arith.select %g, %one, %c2 : tensor<8xi1>, tensor<8xf32>
  %d1 = arith.subf %s, %c3 : tensor<8xf32>
  %r1 = arith.addf %c3, %d1 : tensor<8xf32>
  %d2 = arith.subf %c3, %s : tensor<8xf32>
  %r2 = arith.subf %c3, %d2 : tensor<8xf32>
  return %r0, %r1, %r2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Of x itself they are not: above 2^24 the sum rounds. Nor with a c of the other
// sign.
// CHECK-LABEL: func @unbounded_residue
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: arith.subf
// REMARK: [Missed] raise-sign
// REMARK-SAME: (s - x) + x is s up to 2^24 only
// REMARK: [Missed] raise-sign
// REMARK-SAME: (s - x) + x is s up to 2^24 only
func.func @unbounded_residue(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %s = arith.select %b, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %d = arith.subf %s, %x : tensor<8xf32>
  %r = arith.addf %d, %x : tensor<8xf32>
  %c0 = arith.maximumf %x, %minus : tensor<8xf32>
  %c1 = arith.minimumf %c0, %one : tensor<8xf32>
  %c2 = arith.mulf %c1, %minus : tensor<8xf32>
  %d2 = arith.subf %s, %c2 : tensor<8xf32>
  %r2 = arith.addf %d2, %c2 : tensor<8xf32>
  return %r, %r2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// copysign has a sign for -0.0 and for NaN. Where neither can be, it is raised.
// CHECK-LABEL: func @copysign
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[C:.*]] = math.copysign
// CHECK-DAG: %[[S:.*]] = bquant.sign
// CHECK: return %{{.*}}, %[[S]]
// REMARK: [Missed] raise-sign
// REMARK-SAME: not bquant's sign: -0.0 gives -1 instead of 1 and +NaN gives 1 instead of -1"
func.func @copysign(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %c = math.copysign %one, %x : tensor<8xf32>
  // Either at least 1 or at most -1.
  %b = arith.cmpf oge, %x, %zero : tensor<8xf32>
  %p = arith.maxnumf %x, %one : tensor<8xf32>
  %m = arith.minnumf %x, %minus : tensor<8xf32>
  %y = arith.select %b, %p, %m : tensor<8xi1>, tensor<8xf32>
  %d = math.copysign %one, %y : tensor<8xf32>
  return %c, %d : tensor<8xf32>, tensor<8xf32>
}
