//===- LoopPasses.td - Passes on the loops of layers -------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each outer loop becomes a function, which layers of one shape share, which
// threads share, and which is timed. In the order of the route.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CODEGEN_LOOPPASSES_TD
#define BQUANT_CODEGEN_LOOPPASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineLoops : Pass<"bquant-outline-loops", "::mlir::ModuleOp"> {
  let summary = "make a function of each outer loop";
  let description = [{
    LLVM's analysis of a loop walks all loops before it in its function, so that
    the time for a network grows with the square of its layers. Where a function
    is a sequence of loops that hand on nothing but memory, each becomes a
    private function of the same arguments that is not inlined. Constants and
    views of arguments are rematerialized in each. The functions bear the names
    of their layers, which tools like perf then show.

    ```mlir
    func.func @f(%x: memref<4xf32>, %out: memref<4xf32>, %arena: memref<64xi8>) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      scf.for ... // reads %x, writes %a, loc("conv1")
      scf.for ... // reads %a, writes %out, loc("conv2")
    ```
    becomes
    ```mlir
    func.func private @f_loop_0_conv1(%x: ..., %out: ..., %arena: ...) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      scf.for ... // reads %x, writes %a
    func.func private @f_loop_1_conv2(%x: ..., %out: ..., %arena: ...) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      scf.for ... // reads %a, writes %out
    func.func @f(%x: ..., %out: ..., %arena: ...) {
      call @f_loop_0_conv1(%x, %out, %arena)
      call @f_loop_1_conv2(%x, %out, %arena)
    ```
    An operation between two loops of a layer goes with the second, unless that is
    a parallel one (`scf.forall`). A loop whose results are used, or one between an
    operation and its user, goes with the user.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ShareLoops : Pass<"bquant-share-loops", "::mlir::ModuleOp"> {
  let summary = "let functions of loops that differ in memory alone share one";
  let description = [{
    After --bquant-outline-loops and what changes its functions: layers of one
    shape do the same with other bytes of the arena and other constants. Such
    functions become calls of one, which gets as arguments what they differ in,
    so that it is lowered, optimized and written once.

    ```mlir
    func.func private @f_loop_3(%arena: memref<64xi8> {llvm.noalias}) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      %w = memref.get_global @filter_3 : memref<4xf32>
      ...
    func.func private @f_loop_4(%arena: memref<64xi8> {llvm.noalias}) {
      %a = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
      %w = memref.get_global @filter_4 : memref<4xf32>
      ...
    ```
    becomes
    ```mlir
    func.func private @f_loop_3_shared(%a: memref<4xf32> {llvm.noalias, ...},
                                       %w: memref<4xf32> {llvm.noalias, ...}) {
      ...
    func.func private @f_loop_3(%arena: memref<64xi8> {llvm.noalias}) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      %w = memref.get_global @filter_3 : memref<4xf32>
      call @f_loop_3_shared(%a, %w)
    // @f_loop_4 calls it with a view at 16 and @filter_4
    ```
    Arguments are of memory that does not overlap, as LLVM saw it by the offsets:
    a function whose views do overlap shares nothing. Tools like perf show the
    time of all under the name of the first, with `_shared`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def GroupLoops : Pass<"bquant-group-loops", "::mlir::ModuleOp"> {
  let summary = "put loops that may run at the same time in one function";
  let description = [{
    After --bquant-outline-loops: between two loops that threads share, all wait
    for the first one. Calls that follow each other, of functions of which none
    writes what another one reads or writes, need no wait: they become calls of one
    function, a group, whose tiles --bquant-distribute-tiles hands out together.
    The border classes of a convolution are such, which write disjoint boxes of one
    image.

    ```mlir
    func.func @f(%x: ..., %arena: ..., %slice: ...)
        attributes {bquant.slice_bytes = 64 : i64} {
      call @f_loop_3(%x, %arena, %slice) // writes rows 0 of an image
      call @f_loop_4(%x, %arena, %slice) // writes rows 1 to 13
    ```
    becomes
    ```mlir
    func.func private @f_group_0(%x: ..., %arena: ..., %slice: ...) {
      call @f_loop_3(%x, %arena, %slice)
      call @f_loop_4(%x, %arena, %slice)
    func.func @f(...) {
      call @f_group_0(%x, %arena, %slice)
    ```
    Memory is told apart by argument (those that are `llvm.noalias`), by the bytes
    of the arena, and in one buffer by the bounds of indices
    (`ValueBoundsOpInterface`). What is not known to be apart conflicts. The slice,
    the last argument, is each thread's own. The order of the calls stays, and only
    functions with an attribute `bquant.slice_bytes` are changed.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def DistributeTiles
    : Pass<"bquant-distribute-tiles", "::mlir::ModuleOp"> {
  let summary = "let functions of parallel loops do a range of their tiles";
  let description = [{
    After --bquant-outline-loops: a function that ends in an `scf.forall` of known
    bounds gets two last arguments, the first of its iterations that it has to do
    and the end of these, so that threads can share them. Iterations are numbered
    in the order of a loop nest, the last dimension the fastest. Any other function
    has one tile, itself.

    ```mlir
    func.func private @f_loop_0(%x: ..., %out: ..., %arena: ..., %slice: ...) {
      scf.forall (%i, %j) = (0, 0) to (14, 128) step (1, 32) {
        ...
    func.func @f(...) attributes {bquant.slice_bytes = 64 : i64} {
      call @f_loop_0(%x, %out, %arena, %slice)
    ```
    becomes
    ```mlir
    func.func private @f_loop_0(..., %first: index, %last: index) {
      scf.for %t = %first to %last step %c1 {
        %place:2 = affine.delinearize_index %t into (14, 4) : index, index
        ...
    func.func @f(...) attributes {bquant.slice_bytes = 64 : i64, bquant.groups =
        [{callee = @f_loop_0, nanoseconds = 9000 : i64, tiles = 56 : i64} ]} {
      call @f_loop_0(%x, %out, %arena, %slice, %c0, %c56)
    ```
    `nanoseconds` is a rough estimate of all of its tiles, by a count of their
    operations: what is too small is not worth two threads. Only functions
    with an attribute `bquant.slice_bytes` (`--bquant-plan-arena=slices`), of which
    nothing but calls is left, are distributed. The tiles of a group
    (`--bquant-group-loops`) are those of its calls, one after the other. Parallel
    loops anywhere else become serial ones, and so does one behind a write to
    memory, which each thread would do again.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ClockLayers : Pass<"bquant-clock-layers", "::mlir::ModuleOp"> {
  let summary = "read a clock around the functions of each layer";
  let description = [{
    For a profile, after --bquant-outline-loops: each run of calls with one
    location, which is that of a layer, is timed by `bquant_clock`, which whoever
    runs the code defines, and its nanoseconds are added up in
    `bquant_layer_times`. The module says which layers these are.

    ```mlir
    func.func @f(...) {
      call @f_loop_0_conv1(...) : ... loc("conv1")
    ```
    becomes
    ```mlir
    module attributes {bquant.clocked_layers = [["f", "conv1"]]} {
    memref.global @bquant_layer_times : memref<1xi64> = dense<0>
    func.func private @bquant_clock() -> i64
    func.func @f(...) {
      %before = call @bquant_clock() : () -> i64
      call @f_loop_0_conv1(...)
      %after = call @bquant_clock() : () -> i64
      %time = arith.subi %after, %before : i64
      // @bquant_layer_times[0] += %time
    ```
    Calls side by side add to the same sums, and lose some of them.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // BQUANT_CODEGEN_LOOPPASSES_TD
