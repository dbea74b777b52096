//===- Passes.td - From tensors to memory and C ------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the route; those on layers of buffers are in LayerPasses.td.
// These passes know no bquant op: they serve any program of linalg and vector
// ops on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_CODEGEN_PASSES_TD
#define BQUANT_CODEGEN_PASSES_TD

include "bquant/Codegen/LayerPasses.td"
include "mlir/Pass/PassBase.td"

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
    // the same behind it: [0, 7] [4, 1]
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

def ResultsToArguments
    : Pass<"bquant-results-to-arguments", "::mlir::ModuleOp"> {
  let summary = "let public functions write their results where the caller says";
  let description = [{
    A compiled function allocates nothing, so the caller brings the memory of
    the results. Every public function on statically shaped tensors gets one
    memref argument a result, and what it returned is materialized there; after
    bufferization the last operations write there directly. Running on tensors,
    before bufferization, keeps results from being allocated and copied.

    The signature is kept in the attribute `bquant.signature` until
    `--bquant-wrap-entry-points` makes the C interface of it. Arguments and
    results are named by their attribute `bquant.name`; what has the attribute
    `bquant.batch` (`--bquant-batch-to-sample`) is a sample of a tensor with a
    dynamic leading dimension, which the signature names. The function itself gets
    another name, so that one called `expf` is not taken for the one of the C
    library when math ops are lowered.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = ... : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @__bquant_f(%x: tensor<4xf32> {bufferization.writable = false, ...},
        %out: memref<4xf32> {...}) attributes {bquant.signature = ...} {
      %place = bufferization.to_tensor %out restrict writable
      %y = ... : tensor<4xf32>
      %placed = tensor.insert_slice %y into %place[0] [4] [1]
      bufferization.materialize_in_destination %placed in restrict writable %out
      return
    }
    ```
    Integer arguments that are not signless, and that nothing but `tensor.bitcast`
    to signless ones reads, lose their sign here; the signature keeps it.

    A public function with other types is an error, and so is a call that is
    left: calls have to be inlined before.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::tensor::TensorDialect"];
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

def LowerExpm1 : Pass<"bquant-lower-expm1", "::mlir::ModuleOp"> {
  let summary = "compute exp(x) - 1 by the C library";
  let description = [{
    Upstream's `--convert-math-to-llvm` makes `exp(x) - 1` of `math.expm1`, which is
    0 for every x nearer to 0 than 2^-25: an ELU or SELU gives 0 where it should
    give a negative number, and a sign after it is wrong. The C library computes
    it to the last digits; a vector is taken apart into its elements.

    ```mlir
    %y = math.expm1 %x : f32
    ```
    becomes
    ```mlir
    %y = call @expm1f(%x) : (f32) -> f32
    ```
    `math.log1p` needs no pass: upstream has the option `approximate-log1p`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
      "::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
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

def WrapEntryPoints
    : Pass<"bquant-wrap-entry-points", "::mlir::ModuleOp"> {
  let summary = "give each public function the C calling convention";
  let description = [{
    For each function NAME with a `bquant.signature`, in the LLVM dialect:

    ```c
    int32_t NAME(const void *const *inputs, void *const *outputs, void *arena,
                 int32_t threads);      // 0 ok, 1 bad argument, 2 CPU, 3 threads
    size_t NAME_arena_bytes(int32_t threads);
    int32_t NAME_supported(void);
    extern const char NAME_signature[]; // JSON: names, shapes and types
    ```
    A string `bquant.digest` of the module is in the JSON, too: by it the headers of two
    networks of one name are told apart.
    Where the signature has a dynamic leading dimension, the batch, NAME takes a
    last argument `int64_t batch` and calls the function for each sample, with
    the pointers to arrays that have a batch moved on each time. Where another
    function is on a block of samples of NAME (`bquant.block`, of
    `--bquant-batch-to-sample`), that is called for whole blocks, and the function
    on one for the samples that are left.

    `threads` is the most threads that a call may use; less than 1 is a bad
    argument, and NAME_arena_bytes takes it for 1. With the option `threads` of more
    than 1, a function that says what threads may share (`bquant.groups`, of
    `--bquant-outline-layers`) is run by the runtime on up to so many, of LLVM's
    OpenMP runtime or of a pool that

    ```c
    void NAME_set_parallel(
        void (*parallel)(void *pool, int32_t threads,
                         void (*body)(void *context, int32_t thread),
                         void *context),
        void *pool);
    ```
    names. Any other function runs on one, however many are asked for.

    The function itself becomes internal. Where C reserves the exported name (a
    keyword, `main`, a function of the C library), it gets the suffix `_net`; one that
    begins with a digit gets the prefix `net_`, and underscores before it go. The
    entry points carry the function attribute `bquant-entry`: code generation
    compiles them for the oldest CPU, since they run before the check, which asks
    the runtime once for what the module's target has (`--bquant-set-target`).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"threads", "threads", "int", /*default=*/"1",
           "the most threads that a call may use">,
    Option<"claimNanoseconds", "claim-nanoseconds", "int64_t",
           /*default=*/"2500", "what is worth a claim of one of several threads">
  ];
}

#endif // BQUANT_CODEGEN_PASSES_TD
