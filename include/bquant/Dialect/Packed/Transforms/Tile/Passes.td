//===- Passes.td - A loop nest for each layer --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_TILE_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_TILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def NormalizeGenerics
    : Pass<"bquant-normalize-generics", "::mlir::func::FuncOp"> {
  let summary = "one form for the linalg ops of layers";
  let description = [{
    Named linalg ops become generics, whose loops are the dimensions of their
    results in their order, then the reductions. Inputs lose dimensions of one
    element after the one along which they are read. Elementwise chains are fused
    where a value has one reader, and each reader of a `linalg.fill` gets one of
    its own.

    ```mlir
    %s = linalg.add ins(%x, %b : ...) outs(%e : tensor<8x16xf32>)
    %y = linalg.exp ins(%s : ...) outs(%e : tensor<8x16xf32>)
    ```
    becomes
    ```mlir
    %y = linalg.generic {indexing_maps = [#id, #id, #id],
                         iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : ...) outs(%e : tensor<8x16xf32>) { addf, exp }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def SinkIntoRegions : Pass<"bquant-sink-into-regions", "::mlir::func::FuncOp"> {
  let summary = "what reads an assembled tensor onto its parts";
  let description = [{
    An elementwise generic or `bquant.pack` that reads a tensor assembled by
    `tensor.insert_slice`, as of the border classes of a padded convolution, is
    cloned onto its regions, which are assembled after it.

    ```mlir
    %t = tensor.insert_slice %a into %e[0, 0] [1, 8] [1, 1]
    %u = tensor.insert_slice %b into %t[1, 0] [3, 8] [1, 1]
    %y = linalg.generic {elementwise} ins(%u) outs(%f)
    ```
    becomes
    ```mlir
    %c = linalg.generic {elementwise} ins(%a) outs(%first_of_f)
    %d = linalg.generic {elementwise} ins(%b) outs(%rest_of_f)
    %v = tensor.insert_slice %c into %f[0, 0] [1, 8] [1, 1]
    %y = tensor.insert_slice %d into %v[1, 0] [3, 8] [1, 1]
    ```

    Of a concatenation of channels that is only packed each part is packed by
    itself, in its place among the elements of the layouts, or joined to the
    word that it is a part of. Parts that begin within other elements are packed
    as a whole.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
      "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def FormLayers : Pass<"bquant-form-layers", "::mlir::func::FuncOp"> {
  let summary = "make each layer an operation";
  let description = [{
    Ops of one iteration space that feed each other form a layer: a product, its
    epilogue, and the pack of the next quantization, in all regions of a padded
    convolution. Values that others need too leave the layer as further results.
    A pool, or another reduction over windows, that alone reads what a product
    gives is in one layer with it where that is estimated to be faster on that
    number of `threads`. On one thread what a product alone reads, and what is little
    beside it, is formed with it: counts of what the border of an image leaves
    out. Each becomes a `bquant_packed.layer`, without a name as yet
    (`--bquant-name-layers`). Constants, views, empty tensors, and filters that
    generics compute of constants are copied into it.

    ```mlir
    %p = bquant.packed_product ... ins(%x : ...) filters(%w : ...)
    %y = linalg.generic {elementwise} ins(%p, %c : ...)
    %z = bquant.pack %y
    ```
    becomes
    ```mlir
    %z = bquant_packed.layer "" ins(%i = %x : ...) outs(%o = %empty : ...) {
      %p = bquant.packed_product ... ins(%i : ...) filters(%w : ...)
      %y = linalg.generic {elementwise} ins(%p, %c : ...)
      %t = bquant.pack %y
      bquant_packed.yield %t : ...
    }
    ```
    What is in no layer stays as it is, with a `missed` remark.
  }];
  let options = [Option<"threads", "threads", "int64_t", /*default=*/"1",
                        "most threads that a call may use">];
  let dependentDialects = ["::bquant::packed::PackedDialect",
      "::mlir::tensor::TensorDialect"];
}

def NameLayers : Pass<"bquant-name-layers", "::mlir::func::FuncOp"> {
  let summary = "name layers by their locations";
  let description = [{
    Reports, profiles and symbols show a layer by the name that its location has
    (`NameLoc`: what an importer calls it), or as `layer`. After equal layers have
    become one (`--cse`), which must not depend on what they are called.

    ```mlir
    %z = bquant_packed.layer "" ins(...) outs(...) { ... } loc("conv1")
    ```
    becomes
    ```mlir
    %z = bquant_packed.layer "conv1" ins(...) outs(...) { ... } loc("conv1")
    ```
  }];
}

def InlineLayers : Pass<"bquant-inline-layers"> {
  let summary = "replace layers by their bodies";
  let description = [{
    For passes that know no layers, as those of another compiler. On tensors and
    on buffers.

    ```mlir
    %z = bquant_packed.layer "conv1" ins(%i = %x : ...) outs(%o = %e : ...) {
      %t = linalg.exp ins(%i : ...) outs(%o : ...)
      bquant_packed.yield %t : ...
    }
    ```
    becomes
    ```mlir
    %z = linalg.exp ins(%x : ...) outs(%e : ...)
    ```
  }];
}

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
    %p = bquant.packed_product kernel(#bquant.popcount<rows = 7, channels = 32, bits = 512>)
        ... -> tensor<1x54x54x64xi32>
    %y = linalg.generic {iterator_types = [parallel x 4]} ins(%p) ...
    ```
    becomes

    ```mlir
    %y = scf.forall (%oc) = (0) to (64) step (32) shared_outs(%o = %init) {
      scf.for %oh = 0 to 54 { scf.for %ow = 0 to 49 step 7 {
        %t = bquant.packed_product kernel(...) ... -> tensor<1x1x7x32xi32>
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
      scf.for %oh ... { bquant.packed_product ... filters(%f reshaped) ... }
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
          bquant.float_product ... // row 2 %oh + %i, to row 1 + %i of %w0
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
