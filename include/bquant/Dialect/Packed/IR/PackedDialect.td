//===- PackedDialect.td - The bquant_packed dialect --------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_DIALECT_TD
#define BQUANT_PACKED_DIALECT_TD

include "mlir/IR/OpBase.td"

def Packed_Dialect : Dialect {
  let name = "bquant_packed";
  let cppNamespace = "::bquant::packed";
  let summary = "packed values and the layers that compute them";
  let description = [{
    What a network is between packing and the loops: values whose type says how they
    lie in memory, products, each with the kernel that computes it, and layers, each
    an operation with a body, so that nothing has to find out which operations belong
    together. Before packing a network consists of values, in the dialect `bquant`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void promiseKernels();
  }];
}

#endif // BQUANT_PACKED_DIALECT_TD
