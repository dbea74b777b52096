//===- Passes.td - Passes on layers ------------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel for each product, a loop nest for each layer, and its tiles as vector
// code. In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_TRANSFORMS_PASSES_TD
#define BQUANT_PACKED_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SelectKernels : Pass<"bquant-select-kernels", "::mlir::ModuleOp"> {
  let summary = "a kernel for each product, written into the IR";
  let description = [{
    Gives each `bquant.conv_2d` and `bquant.matmul` of scaled-binary operands the
    kernel that is estimated to take the fewest cycles on the module's target
    (`--bquant-set-target`; without one `scalar`), among those that can compute
    it, the cost of a layout that no other use of the input wants counted in.
    Kernels given by hand stay, if they fit.

    `strategy` asks for a kernel by its name. A layer that it cannot compute
    takes the best other one, with a `missed` remark; that it serves no layer at
    all is an error. Products with a float input take `fma` whatever it says, in a
    tile whose sums fill the target's registers; those that it cannot compute, as
    of sizes that are not known, get no kernel.

    `describe-layers` writes what becomes of each layer into the module, as
    `bquant.layers`, which `bquant/Dialect/BQuant/IR/LayerFacts.h` reads: its
    arithmetic, multiplications, kernel, tile and estimated cycles.

    Linalg's named convolutions and matrix products of f32 tensors become
    `bquant.float_product`: one f32 sum an output, in the order of the reduction
    loops, each product `fused` with its addition where the target has an fma, else
    rounded before. `linalg.conv_2d_nhwc_fhwc`, `linalg.matmul` and their like
    leave that open; a written `linalg.generic` does not, and stays as it is.

    Linalg's products of i8 tensors into i32, by a constant filter, get a kernel of
    codes in the attribute `bquant.kernel`. What that cannot compute is a
    `bquant.float_product` where its sums are exact in floats, else loops of
    integers, with a `missed` remark. The strategy `reference` leaves them alone.

    `float-precision=bf16` rounds the inputs and the constant filters of these to
    bf16, to nearest, ties to even, and sums in f32: results differ from those of
    f32. The last reduction gets a zero where it is odd, since the kernel `bf16`
    takes two steps at once. A target that has no dot products of bf16 is an error,
    unless the strategy is `reference`. What has no constant filter, and depthwise
    and grouped convolutions, stay as they are, with a `missed` remark.

    ```mlir
    %0 = bquant.matmul %x, %w
        : (!bquant.tensor<8x512, 1>, !bquant.tensor<64x512, 1>) -> tensor<8x64xi32>
    ```
    becomes, on a CPU with AVX2,

    ```mlir
    %0 = bquant.matmul %x, %w
        kernel(#bquant.table<rows = 6, channels = 64, bits = 256>)
        : (!bquant.tensor<8x512, 1>, !bquant.tensor<64x512, 1>) -> tensor<8x64xi32>
    ```
  }];
  let options = [
    Option<"strategy", "strategy", "::bquant::Strategy",
           "::bquant::Strategy::Auto", "the kernel of products of bits">,
    Option<"floatPrecision", "float-precision", "::bquant::FloatPrecision",
           "::bquant::FloatPrecision::F32",
           "what products of floats are rounded to">,
    Option<"describeLayers", "describe-layers", "bool", "false",
           "write what becomes of each layer into the module">];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

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

def CompareSelected : Pass<"bquant-compare-selected"> {
  let summary = "selections by sign as maxima";
  let description = [{
    `x > 0 ? x : c x` for a c above 0 and at most 1, as of a PReLU, compares x with
    c x, which is one instruction: a maximum. The same in every bit.

    ```mlir
    %p = arith.cmpf ogt, %x, %zero : f32
    %s = arith.mulf %x, %c : f32
    %y = arith.select %p, %x, %s : f32
    ```
    becomes
    ```mlir
    %s = arith.mulf %x, %c : f32
    %p = arith.cmpf ogt, %x, %s : f32
    %y = arith.select %p, %x, %s : f32
    ```
  }];
}

