//===- Passes.td - How values are moved and lie ------------*- tablegen -*-===//
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

#ifndef BQUANT_CODEGEN_MEMORY_PASSES_TD
#define BQUANT_CODEGEN_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def ReadInitsAsInputs : Pass<"bquant-read-inits-as-inputs"> {
  let summary = "let elementwise ops that others fuse read no init";
  let description = [{
    Where a `linalg.generic` without reductions reads its init, and one with more
    loops reads its result, `--linalg-fuse-elementwise-ops` makes one op of the
    two that updates the init once for each of those loops. Here the init is an
    input, and the result begins empty. An init that is not read becomes an empty
    tensor of its layout, which that pass would drop.

    ```mlir
    %y = linalg.generic ins(%x) outs(%i) { yield %in * %out }
    ```
    becomes
    ```mlir
    %e = tensor.empty()
    %y = linalg.generic ins(%x, %i) outs(%e) { yield %in * %in_1 }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def LowerPads : Pass<"bquant-lower-pads"> {
  let summary = "turn padding into an insertion and filled borders";
  let description = [{
    Upstream bufferizes `tensor.pad` to a buffer of its own and a copy into it.
    As an insertion, what is padded can be written to its place at once by
    whoever computes it (`--eliminate-empty-tensors`), which saves the copy and
    a buffer. Only what lies around it is filled, where shapes are static and the
    padding is one value; else all of it. What a negative padding leaves out of
    a dimension of static size is left out of a slice of the source.

    ```mlir
    %p = tensor.pad %x low[0, 1] high[0, 1] { %c }
        : tensor<4x6xf32> to tensor<4x8xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4x8xf32>
    %i = tensor.insert_slice %x into %e[0, 1] [4, 6] [1, 1]
    %l = tensor.extract_slice %i[0, 0] [4, 1] [1, 1]
    %f = linalg.fill ins(%c : f32) outs(%l : tensor<4x1xf32>)
    %j = tensor.insert_slice %f into %i[0, 0] [4, 1] [1, 1]
    // the same after it: [0, 7] [4, 1]
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def SplitEmptyTensors : Pass<"bquant-split-empty-tensors"> {
  let summary = "give each use of an empty tensor one of its own";
  let description = [{
    Common subexpression elimination makes one of all `tensor.empty` of a type,
    and one-shot bufferization then takes all layers that write to such a tensor
    for aliases until it has compared each with each: the time for a network
    grows with the square of its layers. Each gets a buffer of its own in the
    end, which this pass says at the beginning.

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>)
    %b = linalg.fill ins(%d : f32) outs(%e : tensor<4xf32>)
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>)
    %f = tensor.empty() : tensor<4xf32>
    %b = linalg.fill ins(%d : f32) outs(%f : tensor<4xf32>)
    ```
    A filled one that the iterations of an `scf.forall` write to is filled in each
    of them, where it would be copied.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect"];
}

def DropLayouts : Pass<"bquant-drop-layouts"> {
  let summary = "globals without layouts";
  let description = [{
    Bufferization drops the layout of a packed value with its tensor type, but for
    constants, whose global keeps the type. Nothing reads it there, and what follows
    need not know the dialect.

    ```mlir
    memref.global "private" constant @filter : memref<1x2x32xi32>
        = dense<0> : tensor<1x2x32xi32, #blocks>
    ```
    becomes
    ```mlir
    memref.global "private" constant @filter : memref<1x2x32xi32> = dense<0>
    ```
  }];
}

def LowerCopies : Pass<"bquant-lower-copies"> {
  let summary = "turn copies between strided buffers into loops";
  let description = [{
    Upstream lowers `memref.copy` of buffers that are not contiguous to a call of
    MLIR's runtime library, which a compiled network does not link. Such a copy
    becomes a `linalg.generic`; contiguous ones stay and become a memcpy. A copy of
    a buffer to itself goes: what an insertion leaves that was written to its place.
    A copy to another part of one buffer, by way of a second buffer, becomes one
    copy where the parts do not overlap.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def LowerElementWrites : Pass<"bquant-lower-element-writes"> {
  let summary = "store the elements of tiles that are no rows";
  let description = [{
    Elements that were computed one by one, as the sums of one channel, are written
    to their tensor at once, as a vector: what analyses tensors takes time that
    grows with the square of the writes. In a buffer each element is stored from
    the register that it is in; a vector would first be put together of them.

    ```mlir
    %v = vector.from_elements %a, %b : vector<1x2x1xi32>
    vector.transfer_write %v, %m[%c0, %c0, %o] {in_bounds = [true, true, true]}
        : vector<1x2x1xi32>, memref<1x2x8xi32>
    ```
    becomes
    ```mlir
    memref.store %a, %m[%c0, %c0, %o] : memref<1x2x8xi32>
    memref.store %b, %m[%c0, %c1, %o] : memref<1x2x8xi32>
    ```
    Vectors of one dimension that are not put together of elements stay.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
      "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def LowerTranspositions : Pass<"bquant-lower-transpositions"> {
  let summary = "transpose blocks in registers";
  let description = [{
    A copy of a buffer to another order of its dimensions, as at the borders of a
    network whose inputs and outputs have channels first, reads elements that do
    not lie side by side where it writes those that do. In blocks it reads and
    writes vectors, and transposes them in registers. What the size of a block
    leaves over is a block that overlaps the one before; of less than two elements
    there is no block. The dimensions that are whole in a block become an
    `scf.forall`.

    ```mlir
    linalg.transpose ins(%a : memref<2x9xf64>) outs(%b : memref<9x2xf64>)
        permutation = [1, 0]
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c9 step %c8 {
      %first = affine.min affine_map<(d0) -> (d0, 1)>(%i)
      // and at 2, 4 and 6 behind %first:
      %r0 = vector.transfer_read %a[%c0, %first] : vector<2xf64>
      %r1 = vector.transfer_read %a[%c1, %first] : vector<2xf64>
      %t0 = vector.shuffle %r0, %r1 [0, 2]
      %t1 = vector.shuffle %r0, %r1 [1, 3]
      vector.transfer_write %t0, %b[%first, %c0]
      vector.transfer_write %t1, %b[%first + 1, %c0]
    ```
    `--bquant-tile-and-fuse` leaves transpositions alone, for this pass.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
      "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
      "::mlir::vector::VectorDialect"];
}

def HoistBuffers : Pass<"bquant-hoist-buffers", "::mlir::func::FuncOp"> {
  let summary = "make the buffers of layers operands";
  let description = [{
    What a layer allocates becomes one of its inits, so that its function
    (`--bquant-outline-layers`) is the same wherever the buffer is. Allocations in
    parallel loops stay: each thread has one of its own. A buffer that outlives the
    iteration of a loop that makes it is an error. Deallocations are removed.

    ```mlir
    bquant_packed.layer "l" outs(%o = %y : memref<8xf32>) {
      %a = memref.alloc() : memref<4xf32>
    ```
    becomes
    ```mlir
    %b = memref.alloc() : memref<4xf32>
    bquant_packed.layer "l" outs(%o = %y : memref<8xf32>, %a = %b : memref<4xf32>) {
    ```
  }];
  let dependentDialects = ["::bquant::packed::PackedDialect"];
}

def PlanArena : Pass<"bquant-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "place all buffers of a function in one arena of the caller";
  let description = [{
    Every static `memref.alloc` gets an offset in one block of memory that the
    caller brings, aligned to 64 bytes; buffers that are never live together
    share bytes. A buffer lives from the first to the last operation of the
    function's body that touches it or a view of it; a layer counts as one
    operation, and so does a group of layers. The largest buffers are placed
    first, each at the lowest offset that is free for its whole life.

    ```mlir
    func.func @f(%x: memref<4xf32>, %out: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
    ```
    becomes
    ```mlir
    func.func @f(%x: memref<4xf32>, %out: memref<4xf32>, %arena: memref<64xi8>)
        attributes {bquant.arena_bytes = 64 : i64} {
      %c0 = arith.constant 0 : index
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4xf32>
    ```
    Deallocations are removed. An allocation that cannot be placed (of a size
    known only at run time or of 2^63 bytes, or one that outlives the iteration
    of a loop that made it) is an error. An analysis remark gives the bytes of
    the arena and those that are in use at once, the least that any plan needs.

    Buffers inside a parallel loop are an error, since each thread needs its own;
    with `slices` they are placed in a block for one thread, another last argument,
    which layers that use it get as an operand:
    ```mlir
    func.func @f(%x: ..., %out: ..., %arena: memref<64xi8>, %slice: memref<128xi8>)
        attributes {bquant.arena_bytes = 64 : i64, bquant.slice_bytes = 128 : i64} {
    ```
  }];
  let options = [
    Option<"slices", "slices", "bool", /*default=*/"false",
           "place buffers of parallel loops in a slice of the thread's own">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // BQUANT_CODEGEN_MEMORY_PASSES_TD
