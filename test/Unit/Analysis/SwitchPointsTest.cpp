//===- SwitchPointsTest.cpp - Random chains against plain C++ -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each random chain is built twice: as a Chain and as nested C++ functions. The
// thresholds read off the chain have to give the code of the functions on
// inputs of every class of floats and beside every switch point.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/ThresholdTable.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace bquant;
using namespace bquant::chains;

#pragma STDC FP_CONTRACT OFF

namespace {
/// A function of the source and the channel.
using Function = std::function<float(float, int)>;

/// Counts of what random chains came to.
struct Tally {
  int folded = 0, stopped = 0, thresholds = 0, mirrored = 0, intervals = 0;
};

class RandomChain {
public:
  RandomChain(unsigned seed, int64_t channels, CellType source)
      : random(seed), chain(channels) {
    int input = chain.addInput(source);
    if (source == CellType::F32) {
      push(input, [](float x, int) { return x; });
    } else {
      // The oracle takes the integer as a float: exact for those drawn.
      push(chain.addOp(ChainOp::ToFloat, CellType::F32, {input}),
           [](float x, int) { return x; });
    }
    for (int steps = draw(1, 6); steps > 0; --steps)
      addStep();
    // The result is the last node.
    if (chain.result() != values.back().first)
      std::swap(chain.nodes.back(), chain.nodes[values.back().first]);
  }

  int draw(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }
  float drawFloat() {
    switch (draw(0, 19)) {
    case 0:
      return 0.0f;
    case 1:
      return -0.0f;
    case 2:
      return std::ldexp(float(draw(-9, 9)), draw(-149, 120));
    case 3:
      return draw(0, 1) ? INFINITY : -INFINITY;
    case 4:
      return draw(0, 5) ? 1e-40f : std::nanf("");
    case 5:
    case 6:
      return float(draw(-4, 4));
    default:
      return std::normal_distribution<float>(0.0f, 2.0f)(random);
    }
  }
  const Function &oracle() const { return values.back().second; }

  std::mt19937 random;
  Chain chain;

private:
  void push(int node, Function f) { values.push_back({node, std::move(f)}); }

  /// A constant, the same in all channels or not.
  std::pair<int, Function> constant() {
    std::vector<float> c(draw(0, 2) ? chain.channels : 1);
    for (float &value : c)
      value = drawFloat();
    int node = chain.addConstant(c);
    return {node,
            [c](float, int channel) { return c[c.size() == 1 ? 0 : channel]; }};
  }

  void addStep();
  void addBinary(ChainOp op, float (*f)(float, float));
  void addUnary(ChainOp op, float (*f)(float)) {
    auto [node, g] = values.back();
    Function inner = g;
    push(chain.addOp(op, CellType::F32, {node}),
         [=](float x, int c) { return f(inner(x, c)); });
  }
  /// select(cmp(x, bound), taken, other)
  void addSelect();

  std::vector<std::pair<int, Function>> values;
};
} // namespace

void RandomChain::addBinary(ChainOp op, float (*f)(float, float)) {
  std::pair<int, Function> x = values.back();
  // Seldom an earlier value: a graph, not only a line.
  std::pair<int, Function> y =
      draw(0, 6) ? constant() : values[draw(0, int(values.size()) - 1)];
  if (draw(0, 3) == 0)
    std::swap(x, y);
  Function a = x.second, b = y.second;
  push(chain.addOp(op, CellType::F32, {x.first, y.first}),
       [=](float v, int c) { return f(a(v, c), b(v, c)); });
}

void RandomChain::addSelect() {
  std::pair<int, Function> x = values.back(), bound = constant();
  unsigned relations = unsigned(draw(0, 15));
  int condition = chain.addOp(ChainOp::Compare, CellType::I1,
                              {x.first, bound.first}, relations);
  // The bound (clamp), a multiple (PReLU) or a sign.
  std::pair<int, Function> taken = x, other = bound;
  if (draw(0, 1)) {
    std::pair<int, Function> slope = constant();
    Function a = x.second, s = slope.second;
    other = {chain.addOp(ChainOp::Mul, CellType::F32, {x.first, slope.first}),
             [=](float v, int c) { return a(v, c) * s(v, c); }};
  }
  if (draw(0, 1))
    std::swap(taken, other);
  Function a = x.second, b = bound.second, t = taken.second, o = other.second;
  push(chain.addOp(ChainOp::Select, CellType::F32,
                   {condition, taken.first, other.first}),
       [=](float v, int c) {
         float p = a(v, c), q = b(v, c);
         bool holds = ((relations & Less) && p < q) ||
                      ((relations & Equal) && p == q) ||
                      ((relations & Greater) && p > q) ||
                      ((relations & Unordered) && !(p <= q) && !(p > q));
         return holds ? t(v, c) : o(v, c);
       });
}

