//===- TestKernels.td - Kernels to test the interface ------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_KERNELS_TD
#define BQUANT_TEST_KERNELS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def BQuantTest_Dialect : Dialect {
  let name = "bquant_test";
  let cppNamespace = "::bquant::test";
  let summary = "kernels that are nothing like those of the product";
  let useDefaultAttributePrinterParser = 1;
}

class BQuantTest_Kernel<string name, string kernelMnemonic>
    : AttrDef<BQuantTest_Dialect, name> {
  let mnemonic = kernelMnemonic;
  let parameters = (ins "int64_t":$rows, "int64_t":$channels);
  let assemblyFormat = "`<` struct(params) `>`";
}

def BQuantTest_ParityAttr : BQuantTest_Kernel<"Parity", "parity"> {
  let summary = "two words a step, added up as a carry and a parity";
}

def BQuantTest_BytesAttr : BQuantTest_Kernel<"Bytes", "bytes"> {
  let summary = "four products of bytes a step, sums that start from the filter";
}

def BQuantTest_WholeAttr : BQuantTest_Kernel<"Whole", "whole"> {
  let summary = "a whole tile at once, by loops of its own";
}

#endif // BQUANT_TEST_KERNELS_TD
