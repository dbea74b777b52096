//===- Report.h - What each layer became, and why not -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_REPORT_H
#define BQUANT_COMPILER_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>
#include <vector>

namespace bquant {

/// Collects what the passes say by remarks (category "bquant") and how each
/// layer looked when it was lowered to words or loops.
class Report {
public:
  /// One remark of a pass.
  struct Note {
    /// "passed", "missed", "failure" or "analysis".
    std::string kind;
    /// Which remark, as the pass names it.
    std::string name;
    std::string function;
    std::string location;
    std::string text;
  };

  /// One product, pooling or quantization of the network.
  struct Layer {
    std::string function;
    std::string location;
    /// The op, without dialect: "conv_2d", "matmul", ...
    std::string op;
    /// "binary" (words and popcount), "float" or "reference".
    std::string arithmetic;
    /// Operands and result as types.
    std::string operands, result;
    /// Nominal multiply-accumulates times planes; 0 for what is no product.
    int64_t macs = 0;
    /// Of a constant filter as it is stored, with its scalars, in bytes.
    int64_t weightBytes = 0;
  };

  /// While it lives, the report listens to the context and the passes of one
  /// of the whole routes.
  class Scope {
  public:
    Scope(Report *report, mlir::PassManager &pm, bool reference);
    ~Scope();

  private:
    mlir::MLIRContext *context;
    bool listening;
  };

  void add(Note note);
  void add(Layer layer);
  /// Remembers the order of the program, which is that of the remarks.
  void addSource(mlir::ModuleOp module);
  /// Counts the constants of a module in the LLVM dialect.
  void addConstants(mlir::ModuleOp module);

  std::string toText() const;
  std::string toJSON() const;
  std::string toHTML() const;

private:
  /// The remarks in the order of the program, of one place as they came.
  std::vector<Note> getOrderedNotes() const;

  mutable std::mutex mutex;
  std::vector<Note> notes;
  /// By formatted location.
  llvm::StringMap<unsigned> order;
  std::vector<Layer> layers;
  /// Of all constant tensors in the code: weights, scalars, thresholds and what
  /// else there is.
  int64_t constantBytes = 0;
};

} // namespace bquant

#endif // BQUANT_COMPILER_REPORT_H
