/*===- bquant-c/BQuant.h - The compiler from C --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Plain C: opaque handles, strings and pointers, no MLIR types. Nothing is   *|
|* global: any two handles may be used from two threads at a time; one handle *|
|* by one thread at a time (a program's entry points by any number, each with *|
|* an arena of its own).                                                      *|
|*                                                                            *|
|* Errors: a function that can fail returns NULL or a value other than 0 and, *|
|* where `error` is not NULL, puts into *error what went wrong: one line for  *|
|* each diagnostic, `file:line:column: message` where a place is known. Free  *|
|* it with bquantStringFree. On success *error is left alone.                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef BQUANT_C_BQUANT_H
#define BQUANT_C_BQUANT_H

#include "bquant-c/Support.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An MLIR module in a context of its own. */
typedef struct BQuantModule BQuantModule;
/* Compiled code that can be called: made in memory, or a library loaded. */
typedef struct BQuantProgram BQuantProgram;

/* Returns the version of the library, as in BQUANT_VERSION_STRING of
 * bquant-c/Version.h: "0.1.0". */
BQUANT_EXPORT const char *bquantVersion(void);

/*===--- Modules ----------------------------------------------------------===*/

/* Constant data for a module, by pointer: `dense_resource<key>` in the text
 * means these bytes, little endian, dense, row-major. The bytes are neither
 * copied nor changed and have to outlive the module. */
typedef struct BQuantBlob {
  const char *key;
  const void *data; /* aligned to `alignment` */
  size_t size;      /* in bytes */
  size_t alignment; /* a power of two; of the element type is enough */
} BQuantBlob;

/* Parses MLIR text or bytecode and verifies it. `name` stands for the file in
 * messages (NULL: "-"). */
BQUANT_EXPORT BQuantModule *bquantModuleParse(const char *source, size_t size,
                                              const char *name,
                                              const BQuantBlob *blobs,
                                              size_t numBlobs, char **error);
BQUANT_EXPORT BQuantModule *bquantModuleParseFile(const char *path,
                                                  char **error);
BQUANT_EXPORT void bquantModuleDestroy(BQuantModule *module);

/* The module as text; with `elideLarge` constants of more than 16 elements and
 * all resources are left out (that text does not parse again). */
BQUANT_EXPORT char *bquantModulePrint(BQuantModule *module, int elideLarge);

/* Runs a pass pipeline, e.g. "bquant-raise,bquant-solve-scalars", on the module
 * itself. After a failure the module is only good for being destroyed. */
BQUANT_EXPORT int bquantModuleRunPipeline(BQuantModule *module,
                                          const char *pipeline, char **error);

/*===--- Compiling --------------------------------------------------------===*/

/* Told of each stage that a compilation begins: those of bquantModuleLower,
 * then "optimize", "emit" and "link". During "emit" `done` of `all` functions
 * are written, else both are 0. Called on any thread, one at a time, before the
 * call that compiles returns. */
typedef void (*BQuantProgress)(void *context, const char *stage, int32_t done,
                               int32_t all);

/* Zero-initialize, then set size = sizeof(BQuantCompileOptions). NULL strings
 * mean the default. Later versions add members at the end, with a default of
 * zeros. So a library takes options of fewer bytes than it knows (at least the
 * size itself) and has zeros for the rest, and takes more bytes (4096 at most)
 * where all that it does not know are zeros; else the call fails. */
