//===- PackOps.td - Planes and their bits ------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACK_OPS_TD
#define BQUANT_PACK_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/TilingInterface.td"
include "bquant/Dialect/Packed/IR/PackedAttrs.td"

def Packed_Bits : RankedTensorOf<[I1]>;

// Iteration space of both: the words.
class Packed_BitsOp<string mnemonic, Trait operandSizes> : Packed_Op<mnemonic,
    [Pure, operandSizes, DestinationStyleOpInterface,
     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
         ["reifyResultShapes"]>,
     DeclareOpInterfaceMethods<TilingInterface,
         ["getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue"]>]> {
  let hasVerifier = 1;
}

def Packed_PackOp : Packed_BitsOp<"pack", AttrSizedOperandSegments> {
  let summary = "bits to packed planes";
  let description = [{
    Packs tensors of i1, all of one shape, along the last dimension. The layouts are
    those of the types of the results, which are all inputs in the first layout, then
    all in the next. Destination style: every element of the results is written,
    unused bits are 0. The planes of one value are packed by one op, so that they
    tile together; a tile is of whole words in any layout.

    ```mlir
    %w = bquant_packed.pack ins(%b : tensor<8x65xi1>)
        outs(%init : tensor<8x3xi32, #bquant_packed.layout.words>)
        -> tensor<8x3xi32, #bquant_packed.layout.words>
    %x, %n = bquant_packed.pack ins(%b : tensor<8x65xi1>)
        outs(%i, %j : tensor<8x3xi32, #bquant_packed.layout.words>,
                      tensor<8x17xi8, #bquant_packed.layout.nibbles>)
        -> tensor<8x3xi32, #bquant_packed.layout.words>,
           tensor<8x17xi8, #bquant_packed.layout.nibbles>
    ```

    Constraints:
    1. There is an input.
    2. Inputs have rank 1 at least.
    3. The results are the inputs, all of one shape, in each of the layouts; a size
       may be dynamic in some of them.
    4. The results have the types of the inits.
    5. Layouts can be packed into, and words are whole units of theirs or the other way
       round.
  }];
  let arguments = (ins Variadic<Packed_Bits>:$inputs,
      Variadic<Packed_Tensor>:$inits);
  let results = (outs Variadic<Packed_Tensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $inits `:` type($inits) `)` attr-dict `->` type($results)
  }];
  let builders = [
    /// Into new tensors.
    OpBuilder<(ins "::llvm::ArrayRef<::bquant::packed::LayoutAttrInterface>":$layouts,
                   "::mlir::ValueRange":$inputs)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The layout of a result.
    ::bquant::packed::LayoutAttrInterface getLayoutOf(unsigned result);
    /// That of each input's results.
    ::llvm::SmallVector<::bquant::packed::LayoutAttrInterface> getLayouts();
  }];
}

def Packed_UnpackOp : Packed_BitsOp<"unpack", SameVariadicOperandSize> {
  let summary = "packed words to bits";
  let description = [{
    The inverse of `bquant_packed.pack` into words: bit c of a row of words becomes
    element c of the last dimension. Unused bits are ignored.

    ```mlir
    %b = bquant_packed.unpack
        ins(%w : tensor<8x3xi32, #bquant_packed.layout.words>)
        outs(%init : tensor<8x65xi1>) -> tensor<8x65xi1>
    ```

    Constraints 1 to 4 as of `bquant_packed.pack`, the other way round.
    5. The layout is one whose bits can be had: `layout.words`.
  }];
  let arguments = (ins Variadic<Packed_Tensor>:$inputs,
      Variadic<Packed_Bits>:$inits);
  let results = (outs Variadic<Packed_Bits>:$results);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $inits `:` type($inits) `)` attr-dict `->` type($results)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    ::bquant::packed::LayoutAttrInterface getLayout();
  }];
}

def Packed_RelayoutOp : Packed_Op<"relayout", [Pure]> {
  let summary = "a filter as its kernel reads it";
  let description = [{
    A filter that is known at run time, in the layout of the result's type. Its output
    channels are dimension `outputs`, its last dimension has `channels` channels of the
    input: as bits of words, or as numbers. Constants are laid out by the conversion.

    ```mlir
    %l = bquant_packed.relayout %w channels = 70 outputs = 0
        : tensor<40x3x3x3xi32, #bquant_packed.layout.words>
        -> tensor<2x3x3x3x32xi32, #bquant_packed.layout.blocks<
            rows = #bquant_packed.layout.words, block = 32, lanes = 16>>
    ```

    Constraints:
    1. The result has the layout of a filter.
    2. The input is of words with `channels` bits in a row, or of numbers of which
       `channels` are in one; a filter whose last dimension is `outputs` has 1.
    3. The result has the shape and the elements that its layout has for the input.
    4. The layout is blocks of numbers, or of elements that are bits of one word each;
       held by `--bquant-lower-relayouts` and `--bquant-decompose-packed`.
  }];
  let arguments = (ins RankedTensorOf<[F32, I32]>:$input, I64Attr:$channels,
                       I64Attr:$outputs);
  let results = (outs RankedTensorOf<[F32, I8, I32]>:$result);
  let assemblyFormat = [{
    $input `channels` `=` $channels `outputs` `=` $outputs attr-dict `:`
    type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the channels are bits of words.
    bool hasWords();
  }];
}

def Packed_UnpackCodesOp : Packed_Op<"unpack_codes", [Pure]> {
  let summary = "a filter of codes from the bits that they take";
  let description = [{
    A filter of codes as its kernel reads it, from constants with no more than the bits
    that codes take. These are cut into fields of 4, 2 and 1 bits, as their number is a
    sum of them, the lowest bits first. Each operand has one field of all codes, in the
    layout `layout.code_fields`: operand i has k_i bits of them, in n_i words a block.
    A code is 0 to `levels`, and in each byte of word w of a block

        result[block, w] = 2 code - levels
        code = sum of field_i << (k_0 + ... + k_(i - 1))
        field_i = (operand_i[block, w mod n_i] >> k_i (w div n_i)) mod 2^k_i

    Codes of 5 bits:

    ```mlir
    %w = bquant_packed.unpack_codes %four, %one levels = 31
        : tensor<2x64xi32, #bquant_packed.layout.code_fields<bits = 4>>,
          tensor<2x16xi32, #bquant_packed.layout.code_fields<bits = 1>>
        -> tensor<2x8x16xi32, #bquant_packed.layout.blocks<
            rows = #bquant_packed.layout.code_words, block = 16, lanes = 8>>
    ```

    Constraints:
    1. There is an operand. Operands have the layout `layout.code_fields`, each with
       narrower fields than the one before it.
    2. `levels` is 1 at least and takes no more bits than all fields.
    3. The result has the layout of a filter whose elements are words of four channels
       each, and a static shape.
    4. Operands have the result's first dimensions, those of blocks, and one more: the
       words that their layout has for a block's, which fill these.
  }];
  let arguments = (ins Variadic<Packed_Tensor>:$fields, I64Attr:$levels);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $fields `levels` `=` $levels attr-dict `:` type($fields) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The layouts of the operands.
    ::llvm::SmallVector<::bquant::packed::CodeFieldsLayoutAttr> getLayouts();
    /// The number of dimensions of blocks, the first ones.
    int64_t getBlockRank();
  }];
}

#endif // BQUANT_PACK_OPS_TD
