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
    3. The results are the inputs in each of the layouts.
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
       held by `--bquant-lower-relayouts`.
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

#endif // BQUANT_PACK_OPS_TD
