//===- PackedAttrs.td - Layouts ----------------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_ATTRS_TD
#define BQUANT_PACKED_ATTRS_TD

include "mlir/IR/EnumAttr.td"
include "bquant/Dialect/Packed/IR/PackedDialect.td"

def Packed_Layout : I32Enum<"Layout", "how planes lie in memory",
                            [I32EnumCase<"words", 0>,
                             I32EnumCase<"nibbles", 1>,
                             I32EnumCase<"pairs", 2>,
                             I32EnumCase<"bytes", 3>,
                             I32EnumCase<"octets", 4>,
                             I32EnumCase<"codes", 5>]> {
  let cppNamespace = "::bquant::packed";
}
def Packed_LayoutAttr : EnumAttr<Packed_Dialect, Packed_Layout, "layout"> {
  let description = [{
    The encoding of a tensor of packed elements: what the bits of its last dimension
    stand for. Unused bits are 0. Of buffers nothing reads it, and bufferization
    drops it.

    - `words`: i32 words, channel c is bit c mod 32 of word c div 32.
    - `nibbles`: i8 bytes, channel c is bit 2 + c mod 4 of byte c div 4: four
      channels n as 4 n, which is a quarter of the offset of the table that they
      pick.
    - `pairs`: words w in an even number, of which each second one is stored as
      the difference from the one before: w0, w0 xor w1, w2, w2 xor w3, ...
    - `bytes`: i8 bytes, channel c is byte c, 0 or 1; rows are whole fours.
    - `octets`: i8 bytes, channel c is bit c mod 8 of byte c div 8.
    - `codes`: i8 bytes, of all planes together, whose scalars are multiples m_i
      of one: channel c is byte c, the sum of m_i where the bit of plane i is 1.
      Rows are whole fours. Nothing is packed into codes.

    ```mlir
    tensor<8x3xi32, #bquant_packed.layout<words>>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

/// Packed elements, with the layout as encoding.
def Packed_IsLaidOut : CPred<[{
  ::llvm::isa_and_present<::bquant::packed::LayoutAttr>(
      ::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding())}]>;
def Packed_Tensor : Type<And<[RankedTensorOf<[I8, I32]>.predicate, Packed_IsLaidOut]>,
    "ranked tensor of i8 or i32 with a layout", "::mlir::RankedTensorType">;

#endif // BQUANT_PACKED_ATTRS_TD