void RandomChain::addStep() {
  switch (draw(0, 17)) {
  case 0:
  case 1:
    return addBinary(ChainOp::Add, [](float x, float y) { return x + y; });
  case 2:
    return addBinary(ChainOp::Sub, [](float x, float y) { return x - y; });
  case 3:
  case 4:
    return addBinary(ChainOp::Mul, [](float x, float y) { return x * y; });
  case 5:
    return addBinary(ChainOp::Div, [](float x, float y) { return x / y; });
  case 6:
    return addBinary(ChainOp::Maximum, [](float x, float y) {
      if (x == 0 && y == 0)
        return std::signbit(x) ? y : x;
      return x != x || y != y ? NAN : x < y ? y : x;
    });
  case 7:
    return addBinary(ChainOp::Minimum, [](float x, float y) {
      if (x == 0 && y == 0)
        return std::signbit(x) ? x : y;
      return x != x || y != y ? NAN : y < x ? y : x;
    });
  case 8:
    return addBinary(ChainOp::MaxNum,
                     [](float x, float y) { return std::fmax(x, y); });
  case 9:
    return addBinary(ChainOp::MinNum,
                     [](float x, float y) { return std::fmin(x, y); });
  case 10:
    return addUnary(ChainOp::Abs, [](float x) { return std::fabs(x); });
  case 11:
    return addUnary(ChainOp::Sqrt, [](float x) { return std::sqrt(x); });
  case 12:
    if (draw(0, 3)) // Most chains reach 0 on a part, which stops it.
      return addStep();
    return addUnary(ChainOp::Rsqrt, [](float x) { return 1 / std::sqrt(x); });
  case 13:
    return addUnary(ChainOp::Floor, [](float x) { return std::floor(x); });
  case 14:
    return addUnary(ChainOp::Sign,
                    [](float x) { return x >= 0 ? 1.0f : -1.0f; });
  case 15: {
    auto [node, f] = values.back();
    auto factor = constant(), addend = constant();
    Function x = f, y = factor.second, z = addend.second;
    return push(
        chain.addOp(ChainOp::Fma, CellType::F32,
                    {node, factor.first, addend.first}),
        [=](float v, int c) { return std::fma(x(v, c), y(v, c), z(v, c)); });
  }
  default:
    return addSelect();
  }
}

/// A cascade of one to three planes, written out here.
static Coder drawCoder(RandomChain &random) {
  Coder coder;
  for (int k = random.draw(1, 3); k > 0; --k)
    coder.factors.push_back(
        std::fabs(std::normal_distribution<float>(0.0f, 1.0f)(random.random)));
  if (random.draw(0, 3) == 0) {
    coder.thresholds = coder.factors;
    std::sort(coder.thresholds.begin(), coder.thresholds.end());
    coder.codes.push_back(0); // Of NaN, in all channels.
    for (size_t i = 0; i < coder.thresholds.size(); ++i)
      coder.codes.push_back(unsigned(random.draw(0, 3)));
    coder.factors.clear();
  }
  return coder;
}

static unsigned codeOf(const Coder &coder, float x) {
  if (coder.factors.empty()) {
    size_t n = 0;
    for (float t : coder.thresholds)
      n += t <= x;
    return coder.codes[n];
  }
  unsigned code = 0;
  for (float v : coder.factors) {
    float s = x >= 0 ? 1.0f : -1.0f;
    code = 2 * code + (s > 0);
    x = x - v * s;
  }
  return code;
}

/// Codes by the table, as quantize with thresholds does it.
static unsigned lookUp(const ThresholdTable &table, int channel, float x) {
  if (!table.mirrored.empty() && table.mirrored[channel])
    x = -1.0f * x;
  size_t n = 0;
  for (int64_t at : table.rows[channel]) {
    float t = at == kAlways  ? -INFINITY
              : at == kNever ? NAN
                             : fromOrdered(int32_t(at));
    n += t <= x;
  }
  return table.codes[n];
}

