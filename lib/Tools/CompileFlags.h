//===- CompileFlags.h - How the tools make code -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TOOLS_COMPILEFLAGS_H
#define BQUANT_LIB_TOOLS_COMPILEFLAGS_H

#include "Tool.h"
#include <functional>
#include <initializer_list>

namespace bquant {

/// The options that each tool has that compiles; `Options` of one derives from
/// this, and adds its own to the category. None is for a library that is run,
/// which is compiled already; code for another machine is only written.
struct CompileFlags {
  llvm::cl::OptionCategory category;
  llvm::cl::opt<Strategy> strategy{
      "strategy", llvm::cl::init(Strategy::Auto),
      llvm::cl::desc("The kernel of products of bits (default: auto)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<FloatPrecision> floatPrecision{
      "float-precision", llvm::cl::init(FloatPrecision::F32),
      llvm::cl::desc("What products of floats are rounded to (default: f32)"),
      llvm::cl::cat(category)};
  llvm::cl::list<Assumption> assume{
      "assume", llvm::cl::CommaSeparated,
      llvm::cl::desc("What signs may take for granted, with commas"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> strict{
      "strict",
      llvm::cl::desc("Compute straight-through residues (q - c) + c as they "
                     "are written, and do not take them for q"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> cpu{
      "target-cpu",
      llvm::cl::desc("CPU, as llc's -mcpu (default: this machine's); several "
                     "with commas make code with a version for each, portable "
                     "is x86-64-v2,haswell,icelake-server"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> features{
      "target-features", llvm::cl::desc("Features, as llc's -mattr"),
      llvm::cl::cat(category)};
  llvm::cl::opt<int> threads{"threads", llvm::cl::init(1),
                             llvm::cl::desc("Most threads that a call may use"),
                             llvm::cl::cat(category)};
  llvm::cl::opt<bool> verifyFolding{
      "verify-folding",
      llvm::cl::desc("Interpret each folded chain around its thresholds, and "
                     "fail where it differs from what was written"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> verifyEach{
      "verify-each",
      llvm::cl::desc("Verify the IR after each pass, not after the last alone"),
      llvm::cl::cat(category)};

  explicit CompileFlags(llvm::StringRef name) : category(name) {}

  /// Those that are given of the ones that say what code is made, with commas:
  /// all but `threads`, which a call of code that is there has, too.
  std::string listGiven() const {
    std::initializer_list<std::reference_wrapper<const llvm::cl::Option>>
        options = {strategy, floatPrecision, assume,        strict,
                   cpu,      features,       verifyFolding, verifyEach};
    std::string given;
    for (const llvm::cl::Option &option : options)
      if (option.getNumOccurrences())
        given += (given.empty() ? "--" : ", --") + option.ArgStr.str();
    return given;
  }

  CompileOptions get() const {
    CompileOptions options;
    options.strategy = strategy;
    options.floatPrecision = floatPrecision;
    options.assume(assume, strict);
    options.target = {"", cpu, features};
    options.threads = threads;
    options.verifyFolding = verifyFolding;
    options.verifyEach = verifyEach;
    options.configure = applyPassOptions;
    return options;
  }
};

} // namespace bquant

#endif // BQUANT_LIB_TOOLS_COMPILEFLAGS_H
