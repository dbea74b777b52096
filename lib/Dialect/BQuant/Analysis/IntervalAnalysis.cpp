//===- IntervalAnalysis.cpp - How a chain runs along an interval ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalAnalysis.h"

using namespace bquant::chains;

IntervalAnalysis::Outcome IntervalAnalysis::run(int node, int direction) {
  Course course;
  float first = atFirst[node].f, last = atLast[node].f;
  course.min = direction < 0 ? last : first;
  course.max = direction < 0 ? first : last;
  // Monotone and equal at the ends is flat.
  course.direction = first == last ? 0 : direction;
  if (std::isnan(first) || std::isnan(last) ||
      (direction != 0 && course.min > course.max))
    return stopAt(node, "gives NaN on a part of the range");
  courses[node] = course;
  return Outcome::Monotone;
}

bool IntervalAnalysis::splitWhere(int node, bool (*condition)(float)) {
  // A constant may be NaN at both ends, or zeros of two signs: no matter.
  if (courses[node].isConstant() ||
      condition(atFirst[node].f) == condition(atLast[node].f))
    return false;
  split = [=](const ChainEvaluator &e) { return condition(e.values(node)->f); };
  return true;
}

bool IntervalAnalysis::splitWhereLess(int x, int y, bool orEqual) {
  auto less = [orEqual](float a, float b) { return orEqual ? a <= b : a < b; };
  if (less(atFirst[x].f, atFirst[y].f) == less(atLast[x].f, atLast[y].f))
    return false;
  split = [=](const ChainEvaluator &e) {
    return less(e.values(x)->f, e.values(y)->f);
  };
  return true;
}

IntervalAnalysis::Outcome
IntervalAnalysis::visitAdd(int node, Course x, Course y, int xNode, int yNode) {
  bool infinities = (x.max == INFINITY && y.min == -INFINITY) ||
                    (x.min == -INFINITY && y.max == INFINITY);
  if (infinities && (splitAtInfinity(xNode) || splitAtInfinity(yNode)))
    return Outcome::Split;
  if (x.direction && y.direction && x.direction != y.direction)
    return stopAt(node, "adds a rising and a falling value");
  return run(node, x.direction ? x.direction : y.direction);
}

IntervalAnalysis::Outcome IntervalAnalysis::visitMul(int node) {
  int xNode = chain.nodes[node].operands[0];
  int yNode = chain.nodes[node].operands[1];
  Course x = courses[xNode], y = courses[yNode];
  auto infinite = [](const Course &c) {
    return c.min == -INFINITY || c.max == INFINITY;
  };
  if ((x.holds(0) && infinite(y)) || (y.holds(0) && infinite(x)))
    if (splitAtInfinity(xNode) || splitAtInfinity(yNode) ||
        (infinite(y) && splitAtZero(xNode)) ||
        (infinite(x) && splitAtZero(yNode)))
      return Outcome::Split;
  if (x.isConstant() || y.isConstant()) {
    const Course &factor = x.isConstant() ? x : y;
    const Course &other = x.isConstant() ? y : x;
    if (factor.min == 0) {
      // Zeros of both signs; where `other` is infinite has been split off.
      if (std::isnan(atFirst[node].f))
        return stopAt(node, "gives NaN on a part of the range");
      return constant(node);
    }
    return run(node, factor.min > 0 ? other.direction : -other.direction);
  }
  if (splitAtSign(xNode) || splitAtSign(yNode))
    return Outcome::Split;
  // |x| and |y| rise or fall together, and so does their product.
  int xSign = x.min < 0 ? -1 : 1, ySign = y.min < 0 ? -1 : 1;
  if (x.direction * xSign != y.direction * ySign)
    return stopAt(node, "multiplies a growing and a shrinking value");
  return run(node, x.direction * ySign);
}

