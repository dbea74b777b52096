//===- MatchSign.h - The sign idioms ----------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_MATCHSIGN_H
#define BQUANT_LIB_TRANSFORMS_RAISE_MATCHSIGN_H

#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/IR/Value.h"
#include <array>
#include <optional>
#include <string>

namespace bquant {

/// The kinds of floats that sign idioms tell apart.
enum Kind { Positive, PlusZero, MinusZero, Negative, PlusNaN, MinusNaN };
inline constexpr int kNumKinds = 6;

/// A float x that is looked at through its sign only: one value for each kind
/// that x may be of.
struct FunctionOfSign {
  mlir::Value x; // Resolved.
  std::array<bool, kNumKinds> possible;
  std::array<float, kNumKinds> values;

  /// Whether it may be taken for bquant's sign.
  bool isSign(const RaiseAssumptions &assumptions) const;
  /// Whether it is, in every bit.
  bool isExactlySign() const;
  /// For numbers other than zero.
  bool isAlmostSign() const;
  /// 2 of one that has the values of a sign alone, 1 of one that is almost a
  /// sign, else 0.
  int getRank() const;
  /// Whether all values are among these.
  bool isAmong(std::initializer_list<float> allowed) const;
  /// Where it is not bquant's sign: "zero gives 0 instead of 1".
  std::string describeOthers() const;
};

/// Evaluates what a value computes, if it is such a function, by the very
/// operations of the program. Of several x the one that makes it a sign.
std::optional<FunctionOfSign>
matchFunctionOfSign(mlir::Value value, const RaiseAssumptions &assumptions);

/// x (resolved), if `value` may be taken for bquant's sign of x.
mlir::Value matchSign(mlir::Value value, const RaiseAssumptions &assumptions);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_MATCHSIGN_H
