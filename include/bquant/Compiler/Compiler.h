//===- Compiler.h - From a module to code, in one call ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tools and the C API share: pipeline, target, files. Errors that have
// a place in the source are reported to the module's context as diagnostics;
// the llvm::Error that is returned then only says which step failed.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_COMPILER_H
#define BQUANT_COMPILER_COMPILER_H

#include "bquant/Emission/Emit.h"
#include "bquant/Emission/Progress.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <string>

namespace mlir {
class DialectRegistry;
class PassManager;
} // namespace mlir

namespace bquant {

class Report;
class Reports;

/// How a module is compiled: what the stages of the route are told, and what is
/// around them.
struct CompileOptions : RouteOptions {
  /// One CPU, or several (`resolveTargets`) where code is made. Where neither
  /// CPU nor features are given, it is the one that the module names.
  TargetOptions target;
  /// Where a shared library finds the target's C library; see `linkShared`.
  std::string sysroot;
  /// What the public function is called, the only one; empty: as it is.
  std::string entryName;
  /// The last stage, as in `raise`; empty for all. Only MLIR can be written
  /// then.
  std::string stopAfter;
  /// Whether the IR is verified after each pass, as for tests of passes. Else
  /// it is once, after the last: it takes as long as many a pass.
  bool verifyEach = false;
  /// Is told how far it is.
  Progress progress;
  /// Instrumentation of the passes, by what a tool's options say.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configure;

  CompileOptions() { assume({}, /*strict=*/false); }

  /// Sets what raising may take for granted. Straight-through residues are
  /// taken for what their authors mean, or, if `strict`, computed as they are
  /// written, in every bit.
  void assume(llvm::ArrayRef<Assumption> granted, bool strict);
};

/// What a module that is to be compiled may hold.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// Brings the module itself down to the LLVM dialect. One that was lowered part
/// of the way goes on from there, for a target that has what it was lowered
/// for. `report` may be null.
llvm::Error lower(mlir::ModuleOp module, const CompileOptions &options,
                  const Target &target, Report *report);

/// A program for each CPU of a list, in the LLVM dialect.
struct LoweredProgram {
  llvm::SmallVector<Version> versions;
  /// Of several versions, their modules.
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> clones;
};

/// Brings the module down to the LLVM dialect, or a copy of it for each of
/// several targets. Where `options` leave the CPU open, it is the one that a
/// module of the target's kind names. Adds a report for each; `reports` may be
/// null.
llvm::Expected<LoweredProgram> lower(mlir::ModuleOp module,
                                     const CompileOptions &options,
                                     llvm::ArrayRef<Target> targets,
                                     Reports *reports);

/// Lowers the module itself, where it is for one CPU, and adds to `files`,
/// which the caller commits, its code under the name `path`, with a header
/// beside a shared library, which carries its reports. `reports` may be null.
llvm::Error compileToFile(mlir::ModuleOp module, llvm::StringRef path,
                          EmitKind kind, const CompileOptions &options,
                          AtomicFiles &files, Reports *reports);

} // namespace bquant

#endif // BQUANT_COMPILER_COMPILER_H