IntervalAnalysis::Outcome IntervalAnalysis::visitDiv(int node) {
  int xNode = chain.nodes[node].operands[0];
  int yNode = chain.nodes[node].operands[1];
  Course x = courses[xNode], y = courses[yNode];
  if (!x.isConstant() && !y.isConstant())
    return stopAt(node, "divides by a value that is not constant");
  if (y.isConstant()) {
    if (y.min == 0 && !chain.isConstant(yNode))
      return stopAt(node, "depends on the sign of a zero");
    // 0 / 0 and inf / inf.
    if ((y.min == 0 && splitAtZero(xNode)) ||
        (std::isinf(y.min) && splitAtInfinity(xNode)))
      return Outcome::Split;
    return run(node, std::signbit(y.min) ? -x.direction : x.direction);
  }
  if (splitAtZero(yNode) || (std::isinf(x.min) && splitAtInfinity(yNode)))
    return Outcome::Split;
  return run(node, std::signbit(x.min) ? y.direction : -y.direction);
}

IntervalAnalysis::Outcome IntervalAnalysis::visitFma(int node) {
  const std::array<int, 3> &ops = chain.nodes[node].operands;
  for (int op : ops)
    if (splitAtInfinity(op))
      return Outcome::Split;
  Course x = courses[ops[0]], y = courses[ops[1]], z = courses[ops[2]];
  if (!x.isConstant() && !y.isConstant())
    return stopAt(node, "multiplies two values that are not constant");
  const Course &factor = x.isConstant() ? x : y;
  const Course &other = x.isConstant() ? y : x;
  if (!std::isfinite(factor.min) || !std::isfinite(z.min) ||
      (other.isConstant() && !std::isfinite(other.min)))
    return stopAt(node, "multiplies or adds an infinite value");
  int direction = factor.min == 0  ? 0
                  : factor.min > 0 ? other.direction
                                   : -other.direction;
  if (direction && z.direction && direction != z.direction)
    return stopAt(node, "adds a rising and a falling value");
  return run(node, direction ? direction : z.direction);
}

IntervalAnalysis::Outcome IntervalAnalysis::visitCompare(int node) {
  int x = chain.nodes[node].operands[0], y = chain.nodes[node].operands[1];
  // One rises and the other does not, or the reverse.
  if (courses[x].direction * courses[y].direction > 0)
    return stopAt(node, "compares two values that rise or fall together");
  if (splitWhereLess(x, y, false) || splitWhereLess(x, y, true))
    return Outcome::Split;
  courses[node] = {};
  return Outcome::Monotone;
}

IntervalAnalysis::Outcome IntervalAnalysis::visitExtremum(int node) {
  int x = chain.nodes[node].operands[0], y = chain.nodes[node].operands[1];
  int product = courses[x].direction * courses[y].direction;
  if (product < 0) {
    if (splitWhereLess(x, y, false))
      return Outcome::Split;
    ChainOp op = chain.nodes[node].op;
    bool takesLess = op == ChainOp::Minimum || op == ChainOp::MinNum;
    return like(node, (atFirst[x].f < atFirst[y].f) == takesLess ? x : y);
  }
  return run(node, courses[x].direction ? courses[x].direction
                                        : courses[y].direction);
}

IntervalAnalysis::Outcome IntervalAnalysis::visitRoot(int node) {
  int x = chain.nodes[node].operands[0];
  bool reciprocal = chain.nodes[node].op == ChainOp::Rsqrt;
  if (splitAtSign(x) || (reciprocal && splitAtZero(x)))
    return Outcome::Split;
  if (courses[x].max < 0) {
    courses[node] = {0, NAN, NAN};
    return Outcome::Monotone;
  }
  return run(node, reciprocal ? -courses[x].direction : courses[x].direction);
}

