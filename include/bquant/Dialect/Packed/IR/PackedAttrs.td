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
        ["packVectors"]>]> {
  let mnemonic = "layout.nibbles";
  let summary = "four channels in a byte";
  let description = [{
    i8 bytes, channel c is bit `firstBit` + c mod 4 of byte c div 4. Of an input, four
    channels n are 4 n, which is a quarter of the offset of the table that they pick;
    of a filter n. `firstBit` is 0 to 4.

    ```mlir
    tensor<8x17xi8, #bquant_packed.layout.nibbles>
    #bquant_packed.layout.nibbles<firstBit = 0>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "2",
      "where in a byte the bits begin">:$firstBit);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
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

def Packed_BytesLayoutAttr : AttrDef<Packed_Dialect, "BytesLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["packVectors"]>]> {
  let mnemonic = "layout.bytes";
  let summary = "a byte a channel";
  let description = [{
    i8 bytes, channel c is byte c, 0 or 1.

    ```mlir
    tensor<8x65xi8, #bquant_packed.layout.bytes>
    ```
  }];
}

def Packed_CodeWordsLayoutAttr : AttrDef<Packed_Dialect, "CodeWordsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["packsPlanes", "getWords", "interleavesWords", "encode"]>]> {
  let mnemonic = "layout.code_words";
  let summary = "signed codes of several channels in words";
  let description = [{
    i32 words of four bytes, a signed code each. With `levels` a byte has the codes of
    8 / k channels, four apart, in fields of k = 1, 2 or 4 bits, the first one the
    lowest: the field f, at most `levels`, is the code 2 f - `levels`. With `codes`
    of 1, 2 or 3 a word has that many, and zeros above them.

    With `group` n an element has as many words, `interleaved` side by side where
    rows lie in lanes. Where they are `biased`, their codes are multiplied by bytes from
    0 to 255 and summed in two halves of 16 bits: a word follows with what each half
    starts from, the nearest to 0 by which all sums fit.

    ```mlir
    #bquant_packed.layout.code_words
    #bquant_packed.layout.code_words<levels = 15>
    #bquant_packed.layout.code_words<codes = 3>
    #bquant_packed.layout.code_words<group = 2, biased = true>
    #bquant_packed.layout.code_words<group = 2, interleaved = true>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0",
      "the largest field where a byte has several, 0 with a code in each">:$levels,
      DefaultValuedParameter<"int64_t", "4",
      "codes of a word whose bytes have one each">:$codes,
      DefaultValuedParameter<"int64_t", "1", "words of codes of an element">:$group,
      DefaultValuedParameter<"bool", "false",
      "whether a word follows with what sums of 16 bits start from">:$biased,
      DefaultValuedParameter<"bool", "false",
      "whether the words of a row lie side by side">:$interleaved);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What the sums of both halves of `words` start from.
    static uint32_t getBias(::llvm::ArrayRef<uint32_t> words);
  }];
}

def Packed_CodeFieldsLayoutAttr : AttrDef<Packed_Dialect, "CodeFieldsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["packsPlanes", "encode"]>]> {
  let mnemonic = "layout.code_fields";
  let summary = "some bits of the codes of a filter's blocks in words";
  let description = [{
    i32 words of four bytes, each with 8 / `bits` fields of `bits` bits: 1, 2 or 4. A
    row is a block's words of four codes. Of n elements, element i has the `bits` lowest
    bits of the codes of word i + p n at bit p `bits` of each byte: a shift and an and of
    elements take out what lies side by side.

    ```mlir
    tensor<2x64xi32, #bquant_packed.layout.code_fields<bits = 4>>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "bits of a field">:$bits);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The field at bit `first` of each byte of `element`, two i32: the lowest
    /// bits of a byte.
    ::mlir::Value emitFields(::mlir::OpBuilder &b, ::mlir::Location loc,
                             ::mlir::Value element, ::mlir::Value first) const;
  }];
}

def Packed_IndicesLayoutAttr : AttrDef<Packed_Dialect, "IndicesLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["canPack", "encode"]>]> {
  let mnemonic = "layout.indices";
  let summary = "indices of a few channels each in words";
  let description = [{
    i32 words of 32 / `terms` indices of `terms` bits, the first one the lowest: bit b
    of index i is channel `terms` i + b. Bits that are left are 0. `terms` is 1 to 32.

    ```mlir
    #bquant_packed.layout.indices<terms = 3>
    ```
  }];
  let parameters = (ins AttrParameter<"int64_t", "bits of an index">:$terms);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Packed_FloatsLayoutAttr : AttrDef<Packed_Dialect, "FloatsLayout",
    [DeclareAttrInterfaceMethods<Packed_LayoutInterface,
        ["packsPlanes", "encode"]>]> {
  let mnemonic = "layout.floats";
  let summary = "a number a channel";
  let description = [{
    f32, or of bf16 words with two of them, the first one in the lower half.

    ```mlir
    #bquant_packed.layout.floats
    #bquant_packed.layout.floats<pairs = true>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"bool", "false",
      "whether a word has two numbers of bf16">:$pairs);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

def Packed_BlocksAttr : AttrDef<Packed_Dialect, "Blocks",
    [DeclareAttrInterfaceMethods<Packed_FilterLayoutInterface,
        ["getLane", "interleavesWords"]>]> {
  let mnemonic = "layout.blocks";
  let summary = "output channels in lanes";
  let description = [{
    The elements of a filter's rows as `rows` says, `block` output channels side by
    side in registers of `lanes`. With `parts` n the channels of a register are n equal
    parts that lie interleaved, by groups of `together` t: group i of part p is group
    n i + p of the lanes. All four are positive, and n t divides `lanes`.

    ```mlir
    #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
    ```
  }];
  let parameters = (ins
      AttrParameter<"::bquant::packed::LayoutAttrInterface",
          "how a row lies">:$rows,
      AttrParameter<"int64_t", "output channels of a block">:$block,
      AttrParameter<"int64_t", "lanes of a register">:$lanes,
      DefaultValuedParameter<"int64_t", "1",
          "parts of a register that lie interleaved">:$parts,
      DefaultValuedParameter<"int64_t", "1",
          "channels of a part that stay side by side">:$together);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

/// Packed elements, with the layout as encoding.
def Packed_IsLaidOut : CPred<[{
  ::llvm::isa_and_present<::bquant::packed::LayoutAttrInterface>(
      ::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding())}]>;
def Packed_Tensor : Type<And<[RankedTensorOf<[I8, I32]>.predicate, Packed_IsLaidOut]>,
    "ranked tensor of i8 or i32 with a layout", "::mlir::RankedTensorType">;

#endif // BQUANT_PACKED_ATTRS_TD
