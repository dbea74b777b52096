//===- Program.h - Compiled code that can be called -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_PROGRAM_H
#define BQUANT_COMPILER_PROGRAM_H

#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Report.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace bquant {

/// An argument or a result of a compiled function.
struct ArrayInfo {
  std::string name;
  /// NumPy's name of a type that compiled functions have, e.g. "float32".
  std::string dtype;
  /// The first size may be `anyBatch`.
  llvm::SmallVector<int64_t> shape;

  /// The leading size of an array that has as many samples as the caller says.
  static constexpr int64_t anyBatch = -1;
  bool hasBatch() const { return !shape.empty() && shape.front() == anyBatch; }
  /// The array of a call with so many samples.
  ArrayInfo ofBatch(int64_t batch) const;

  int64_t elementBytes() const;
  int64_t numElements() const;
  /// None where that is more than an i64 can say.
  std::optional<int64_t> numBytes() const;
};

/// A compiled function: signature and addresses.
struct FunctionInfo {
  using Entry = int32_t (*)(const void *const *inputs, void *const *outputs,
                            void *arena, int32_t threads);
  using BatchEntry = int32_t (*)(const void *const *inputs,
                                 void *const *outputs, void *arena,
                                 int32_t threads, int64_t batch);

  std::string name;
  std::string symbol;
  llvm::SmallVector<ArrayInfo> inputs, outputs;
  /// The CPUs that there is a version for, if there are several.
  llvm::SmallVector<std::string> versions;
  /// One of the two is null: the first if some array has a batch.
  Entry entry = nullptr;
  BatchEntry batchEntry = nullptr;
  size_t (*arenaBytes)(int32_t threads) = nullptr;
  int32_t (*supported)() = nullptr;
  /// The CPU whose version runs, null if none does (NAME_version); null itself
  /// where there is one version alone.
  const char *(*version)() = nullptr;
  /// The most threads that a call uses; null unless these are several: by whose
  /// threads (NAME_set_parallel).
  int32_t maxThreads = 1;
  void (*setParallel)(void (*parallel)(void *pool, int32_t threads,
                                       void (*body)(void *context,
                                                    int32_t thread),
                                       void *context),
                      void *pool) = nullptr;

  /// Calls the code; `batch` only matters where arrays have one. Where it finds
  /// no OpenMP runtime, once more with the one that came along, if there is
  /// one.
  int32_t call(const void *const *in, void *const *out, void *arena,
               int32_t threads, int64_t batch) const;
};

/// What a call returns that wants more than one thread, and finds no OpenMP
/// runtime.
inline constexpr int32_t codeWithoutOpenMP = 3;

/// Loads the libomp.so.5 next to the library that this code is in, as the wheel
/// has it, for calls that returned `codeWithoutOpenMP`. False where none is
/// there.
bool loadOpenMP();

/// Why a call returned `code`, which is not 0.
std::string explainCode(int32_t code);

/// A layer of a function that clocks its layers.
struct ClockedLayer {
  std::string function, location;
  /// Of all calls so far.
  const int64_t *nanoseconds;
};

/// Code made in memory, or a shared library loaded.
class Program {
public:
  virtual ~Program() = default;

  /// Compiles the module (which is lowered thereby) into memory; for another
  /// machine there is code to save, but none to call.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(mlir::ModuleOp module, const CompileOptions &options);
  /// Loads a shared library as it is now: what becomes of the file afterwards
  /// does not touch the program.
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::StringRef path);

  /// Adds the library that was loaded, as it was then, or one of the code made
  /// in memory to `files`, with a header beside it. With a `name` the function
  /// has that one there: an error for a library that was loaded, and for more
  /// than one function. An error for code that clocks its layers.
  virtual llvm::Error save(llvm::StringRef path, llvm::StringRef name,
                           AtomicFiles &files) const = 0;

  /// The report that the code carries: that of the version that runs, or those
  /// of all versions if none runs. An error if there is no report, as in
  /// libraries of older versions, or if it is damaged.
  llvm::Expected<Reports> readReport() const;

  llvm::ArrayRef<FunctionInfo> getFunctions() const { return functions; }
  /// By name or symbol.
  llvm::Expected<const FunctionInfo *> find(llvm::StringRef name) const;
  /// In the order of the program; none unless it was compiled to clock them.
  llvm::ArrayRef<ClockedLayer> getClockedLayers() const {
    return clockedLayers;
  }
  /// The triple of another machine, which alone can call the functions; empty
  /// if this one can.
  llvm::StringRef getForeignTriple() const { return foreignTriple; }
  /// All signatures, as a JSON array.
  const std::string &getSignature() const { return signature; }

protected:
  /// The report of each version.
  virtual llvm::Expected<Reports> readReports() const = 0;
  virtual llvm::Expected<void *> lookup(llvm::StringRef symbol) = 0;
  /// Adds the function of a signature (JSON), without its addresses. What the
  /// signature says is checked, whoever wrote it.
  llvm::Error addSignature(llvm::StringRef text);
  void setForeignTriple(std::string triple) {
    foreignTriple = std::move(triple);
  }
  /// The addresses of all functions.
  llvm::Error lookUpFunctions();
  /// Adds the header that belongs beside the library `path`.
  static llvm::Error addHeader(llvm::ArrayRef<std::string> signatures,
                               llvm::StringRef path, AtomicFiles &files);
  /// Of each function, as the code has it.
  llvm::ArrayRef<std::string> getSignatures() const { return signatures; }
  std::vector<ClockedLayer> clockedLayers;

private:
  std::vector<FunctionInfo> functions;
  llvm::SmallVector<std::string> signatures;
  std::string signature = "[]";
  std::string foreignTriple;
};

} // namespace bquant

#endif // BQUANT_COMPILER_PROGRAM_H