IntervalAnalysis::Outcome IntervalAnalysis::visit(int node) {
  const ChainNode &n = chain.nodes[node];
  if (n.op == ChainOp::Input) {
    if (n.type == CellType::F32)
      return run(node, interval.first == interval.last ? 0 : 1);
    courses[node] = {interval.first == interval.last ? 0 : 1,
                     float(interval.first), float(interval.last)};
    return Outcome::Monotone;
  }

  // What does not change: evaluated. NaN stays NaN through all but the other
  // operand of a maxnum, a comparison or a select.
  bool allConstant = true, anyNaN = false;
  for (int operand : n.operands) {
    if (operand < 0)
      continue;
    allConstant &= courses[operand].isConstant();
    anyNaN |=
        chain.nodes[operand].type == CellType::F32 && courses[operand].isNaN();
  }
  bool onePoint = interval.first == interval.last;
  if (n.op == ChainOp::Constant || allConstant || onePoint) {
    // Which zero it is, is not known between the ends.
    auto unsureZero = [&](int k) {
      int operand = n.operands[k];
      return !onePoint && !chain.isConstant(operand) &&
             courses[operand].min == 0;
    };
    if ((n.op == ChainOp::Div && unsureZero(1)) ||
        (n.op == ChainOp::Rsqrt && unsureZero(0)))
      return stopAt(node, "depends on the sign of a zero");
    float value = atFirst[node].f;
    courses[node] =
        n.type == CellType::F32 ? Course{0, value, value} : Course{};
    return Outcome::Monotone;
  }
  if (anyNaN && n.op != ChainOp::Select) {
    if (n.op == ChainOp::MaxNum || n.op == ChainOp::MinNum)
      return like(node, n.operands[operand(node, 0).isNaN() ? 1 : 0]);
    float value = atFirst[node].f;
    courses[node] =
        n.type == CellType::F32 ? Course{0, value, value} : Course{};
    return Outcome::Monotone;
  }

  switch (n.op) {
  case ChainOp::Add:
    return visitAdd(node, operand(node, 0), operand(node, 1), n.operands[0],
                    n.operands[1]);
  case ChainOp::Sub: {
    Course y = operand(node, 1);
    return visitAdd(node, operand(node, 0), {-y.direction, -y.max, -y.min},
                    n.operands[0], n.operands[1]);
  }
  case ChainOp::Mul:
    return visitMul(node);
  case ChainOp::Div:
    return visitDiv(node);
  case ChainOp::Fma:
    return visitFma(node);
  case ChainOp::Neg:
    return run(node, -operand(node, 0).direction);
  case ChainOp::Abs:
    if (splitAtSign(n.operands[0]))
      return Outcome::Split;
    return run(node, operand(node, 0).min < 0 ? -operand(node, 0).direction
                                              : operand(node, 0).direction);
  case ChainOp::Sqrt:
  case ChainOp::Rsqrt:
    return visitRoot(node);
  case ChainOp::Floor:
  case ChainOp::Ceil:
  case ChainOp::RoundEven:
  case ChainOp::Trunc:
  case ChainOp::Round:
  case ChainOp::ToFloat:
    return run(node, operand(node, 0).direction);
  case ChainOp::Sign:
    if (splitAtSign(n.operands[0]))
      return Outcome::Split;
    return constant(node);
  case ChainOp::Maximum:
  case ChainOp::Minimum:
  case ChainOp::MaxNum:
  case ChainOp::MinNum:
    return visitExtremum(node);
  case ChainOp::Compare:
    return visitCompare(node);
  case ChainOp::Select:
    // Conditions do not change within an interval.
    return like(node, n.operands[atFirst[n.operands[0]].i ? 1 : 2]);
  case ChainOp::Input:
  case ChainOp::Constant:
  case ChainOp::And:
  case ChainOp::Or:
  case ChainOp::Xor:
    break;
  }
  return stopAt(node, "is not on the list of monotone steps");
}

IntervalAnalysis::Outcome IntervalAnalysis::run(Interval p) {
  interval = p;
  for (auto [at, cells] :
       {std::pair(p.first, &atFirst), std::pair(p.last, &atLast)}) {
    evaluator.at(at);
    for (size_t i = 0; i < chain.nodes.size(); ++i)
      (*cells)[i] = *evaluator.values(int(i));
  }
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    Outcome outcome = visit(int(i));
    if (outcome != Outcome::Monotone)
      return outcome;
  }
  return Outcome::Monotone;
}