static std::vector<float> drawInputs(RandomChain &random,
                                     const ThresholdTable &table) {
  std::vector<float> inputs = {
      0.0f,           -0.0f,   INFINITY,  -INFINITY, NAN,
      1e-45f,         -1e-45f, 1.17e-38f, 1.18e-38f, 3.4028235e38f,
      -3.4028235e38f, 1.0f,    -1.0f};
  for (size_t channel = 0; channel < table.rows.size(); ++channel)
    for (int64_t at : table.rows[channel])
      for (int64_t d = -2; d <= 2; ++d) {
        if (at == kAlways || at == kNever)
          continue;
        int64_t ordered = at + d;
        if (ordered >= toOrdered(-INFINITY) && ordered <= toOrdered(INFINITY)) {
          inputs.push_back(fromOrdered(int32_t(ordered)));
          inputs.push_back(-inputs.back());
        }
      }
  for (int i = 0; i < 64; ++i) {
    uint32_t bits = uint32_t(random.random());
    float x;
    std::memcpy(&x, &bits, sizeof x);
    inputs.push_back(x);
    inputs.push_back(random.drawFloat());
  }
  return inputs;
}

TEST(SwitchPoints, FloatsAgreeWithPlainFunctions) {
  constexpr int kChannels = 3;
  Tally tally;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    RandomChain random(seed, kChannels, CellType::F32);
    std::vector<Steps> steps(kChannels);
    std::vector<Coder> coders;
    bool stopped = false;
    for (int c = 0; c < kChannels; ++c) {
      coders.push_back(drawCoder(random));
      stopped |=
          bool(bisectSteps(random.chain, c, coders[c], {}, 64, steps[c]));
    }
    ThresholdTable table;
    if (stopped ||
        makeThresholdTable(steps, Mirror::OrderedFloats, 64, table)) {
      ++tally.stopped;
      continue;
    }
    ++tally.folded;
    tally.thresholds += int(table.codes.size()) - 1;
    tally.mirrored += !table.mirrored.empty();
    for (int c = 0; c < kChannels; ++c)
      for (float x : drawInputs(random, table))
        ASSERT_EQ(lookUp(table, c, x), codeOf(coders[c], random.oracle()(x, c)))
            << "seed " << seed << ", channel " << c << ", x = " << x;
  }
  // Most chains fold, many have several thresholds, some are mirrored.
  EXPECT_GT(tally.folded, 2000) << tally.stopped << " stopped";
  EXPECT_GT(tally.thresholds, tally.folded);
  EXPECT_GT(tally.mirrored, 100);
}

TEST(SwitchPoints, IntegersAgreeWithPlainFunctions) {
  constexpr int kChannels = 3;
  Tally tally;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomChain random(seed, kChannels, CellType::I32);
    int64_t bound = random.draw(1, 900);
    std::vector<Steps> steps(kChannels);
    std::vector<Coder> coders;
    bool stopped = false;
    for (int c = 0; c < kChannels; ++c) {
      coders.push_back(drawCoder(random));
      bool many = bool(enumerateSteps(random.chain, c, coders[c], -bound, bound,
                                      32, steps[c]));
      stopped |= many;
      // Bisection, where it goes, finds the same.
      Steps found;
      ASSERT_EQ(many, bool(findIntegerSteps(random.chain, c, coders[c], -bound,
                                            bound, 32, found)));
      if (many)
        continue;
      ASSERT_EQ(found.first, steps[c].first) << "seed " << seed;
      ASSERT_EQ(found.steps.size(), steps[c].steps.size()) << "seed " << seed;
      for (size_t i = 0; i < found.steps.size(); ++i) {
        EXPECT_EQ(found.steps[i].at, steps[c].steps[i].at) << "seed " << seed;
        EXPECT_EQ(found.steps[i].code, steps[c].steps[i].code);
      }
    }
    ThresholdTable table;
    if (stopped || makeThresholdTable(steps, Mirror::Integers, 32, table))
      continue;
    ++tally.folded;
    tally.mirrored += !table.mirrored.empty();
    for (int c = 0; c < kChannels; ++c)
      for (int64_t d = -bound; d <= bound; ++d) {
        int64_t x = !table.mirrored.empty() && table.mirrored[c] ? -d : d;
        size_t n = 0;
        for (int64_t t : table.rows[c])
          n += t <= x && t != kNever;
        ASSERT_EQ(table.codes[n],
                  codeOf(coders[c], random.oracle()(float(d), c)))
            << "seed " << seed << ", channel " << c << ", x = " << d;
      }
  }
  EXPECT_GT(tally.folded, 1200);
  EXPECT_GT(tally.mirrored, 30);
}

