//===- ReportValues.h - What reports and profiles show ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A share of 1 is all, and there is none where there is nothing to share.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_COMPILER_REPORTVALUES_H
#define BQUANT_LIB_COMPILER_REPORTVALUES_H

#include "bquant/Compiler/Report.h"
#include "llvm/Support/FormatVariadic.h"

namespace bquant {

/// With thousands apart: 1,843,200.
template <typename T> std::string formatNumber(T number) {
  return llvm::formatv("{0:N}", number);
}

/// "12.5 %"
inline std::string formatShare(double share) {
  return llvm::formatv("{0:F1} %", 100 * share);
}

/// "binary", "binary, thresholds".
inline std::string formatArithmetic(const LayerFacts &layer) {
  return (stringifyLayerArithmetic(layer.arithmetic) +
          (layer.thresholds ? ", thresholds" : ""))
      .str();
}

/// Of the network's MACs, what is counted in bits.
inline std::optional<double> getBinaryShare(const Report::Totals &totals) {
  if (totals.macs == 0)
    return std::nullopt;
  return double(totals.binaryMacs) / double(totals.macs);
}

/// Of the network's MACs, those of a product.
inline std::optional<double> getMacShare(const LayerFacts &layer,
                                         const Report::Totals &totals) {
  if (layer.macs == 0)
    return std::nullopt;
  return double(layer.macs) / double(totals.macs);
}

/// Of the speed of the kernel's bare inner loop, what the layer is estimated to
/// reach.
inline std::optional<double> getLimitShare(const LayerFacts &layer) {
  if (!layer.limitCycles || layer.estimatedCycles.value_or(0) == 0)
    return std::nullopt;
  return double(*layer.limitCycles) / double(*layer.estimatedCycles);
}

} // namespace bquant

#endif // BQUANT_LIB_COMPILER_REPORTVALUES_H
