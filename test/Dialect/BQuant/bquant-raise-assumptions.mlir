// RUN: bquant-opt --bquant-raise %s | FileCheck %s --check-prefix=EXACT
// RUN: bquant-opt --bquant-raise=assume-no-nan %s | FileCheck %s --check-prefix=NONAN
// RUN: bquant-opt --bquant-raise="assume-no-nan assume-no-zero" %s | FileCheck %s --check-prefix=BOTH

// sign(x) + (x == 0), as torch-mlir writes it, differs from bquant's sign where
// x is NaN.
// EXACT-LABEL: func @corrected
// EXACT-NOT: bquant.sign
// NONAN-LABEL: func @corrected
// NONAN: %[[S:.*]] = bquant.sign
// NONAN-NEXT: return %[[S]]
// BOTH-LABEL: func @corrected
// BOTH: %[[S:.*]] = bquant.sign
// BOTH-NEXT: return %[[S]]
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

// sign(x) alone differs at zero too.
// EXACT-LABEL: func @plain
// EXACT-NOT: bquant.sign
// NONAN-LABEL: func @plain
// NONAN-NOT: bquant.sign
// BOTH-LABEL: func @plain
// BOTH: bquant.sign
func.func @plain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.constant dense<-1.0> : tensor<8xf32>
  %b0 = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %b1 = arith.cmpf olt, %x, %zero : tensor<8xf32>
  %p = arith.select %b0, %one, %zero : tensor<8xi1>, tensor<8xf32>
  %s = arith.select %b1, %minus, %p : tensor<8xi1>, tensor<8xf32>
  return %s : tensor<8xf32>
}
