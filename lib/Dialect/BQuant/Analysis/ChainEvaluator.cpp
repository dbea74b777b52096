//===- ChainEvaluator.cpp - What a chain computes, natively ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainEvaluator.h"
#include <cassert>
#include <cmath>

// Each operation has a loop of its own already; this says it for every target.
#pragma STDC FP_CONTRACT OFF

using namespace bquant::chains;

static unsigned relationOf(float x, float y) {
  return x < y ? Less : x > y ? Greater : x == y ? Equal : Unordered;
}

// -0.0 is less than +0.0.
static float maximum(float x, float y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nanf("");
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

static float maxNum(float x, float y) {
  return std::isnan(x) ? y : std::isnan(y) ? x : maximum(x, y);
}

void bquant::chains::evaluate(const ChainNode &node, const Cell *a,
                              const Cell *b, const Cell *c, Cell *out,
                              size_t n) {
  auto unary = [&](auto f) {
    for (size_t i = 0; i < n; ++i)
      out[i].f = f(a[i].f);
  };
  auto binary = [&](auto f) {
    for (size_t i = 0; i < n; ++i)
      out[i].f = f(a[i].f, b[i].f);
  };
  auto logical = [&](auto f) {
    for (size_t i = 0; i < n; ++i)
      out[i].i = f(a[i].i, b[i].i);
  };
  switch (node.op) {
  case ChainOp::Input:
  case ChainOp::Constant:
    return;
  case ChainOp::Add:
    return binary([](float x, float y) { return x + y; });
  case ChainOp::Sub:
    return binary([](float x, float y) { return x - y; });
  case ChainOp::Mul:
    return binary([](float x, float y) { return x * y; });
  case ChainOp::Div:
    return binary([](float x, float y) { return x / y; });
  case ChainOp::Fma:
    for (size_t i = 0; i < n; ++i)
      out[i].f = std::fma(a[i].f, b[i].f, c[i].f);
    return;
  case ChainOp::Neg:
    return unary([](float x) { return -x; });
  case ChainOp::Abs:
    return unary([](float x) { return std::fabs(x); });
  case ChainOp::Sqrt:
    return unary([](float x) { return std::sqrt(x); });
  case ChainOp::Rsqrt:
    return unary([](float x) {
      float root = std::sqrt(x);
      return 1.0f / root;
    });
  case ChainOp::Floor:
    return unary([](float x) { return std::floor(x); });
  case ChainOp::Ceil:
    return unary([](float x) { return std::ceil(x); });
  case ChainOp::RoundEven:
    // The rounding mode is the default one.
    return unary([](float x) { return std::nearbyint(x); });
  case ChainOp::Round:
    return unary([](float x) { return std::round(x); });
  case ChainOp::Trunc:
    return unary([](float x) { return std::trunc(x); });
  case ChainOp::Sign:
    return unary([](float x) { return x >= 0.0f ? 1.0f : -1.0f; });
  case ChainOp::Maximum:
    return binary(maximum);
  case ChainOp::Minimum:
    return binary([](float x, float y) { return -maximum(-x, -y); });
  case ChainOp::MaxNum:
    return binary(maxNum);
  case ChainOp::MinNum:
    return binary([](float x, float y) { return -maxNum(-x, -y); });
  case ChainOp::Compare:
    for (size_t i = 0; i < n; ++i)
      out[i].i = (relationOf(a[i].f, b[i].f) & node.relations) != 0;
    return;
  case ChainOp::Select:
    for (size_t i = 0; i < n; ++i)
      out[i] = a[i].i ? b[i] : c[i];
    return;
  case ChainOp::And:
    return logical([](int32_t x, int32_t y) { return x & y; });
  case ChainOp::Or:
    return logical([](int32_t x, int32_t y) { return x | y; });
  case ChainOp::Xor:
    return logical([](int32_t x, int32_t y) { return x ^ y; });
  case ChainOp::ToFloat:
    for (size_t i = 0; i < n; ++i)
      out[i].f = float(a[i].i);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Chain
//===----------------------------------------------------------------------===//

int Chain::addInput(CellType type) {
  ChainNode node;
  node.type = type;
  return add(std::move(node));
}

int Chain::addConstant(float value) {
  return addConstant(std::vector<float>{value});
}

int Chain::addConstant(std::vector<float> values) {
  assert(values.size() == 1 || int64_t(values.size()) == channels);
  ChainNode node;
  node.op = ChainOp::Constant;
  for (float value : values) {
    Cell cell;
    cell.f = value;
    node.constants.push_back(cell);
  }
  return add(std::move(node));
}

int Chain::addOp(ChainOp op, CellType type, std::vector<int> operands,
                 unsigned relations) {
  ChainNode node;
  node.op = op;
  node.type = type;
  node.relations = relations;
  bool allConstant = true, splat = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    node.operands[i] = operands[i];
    allConstant &= isConstant(operands[i]);
    splat &= nodes[operands[i]].constants.size() == 1;
  }
  if (!allConstant)
    return add(std::move(node));
  ChainNode folded;
  folded.op = ChainOp::Constant;
  folded.type = type;
  for (int64_t channel = 0; channel < (splat ? 1 : channels); ++channel) {
    Cell in[3] = {}, out;
    for (size_t i = 0; i < operands.size(); ++i)
      in[i] = constant(operands[i], channel);
    evaluate(node, &in[0], &in[1], &in[2], &out, 1);
    folded.constants.push_back(out);
  }
  return add(std::move(folded));
}

//===----------------------------------------------------------------------===//
// ChainEvaluator
//===----------------------------------------------------------------------===//

ChainEvaluator::ChainEvaluator(const Chain &chain, int64_t channel,
                               size_t block)
    : chain(chain), block(block), buffer(chain.nodes.size() * block) {
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    if (chain.nodes[i].op == ChainOp::Input)
      inputNode = int(i);
    if (chain.isConstant(int(i)))
      for (size_t j = 0; j < block; ++j)
        buffer[i * block + j] = chain.constant(int(i), channel);
  }
}

void ChainEvaluator::run(size_t n) {
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    const ChainNode &node = chain.nodes[i];
    if (node.op == ChainOp::Input || node.op == ChainOp::Constant)
      continue;
    auto operand = [&](int k) -> const Cell * {
      return node.operands[k] < 0 ? nullptr : values(node.operands[k]);
    };
    evaluate(node, operand(0), operand(1), operand(2), cells(int(i)), n);
  }
}