TEST(SwitchPoints, SumsOfTwoIntegersAgreeWithAllPairs) {
  int folded = 0, exact = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomChain random(seed, 1, CellType::F32);
    Coder coder = drawCoder(random);
    int64_t first = random.draw(1, 40), second = random.draw(1, 40);
    // Powers of two make sums exact.
    bool isExact = random.draw(0, 3) == 0;
    float factor = isExact ? 0.25f : std::fabs(random.drawFloat()) + 1e-3f;
    Steps steps;
    bool stopped = bool(
        findSumSteps(random.chain, 0, coder, factor, first, second, 32, steps));
    folded += !stopped;
    exact += isExact && !stopped;
    if (stopped)
      continue;
    for (int64_t i = -first; i <= first; ++i)
      for (int64_t j = -second; j <= second; ++j) {
        float x = factor * float(i), y = factor * float(j);
        unsigned code = steps.first;
        for (const Step &step : steps.steps)
          if (step.at <= i + j)
            code = step.code;
        float sum = x + y;
        ASSERT_EQ(code, codeOf(coder, random.oracle()(sum, 0)))
            << "seed " << seed << ", " << factor << " * (" << i << " + " << j
            << ")";
      }
  }
  EXPECT_GT(folded, 500);
  EXPECT_GT(exact, 100);
}

TEST(SwitchPoints, SumsThatRoundApartStop) {
  // 0.1 i + 0.1 j - 0.3 >= 0: of i + j = 3 not all pairs reach it.
  Chain chain(1);
  int x = chain.addInput(CellType::F32);
  int c = chain.addConstant(0.1f * 3.0f);
  chain.addOp(ChainOp::Sub, CellType::F32, {x, c});
  Coder coder;
  coder.factors = {1.0f};
  Steps steps;
  std::optional<Stop> stop =
      findSumSteps(chain, 0, coder, 0.1f, 40, 40, 16, steps);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, "the sum of two accumulators does not decide");
}

/// A range narrows what has to be told apart.
TEST(SwitchPoints, RangesKeepInfinitiesOut) {
  Chain chain(1);
  int x = chain.addInput(CellType::F32);
  int zero = chain.addConstant(0.0f), one = chain.addConstant(1.0f);
  int scaled = chain.addOp(ChainOp::Mul, CellType::F32, {x, zero});
  chain.addOp(ChainOp::Add, CellType::F32, {scaled, one});
  Coder coder;
  coder.factors = {1.0f};
  Steps steps;
  // 0 inf is NaN, of code 0.
  ASSERT_FALSE(bisectSteps(chain, 0, coder, {}, 16, steps));
  EXPECT_EQ(steps.nan, 0u);
  EXPECT_EQ(steps.first, 0u);
  EXPECT_EQ(steps.steps.size(), 2u);
  ASSERT_FALSE(bisectSteps(chain, 0, coder, {-1e30f, 1e30f, false}, 16, steps));
  EXPECT_FALSE(steps.nan.has_value());
  EXPECT_EQ(steps.first, 1u);
  EXPECT_TRUE(steps.steps.empty());
}

TEST(SwitchPoints, ZerosCountAsOne) {
  // x * 1 >= 0 begins at -0.0.
  Chain chain(1);
  int x = chain.addInput(CellType::F32);
  int one = chain.addConstant(1.0f);
  chain.addOp(ChainOp::Mul, CellType::F32, {x, one});
  Coder coder;
  coder.factors = {1.0f};
  Steps steps;
  ASSERT_FALSE(bisectSteps(chain, 0, coder, {}, 16, steps));
  ASSERT_EQ(steps.steps.size(), 1u);
  EXPECT_EQ(steps.steps[0].at, toOrdered(-0.0f));
}

