//===- Folder.h - The chain before one quantize -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_FOLDER_H
#define BQUANT_LIB_TRANSFORMS_FOLD_FOLDER_H

#include "ChainGraph.h"
#include "Dialect/BQuant/Analysis/ThresholdTable.h"
#include "VerifyFolding.h"

namespace bquant::chains {

/// Of all remarks of folding.
inline constexpr llvm::StringLiteral kRemarkName = "fold-sign-cascades";

/// Folds the chain before one quantize.
class Folder {
public:
  Folder(QuantizeOp quantize, std::vector<Coder> coders, size_t limit,
         bool verify, mlir::RewriterBase &rewriter)
      : quantize(quantize), coders(std::move(coders)), limit(limit),
        verify(verify), rewriter(rewriter), graph(quantize) {}

  /// The folded quantize, or null. Fails if what it folded was asked to be
  /// verified and is wrong.
  mlir::FailureOr<QuantizeOp> run();

private:
  /// Fills steps for each channel, those that are alike once. The first reason
  /// why there are none.
  std::optional<Stop>
  solveChannels(llvm::function_ref<std::optional<Stop>(int64_t, Steps &)> solve,
                std::vector<Steps> &steps);
  /// The thresholds from a cut; the reason why there are none, `node` in the
  /// graph.
  std::optional<Stop> solve(int cut, ThresholdTable &table);
  /// The thresholds by the integer sum of two accumulators.
  std::optional<Stop> solveSum(int cut, const AccumulatorSum &sum,
                               ThresholdTable &table);
  mlir::FailureOr<QuantizeOp> rewrite(int cut, const ThresholdTable &table);
  mlir::FailureOr<QuantizeOp> rewriteSum(int cut, const AccumulatorSum &sum,
                                         const ThresholdTable &table);
  /// The quantize of `source`, in place of the old one and its chain. `pair`
  /// has all for a verification but both quantizes.
  mlir::FailureOr<QuantizeOp> replace(mlir::Value source,
                                      mlir::Value thresholds,
                                      const ThresholdTable &table,
                                      FoldedQuantize pair);
  /// The op of a node, for remarks.
  std::string getName(int node) const;
  void remarkMissed(const Stop &stop);
  void remarkPassed(int cut, const char *type, const std::string &source,
                    const ThresholdTable &table);
  /// The product whose filters can be negated to mirror a cut in the marked
  /// channels of the quantize. `filters`: which of them.
  mlir::Operation *getMirrorProduct(int cut, const std::vector<bool> &mirrored,
                                    std::vector<bool> &filters);

  QuantizeOp quantize;
  std::vector<Coder> coders;
  size_t limit;
  bool verify;
  mlir::RewriterBase &rewriter;
  ChainGraph graph;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_FOLDER_H
