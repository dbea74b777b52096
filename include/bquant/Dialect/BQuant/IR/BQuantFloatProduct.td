//===- BQuantFloatProduct.td - Products with a float side --*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_FLOATPRODUCT_TD
#define BQUANT_FLOATPRODUCT_TD

def BQuant_FloatProductOp : BQuant_Product<"float_product"> {
  let summary = "sums of floats by floats, or by the signs of a filter, in order";
  let description = [{
    One f32 sum for each element of a result,

        acc = init
        for each step of the reduction loops, the last one fastest:
          acc = fma(x, w, acc)      with `fused`: rounded once
          acc = acc + x * w         without: product and sum each rounded

    `fused` says what the machine has (`--bquant-select-kernels`), so that all
    who evaluate the op get the same bits. x is the input and w a factor of the
    filter:

    - a filter of f32 is w itself: one result;
    - planes of i32 words hold a sign for each channel of the results, bit
      `c mod 32` of word `c floordiv 32`, 1 is +1 and 0 is -1: a result for each
      plane;
    - planes with `ratios` m are one filter of w = sum_i m_i s_i: one result. Of
      [1, 1], ternary, the planes are mask and sign, and w is 2 s, or 0 where the
      mask's bit is 0;
    - planes with `levels` are one filter, too: their bits, the first plane's the
      highest, are the number of a level, and w is the level's number for the
      channel. A number beyond the last level is the last one.

    An input of bf16 has a filter of bf16: x and w are widened to f32. Their product
    fits f32 but for its range, so that `fused` hardly ever matters. Only the kernel
    `bf16` adds them otherwise, two at a time.

    The leading loops are those of the results, in their order, the others are
    reductions. `maps` has a map for the input, then one for each filter and level; an index
    grows with each loop (`d1 * 2 + d4`), or counts blocks of one
    (`d3 floordiv 8`). The last index of words is the last loop of the results:
    words [0, ceil(n / 32)) for its n steps. A tile of it starts at a word.

    `kernel` says how the sums are computed; without one they are decomposed
    (`--bquant-decompose-packed`). `--convert-bquant-to-packed` lays the filters of
    a product with a kernel out: their maps then give the block of channels in
    place of the channel (`d3 floordiv 32`), and behind the dimensions of the map
    there is one for what a block has, of f32 a number for each of its lanes, of
    words the words in which bit `c` is channel `c` of the block. Lanes of no
    channel hold 0. Of bf16 the last reduction goes over pairs (`d5 floordiv 2`): a
    lane is an i32 of two numbers, the first one in the lower half.

    ```mlir
    %y = bquant.float_product fused ins(%x : tensor<8x3xf32>)
        filters(%w : tensor<3x2xi32>) outs(%zero : tensor<8x40xf32>)
        maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
        -> tensor<8x40xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<BQuant_KernelAttr>:$kernel, UnitAttr:$fused, BQuant_FloatTensor:$input,
      Variadic<BQuant_FloatOrI32Tensor>:$filters, Variadic<BQuant_F32Tensor>:$levels,
      Variadic<BQuant_F32Tensor>:$inits, AffineMapArrayAttr:$indexing_maps,
      OptionalAttr<DenseI64ArrayAttr>:$ratios);
  let results = (outs Variadic<BQuant_F32Tensor>:$results);
  let assemblyFormat = [{
    (`kernel` `(` $kernel^ `)`)? (`fused` $fused^)? `ins` `(` $input `:` type($input) `)`
    `filters` `(` $filters `:` type($filters) `)`
    (`levels` `(` $levels^ `:` type($levels) `)`)?
    `outs` `(` $inits `:` type($inits) `)` `maps` `=` $indexing_maps
    (`ratios` `=` $ratios^)? attr-dict `->` type($results)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// Whether the filters are planes of words, not floats.
    bool hasWords();
    /// Whether input and filter are of bf16.
    bool isOfBF16();
    /// Whether the planes are mask and sign.
    bool isMasked();
  }];
}

#endif // BQUANT_FLOATPRODUCT_TD
