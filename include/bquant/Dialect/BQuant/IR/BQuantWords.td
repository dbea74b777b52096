//===- BQuantWords.td - Planes and their bits --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_WORDS_TD
#define BQUANT_WORDS_TD

// Iteration space of both: the words.
class BQuant_WordsOp<string mnemonic, Trait operandSizes> : BQuant_Op<mnemonic,
    [Pure, operandSizes, DestinationStyleOpInterface, BQuant_Reify,
     DeclareOpInterfaceMethods<TilingInterface,
         ["getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue"]>]> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
  }];
}

def BQuant_PackOp : BQuant_WordsOp<"pack", AttrSizedOperandSegments> {
  let summary = "bits to packed planes";
  let description = [{
    Packs tensors of i1, all of one shape, along the last dimension into each of
    the layouts: the results are all inputs in the first layout, then all in the
    next. Destination style: every element of the results is written, unused bits
    are 0. The planes of one value are packed by one op, so that they tile
    together; a tile is of whole words in any layout.

    ```mlir
    %w = bquant.pack layout = words ins(%b : tensor<8x65xi1>)
        outs(%init : tensor<8x3xi32>) -> tensor<8x3xi32>
    %x, %n = bquant.pack layout = [words, nibbles] ins(%b : tensor<8x65xi1>)
        outs(%i, %j : tensor<8x3xi32>, tensor<8x17xi8>)
        -> tensor<8x3xi32>, tensor<8x17xi8>
    ```
  }];
  let arguments = (ins BQuant_LayoutsAttr:$layouts,
      Variadic<BQuant_I1Tensor>:$inputs, Variadic<BQuant_PackedTensor>:$inits);
  let results = (outs Variadic<BQuant_PackedTensor>:$results);
  let assemblyFormat = [{
    `layout` `=` custom<Layouts>($layouts) `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $inits `:` type($inits) `)` attr-dict `->` type($results)
  }];
  let builders = [
    /// Into new tensors.
    OpBuilder<(ins "::llvm::ArrayRef<::bquant::Layout>":$layouts,
                   "::mlir::ValueRange":$inputs)>];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The layout of a result.
    ::bquant::Layout getLayoutOf(unsigned result);
  }];
}

def BQuant_UnpackOp : BQuant_WordsOp<"unpack", SameVariadicOperandSize> {
  let summary = "packed words to bits";
  let description = [{
    The inverse of `bquant.pack` into words: bit c of a row of words becomes element c of
    the last dimension. Unused bits are ignored.

    ```mlir
    %b = bquant.unpack layout = words ins(%w : tensor<8x3xi32>)
        outs(%init : tensor<8x65xi1>) -> tensor<8x65xi1>
    ```
  }];
  let arguments = (ins BQuant_LayoutAttr:$layout,
      Variadic<BQuant_I32Tensor>:$inputs, Variadic<BQuant_I1Tensor>:$inits);
  let results = (outs Variadic<BQuant_I1Tensor>:$results);
  let assemblyFormat = [{
    `layout` `=` `` $layout `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $inits `:` type($inits) `)` attr-dict `->` type($results)
  }];
  let hasFolder = 1;
}

#endif // BQUANT_WORDS_TD
