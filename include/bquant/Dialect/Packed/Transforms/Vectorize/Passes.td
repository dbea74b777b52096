//===- Passes.td - Tiles to vector code --------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_VECTORIZE_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_VECTORIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CompareSelected : Pass<"bquant-compare-selected"> {
  let summary = "selections by sign as maxima";
  let description = [{
    `x > 0 ? x : c x` for a c above 0 and at most 1, as of a PReLU, compares x with
    c x, which is one instruction: a maximum. The same in every bit.

    ```mlir
    %p = arith.cmpf ogt, %x, %zero : f32
    %s = arith.mulf %x, %c : f32
    %y = arith.select %p, %x, %s : f32
    ```
    becomes
    ```mlir
    %s = arith.mulf %x, %c : f32
    %p = arith.cmpf ogt, %x, %s : f32
    %y = arith.select %p, %x, %s : f32
    ```
  }];
}

def SimplifyMaxima : Pass<"bquant-simplify-maxima"> {
  let summary = "maxima and minima of floats with known ranges";
  let description = [{
    What is computed of integers by constants has a range. A maximum or minimum that
    does nothing there goes: a ReLU6 is bounded again by the codes of 0 and 6. Where
    no operand is NaN another one says so, and is one instruction in place of three.

    ```mlir
    %x = arith.sitofp %sum : i32 to f32
    %y = arith.maximumf %x, %zero : f32
    %c = arith.addf %y, %one : f32
    %z = arith.maximumf %c, %one : f32
    ```
    becomes
    ```mlir
    %x = arith.sitofp %sum : i32 to f32
    %y = arith.maximumf %x, %zero fastmath<nnan> : f32
    %z = arith.addf %y, %one : f32
    ```
  }];
}

def MultiplyByReciprocals : Pass<"bquant-multiply-by-reciprocals"> {
  let summary = "rounded quotients by constants without divisions";
  let description = [{
    A quotient that is rounded to a whole number, as where a number is quantized,
    is a product with the two parts of a reciprocal. The same in every bit:
    divisors, one in twenty, that have no such reciprocal stay. So do all for a
    target that does not add and multiply in one instruction.

    ```mlir
    %q = arith.divf %x, %c : f32
    %y = math.roundeven %q : f32
    ```
    becomes
    ```mlir
    %p = arith.mulf %x, %low : f32
    %q = math.fma %x, %high, %p : f32
    %y = math.roundeven %q : f32
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

def Vectorize : Pass<"bquant-vectorize"> {
  let summary = "tiles to vector code";
  let description = [{
    Turns each linalg op, `bquant_packed.product`, `bquant_packed.pack` and
    `bquant_packed.unpack` on small static
    tensors, as `--bquant-tile-and-fuse` leaves them, into vector ops: vectors
    for each row of the tile, the last dimension in them, one where it is a power
    of two long, else several such, the longest first: of 40 elements 32 and 8.
    Others LLVM takes apart, element by element, where they pass from one basic
    block to the next. Reductions become
    `scf.for` loops that carry the rows, so that sums stay in registers; values
    that pass from one op of a tile to the next do so as vectors, too. An operand
    that does not depend on the last dimension is a scalar load and a broadcast. Bits
    become words by a bitcast, and nibbles without words between.

    The code of a packed product is its kernel's: how the input comes to all lanes
    of a row, a step, what is added up from time to time, and the counts behind
    all. The vectors in its loops are whole registers, which LLVM is told not to
    unroll. Counts that a kernel leaves in 16 bits stay there, with what is computed
    of them by constants, as far as it fits; so do comparisons with thresholds.

    ```mlir
    %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
        ins(%x : tensor<1x3x18xi32>) filters(%w : tensor<1x3x6x32xi32>)
        outs(%zero : tensor<1x1x7x32xi32>) ...
    ```
    becomes

    ```mlir
    %p:14 = scf.for %kh ... { scf.for %t ... iter_args(%a0 ...) {
      %f = vector.transfer_read %w[%c0, %kh, %t, %c0] : vector<16xi32>
      %g = vector.transfer_read %w[%c0, %kh, %t, %c16] : vector<16xi32>
      %s = tensor.extract %x[%c0, %kh, %t] : i32
      %b = vector.broadcast %s : i32 to vector<16xi32>
      %1 = arith.xori %b, %f : vector<16xi32>
      %2 = math.ctpop %1 : vector<16xi32>
      %3 = arith.addi %a0, %2 : vector<16xi32>
      ...
    ```

    A kernel that emits its tiles itself, such as `scalar`, has loops of its own:
    one channel after the other, two words at a time in an i64.

    An op that has no vector form is done element by element where it is small,
    else it stays.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
      "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::bufferization::BufferizationDialect",
      "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
      "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def ExplainScalars : Pass<"bquant-explain-scalars", "::mlir::ModuleOp"> {
  let summary = "remarks on tiles that have no vector form";
  let description = [{
    A `missed` remark at each op on small static tensors that `--bquant-vectorize`
    has left, in the order of the program. It changes nothing.

    ```mlir
    // remark: not vectorized: expected elementwise ops in the body, ...
    %y = linalg.generic ... ins(%i : tensor<4xindex>) outs(%o : tensor<4xf32>) {
    ^bb0(%a: index, %s: f32):
      %0 = tensor.extract %x[%a] : tensor<9xf32>
      linalg.yield %0 : f32
    }
    ```
  }];
}

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_VECTORIZE_PASSES_TD
