//===- Passes.td - The C interface of a network ------------*- tablegen -*-===//
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

#ifndef BQUANT_CODEGEN_ENTRY_PASSES_TD
#define BQUANT_CODEGEN_ENTRY_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // BQUANT_CODEGEN_ENTRY_PASSES_TD
