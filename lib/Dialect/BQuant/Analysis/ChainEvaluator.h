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

#ifndef BQUANT_LIB_ANALYSIS_CHAINEVALUATOR_H
#define BQUANT_LIB_ANALYSIS_CHAINEVALUATOR_H

#include "Chain.h"
#include "OrderedFloat.h"
#include <cstddef>

namespace bquant::chains {

/// Evaluates one operation on `n` values an operand.
void evaluate(const ChainNode &node, const Cell *a, const Cell *b,
              const Cell *c, Cell *out, size_t n);

/// Evaluates the chain of one channel on blocks of inputs.
class ChainEvaluator {
public:
  ChainEvaluator(const Chain &chain, int64_t channel, size_t block = 1);

  /// Sets input `i` of the block to a position: an integer, or an ordered
  /// float.
  void setPosition(size_t i, int32_t position) {
    Cell &input = cells(inputNode)[i];
    if (chain.nodes[inputNode].type == CellType::F32)
      input.f = fromOrdered(position);
    else
      input.i = position;
  }
  /// Evaluates all nodes on the first `n` inputs.
  void run(size_t n);
  /// The values of a node.
  const Cell *values(int node) const { return &buffer[node * block]; }
  /// The values of the last node.
  const Cell *results() const { return values(chain.result()); }

  /// The result for one float.
  float operator()(float x) {
    cells(inputNode)->f = x;
    run(1);
    return results()->f;
  }
  /// The result at a position.
  float at(int32_t position) {
    setPosition(0, position);
    run(1);
    return results()->f;
  }

private:
  Cell *cells(int node) { return &buffer[node * block]; }

  const Chain &chain;
  size_t block;
  int inputNode = 0;
  std::vector<Cell> buffer;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_CHAINEVALUATOR_H
