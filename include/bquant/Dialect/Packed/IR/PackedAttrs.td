//===- PackedAttrs.td - Layouts ----------------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_ATTRS_TD
#define BQUANT_PACKED_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "bquant/Dialect/Packed/IR/LayoutInterface.td"
include "bquant/Dialect/Packed/IR/PackedDialect.td"

/// Layouts, the methods of each in a file of lib/Dialect/Packed/Layouts.

def Packed_WordsLayoutAttr : AttrDef<Packed_Dialect, "WordsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["packVectors", "canUnpack", "unpackVectors", "unpackTensor"]>]> {
  let mnemonic = "layout.words";
  let summary = "a bit a channel in words";
  let description = [{
    i32 words, channel c is bit c mod 32 of word c div 32. All bits can be had from
    it; what comes from another compiler has it unless its type says otherwise.

    ```mlir
    tensor<8x3xi32, #bquant_packed.layout.words>
    ```
  }];
}

def Packed_NibblesLayoutAttr : AttrDef<Packed_Dialect, "NibblesLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["getFirstBit", "packVectors"]>]> {
  let mnemonic = "layout.nibbles";
  let summary = "four channels in a byte";
  let description = [{
    i8 bytes, channel c is bit 2 + c mod 4 of byte c div 4: four channels n as 4 n,
    which is a quarter of the offset of the table that they pick.

    ```mlir
    tensor<8x17xi8, #bquant_packed.layout.nibbles>
    ```
  }];
}

def Packed_OctetsLayoutAttr : AttrDef<Packed_Dialect, "OctetsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface, ["packVectors"]>]> {
  let mnemonic = "layout.octets";
  let summary = "eight channels in a byte";
  let description = [{
    i8 bytes, channel c is bit c mod 8 of byte c div 8.

    ```mlir
    tensor<8x9xi8, #bquant_packed.layout.octets>
    ```
  }];
}

def Packed_CodesLayoutAttr : AttrDef<Packed_Dialect, "CodesLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["getUnit", "packsPlanes"]>]> {
  let mnemonic = "layout.codes";
  let summary = "a byte for a value of all planes";
  let description = [{
    i8 bytes, of all planes together, whose scalars are multiples m_i of one:
    channel c is byte c, the sum of m_i where the bit of plane i is 1. Rows are
    whole fours. Nothing is packed into codes.

    ```mlir
    tensor<8x68xi8, #bquant_packed.layout.codes>
    ```
  }];
}

/// Packed elements, with the layout as encoding.
def Packed_IsLaidOut : CPred<[{
  ::llvm::isa_and_present<::bquant::packed::LayoutAttrInterface>(
      ::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding())}]>;
def Packed_Tensor : Type<And<[RankedTensorOf<[I8, I32]>.predicate, Packed_IsLaidOut]>,
    "ranked tensor of i8 or i32 with a layout", "::mlir::RankedTensorType">;

#endif // BQUANT_PACKED_ATTRS_TD
