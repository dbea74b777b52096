//===- MonotonePieces.h - Where a chain is monotone -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IEEE addition, multiplication, division, square root and their like round
// correctly, so they are monotone in each operand where the real operation is.
// A chain of them over all floats is cut into pieces on which every step is
// monotone: at comparisons (clamp, ReLU, PReLU, abs), at sign changes and where
// a step begins to give NaN. The pieces' ends are found by bisection on the
// chain itself.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_MONOTONEPIECES_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_MONOTONEPIECES_H

#include "bquant/Dialect/BQuant/Transforms/Folding/ChainEvaluator.h"
#include <cstring>
#include <optional>
#include <string>

namespace bquant::folding {

/// Floats but NaN as integers in the same order: ..., -0.0 is -1, +0.0 is 0,
/// the least subnormal 1, ...
inline int32_t toOrdered(float x) {
  int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits >= 0 ? bits : -1 - (bits & 0x7fffffff);
}
inline float fromOrdered(int32_t i) {
  int32_t bits = i >= 0 ? i : int32_t(0x80000000u | uint32_t(-1 - i));
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Why a chain cannot be read off: the node that stopped it (-1: none in
/// particular) and the reason.
struct Stop {
  int node = -1;
  std::string reason;
};

/// The ordered floats first..last, on which the result of a chain is monotone,
/// or everywhere NaN.
struct Piece {
  int32_t first, last;
};

/// Cuts first..last into pieces from left to right; the reason if a step is not
/// known to be monotone.
std::optional<Stop> findMonotonePieces(const Chain &chain,
                                       ChainEvaluator &evaluator, Piece whole,
                                       std::vector<Piece> &pieces);

} // namespace bquant::folding

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_MONOTONEPIECES_H