typedef struct BQuantCompileOptions {
  size_t size;
  const char *strategy;       /* the kernel of products: "auto" (default),
                                 "popcount", "table", "bytes", "scalar";
                                 "reference" */
  const char *targetTriple;   /* default: the host's */
  const char *targetCPU;      /* as llc's -mcpu; default: the host's, with the
                                 features that it really has. Several with
                                 commas, those that have less first: libraries,
                                 objects and programs get a version for each,
                                 of which the last one that the CPU supports
                                 runs. "portable": x86-64-v2, haswell and
                                 icelake-server */
  const char *targetFeatures; /* as llc's -mattr, e.g. "+avx2,-avx512f" */
  const char *assume;         /* what signs may take for granted, a list of
                                 "no-nan", "no-zero", "exact-residues" with
                                 commas; default: nothing */
  int32_t threads;            /* most threads a call may use: 0
                                 means 1 */
  int32_t clockLayers;        /* not 0: of bquantModuleJit: the code clocks its
                                 layers, for bquant-c/Profile.h */
  BQuantProgress progress;    /* is told how far a compilation is; default:
                                 nobody is */
  void *progressContext;      /* its first argument */
  const char *floatPrecision; /* what inputs and filters of products of floats
                                 are rounded to: "f32" (default) or "bf16" */
  int32_t strict;        /* not 0: straight-through residues (q - c) + c are
                            computed as they are written; 0: they are q,
                            up to rounding */
  int32_t verifyFolding; /* not 0: each folded chain is interpreted around
                            its thresholds; an error where it differs from
                            what was written */
  int32_t verifyEach;    /* not 0: the IR is verified after each pass; 0:
                            after the last alone */
  const char *sysroot;   /* of bquantModuleCompile: where a shared library
                            finds the target's C library; default: this
                            machine's, or what is installed for another
                            one */
  const char *entryName; /* what the module's public function, the only one, is
                            called; default: as it is in the module */
} BQuantCompileOptions;

/* Returns the values that an option takes, as in "f32, bf16", by its name on
 * the command line: "strategy", "float-precision", "assume", "emit" (in the
 * order of BQuantEmit), "stop-after" (with a strategy other than "reference"),
 * or those of a "scheme" of bquant-c/Quant.h; NULL for another name. They live
 * as long as the library. */
BQUANT_EXPORT const char *bquantOptionValues(const char *option);

typedef enum BQuantEmit {
  BQUANT_EMIT_SHARED = 0, /* shared library, and a C header beside it */
  BQUANT_EMIT_OBJECT = 1,
  BQUANT_EMIT_ASSEMBLY = 2,
  BQUANT_EMIT_LLVM = 3,  /* LLVM IR as text, optimized */
  BQUANT_EMIT_MLIR = 4,  /* MLIR in the LLVM dialect */
  BQUANT_EMIT_HEADER = 5 /* C header alone, e.g. for an object file */
} BQuantEmit;

/* Compiles a copy of the module to a file. The file appears whole or not at
 * all. `options` may be NULL. If `report` is not NULL it receives the report as
 * JSON, what each layer became and why not, for several CPUs an array; free
 * with bquantStringFree. */
BQUANT_EXPORT int bquantModuleCompile(BQuantModule *module, const char *path,
                                      BQuantEmit emit,
                                      const BQuantCompileOptions *options,
                                      char **report, char **error);

/* Lowers the module itself, up to and including a stage of the route: "import",
 * "raise", "solve", "fold", "select", "pack", "tile", "vectorize" or "llvm"
 * (with the strategy "reference" one stage, "reference-loops", is in the place
 * of pack, tile and vectorize). NULL: all of them. `options` may be NULL. It
 * takes what was parsed: a module is lowered once, by one call. After a failure
 * the module is only good for being destroyed. */
BQUANT_EXPORT int bquantModuleLower(BQuantModule *module, const char *stage,
                                    const BQuantCompileOptions *options,
                                    char **error);

/* Compiles a copy of the module into memory. The program does not refer to the
 * module or its blobs afterwards. For a triple that is not the host's it has a
 * signature and a report and can be saved, but has no function to call. */
BQUANT_EXPORT BQuantProgram *
bquantModuleJit(BQuantModule *module, const BQuantCompileOptions *options,
                char **error);

/*===--- Programs ---------------------------------------------------------===*/

/* Loads a shared library that bquantModuleCompile (or bquant-compile) wrote, as
 * a private copy: the file may be replaced or written over afterwards. A file
 * that is none is an error. */
BQUANT_EXPORT BQuantProgram *bquantProgramLoad(const char *path, char **error);
BQUANT_EXPORT void bquantProgramDestroy(BQuantProgram *program);

/* Writes a library of the program, with a C header beside it: each file appears
 * whole or not at all. Nothing is compiled: a program of bquantModuleJit is
 * linked, of one that was loaded it is the library as it was then. With a
 * `name` (NULL: as it is) the program's function, the only one, has that one in
 * the library; for one that was loaded it is an error. So is a program that
 * clocks its layers. */
