//===- IntervalAnalysis.h - How a chain runs along an interval --*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis of an interval walks the nodes once. A node's range on the
// interval is that between its values at the interval's ends, since it is
// monotone. Zeros count as equal: a value may be -0.0 in one place and +0.0 in
// another of the same flat part. Only what divides by a zero could see that,
// and stops.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_INTERVALANALYSIS_H
#define BQUANT_LIB_ANALYSIS_INTERVALANALYSIS_H

#include "MonotoneIntervals.h"
#include <cmath>
#include <functional>

namespace bquant::chains {

/// How a node runs along an interval: +1 rising, -1 falling, 0 constant (then
/// min and max are its value, perhaps NaN). Neither at an end nor between is a
/// rising or falling node NaN.
struct Course {
  int direction = 0;
  float min = 0, max = 0;

  bool isConstant() const { return direction == 0; }
  bool isNaN() const { return std::isnan(min); }
  bool holds(float x) const { return min <= x && x <= max; }
};

/// True on one part of an interval and false on the other, at one input each.
using Split = std::function<bool(const ChainEvaluator &)>;

class IntervalAnalysis {
public:
  IntervalAnalysis(const Chain &chain, ChainEvaluator &evaluator)
      : chain(chain), evaluator(evaluator), courses(chain.nodes.size()),
        atFirst(chain.nodes.size()), atLast(chain.nodes.size()) {}

  enum class Outcome { Monotone, Split, Stop };
  Outcome run(Interval interval);

  /// Of Outcome::Split.
  Split split;
  /// Of Outcome::Stop.
  Stop stop;

private:
  /// The outcome of one node; Monotone: `course` is set.
  Outcome visit(int node);
  Outcome visitAdd(int node, Course x, Course y, int xNode, int yNode);
  Outcome visitMul(int node);
  Outcome visitDiv(int node);
  Outcome visitFma(int node);
  Outcome visitCompare(int node);
  Outcome visitExtremum(int node);
  Outcome visitRoot(int node);

  /// A course of the direction from the values at the ends.
  Outcome run(int node, int direction);
  Outcome constant(int node) { return run(node, 0); }
  Outcome like(int node, int other) {
    courses[node] = courses[other];
    return Outcome::Monotone;
  }
  Outcome stopAt(int node, const char *reason) {
    stop = {node, reason};
    return Outcome::Stop;
  }
  /// Splits the interval where the condition on `node` changes, if it does.
  bool splitWhere(int node, bool (*condition)(float));
  bool splitAtZero(int node) {
    return splitWhere(node, [](float x) { return x < 0; }) ||
           splitWhere(node, [](float x) { return x <= 0; });
  }
  bool splitAtSign(int node) {
    return splitWhere(node, [](float x) { return x < 0; });
  }
  /// Parts where a node is infinite on their own.
  bool splitAtInfinity(int node) {
    return splitWhere(node, [](float x) { return x == INFINITY; }) ||
           splitWhere(node, [](float x) { return x == -INFINITY; });
  }
  bool splitWhereLess(int x, int y, bool orEqual);

  const Course &operand(int node, int k) const {
    return courses[chain.nodes[node].operands[k]];
  }

  const Chain &chain;
  ChainEvaluator &evaluator;
  Interval interval = {0, 0};
  std::vector<Course> courses;
  std::vector<Cell> atFirst, atLast;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_INTERVALANALYSIS_H
