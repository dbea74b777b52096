//===- Emit.h - Compiled code to files --------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_EMISSION_EMIT_H
#define BQUANT_EMISSION_EMIT_H

#include "bquant/Emission/Progress.h"
#include "bquant/Target/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace bquant {

/// Writes files so that they appear whole or not at all: each under a temporary
/// name beside its place; `commit` renames them. What is not committed is
/// removed. The name "-" is standard output.
class AtomicFiles {
public:
  /// What becomes of the files where a signal ends the program before `commit`.
  /// Remove is for programs only: it takes over the handlers of signals.
  enum class OnSignal { Leave, Remove };

  explicit AtomicFiles(OnSignal onSignal = OnSignal::Leave)
      : onSignal(onSignal) {}
  AtomicFiles(const AtomicFiles &) = delete;
  ~AtomicFiles();

  /// A file that is read, so that it is an error to write it.
  void keep(llvm::StringRef path) { kept.push_back(path.str()); }
  /// A temporary file for `path`, filled by `write`.
  llvm::Error add(llvm::StringRef path,
                  llvm::function_ref<void(llvm::raw_pwrite_stream &)> write);
  /// A temporary file that another program will write; returns its name.
  llvm::Expected<std::string> reserve(llvm::StringRef path);
  /// Puts each file in its place. What goes to standard output goes first:
  /// where that fails, no file appears.
  llvm::Error commit();

  OnSignal getOnSignal() const { return onSignal; }

private:
  /// `target` is `path` behind all links.
  struct File {
    std::string path, target, temporary;
  };
  OnSignal onSignal;
  llvm::SmallVector<std::string> kept;
  llvm::SmallVector<File> files;
  llvm::SmallString<0> standardOutput;
};

/// Defines the functions of bquant/Runtime/Runtime.h that the module calls, as
/// internal ones. The module has its triple and data layout, one that
/// `resolveTarget` gives. `prepare` gets what is linked, not optimized yet.
llvm::Error linkRuntime(llvm::Module &module,
                        llvm::function_ref<void(llvm::Module &)> prepare);

/// A module in the LLVM dialect to optimized LLVM IR, with what it needs of the
/// runtime. The module's context gets
/// the translations it needs. What goes wrong inside MLIR is reported there.
/// `progress` may be null, as below.
llvm::Expected<std::unique_ptr<llvm::Module>>
translate(mlir::ModuleOp module, const Target &target,
          llvm::TargetMachine &machine, const Progress &progress,
          llvm::LLVMContext &context);

/// A program in the LLVM dialect, for one machine. Code that has several of the
/// same program, in the order of `resolveTargets`, runs the last one that the
/// CPU supports, chosen when it is loaded (NAME_version says which).
struct Version {
  mlir::ModuleOp module;
  Target target;
};

/// Object code, assembly or LLVM IR of a program, in one piece.
enum class CodeKind { Object, Assembly, LLVMIR };
llvm::Error emitCode(llvm::ArrayRef<Version> versions, CodeKind kind,
                     const Progress &progress, llvm::raw_pwrite_stream &os);

/// Of a shared library: the report as JSON, and a zero. A section and no
/// symbol, since it is of the whole library, and nothing of its code reads it.
inline constexpr llvm::StringLiteral reportSection = ".bquant.report";

/// The object code of a program in parts, of which the first holds all data. It
/// takes all of them to link it (`linkShared`) or run it (JIT.h).
using Objects = llvm::SmallVector<std::unique_ptr<llvm::MemoryBuffer>>;

/// The object code of a program, which carries its `report`, if there is one.
/// The parts are compiled by the threads of the program's context, and have the
/// same bytes for any number of these.
llvm::Expected<Objects>
compileObjects(llvm::ArrayRef<Version> versions,
               const Progress &progress = nullptr,
               std::optional<llvm::StringRef> report = std::nullopt);

/// The objects of a library's code with its function `from`, the only one,
/// under the name `to`. The signature and the report say so already.
llvm::Expected<Objects> renameEntryPoint(const Objects &objects,
                                         llvm::StringRef from,
                                         llvm::StringRef to,
                                         llvm::StringRef signature,
                                         llvm::StringRef report);

/// An error where `linkShared` could not link for the target, whatever the
/// code.
llvm::Error checkLibraries(const Target &target, llvm::StringRef sysroot);

/// Adds a shared library of `objects` to `files`. It is linked with the C
/// library below `sysroot`; if that is empty, with this machine's or the one
/// that is installed for the target.
llvm::Error linkShared(const Objects &objects, const Target &target,
                       llvm::StringRef sysroot, llvm::StringRef path,
                       AtomicFiles &files);

/// The C header of a module's entry points, of their signatures
/// (NAME_signature, see `--bquant-wrap-entry-points`). Headers of several
/// networks go together; of two that differ and have one name it is an error.
std::string emitHeader(llvm::ArrayRef<std::string> signatures);

/// The signatures of a module in the LLVM dialect: JSON, one a function.
llvm::SmallVector<std::string> getSignatures(mlir::ModuleOp module);
/// Those of a program's code: of several versions they have the largest arena,
/// and the names of the CPUs.
llvm::SmallVector<std::string> getSignatures(llvm::ArrayRef<Version> versions);

} // namespace bquant

#endif // BQUANT_EMISSION_EMIT_H
