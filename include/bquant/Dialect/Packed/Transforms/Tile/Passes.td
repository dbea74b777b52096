//===- Passes.td - A loop nest for each layer --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_TILE_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileAndFuse
    : Pass<"bquant-tile-and-fuse", "::bquant::packed::LayerOp"> {
  let summary = "one loop nest a layer: product, epilogue and pack in one tile";
  let description = [{
    Every layer becomes one `scf.forall` over blocks of channels (and what else
    all its regions share), with `scf.for` loops over the pixels of each region
    inside. Every tile has a static size; what a tile size leaves over gets a
    tile of its own size. Reductions stay whole inside the tile.
    Where what a layer writes is much beside its filters, as of 1x1 layers with
    many outputs, blocks of channels are the innermost loop: a pixel's memory is
    then written from end to end.

    The tile is pixels by channels. That of a product is as its kernel says, at
    most so many rows (pixels of a row, or of a column where that is longer) and
    channels; its filters lie for it. Elsewhere it is 32 output channels (a word)
    and as many pixels as the target's vector registers can hold sums for
    (`--bquant-set-target`).

    ```mlir
    %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
        ... -> tensor<1x54x54x64xi32>
    %y = linalg.generic {iterator_types = [parallel x 4]} ins(%p) ...
    ```
    becomes

    ```mlir
    %y = scf.forall (%oc) = (0) to (64) step (32) shared_outs(%o = %init) {
      scf.for %oh = 0 to 54 { scf.for %ow = 0 to 49 step 7 {
        %t = bquant_packed.product kernel(...) ... -> tensor<1x1x7x32xi32>
        %u = linalg.generic {iterator_types = [parallel x 4]} ins(%t) ...
        tensor.insert_slice %u into ...
      } }
      ...
    }
    ```

    Where the counts of a tile are more than the target's vector registers hold,
    they go through memory in any case: what follows them is a `scf.for` over the
    tile's rows then, so that its code is there once and not for each row.

    A filter that a generic computes of constants, as of codes of few bits, is
    computed in these loops, a block of channels in front of its pixels:

    ```mlir
    %y = scf.forall (%oc) = (0) to (64) step (16) shared_outs(%o = %init) {
      %f = scf.for ... { linalg.generic ... -> tensor<1x2x32xi32> }
      scf.for %oh ... { bquant_packed.product ... filters(%f reshaped) ... }
    }
    ```

    With `threads` above 1 each region has `scf.forall`s of its own, over blocks
    of channels and as many of the loops over pixels as make some tiles for each
    thread; all iterations of one, and of those of one layer, can run at once.
    The tiles are the same, and so are the bits of the results. Computed filters
    are a layer of their own where iterations would compute a block again.

    Of the image between a product and the pool of its layer there is one window of
    rows. The rows that it shares with the next one move
    to its front:

    ```mlir
    %y = scf.forall (%oc) = (0) to (64) step (32) shared_outs(%o = %init) {
      scf.for %oh = 0 to 56 iter_args(%w = %padding) -> (tensor<1x3x113x32xf32>) {
        %w0 = tensor.insert_slice %row_2_of_w into %w[0, 0, 0, 0] ...
        %w1 = scf.for %i = 0 to 2 { scf.for %ow ... {
          bquant_packed.product ... // row 2 %oh + %i, to row 1 + %i of %w0
        } }
        scf.for %ow = 0 to 56 { linalg.generic ... ins(%window_of_w1, ...) }
      }
    }
    ```

    With `threads` above 1 its rows are cut into blocks. Each computes again what it
    shares with the one before; where that costs more than the image between them,
    the two have not become one layer.
  }];
  let options = [Option<"threads", "threads", "int64_t", /*default=*/"1",
                        "most threads that a call may use">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
      "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
      "::mlir::tensor::TensorDialect"];
}

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_TILE_PASSES_TD
