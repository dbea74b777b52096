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
include "bquant/Dialect/Packed/IR/LayoutInterface.td"

def BQuantTest_Dialect : Dialect {
  let name = "bquant_test";
  let cppNamespace = "::bquant::test";
  let summary = "kernels and layouts that are nothing like those of the product";
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

def BQuantTest_PairsLayoutAttr : AttrDef<BQuantTest_Dialect, "PairsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["getUnit", "isBitwise", "encode", "packVectors", "packTensor",
         "canEmit"]>]> {
  let mnemonic = "layout.pairs";
  let summary = "words of which each second is a difference";
  let description = [{
    Words w in an even number, of which each second one is stored as the difference
    from the one before: w0, w0 xor w1, w2, w2 xor w3, ...

    ```mlir
    tensor<8x4xi32, #bquant_test.layout.pairs>
    ```
  }];
}

def BQuantTest_FoursLayoutAttr : AttrDef<BQuantTest_Dialect, "FoursLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["getUnit", "packVectors"]>]> {
  let mnemonic = "layout.fours";
  let summary = "a byte a channel, in whole fours";
  let description = [{
    i8 bytes, channel c is byte c, 0 or 1; rows are whole fours.

    ```mlir
    tensor<8x68xi8, #bquant_test.layout.fours>
    ```
  }];
}

def BQuantTest_SignsLayoutAttr : AttrDef<BQuantTest_Dialect, "SignsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["getUnit", "packsPlanes", "encode"]>]> {
  let mnemonic = "layout.signs";
  let summary = "a filter's signs in bytes";
  let description = [{
    i8 bytes, channel c is byte c, 1 where its bit is 0, else -1; rows are whole fours.
  }];
}

#endif // BQUANT_TEST_KERNELS_TD
