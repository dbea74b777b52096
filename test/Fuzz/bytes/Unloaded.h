//===- Unloaded.h - What a file says of a program ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_FUZZ_UNLOADED_H
#define BQUANT_TEST_FUZZ_UNLOADED_H

#include "Fuzz.h"
#include "bquant/Compiler/Program.h"
#include "bquant/Emission/Emit.h"

namespace bquant::fuzz {

/// A program of which nothing is loaded: its signatures alone.
class Unloaded : public Program {
public:
  /// Whether it is taken.
  bool add(llvm::StringRef text) {
    if (llvm::Error error = addSignature(text)) {
      checkMessage(llvm::toString(std::move(error)));
      return false;
    }
    return true;
  }

  /// What is asked of a program whose signatures were taken; they are taken
  /// again as they are written.
  void use() const {
    std::string header = emitHeader(getSignatures());
    bool isThreaded =
        llvm::any_of(getFunctions(), [](const FunctionInfo &info) {
          return info.maxThreads > 1;
        });
    check(isThreaded == llvm::StringRef(header).contains("A call uses at most"),
          "a header for as many threads", header);
    Unloaded again, andAgain;
    again.addAllOf(*this); // -0.0 is written as -0
    andAgain.addAllOf(again);
    check(again.getSignature() == andAgain.getSignature(), "the same signature",
          andAgain.getSignature());
  }

  llvm::Error save(llvm::StringRef, llvm::StringRef,
                   AtomicFiles &) const override {
    llvm_unreachable("there is no code");
  }

  void addAllOf(const Unloaded &other) {
    llvm::json::Value value =
        llvm::cantFail(llvm::json::parse(other.getSignature()));
    for (const llvm::json::Value &function : *value.getAsArray())
      check(add(llvm::formatv("{0}", function).str()),
            "a signature to be taken again");
  }

protected:
  llvm::Expected<Reports> readReports() const override {
    llvm_unreachable("there is no report");
  }
  llvm::Expected<void *> lookup(llvm::StringRef) override {
    llvm_unreachable("there is no code");
  }
};

/// Reads a report; one that is taken reads the same as it writes.
inline void readReport(llvm::StringRef text) {
  llvm::Expected<Reports> reports = Reports::fromJSON(text);
  if (!reports) {
    checkMessage(llvm::toString(reports.takeError()));
    return;
  }
  std::string written = reports->toJSON();
  llvm::Expected<Reports> again = Reports::fromJSON(written);
  check(bool(again), "a report of ours to be read",
        again ? "" : llvm::toString(again.takeError()));
  check(again->toJSON() == written, "the same report", again->toJSON());
  check(again->toText() == reports->toText() &&
            again->toHTML() == reports->toHTML(),
        "the same report in all formats", written);
}

} // namespace bquant::fuzz

#endif // BQUANT_TEST_FUZZ_UNLOADED_H
