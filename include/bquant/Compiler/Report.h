//===- Report.h - What each layer became, and why not -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_REPORT_H
#define BQUANT_COMPILER_REPORT_H

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <mutex>
#include <string>
#include <vector>

namespace bquant {

struct Target;

/// What becomes of each layer, and what the passes say by remarks (category
/// "bquant").
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

  using Layer = LayerFacts;

  /// Of the whole network.
  struct Totals {
    /// With scaled-binary operands, also where the reference computes them.
    size_t binaryLayers = 0;
    uint64_t macs = 0, binaryMacs = 0;
    uint64_t weightBytes = 0;
  };

  /// While it lives, the report takes the context's remarks. Those that
  /// somebody else takes already stay theirs.
  class Scope {
  public:
    Scope(Report *report, mlir::MLIRContext *context);
    ~Scope();

  private:
    mlir::MLIRContext *context;
    bool streams = false;
  };

  void add(Note note);
  void addLayers(std::vector<Layer> more);
  void setTarget(const Target &target);
  /// Remembers the order of the program, which is that of the remarks.
  void addSource(mlir::ModuleOp module);
  /// Counts the constants of a module in the LLVM dialect.
  void addConstants(mlir::ModuleOp module);

  Totals getTotals() const;
  /// In the order of the program.
  std::vector<Layer> getLayers() const;

  std::string toText() const;
  std::string toJSON() const;
  std::string toHTML() const;
  /// Calls a function by another name.
  void renameFunction(llvm::StringRef from, llvm::StringRef to);

private:
  friend class Reports;

  llvm::json::Value toJSONValue() const;
  /// What is on the page of `toHTML`.
  std::string toBody() const;

  // With `mutex` held:
  /// In the order of the program, those of one place as they came.
  std::vector<Note> getOrderedNotes() const;
  Totals countTotals() const;
  std::vector<std::pair<std::string, std::string>> describeTotals() const;
  void printLayers(llvm::raw_ostream &os) const;

  bool read(const llvm::json::Value &value, llvm::json::Path path);

  mutable std::mutex mutex;
  /// That wrote it.
  std::string version = getVersion();
  std::string triple, cpu, features;
  std::vector<Note> notes;
  /// By formatted location.
  llvm::StringMap<unsigned> order;
  std::vector<Layer> layers;
  /// Of all constant tensors in the code: weights, scalars, thresholds and what
  /// else there is.
  int64_t constantBytes = 0;

  static std::string getVersion();
};

/// The reports of a program: one for each CPU that it has a version for.
class Reports {
public:
  /// Adds an empty one.
  Report &add() { return *reports.emplace_back(std::make_unique<Report>()); }
  llvm::ArrayRef<std::unique_ptr<Report>> get() const { return reports; }
  /// Leaves that of the version for a CPU, if it is there.
  void keep(llvm::StringRef cpu);
  /// Calls a function by another name.
  void renameFunction(llvm::StringRef from, llvm::StringRef to);

  /// What the one report is, or all of them one after the other: in JSON an
  /// array.
  std::string toText() const;
  std::string toJSON() const;
  std::string toHTML() const;
  /// Reads what `toJSON` wrote. Who wrote the text is not known: what it says
  /// is checked.
  static llvm::Expected<Reports> fromJSON(llvm::StringRef text);

private:
  std::vector<std::unique_ptr<Report>> reports;
};

} // namespace bquant

#endif // BQUANT_COMPILER_REPORT_H
