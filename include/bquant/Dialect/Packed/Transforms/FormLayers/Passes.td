//===- Passes.td - Each layer an operation ------------------*- tablegen -*-===//
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

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_FORMLAYERS_PASSES_TD
#define BQUANT_DIALECT_PACKED_TRANSFORMS_FORMLAYERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def BoundCodes : Pass<"bquant-bound-codes", "::mlir::func::FuncOp"> {
  let summary = "zero points and bounds of codes as integers";
  let description = [{
    A code is a rounded f32 plus a zero point within bounds, as an integer; zero
    point and bounds are integers up to 2^20. Where i32 holds all numbers that may
    be rounded, by what they are computed of (integers, constants, their sums,
    products, quotients and bounds), what follows the rounding is done in integers:

    ```mlir
    %t = math.roundeven %x : f32
    %u = arith.addf %t, %c3 : f32
    %v = arith.maximumf %u, %c-128 : f32
    %w = arith.minimumf %v, %c127 : f32
    %y = arith.fptosi %w : f32 to i8
    ```
    becomes
    ```mlir
    %t = math.roundeven %x : f32
    %i = arith.fptosi %t : f32 to i32
    %u = arith.addi %i, %c3_i32 : i32
    %v = arith.maxsi %u, %c-128_i32 : i32
    %w = arith.minsi %v, %c127_i32 : i32
    %y = arith.trunci %w : i32 to i8
    ```
    What is subtracted last, as 128 of codes without a sign, moves zero point and
    bounds. Else the bounds, less the zero point, are met before the rounding, by the
    same numbers and the same ops. Only an integer that NaN does not have may be another.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::math::MathDialect"];
}

def EncodeMaps : Pass<"bquant-encode-maps", "::mlir::func::FuncOp"> {
  let summary = "maps of decoded codes as bytes";
  let description = [{
    A map of f32 with several elementwise readers that is computed of whole numbers
    from -128 to 127, or from 0 to 255, is stored as these; each reader computes the
    rest. Bytes with a sign that a product reads as codes (`layout.codes`), which are
    128 more, are stored as these: other elementwise readers turn them back. For
    generics as `bquant-normalize-generics` leaves them.

    ```mlir
    %m = linalg.generic ins(%x) {
      %c = arith.minimumf ...     // Whole, from 0 to 255.
      %y = arith.mulf %c, %scale
    }
    %p = linalg.generic ins(%m) ...
    %q = linalg.generic ins(%m) ...
    ```
    becomes
    ```mlir
    %m = linalg.generic ins(%x) {
      %c = arith.minimumf ...
      %d = arith.subf %c, %c128
      %s = arith.fptosi %d : f32 to i8
      %b = arith.xori %s, %c-128
    }
    %p = linalg.generic ins(%m) {
      %c = arith.uitofp %b : i8 to f32
      %y = arith.mulf %c, %scale
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::tensor::TensorDialect"];
}

def NormalizeGenerics
    : Pass<"bquant-normalize-generics", "::mlir::func::FuncOp"> {
  let summary = "one form for the linalg ops of layers";
  let description = [{
    Named linalg ops become generics, whose loops are the dimensions of their
    results in their order, then the reductions. Inputs lose dimensions of one
    element after the one along which they are read. Elementwise chains are fused
    where a value has one reader, and each reader of a `linalg.fill` gets one of
    its own. An elementwise op on few channels, as of an image, that shares no layer
    with another op has one loop for all elements.

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
    An elementwise generic or `bquant_packed.pack` that reads a tensor assembled by
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
    %p = bquant_packed.product ... ins(%x : ...) filters(%w : ...)
    %y = linalg.generic {elementwise} ins(%p, %c : ...)
    %z = bquant_packed.pack %y
    ```
    becomes
    ```mlir
    %z = bquant_packed.layer "" ins(%i = %x : ...) outs(%o = %empty : ...) {
      %p = bquant_packed.product ... ins(%i : ...) filters(%w : ...)
      %y = linalg.generic {elementwise} ins(%p, %c : ...)
      %t = bquant_packed.pack %y
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

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_FORMLAYERS_PASSES_TD