def Vectorize : Pass<"bquant-vectorize"> {
  let summary = "tiles to vector code";
  let description = [{
    Turns each linalg op, `bquant.packed_product`, `bquant.pack` and
    `bquant.unpack` on small static
    tensors, as `--bquant-tile-and-fuse` leaves them, into vector ops: vectors
    for each row of the tile, the last dimension in them, one where it is a power
    of two long, else several such, the longest first: of 40 elements 32 and 8.
    Others LLVM takes apart, element by element, where they pass from one basic
    block to the next. Reductions become
    `scf.for` loops that carry the rows, so that sums stay in registers; values
    that pass from one op of a tile to the next do so as vectors, too. An operand
    that does not depend on the last dimension is a scalar load and a broadcast. Bits
    become words by a bitcast, and nibbles without words between.

    The code of a packed product is its kernel's: how the input comes to all lanes
    of a row, a step, what is added up from time to time, and the counts behind
    all. The vectors in its loops are whole registers, which LLVM is told not to
    unroll. Counts that a kernel leaves in 16 bits stay there, with what is computed
    of them by constants, as far as it fits; so do comparisons with thresholds.

    ```mlir
    %p = bquant.packed_product kernel(#bquant.popcount<rows = 7, channels = 32, bits = 512>)
        ins(%x : tensor<1x3x18xi32>) filters(%w : tensor<1x3x6x32xi32>)
        outs(%zero : tensor<1x1x7x32xi32>) ...
    ```
    becomes

    ```mlir
    %p:14 = scf.for %kh ... { scf.for %t ... iter_args(%a0 ...) {
      %f = vector.transfer_read %w[%c0, %kh, %t, %c0] : vector<16xi32>
      %g = vector.transfer_read %w[%c0, %kh, %t, %c16] : vector<16xi32>
      %s = tensor.extract %x[%c0, %kh, %t] : i32
      %b = vector.broadcast %s : i32 to vector<16xi32>
      %1 = arith.xori %b, %f : vector<16xi32>
      %2 = math.ctpop %1 : vector<16xi32>
      %3 = arith.addi %a0, %2 : vector<16xi32>
      ...
    ```

    A kernel that emits its tiles itself, such as `scalar`, has loops of its own:
    one channel after the other, two words at a time in an i64.

    An op that has no vector form is done element by element where it is small,
    else it stays.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
      "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
      "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def ExplainScalars : Pass<"bquant-explain-scalars", "::mlir::ModuleOp"> {
  let summary = "remarks on tiles that have no vector form";
  let description = [{
    A `missed` remark at each op on small static tensors that `--bquant-vectorize`
    has left, in the order of the program. It changes nothing.

    ```mlir
    // remark: not vectorized: expected elementwise ops in the body, ...
    %y = linalg.generic ... ins(%i : tensor<4xindex>) outs(%o : tensor<4xf32>) {
    ^bb0(%a: index, %s: f32):
      %0 = tensor.extract %x[%a] : tensor<9xf32>
      linalg.yield %0 : f32
    }
    ```
  }];
}

def HoistConstants : Pass<"bquant-hoist-constants", "::mlir::func::FuncOp"> {
  let summary = "make constant tensors operands of their layers";
  let description = [{
    Bufferization makes a global of a constant tensor, in the module, which bodies
    that are bufferized in parallel must not touch; and layers that differ in
    constants only have equal bodies then.

    ```mlir
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
      %c = arith.constant dense<2.0> : tensor<8xf32>
      ...
    }
    ```
    becomes
    ```mlir
    %c = arith.constant dense<2.0> : tensor<8xf32>
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>, %k = %c : tensor<8xf32>)
                                 outs(%o = %e : tensor<8xf32>) {
      ...
    }
    ```
  }];
}

def BufferizeLayers : Pass<"bquant-bufferize-layers", "::mlir::ModuleOp"> {
  let summary = "one-shot bufferization with each layer as a single op";
  let description = [{
    As `--eliminate-empty-tensors --one-shot-bufferize="bufferize-function-boundaries
    function-boundary-type-conversion=identity-layout-map"`, except for the bodies
    of layers, which `--bquant-bufferize-layer-body` bufferizes. The time for a
    network grows with its layers, not with what is in them.

    ```mlir
    %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
      %t = linalg.exp ins(%i : tensor<8xf32>) outs(%o : tensor<8xf32>)
      bquant_packed.yield %t : tensor<8xf32>
    }
    ```
    becomes
    ```mlir
    bquant_packed.layer "l" ins(%i = %x : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      %ti = bufferization.to_tensor %i restrict
      %to = bufferization.to_tensor %o restrict writable
      %t = linalg.exp ins(%ti : tensor<8xf32>) outs(%to : tensor<8xf32>)
      bufferization.materialize_in_destination %t in restrict writable %o
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
      "::mlir::memref::MemRefDialect"];
}

def BufferizeLayerBody
    : Pass<"bquant-bufferize-layer-body", "::bquant::packed::LayerOp"> {
  let summary = "one-shot bufferization of what is in a layer";
  let description = [{
    Of a layer on buffers, as `--bquant-bufferize-layers` leaves it. What the body
    gives is written to the inits where it is computed, if it can be. A constant
    tensor in it is an error (`--bquant-hoist-constants`).

    ```mlir
    bquant_packed.layer "l" ins(%i = %x : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      linalg.exp ins(%i : memref<8xf32>) outs(%o : memref<8xf32>)
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
      "::mlir::memref::MemRefDialect"];
}

#endif // BQUANT_PACKED_TRANSFORMS_PASSES_TD
