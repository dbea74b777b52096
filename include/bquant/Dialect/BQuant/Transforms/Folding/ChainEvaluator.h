//===- ChainEvaluator.h - What a chain computes, natively -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that the compiled program executes, one rounding each, none
// contracted: what is read off here is what the program would have computed.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINEVALUATOR_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINEVALUATOR_H

#include "bquant/Dialect/BQuant/Transforms/Folding/Chain.h"
#include <cstddef>
#include <cstring>

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

/// Evaluates one operation on `n` values an operand.
void evaluate(const ChainNode &node, const Cell *a, const Cell *b,
              const Cell *c, Cell *out, size_t n);

/// Evaluates the chain of one channel on blocks of inputs.
class ChainEvaluator {
public:
  ChainEvaluator(const Chain &chain, int64_t channel, size_t block = 1);

  /// The inputs to run on, `block` cells.
  Cell *input() { return cells(inputNode); }
  /// Evaluates all nodes on the first `n` inputs.
  void run(size_t n);
  /// The values of a node.
  const Cell *values(int node) const { return &buffer[node * block]; }

  /// The result for one float.
  float operator()(float x) {
    input()->f = x;
    run(1);
    return values(chain.result())->f;
  }
  /// The result at a position: an integer, or an ordered float.
  float at(int32_t position) {
    if (chain.nodes[inputNode].type == CellType::F32)
      return (*this)(fromOrdered(position));
    input()->i = position;
    run(1);
    return values(chain.result())->f;
  }

private:
  Cell *cells(int node) { return &buffer[node * block]; }

  const Chain &chain;
  size_t block;
  int inputNode = 0;
  std::vector<Cell> buffer;
};

} // namespace bquant::folding

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINEVALUATOR_H
