//===- Profile.h - Where the time of a call goes ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_COMPILER_PROFILE_H
#define BQUANT_COMPILER_PROFILE_H

#include "bquant/Compiler/Program.h"
#include "bquant/Compiler/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace bquant {

/// The time of each layer, measured inside of whole calls: a network is
/// compiled twice, as always and with clocks around its layers.
class Profile {
public:
  struct Layer {
    /// As in the report.
    std::string location;
    /// What the report has there, as "quantize, conv_2d", and its kernel; empty
    /// for what is no layer of the report.
    std::string operations, kernel;
    /// Median of the calls.
    double seconds = 0;
    /// Of a call, as the report has them of a sample.
    std::optional<double> estimatedCycles, limitCycles;
  };

  /// Calls the function `function` of both programs in turn, `calls` times each
  /// after a few that do not count. `call` gets the function to call, and
  /// returns its code. `batch` is how many samples a call has.
  static llvm::Expected<Profile>
  measure(const Program &plain, const Program &clocked,
          llvm::StringRef function, const Report &report, int64_t batch,
          int64_t calls,
          llvm::function_ref<int32_t(const FunctionInfo &)> call);

  /// With a bar for each layer.
  std::string toText() const;
  std::string toJSON() const;
  std::string toHTML() const;

private:
  /// What is in no layer: the entry point, and what the clocks cost.
  double getRest() const;
  double getShare(double seconds) const { return seconds / clockedSeconds; }
  /// Of the speed of the kernel's bare inner loop.
  std::optional<double> getLimitShare(const Layer &layer) const;

  std::string function;
  int64_t calls = 0;
  /// Of a call, medians: as compiled for use, and with clocks.
  double plainSeconds = 0, clockedSeconds = 0;
  /// Cycles a second.
  double clockRate = 0;
  /// In the order of the program.
  std::vector<Layer> layers;
};

} // namespace bquant

#endif // BQUANT_COMPILER_PROFILE_H
