// RUN: bquant-opt --bquant-raise %s | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: bquant-opt --bquant-raise=strict-nan %s | FileCheck %s --check-prefixes=CHECK,STRICT
// RUN: bquant-opt --bquant-raise=assume-no-nan %s | FileCheck %s --check-prefixes=CHECK,NONAN
// RUN: bquant-opt --bquant-raise="assume-no-nan assume-no-zero" %s | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: bquant-opt --bquant-raise=assume-exact-residues %s | FileCheck %s --check-prefixes=CHECK,RESIDUES

// sign(x) + (x == 0) gives NaN no sign of its own.
// CHECK-LABEL: func @corrected
// DEFAULT: bquant.sign
// STRICT-NOT: bquant.sign
// NONAN: bquant.sign
// BOTH: bquant.sign
// RESIDUES: bquant.sign
// CHECK: return
func.func @corrected(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %b2 = arith.cmpf oeq, %x, %zero : tensor<8xf32>
  %p = arith.select %b0, %one, %zero : tensor<8xi1>, tensor<8xf32>
  %s = arith.select %b1, %minus, %p : tensor<8xi1>, tensor<8xf32>
  %e = arith.uitofp %b2 : tensor<8xi1> to tensor<8xf32>
  %r = arith.addf %s, %e : tensor<8xf32>
  return %r : tensor<8xf32>
}

// where(x < 0, -1, 1) gives NaN the other sign.
// CHECK-LABEL: func @negated
// DEFAULT-NOT: bquant.sign
// STRICT-NOT: bquant.sign
// NONAN: bquant.sign
// BOTH: bquant.sign
// RESIDUES-NOT: bquant.sign
// CHECK: return
func.func @negated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %s = arith.select %b, %minus, %one : tensor<8xi1>, tensor<8xf32>
  return %s : tensor<8xf32>
}

// sign(x) alone differs at zero, copysign at -0.0.
// CHECK-LABEL: func @plain
// DEFAULT-NOT: bquant.sign
// STRICT-NOT: bquant.sign
// NONAN-NOT: bquant.sign
// BOTH: %[[S:.*]] = bquant.sign
// RESIDUES-NOT: bquant.sign
// CHECK: return
func.func @plain(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %p = arith.select %b0, %one, %zero : tensor<8xi1>, tensor<8xf32>
  %s = arith.select %b1, %minus, %p : tensor<8xi1>, tensor<8xf32>
  %c = math.copysign %one, %x : tensor<8xf32>
  return %s, %c : tensor<8xf32>, tensor<8xf32>
}

// (s - x) + x rounds where x is large.
// CHECK-LABEL: func @residue
// DEFAULT: arith.addf
// STRICT: arith.addf
// NONAN: arith.addf
// BOTH: arith.addf
// RESIDUES-NOT: arith.addf
// CHECK: return
func.func @residue(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = bquant.sign %x : tensor<8xf32>
  %d = arith.subf %s, %x : tensor<8xf32>
  %r = arith.addf %d, %x : tensor<8xf32>
  return %r : tensor<8xf32>
}

// Between the bounds of a clamp the second sign is the other one of the first: 2 s1 + s2 is s1.
// NaN, which a clamp keeps, has two equal signs: -3.
// CHECK-LABEL: func @clamped_cascade
// DEFAULT-NOT: arith.addf
// DEFAULT: bquant.sign
// STRICT: arith.addf
// NONAN: bquant.sign
// BOTH: bquant.sign
// RESIDUES: bquant.sign
// CHECK: return
func.func @clamped_cascade(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %l = arith.maximumf %x, %minus : tensor<8xf32>
  %c = arith.minimumf %l, %one : tensor<8xf32>
  %b1 = arith.cmpf oge, %c, %zero : tensor<8xf32>
  %s1 = arith.select %b1, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %p1 = arith.mulf %s1, %two : tensor<8xf32>
  %r = arith.subf %c, %p1 : tensor<8xf32>
  %b2 = arith.cmpf oge, %r, %zero : tensor<8xf32>
  %s2 = arith.select %b2, %one, %minus : tensor<8xi1>, tensor<8xf32>
  %q = arith.addf %p1, %s2 : tensor<8xf32>
  return %q : tensor<8xf32>
}
