//===- BQuantPackedProduct.td - Products of packed planes --*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKEDPRODUCT_TD
#define BQUANT_PACKEDPRODUCT_TD

def BQuant_PackedProductOp : BQuant_Product<"packed_product"> {
  let summary = "counts of differing bits, of all pairs of planes, by a kernel";
  let description = [{
    For each pair of a plane a of the input and a plane w of the filter, both
    laid out as `kernel` wants them, the input in the layout that its type says,

        r = init + sum over the reduction loops of popcount(a xor w),

    where there is a mask m (of the input, of the filter, or the and of both)
    `popcount((a xor w) and m)`; with masks on both sides `init + sum popcount(m)`
    follows as a result of its own. Kernels that count dots of ternary inputs give
    `popcount(m) - 2 popcount((a xor w) and m)` and no counts of masks.

    An init is 0, or what the kernel says that a channel's sum starts from: a
    broadcast of a constant for each channel. Where a step of the kernel takes
    several elements, the last loop goes over a multiple of them.

    The leading loops are those of the results, in their order, the others are
    reductions. `indexing_maps` has a map for each input and filter: from the
    loops to its leading dimensions. Behind these a filter has one for the lanes
    of its block of channels, each lane where the kernel wants it, all of which a
    tile reads. Operands are the planes of the input, `masked_inputs`: sign and
    mask of each; those of the filter likewise; an init for each result, pairs
    of planes with the input's outside, then counts of masks.

    ```mlir
    %0 = bquant.packed_product
        kernel(#bquant.popcount<rows = 7, channels = 32, bits = 512>)
        ins(%x : tensor<1x58x116xi32, #bquant_packed.layout<words>>)
        filters(%w : tensor<2x3x6x32xi32>)
        outs(%init : tensor<1x56x56x64xi32>)
        maps = [affine_map<(n, h, w, o, i, t) -> (n, h + i, w * 2 + t)>,
                affine_map<(n, h, w, o, i, t) -> (o floordiv 32, i, t)>]
        -> tensor<1x56x56x64xi32>
    ```
  }];
  let arguments = (ins BQuant_KernelAttr:$kernel,
      Variadic<BQuant_I8OrI32Tensor>:$inputs,
      Variadic<BQuant_I8OrI32Tensor>:$filters, Variadic<BQuant_I32Tensor>:$inits,
      AffineMapArrayAttr:$indexing_maps, UnitAttr:$masked_inputs,
      UnitAttr:$masked_filters);
  let results = (outs Variadic<BQuant_I32Tensor>:$results);
  let assemblyFormat = [{
    `kernel` `(` $kernel `)` `ins` `(` $inputs `:` type($inputs) `)`
    `filters` `(` $filters `:` type($filters) `)`
    `outs` `(` $inits `:` type($inits) `)` `maps` `=` $indexing_maps
    (`masked_inputs` $masked_inputs^)? (`masked_filters` $masked_filters^)?
    attr-dict `->` type($results)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// Planes of each side.
    int64_t getNumInputPlanes();
    int64_t getNumFilterPlanes();
  }];
}

#endif // BQUANT_PACKEDPRODUCT_TD
