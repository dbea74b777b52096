//===- Passes.td - Conversions from bquant -----------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CONVERSION_PASSES_TD
#define BQUANT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareTosa : Pass<"bquant-prepare-tosa"> {
  let summary = "let constants of TOSA hold elements where a folder reads them";
  let description = [{
    A `tosa.const` of a resource that a `tosa.slice` reads becomes one of elements:
    upstream's folder of the slice ends the process otherwise (MLIR 22), in any
    pass that folds. `--bquant-import-pipeline` is this pass and upstream's
    conversions of TOSA to linalg, tensor and arith.

    ```mlir
    %c = "tosa.const"() <{values = dense_resource<w> : tensor<2xf32>}>
    ```
    becomes
    ```mlir
    %c = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}>
    ```
  }];
  let dependentDialects = ["::mlir::tosa::TosaDialect"];
}

def ConvertBQuantToReference : Pass<"convert-bquant-to-reference"> {
  let summary = "scaled-binary values to i8 signs, products to plain loops";
  let description = [{
    The slow and plain lowering, with which every test of the fast one compares.
    Both write quantization, scalars and offsets alike; products and pooling are
    its own. A value becomes one tensor of i8 signs (+1, -1) for each plane, its
    scalars and its offset.
    Each pair of planes is multiplied and summed in i32 (a zero-padded position
    has the sign 0), then the formula of the op's description is applied in the
    order that it gives. Scalars solved at run time come from `bquant.solve`.

    Expects scaled-binary values to stay between bquant ops. A quantize whose
    scheme a network cannot solve stays, with a `missed` remark that says why.

    ```mlir
    %0 = bquant.matmul %x, %w
        : (!bquant.tensor<8x64, 1>, !bquant.tensor<10x64, 1>) -> tensor<8x10xf32>
    ```
    becomes, with `%xs : tensor<8x64xi8>`, `%xv : tensor<1xf32>` for `%x`,
    ```mlir
    %dot = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%xs, %ws : tensor<8x64xi8>, tensor<10x64xi8>)
        outs(%zero : tensor<8x10xi32>) { extsi, extsi, muli, addi }
    %0 = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%dot, %v, %w : tensor<8x10xi32>, tensor<f32>, tensor<f32>)
        outs(%empty : tensor<8x10xf32>) { mulf, sitofp, mulf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def ConvertBQuantToPacked : Pass<"convert-bquant-to-packed"> {
  let summary = "scaled-binary values to packed planes, products to packed products";
  let description = [{
    A value becomes one packed tensor for each plane (ternary: mask and sign,
    whose bit is 0 where the mask's is), its scalars and its offset. The planes
    lie in the layouts that the kernels of its uses want: i32 `words`, also where
    none wants any, or bytes, `nibbles`; in one after the other where these are
    several. No bquant op is left but `bquant.pack`, `bquant.unpack`,
    `bquant.packed_product`, `bquant.float_product` and `bquant.solve`:

    - a quantize is one elementwise generic with an i1 result for each plane,
      and one pack; a dequantize is one unpack and one elementwise generic;
    - scalars solved at run time are means in generics, in f64: 32 partial sums
      over the values that share scalars, value i in sum i mod 32, for each of
      eight runs of many values, then the sum of these, as the solvers sum. Schemes that have to sort are `bquant.solve`;
    - a product is one `bquant.packed_product` by its kernel, over
      (n, oh, ow, oc, kh, taps of a row and their elements) or (m, n, elements),
      for all pairs of planes, an elementwise generic `K - 2 P` and one that
      applies the scalars;
    - a filter lies as its kernel reads it: a constant becomes another one, of
      another value ops in front of the product make it. A constant of codes has
      the bits that the largest code takes, and a generic that unpacks them;
    - a convolution with padding is peeled by border classes, the regions of the
      result whose windows see the same taps: each is a product on slices with
      K of its own, put together by `tensor.insert_slice`. Where `pad_value` is
      1, the padded taps add a constant for each filter;
    - groups of channels read slices of the input where each has whole elements
      of the layout, share one under a mask where they divide it, and are packed
      anew otherwise. For the kernel `depthwise` the input is unpacked to bytes, a
      channel a lane;
    - an input's offset adds a number for each filter and border class;
    - a product of a float input is a `bquant.float_product` by the filter's
      words along the output channels, so that a word is a mask of 32 of them: one
      f32 sum for each scalar of the filter;
    - filters of `bquant.float_product` with a kernel, also of those that were
      there before, are laid out in blocks of channels, and the last two loops are
      one where the input has its taps and channels side by side;
    - linalg's product of bytes with the attribute `bquant.kernel` is a
      `bquant.packed_product` of codes, which are the bytes and 128, less 128 times
      the sum of each filter;
    - max pooling is logic on the words of all taps, or the maximum of codes.

    Expects scaled-binary values to stay between bquant ops, and products to have
    a kernel (`--bquant-select-kernels`). A product without one stays, with a
    `missed` remark, and so does a quantize whose scheme a network cannot solve.

    ```mlir
    %0 = bquant.matmul %x, %w kernel(#bquant.popcount<rows = 8, channels = 32, bits = 512>)
        : (!bquant.tensor<8x64, 1>, !bquant.tensor<10x64, 1>) -> tensor<8x10xf32>
    ```
    becomes, with the words `%xw : tensor<8x2xi32>` and the filter
    `%ww : tensor<1x2x32xi32>`, 10 of whose 32 lanes are in use,
    ```mlir
    %p = bquant.packed_product kernel(#bquant.popcount<rows = 8, channels = 32, bits = 512>)
        ins(%xw : tensor<8x2xi32>) filters(%ww : tensor<1x2x32xi32>)
        outs(%zero : tensor<8x10xi32>)
        maps = [affine_map<(m, n, k) -> (m, k)>,
                affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<8x10xi32>
    %dot = linalg.generic ins(%p : tensor<8x10xi32>) { 64 - 2 * p }
    %0 = linalg.generic ins(%dot, %v, %w : tensor<8x10xi32>, tensor<f32>, tensor<f32>)
        outs(%empty : tensor<8x10xf32>) { mulf, sitofp, mulf }
    ```
  }];
  let options = [Option<"rollback", "rollback", "bool", "false",
      "By the driver that can undo a pattern. The result is the same.">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def VerifyWords : Pass<"bquant-verify-words"> {
  let summary = "check that no scaled-binary value is left";
  let description = [{
    Ends packing, and the reference's part: an error at every bquant op but
    `bquant.pack`, `bquant.unpack`, `bquant.packed_product`,
    `bquant.float_product` and `bquant.solve`, so that a layer that cannot be compiled is reported at its source location, and
    not as a failure of a later stage. A quantize whose scheme cannot be solved at run time says so.
    Changes nothing.

    ```mlir
    %q = bquant.quantize %x scheme(<ls, 3>) : ...  // error: [verify_words_c2] ...
    ```
  }];
}

def DecomposePacked : Pass<"bquant-decompose-packed"> {
  let summary = "products of packed values to linalg.generic";
  let description = [{
    For compilers with a code generation of their own, for the reference, and for
    what is not vectorized. `bquant.packed_product` becomes a generic whose body
    is what a step of the kernel means, on the layouts that the kernel wants.
    `bquant.float_product` becomes a generic whose body
    is `math.fma` where the product is `fused`, else `arith.mulf` and
    `arith.addf`. The words of a filter are unpacked before it.
    `bquant.table_product` becomes a generic that extracts the entries of tables.

    ```mlir
    %y = bquant.float_product fused ins(%x : tensor<8x3xf32>)
        filters(%w : tensor<3x2xi32>) outs(%zero : tensor<8x40xf32>)
        maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>]
        -> tensor<8x40xf32>
    ```
    becomes
    ```mlir
    %b = bquant.unpack layout = words ins(%w : tensor<3x2xi32>)
        outs(%init : tensor<3x40xi1>) -> tensor<3x40xi1>
    %y = linalg.generic {... iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %b : tensor<8x3xf32>, tensor<3x40xi1>)
        outs(%zero : tensor<8x40xf32>) {
    ^bb0(%a: f32, %bit: i1, %acc: f32):
      %s = arith.select %bit, %one, %minus_one : f32
      %0 = math.fma %a, %s, %acc : f32
      linalg.yield %0 : f32
    } -> tensor<8x40xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
      "::mlir::tensor::TensorDialect"];
}

def LowerPack : Pass<"bquant-lower-pack"> {
  let summary = "pack and unpack to linalg, one bit at a time";
  let description = [{
    For words that were not tiled and vectorized, so that what
    `--convert-bquant-to-packed` leaves compiles through plain loops, too.

    ```mlir
    %w = bquant.pack layout = words ins(%b : tensor<8x33xi1>)
        outs(%init : tensor<8x2xi32>) -> tensor<8x2xi32>
    ```
    becomes
    ```mlir
    %0 = tensor.pad %b low[0, 0] high[0, 31] { false }
    %1 = tensor.expand_shape %0 [[0], [1, 2]] : tensor<8x64xi1> into tensor<8x2x32xi1>
    %w = linalg.generic {iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%1 : tensor<8x2x32xi1>) outs(%zero : tensor<8x2xi32>) { extui, shli, ori }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitSolves : Pass<"bquant-split-solves"> {
  let summary = "let threads share the solving of scalars";
  let description = [{
    A `bquant.solve` of several rows becomes an `scf.forall` over rows, each with
    scratch memory of its own. One of a single row of ls-2 or ls-T with enough
    values becomes steps, of which those that look at all values are an
    `scf.forall` over parts of the row. Both give the same bits as before.

    ```mlir
    bquant.solve <ls, 2> ins(%x : memref<1x8192xf32>)
        outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    ```
    becomes
    ```mlir
    bquant.solve_step begin <ls, 2> ins(%x : memref<1x8192xf32>)
        outs(%v, %s : memref<2x1xf32>, memref<66432xi8>)
    scf.forall (%part) in (2) {
      bquant.solve_step count <ls, 2> part %part ins(%x : ...) outs(%v, %s : ...)
    }
    bquant.solve_step choose <ls, 2> ins(%x : ...) outs(%v, %s : ...)
    scf.forall (%part) in (2) {
      bquant.solve_step keep <ls, 2> part %part ins(%x : ...) outs(%v, %s : ...)
    }
    bquant.solve_step finish <ls, 2> ins(%x : ...) outs(%v, %s : ...)
    ```
  }];
  let dependentDialects = ["::bquant::BQuantDialect",
      "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
      "::mlir::scf::SCFDialect"];
}

def LowerSolve : Pass<"bquant-lower-solve", "::mlir::ModuleOp"> {
  let summary = "solve on memrefs to calls of the runtime";
  let description = [{
    Each `bquant.solve` behind bufferization becomes a call of
    `bquant_rt_solve`, which allocates nothing and is part of every compiled
    network.

    ```mlir
    bquant.solve <ls, 2> ins(%x : memref<8x4096xf32>)
        outs(%v, %s : memref<2x8xf32>, memref<33472xi8>)
    ```
    becomes
    ```mlir
    llvm.call @bquant_rt_solve(%ls, %planes, %px, %groups, %n, %pv, %null, %ps)
        : (i32, i32, !llvm.ptr, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    ```
    and each `bquant.solve_step` one of `bquant_rt_solve_step`. A solve that is still on tensors is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

#endif // BQUANT_CONVERSION_PASSES_TD
