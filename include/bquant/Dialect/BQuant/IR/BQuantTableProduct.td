//===- BQuantTableProduct.td - Products by tables of sums --*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TABLEPRODUCT_TD
#define BQUANT_TABLEPRODUCT_TD

def BQuant_TableProductOp : BQuant_Product<"table_product"> {
  let summary = "sums of entries of tables, picked by the indices of a filter";
  let description = [{
    One f32 sum for each element of a result and each filter, in the order of the
    loops, the last reduction fastest:

        acc = init
        for each step of the reduction loops: acc = acc + table[index]

    A table has 2^n entries, those behind the dimensions of the input's map; an
    index is a field of n bits of a word of the filter: with f fields to a word,
    field `d mod f` of word `d floordiv f` for step d of the last loop, from the
    lowest bits on. `kernel` says n and f (`#bquant.sum_table`: 3 and 10, or 5
    and 6).

    The leading loops are those of the results, in their order, the others are
    reductions, and the last one goes over whole words. `maps` has one for the
    input and one for each filter, to their leading dimensions. Behind these a
    filter has one for the lanes of its block of channels.

    ```mlir
    %y = bquant.table_product
        kernel(#bquant.sum_table<rows = 1, channels = 64, bits = 256>)
        ins(%t : tensor<1x20x8xf32>) filters(%w : tensor<2x2x64xi32>)
        outs(%zero : tensor<1x128xf32>)
        maps = [affine_map<(m, n, d) -> (m, d)>,
                affine_map<(m, n, d) -> (n floordiv 64, d floordiv 10)>]
        -> tensor<1x128xf32>
    ```
  }];
  let arguments = (ins BQuant_KernelAttr:$kernel, BQuant_F32Tensor:$input,
      Variadic<BQuant_I32Tensor>:$filters, Variadic<BQuant_F32Tensor>:$inits,
      AffineMapArrayAttr:$indexing_maps);
  let results = (outs Variadic<BQuant_F32Tensor>:$results);
  let assemblyFormat = [{
    `kernel` `(` $kernel `)` `ins` `(` $input `:` type($input) `)`
    `filters` `(` $filters `:` type($filters) `)`
    `outs` `(` $inits `:` type($inits) `)` `maps` `=` $indexing_maps
    attr-dict `->` type($results)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// Entries of a table.
    int64_t getEntries() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInput().getType())
          .getShape().back();
    }
  }];
}

#endif // BQUANT_TABLEPRODUCT_TD
