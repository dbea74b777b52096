//===- ProductOp.td - Products of packed operands ----------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_PRODUCTOP_TD
#define BQUANT_PACKED_PRODUCTOP_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/TilingInterface.td"
include "bquant/Dialect/Packed/IR/KernelAttrs.td"

def Packed_ProductOperand : RankedTensorOf<[F32, BF16, I8, I32]>;

def Packed_ProductOp : Packed_Op<"product",
    [Pure, AttrSizedOperandSegments, DestinationStyleOpInterface,
     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
         ["reifyResultShapes"]>,
     DeclareOpInterfaceMethods<TilingInterface,
         ["getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue", "getIterationDomainTileFromResultTile"]>]> {
  let summary = "sums of products over windows, by a kernel";
  let description = [{
    What a convolution or a matrix product is between packing and vectors: a loop
    nest over results and reductions,

        r = init + sum over the reduction loops of step(x, w),

    in the order of the loops, the last one fastest. The leading loops are those of
    the results, in their order and the channels last; the others are reductions.
    `maps` has a map for each input, filter and level, from the loops to the leading
    dimensions of the operand. What a step is follows from the types. Of floats a
    reduction is tiled only where those before it are by 1, which keeps their order.

    **Counts**, results of i32, of bits: for each pair of a plane a of the input and
    a plane w of the filter

        step = popcount(a xor w),

    where there is a mask m (of the input, of the filter, or the and of both)
    `popcount((a xor w) and m)`; with masks on both sides `init + sum popcount(m)`
    follows as a result of its own. Kernels that count dots of ternary inputs give
    `popcount(m) - 2 popcount((a xor w) and m)` and no counts of masks. Of codes,
    bytes that stand for all planes at once, a step is their product. The inputs are
    in the layout that the kernel wants. Operands are the planes of the input, with
    `masked_inputs` sign and mask of each; those of the filter likewise; an init for
    each result, pairs of planes with the input's outside, then counts of masks. An
    init is 0, or what the kernel says that a channel's sum starts from: a broadcast
    of a constant for each channel.

    ```mlir
    %0 = bquant_packed.product
        kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
        ins(%x : tensor<1x58x116xi32, #bquant_packed.layout.words>)
        filters(%w : tensor<2x3x6x32xi32, #blocks>)
        outs(%init : tensor<1x56x56x64xi32>)
        maps = [affine_map<(n, h, w, o, i, t) -> (n, h + i, w * 2 + t)>,
                affine_map<(n, h, w, o, i, t) -> (o floordiv 32, i, t)>]
        -> tensor<1x56x56x64xi32>
    ```

    **Sums**, results of f32, of an input x of floats and factors w of a filter:

        acc = fma(x, w, acc)      with `fused`: rounded once
        acc = acc + x * w         without: product and sum each rounded

    `fused` says what the machine has (`--bquant-select-kernels`), so that all
    who evaluate the op get the same bits.

    - A filter of floats is w itself: one result.
    - Planes of i32 words hold a sign for each channel of the results, bit
      `c mod 32` of word `c floordiv 32`, 1 is +1 and 0 is -1: a result for each
      plane. The last index of words is the last loop of the results: words
      [0, ceil(n / 32)) for its n steps. A tile of it starts at a word.
    - Planes with `ratios` m are one filter of w = sum_i m_i s_i: one result. Of
      [1, 1], ternary, the planes are mask and sign, and w is 2 s, or 0 where the
      mask's bit is 0.
    - Planes with `levels` are one filter, too: their bits, the first plane's the
      highest, are the number of a level, and w is the level's number for the
      channel. A number beyond the last level is the last one.

    An input of bf16 has a filter of bf16: x and w are widened to f32. Their product
    fits f32 but for its range, so that `fused` hardly ever matters. Only the kernel
    `bf16` adds them otherwise, two at a time.

    ```mlir
    %y = bquant_packed.product fused ins(%x : tensor<8x3xf32>)
        filters(%w : tensor<3x2xi32, #bquant_packed.layout.words>)
        outs(%zero : tensor<8x40xf32>)
        maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
        -> tensor<8x40xf32>
    ```

    **Sums in tables**, by a kernel that looks up sums of n inputs by the signs of a
    filter (`#bquant_packed.sum_table`): an element of the input is a table of 2^n
    entries, the dimension after those of its map, an index is a field of n bits of
    a word of the filter, a word has f of them, and there is a result for each plane
    of the filter:

        acc = acc + table[index]

    Step d of the last loop reads field `d mod f` of word `d floordiv f`, from the
    lowest bits on; `kernel` says n and f (3 and 10, or 5 and 6).

    ```mlir
    %y = bquant_packed.product
        kernel(#bquant_packed.sum_table<rows = 1, channels = 64, bits = 256>)
        ins(%t : tensor<1x20x8xf32>) filters(%w : tensor<2x2x64xi32, #indices>)
        outs(%zero : tensor<1x128xf32>)
        maps = [affine_map<(m, n, d) -> (m, d)>,
                affine_map<(m, n, d) -> (n floordiv 64, d floordiv 10)>]
        -> tensor<1x128xf32>
    ```

    Filters are as their kernel wants them, laid out in blocks of channels, which their
    type says:

    ```mlir
    #blocks = #bquant_packed.layout.blocks<
        rows = #bquant_packed.layout.words, block = 32, lanes = 16>
    #indices = #bquant_packed.layout.blocks<
        rows = #bquant_packed.layout.indices<terms = 3>, block = 64, lanes = 8>
    ```

    A map gives the block in place of the channel (`o floordiv 32`), and after the
    dimensions of the map there is one for what a block has: lanes, each where the
    kernel wants it (of each word, where an element has several), or, of planes of
    signs, words in which bit c is channel c of the block. Lanes of no channel hold
    0. Where a step of the kernel takes several elements (`getStepSize`), the last
    loop goes over a multiple of them, and a filter with one element for all of them
    is indexed by `d floordiv step`: pairs of bf16 are an i32, the first one in the
    lower half. Sums of floats have their filters as the formulas say until `--convert-bquant-to-packed` lays out those of
    a product with a kernel; without a kernel they are decomposed
    (`--bquant-decompose-packed`).

    Constraints:
    1. There are inputs, filters and inits; inits and results have one type. As here,
       types are one that differ at most in which sizes are dynamic.
    2. Each input, filter and level has a map of the same loops, those of the results
       and others, to all of its dimensions; to all but the last where a filter is
       laid out, inputs are tables, or of a depthwise convolution. If filters are laid
       out, there are a channel and a reduction.
    3. Elements are those of counts (i8 or i32, by a kernel, without `fused`, `ratios`
       and `levels`) or of sums (one input of f32 or bf16, a filter of the same or
       planes of i32, all of one type).
    4. Masked operands are whole planes, and of counts.
    5. There are a positive ratio for each of two or more planes of signs, or none.
    6. There are two or more levels of one type after as many planes as number them,
       without ratios, or none.
    7. There is an init for each pair of planes, or for each pair twice where inputs
       are masked; of sums for each plane, or one with ratios or levels.
    8. Indices are sums of loops times positive numbers, of blocks of loops and of
       constants.
    9. Words of planes that are not laid out are indexed along the channels, and so
       are levels.
    10. Each reduction is an index by itself, or the steps of the last one are.
    11. Operands have the sizes that the loops ask for: those that a loop indexes by
        itself exactly, others at least.
    12. A filter that is laid out, as those of counts and tables are, has the layout
        that the kernel wants, or of signs words; the block of channels is an index
        and the only one by the channel, and after those of the map it has the lanes
        or words of one. Where it has one element for several of the input, the
        element is the only index by the last loop. Numbers that are not laid out have
        no layout.
    13. The last loop goes over whole steps.
    14. Inputs of counts have the layout that the kernel wants, planes of words that
        are not laid out the layout `layout.words`. (An input of a depthwise convolution is
        blocks of i8, as many as a block of the filter has lanes, which have none; its
        map has the block of channels as a filter's does.)
    15. The kernel computes what the results are, counts or sums, and takes the masks
        there are (`getResult`); masks are counted where it does not give dots. It holds a step's
        sums (`held`, `step`); tables are of f32 and have as many entries as it looks
        up.
    16. Of counts whose steps take several elements, the last loop goes along one
        dimension of an operand that has an element for each, by steps that start at
        multiples of their size; held by `--bquant-decompose-packed`.
  }];
  let arguments = (ins OptionalAttr<Packed_KernelAttr>:$kernel, UnitAttr:$fused,
      Variadic<Packed_ProductOperand>:$inputs,
      Variadic<Packed_ProductOperand>:$filters,
      Variadic<RankedTensorOf<[F32]>>:$levels,
      Variadic<RankedTensorOf<[F32, I32]>>:$inits,
      AffineMapArrayAttr:$indexing_maps, UnitAttr:$masked_inputs,
      UnitAttr:$masked_filters, OptionalAttr<DenseI64ArrayAttr>:$ratios);
  let results = (outs Variadic<RankedTensorOf<[F32, I32]>>:$results);
  let assemblyFormat = [{
    (`kernel` `(` $kernel^ `)`)? (`fused` $fused^)?
    `ins` `(` $inputs `:` type($inputs) `)`
    `filters` `(` $filters `:` type($filters) `)`
    (`levels` `(` $levels^ `:` type($levels) `)`)?
    `outs` `(` $inits `:` type($inits) `)` `maps` `=` $indexing_maps
    (`masked_inputs` $masked_inputs^)? (`masked_filters` $masked_filters^)?
    (`ratios` `=` $ratios^)? attr-dict `->` type($results)
  }];
  let builders = [
    /// Counts, or sums in tables.
    OpBuilder<(ins "::mlir::Attribute":$kernel, "::mlir::ValueRange":$inputs,
        "::mlir::ValueRange":$filters, "::mlir::ValueRange":$inits,
        "::llvm::ArrayRef<::mlir::AffineMap>":$maps,
        CArg<"bool", "false">:$maskedInputs,
        CArg<"bool", "false">:$maskedFilters)>,
    /// Sums of floats; without a kernel, levels or ratios these are null or empty.
    OpBuilder<(ins "::mlir::Attribute":$kernel, "bool":$fused,
        "::mlir::Value":$input, "::mlir::ValueRange":$filters,
        "::mlir::ValueRange":$levels, "::mlir::ValueRange":$inits,
        "::llvm::ArrayRef<::mlir::AffineMap>":$maps,
        "::mlir::DenseI64ArrayAttr":$ratios)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
    /// The kernel; null without one, or where nothing implements it.
    KernelAttrInterface getKernelInterface();
    /// Of the inputs, then of the filters and levels.
    ::llvm::SmallVector<::mlir::AffineMap> getMaps();
    /// How many loops, the leading ones, are those of the results.
    unsigned getNumParallelLoops();
    /// The size of each loop; kDynamic where it is not known.
    ::llvm::SmallVector<int64_t> getLoopSizes();
    ::mlir::RankedTensorType getResultTensor();

    /// What the operands of a step are.
    ProductForm getForm();
    /// Sums of floats, not counts.
    bool sumsFloats();
    /// Sums that are looked up.
    bool readsTables();
    /// Whether filters are planes of words with a sign for each channel.
    bool hasWords();
    /// Whether input and filter are of bf16.
    bool isOfBF16();
    /// Whether planes of a filter of floats are mask and sign.
    bool isMasked();
    /// Planes of each side, a mask counted with its sign.
    int64_t getNumInputPlanes();
    int64_t getNumFilterPlanes();

    /// Whether the filters are laid out for a kernel.
    bool isLaidOut();
    /// The index that counts the steps of the last loop, where a filter that is
    /// laid out has one element for several; null without.
    ::mlir::AffineExpr getStepIndex();
    /// Whether an index of an operand counts words of 32 steps of the last loop of
    /// the results.
    bool countsWords(unsigned operand, unsigned dim);
  }];
}

#endif // BQUANT_PACKED_PRODUCTOP_TD