TEST(SwitchPoints, SeeingTheSignOfZeroStops) {
  // 1 / x differs at the two zeros.
  Chain chain(1);
  int x = chain.addInput(CellType::F32);
  int one = chain.addConstant(1.0f);
  chain.addOp(ChainOp::Div, CellType::F32, {one, x});
  Coder coder;
  coder.factors = {1.0f};
  Steps steps;
  EXPECT_TRUE(bisectSteps(chain, 0, coder, {}, 16, steps));
}

TEST(SwitchPoints, OrderedFloats) {
  EXPECT_EQ(toOrdered(0.0f), 0);
  EXPECT_EQ(toOrdered(-0.0f), -1);
  EXPECT_EQ(toOrdered(1e-45f), 1);
  EXPECT_EQ(toOrdered(-1e-45f), -2);
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    uint32_t bits = uint32_t(random());
    float x, y;
    std::memcpy(&x, &bits, sizeof x);
    bits = uint32_t(random());
    std::memcpy(&y, &bits, sizeof y);
    if (std::isnan(x) || std::isnan(y))
      continue;
    EXPECT_EQ(std::signbit(x), std::signbit(fromOrdered(toOrdered(x))));
    EXPECT_EQ(x, fromOrdered(toOrdered(x)));
    if (x < y)
      EXPECT_LT(toOrdered(x), toOrdered(y));
  }
}

static Steps makeSteps(unsigned first, std::vector<Step> steps,
                       std::optional<unsigned> nan = std::nullopt) {
  Steps result;
  result.first = first;
  result.steps = std::move(steps);
  result.nan = nan;
  return result;
}

TEST(ThresholdTable, SkipsAndEndsOfSequences) {
  ThresholdTable table;
  // 0 1 3; 1 2 3; constant 2.
  ASSERT_FALSE(
      makeThresholdTable({makeSteps(0, {{-5, 1}, {7, 3}}),
                          makeSteps(1, {{0, 2}, {9, 3}}), makeSteps(2, {})},
                         Mirror::None, 16, table));
  EXPECT_EQ(table.codes, (std::vector<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(table.rows[0], (std::vector<int64_t>{-5, 7, 7}));
  EXPECT_EQ(table.rows[1], (std::vector<int64_t>{kAlways, 0, 9}));
  EXPECT_EQ(table.rows[2], (std::vector<int64_t>{kAlways, kAlways, kNever}));
  EXPECT_TRUE(table.mirrored.empty());
}

// The greater of two zeros is +0.0, the less is -0.0.
TEST(ChainEvaluator, OrdersZeros) {
  for (ChainOp op :
       {ChainOp::Maximum, ChainOp::MaxNum, ChainOp::Minimum, ChainOp::MinNum})
    for (float c : {0.0f, -0.0f}) {
      Chain chain(1);
      int x = chain.addInput(CellType::F32);
      chain.addOp(op, CellType::F32, {x, chain.addConstant({c})});
      bool isMinimum = op == ChainOp::Minimum || op == ChainOp::MinNum;
      EXPECT_EQ(std::signbit(ChainEvaluator(chain, 0)(-c)), isMinimum);
    }
}

TEST(ThresholdTable, MirrorsFallingChannels) {
  std::vector<Steps> channels = {makeSteps(0, {{3, 1}}),
                                 makeSteps(1, {{4, 0}})};
  ThresholdTable table;
  ASSERT_FALSE(makeThresholdTable(channels, Mirror::Integers, 16, table));
  EXPECT_EQ(table.codes, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(table.mirrored, (std::vector<bool>{false, true}));
  // x >= 4 gives 0, so -x >= -3 gives 1.
  EXPECT_EQ(table.rows[1], (std::vector<int64_t>{-3}));
  ASSERT_FALSE(makeThresholdTable(channels, Mirror::None, 16, table));
  EXPECT_EQ(table.codes.size(), 3u);
  // All falling: a table that falls, nothing to mirror.
  ASSERT_FALSE(makeThresholdTable({channels[1], channels[1]}, Mirror::Integers,
                                  16, table));
  EXPECT_EQ(table.codes, (std::vector<unsigned>{1, 0}));
  EXPECT_TRUE(table.mirrored.empty());
}

TEST(ThresholdTable, ChannelsAgreeOnNaN) {
  ThresholdTable table;
  std::optional<Stop> stop = makeThresholdTable(
      {makeSteps(0, {}, 0u), makeSteps(0, {}, 1u)}, Mirror::None, 16, table);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->reason, "NaN has different codes in different channels");
}
