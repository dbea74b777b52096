//===- SignIdiom.h - The sign idioms --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_SIGNIDIOM_H
#define BQUANT_LIB_TRANSFORMS_SIGNIDIOM_H

#include "mlir/IR/Value.h"
#include <array>
#include <optional>

namespace bquant {

/// A function of a float x that looks at x only through comparisons with zero
/// has four values: for x > 0, for both zeros, for x < 0 and for NaN.
struct FunctionOfSign {
  mlir::Value x; // Resolved.
  std::array<float, 4> values;

  bool isSign() const { return values == std::array<float, 4>{1, 1, -1, -1}; }
  /// Of numbers other than zero.
  bool isAlmostSign() const {
    return values[0] == 1 && values[2] == -1 && !isSign();
  }
};

/// Evaluates what a value computes, if it is such a function, by the very
/// operations of the program.
std::optional<FunctionOfSign> matchFunctionOfSign(mlir::Value value);

/// x (resolved), if `value` is bquant's sign of x.
mlir::Value matchSign(mlir::Value value);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_SIGNIDIOM_H
