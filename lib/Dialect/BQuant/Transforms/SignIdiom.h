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

/// The kinds of numbers that comparisons with zero tell apart.
enum class Kind { Positive, Zero, Negative, NaN };
inline constexpr int kNumKinds = 4;

/// Kinds that a value may be of.
struct Kinds {
  std::array<bool, kNumKinds> possible = {true, true, true, true};
  bool &operator[](Kind kind) { return possible[int(kind)]; }

  /// Those among the elements of a constant; all for other values.
  static Kinds of(mlir::Value tensor);
};

/// A function of a float x that looks at x only through comparisons with zero
/// has a value for each kind.
struct FunctionOfSign {
  mlir::Value x; // Resolved.
  std::array<float, kNumKinds> values;

  /// Whether it is bquant's sign for the possible kinds.
  bool isSign(Kinds kinds) const;
  /// For numbers other than zero.
  bool isAlmostSign() const {
    return values[int(Kind::Positive)] == 1 &&
           values[int(Kind::Negative)] == -1;
  }
};

/// Evaluates what a value computes, if it is such a function, by the very
/// operations of the program.
std::optional<FunctionOfSign> matchFunctionOfSign(mlir::Value value);

/// x (resolved), if `value` is bquant's sign of x; a constant x is looked at.
mlir::Value matchSign(mlir::Value value);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_SIGNIDIOM_H
