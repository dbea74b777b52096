//===- Passes.td - Layers to functions ---------------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer becomes a function, whose tiles threads share, and which is timed. In
// the order of the route; --bquant-plan-arena comes before outlining.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CODEGEN_LAYERS_PASSES_TD
#define BQUANT_CODEGEN_LAYERS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormBufferLayers
    : Pass<"bquant-form-buffer-layers", "::mlir::func::FuncOp"> {
  let summary = "put all that writes memory into layers of whole buffers";
  let description = [{
    After bufferization: what writes memory outside of layers (copies, borders,
    transpositions, solvers, all of the reference route) becomes a layer, an
    operation each. The operands of all layers are whole buffers, each of them
    once; views go into the bodies, and so does arithmetic on indices.

    ```mlir
    %part = memref.subview %image[0, 0] [4, 8] [1, 1]
        : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
    memref.copy %x, %part
    ```
    becomes
    ```mlir
    bquant_packed.layer "copy" ins(%i = %x : memref<4x8xf32>)
                                 outs(%o = %image : memref<4x16xf32>) {
      %part = memref.subview %o[0, 0] [4, 8] [1, 1]
          : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
      memref.copy %i, %part
    }
    ```
    What has results, as a number that is loaded, stays between the layers.
  }];
  let dependentDialects = ["::bquant::packed::PackedDialect"];
}

def SplitLayers : Pass<"bquant-split-layers", "::mlir::func::FuncOp"> {
  let summary = "cut layers where one part needs what another one writes";
  let description = [{
    The parts of a layer are its parallel loops, and what is done between two of
    them. Threads share the tiles of all parts with nothing to wait for, so none may
    write what another one touches; where one does, as that which computes a filter
    for the loops after it, the layer becomes two. Memory is told apart by buffer
    and, in one buffer, by the bounds of indices (`ValueBoundsOpInterface`): the
    border classes of a convolution write disjoint boxes. What is not known to be
    apart is not.

    ```mlir
    bquant_packed.layer "l" outs(%o = %y : memref<8xf32>, %a = %b : memref<8xf32>) {
      scf.forall ... // writes %a
      scf.forall ... // reads %a, writes %o
    }
    ```
    becomes
    ```mlir
    bquant_packed.layer "l" outs(%a = %b : memref<8xf32>) {
      scf.forall ...
    }
    bquant_packed.layer "l" ins(%a = %b : memref<8xf32>) outs(%o = %y : memref<8xf32>) {
      scf.forall ...
    }
    ```
  }];
  let dependentDialects = ["::bquant::packed::PackedDialect"];
}

def GroupLayers : Pass<"bquant-group-layers", "::mlir::func::FuncOp"> {
  let summary = "put layers that may run at the same time into groups";
  let description = [{
    Between two layers that threads share, all wait for the first one. Layers that
    follow each other, of which none writes what another one reads or writes, need
    no wait: they become a `bquant_packed.group`, whose tiles are handed out
    together. Memory is told apart as by `--bquant-split-layers`. Before the arena
    is planned: buffers of one group share no bytes.
  }];
  let dependentDialects = ["::bquant::packed::PackedDialect"];
}

def VerifyTiles : Pass<"bquant-verify-tiles", "::mlir::func::FuncOp"> {
  let summary = "check that what threads share is independent";
  let description = [{
    What `--bquant-outline-layers` relies on, where threads share the tiles of
    layers: no layer of a group writes what another one reads or writes, no part of
    a layer what another part does, and no iteration of a parallel loop what another
    iteration does. Of an iteration the boxes are exact where indices are affine in
    its own; what is not known to be apart is an error. An operation that has no
    indices and takes the number of an iteration, as a step of a solver, is taken
    for one that touches what is its own. For tests: the passes before promise it.

    ```mlir
    bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
      scf.forall (%i) in (8) { // writes %o[%i], and reads %o[0]: an error
    ```
  }];
}

def OutlineLayers : Pass<"bquant-outline-layers", "::mlir::ModuleOp"> {
  let summary = "make a function of each layer";
  let description = [{
    The body of a layer becomes a private function that is not inlined, and its
    operands are the arguments. LLVM's analysis of a loop walks all loops before it
    in its function, so that the time for a network would grow with the square of
    its layers. Functions of layers of one shape are equal but for their names
    (`--duplicate-function-elimination`), which have a number and the layer's name,
    for tools like perf.

    ```mlir
    func.func @f(%x: memref<4xf32> {llvm.noalias}, %arena: memref<64xi8> {...}) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      bquant_packed.layer "conv1" ins(%i = %x : memref<4xf32>)
                                  outs(%o = %a : memref<4xf32>) { ... }
    ```
    becomes
    ```mlir
    func.func private @f_0_conv1(
        %i: memref<4xf32> {llvm.dereferenceable = 16, llvm.noalias, llvm.readonly},
        %o: memref<4xf32> {llvm.align = 64, llvm.dereferenceable = 16, llvm.noalias})
    func.func @f(...) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      call @f_0_conv1(%x, %a)
    ```
    In a function with `bquant.slice_bytes` (`--bquant-plan-arena=slices`) a layer
    does a range of its tiles, of two last arguments, so that threads can share
    them: the iterations of each `scf.forall`, the last dimension the fastest, and
    one tile for all that is done between two of them. Each layer, or group of
    them, gets a function of the network's own arguments, and the network's is a
    sequence of calls of these:
    ```mlir
    func.func private @f_group_0(..., %arena: ..., %slice: ..., %first: index,
                                 %last: index) {
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
      call @f_0_conv1(%x, %a, %first, %last)
    func.func @f(...) attributes {bquant.slice_bytes = 64 : i64, bquant.groups =
        [{callee = @f_group_0, nanoseconds = 9000 : i64, tiles = 56 : i64} ]} {
      call @f_group_0(..., %c0, %c56)
    ```
    `nanoseconds` is a rough estimate of all of its tiles, by a count of their
    operations: what is too small is not worth two threads. A function with
    anything but layers between them has no groups: it runs on one thread.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ClockLayers : Pass<"bquant-clock-layers", "::mlir::ModuleOp"> {
  let summary = "read a clock around the functions of each layer";
  let description = [{
    For a profile, after --bquant-outline-layers: each run of calls with one
    location, which is that of a layer, is timed by `bquant_clock`, which whoever
    runs the code defines, and its nanoseconds are added up in
    `bquant_layer_times`. The module says which layers these are.

    ```mlir
    func.func @f(...) {
      call @f_0_conv1(...) : ... loc("conv1")
    ```
    becomes
    ```mlir
    module attributes {bquant.clocked_layers = [["f", "conv1"]]} {
    memref.global @bquant_layer_times : memref<1xi64> = dense<0>
    func.func private @bquant_clock() -> i64
    func.func @f(...) {
      %before = call @bquant_clock() : () -> i64
      call @f_0_conv1(...)
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

#endif // BQUANT_CODEGEN_LAYERS_PASSES_TD
