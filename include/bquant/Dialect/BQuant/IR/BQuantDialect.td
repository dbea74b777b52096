//===- BQuantDialect.td - The bquant dialect ---------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_TD
#define BQUANT_DIALECT_TD

include "mlir/IR/OpBase.td"

def BQuant_Dialect : Dialect {
  let name = "bquant";
  let cppNamespace = "::bquant";
  let summary = "scaled-binary tensors and k-bit quantization";
  let description = [{
    A scaled-binary tensor approximates a float tensor by a sum of scaled signs,

        x ~ x^q = c + sum_{i=1..k} v_i s_i,    s_i in {-1, +1},  v_i >= 0,

    so that an inner product of two of them is a sum of k_x k_w counts of
    differing bits:

        <x^q, w^q> = sum_ij v_i w_j (K - 2 popcount(a_i xor b_j)).

    sign(x) is +1 for x >= 0 (for both zeros) and -1 otherwise (for NaN too).
    A plane is one tensor of signs; in memory bit 1 is +1 and bit 0 is -1.
    Feature maps are channels-last (NHWC), filters OHWI, matrices N x K: both
    operands of a product lie along the reduction.

    Attributes of functions: `bquant.name` (a string) names an argument or a
    result in the C interface, `bquant.batch` (a unit) says that its leading
    dimension, 1, is one sample of a batch, or a block of samples in a function with
    `bquant.block`; `bquant.initial` (elements of its type) says that an argument is
    state and what it is at the first call, `bquant.updates` (an i64) that a result is
    the next value of the argument of that number; `bquant.signature` and
    `bquant.arena_bytes` carry the interface from one pass to the next. Of float
    products: `bquant.stays_float` (a string) says why, from
    `--bquant-raise-products` to `--bquant-explain-floats`.

    The optimal scalars are those of Pouransari, Tu and Tuzel, "Least squares
    binary quantization of neural networks".
  }];
  // Whose attributes say how values lie, and by which kernels products go.
  let dependentDialects = ["::bquant::packed::PackedDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

#endif // BQUANT_DIALECT_TD