BQUANT_EXPORT int bquantProgramSave(const BQuantProgram *program,
                                    const char *path, const char *name,
                                    char **error);

/* The functions that can be called, as a JSON array in the order of the module
 * (of a library: by name):
 *
 *   [{"name": "res_net18",        // in the module
 *     "symbol": "res_net18",      // in C: another one where C reserves `name`
 *     "digest": "5a7...",         // tells networks of one name apart
 *     "inputs":  [{"name": "x", "dtype": "float32", "shape": [1, 3, 8, 8]}],
 *     "outputs": [{"name": "output0", "dtype": "float32", "shape": [1, 10]}],
 *     "arena_bytes": 4096,          // of several versions the most
 *     "versions": ["haswell", "znver4"]}]   // of a list of CPUs alone
 *
 * dtype is a NumPy name. A leading size of null is the batch: as many samples
 * as the caller says, the same number for all arrays that have it. Lives as
 * long as the program. */
BQUANT_EXPORT const char *bquantProgramSignature(const BQuantProgram *program);

/* The report of bquantModuleJit, or the one that a library carries, as "text",
 * "json" or "html"; of several versions that of the one that runs, or all of
 * them, in JSON an array, where none does. A library of an older version
 * carries none: an error. */
BQUANT_EXPORT char *bquantProgramReport(const BQuantProgram *program,
                                        const char *format, char **error);

/* A report that bquantModuleCompile gave, in one of these formats. */
BQUANT_EXPORT char *bquantReportFormat(const char *json, const char *format,
                                       char **error);

/* A compiled function. Arrays dense, row-major, in the order, shapes and types
 * of the signature, not overlapping; arena: bquantProgramArenaBytes bytes,
 * aligned to 64, contents unimportant before and after (may be NULL if 0
 * bytes); threads: the most that the call may use, at least 1. Returns 0: ok,
 * 1: bad argument, 2: this CPU lacks a feature that the program was compiled
 * for, 3: there is no OpenMP runtime for more than one thread. */
typedef int32_t (*BQuantEntry)(const void *const *inputs, void *const *outputs,
                               void *arena, int32_t threads);

/* The same for a function whose arrays have a batch, of so many samples; 0 is
 * allowed, a negative number is a bad argument. */
typedef int32_t (*BQuantBatchEntry)(const void *const *inputs,
                                    void *const *outputs, void *arena,
                                    int32_t threads, int64_t batch);

/* Loads the OpenMP runtime that came along with this library, as libomp.so.5
 * next to it (the wheel has it), for a call that returned 3: 1 if it did, and
 * the call may be made again. One that is in the process already, or that the
 * system has, is found by the call itself. */
BQUANT_EXPORT int bquantLoadOpenMP(void);

/* Why a call returned `code`, which is not 0. Free it with
 * bquantStringFree. */
BQUANT_EXPORT char *bquantExplainCode(int32_t code);

/* By the name or the symbol of the signature; NULL and an error if there is no
 * such function, or one of the other kind. */
BQUANT_EXPORT BQuantEntry bquantProgramEntry(const BQuantProgram *program,
                                             const char *name, char **error);
BQUANT_EXPORT BQuantBatchEntry bquantProgramBatchEntry(
    const BQuantProgram *program, const char *name, char **error);
/* What calls on up to `threads` threads need; less than 1 counts as 1. */
BQUANT_EXPORT int bquantProgramArenaBytes(const BQuantProgram *program,
                                          const char *name, int32_t threads,
                                          size_t *bytes, char **error);
/* *cpu = the CPU of a list (targetCPU) whose version of the function runs here;
 * NULL where there is no list, or this CPU supports none of it. Lives as long
 * as the program. */
BQUANT_EXPORT int bquantProgramVersion(const BQuantProgram *program,
                                       const char *name, const char **cpu,
                                       char **error);
/* *supported = 1 if this CPU can run the function, else 0. */
BQUANT_EXPORT int bquantProgramSupported(const BQuantProgram *program,
                                         const char *name, int *supported,
                                         char **error);

#ifdef __cplusplus
}
#endif

#endif /* BQUANT_C_BQUANT_H */
