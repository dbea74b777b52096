//===- FoldRulesTest.cpp - Every step that folds, where codes change ------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of the table in docs/folding.md, each of a float and of an
// accumulator; pools and slices are left to FoldTest. The switch points are
// found by bisection on the program as it is written, compiled by the reference
// route, which does not fold. There, at the neighbouring floats, and between
// them the folded program gives the same codes; of an accumulator, at all that
// it can be.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Dialect/BQuant/Analysis/OrderedFloat.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
/// Whether it folds from a source.
enum Folds { Always, OfIntegers, Never };

struct Rule {
  std::string name;
  /// Computes %r of %x and constants of the channel, %a to %d.
  std::string body;
  Folds folds = Always;
  /// Computes %z of %y, all elements of %r, with T for its type.
  std::string tail = {};
};
} // namespace

static constexpr int64_t kChannels = 4;
/// Of a product; all of its sums are a row each.
static constexpr int64_t kDepth = 64, kSums = kDepth + 1;

/// Constants of each channel, in the order of their names. The last are odd.
static constexpr float kConstants[][kChannels] = {
    {0.7f, -1.3f, 0.1f, 2},
    {0.3f, -0.45f, 1.7f, -2.6f},
    {1.9f, 0.6f, 0.04f, 1},
    {0, std::numeric_limits<float>::quiet_NaN(),
     std::numeric_limits<float>::infinity(), 1e-40f}};

static std::vector<Rule> makeRules() {
  std::vector<Rule> rules = {
      {"add", "%r = arith.addf %x, %a : f32"},
      {"subtract", "%r = arith.subf %x, %a : f32"},
      {"subtract_from", "%r = arith.subf %a, %x : f32"},
      {"multiply", R"(%0 = arith.mulf %x, %a : f32
                      %r = arith.addf %0, %b : f32)"},
      {"divide", R"(%0 = arith.divf %x, %a : f32
                    %r = arith.subf %0, %b : f32)"},
      {"divide_by", R"(%0 = arith.maximumf %x, %c : f32
                       %1 = arith.divf %a, %0 : f32
                       %r = arith.subf %1, %b : f32)"},
      {"fma", "%r = math.fma %x, %a, %b : f32"},
      {"negate", R"(%0 = arith.negf %x : f32
                    %r = arith.addf %0, %a : f32)"},
      {"batch_norm", R"(%0 = arith.subf %x, %b : f32
                        %1 = math.rsqrt %c : f32
                        %2 = arith.mulf %0, %1 : f32
                        %3 = arith.mulf %2, %a : f32
                        %r = arith.addf %3, %b : f32)"},
      {"odd_scales", R"(%0 = arith.mulf %x, %d : f32
                        %r = arith.addf %0, %b : f32)"},
      {"relu", R"(%0 = arith.constant 0.0 : f32
                  %1 = arith.maximumf %x, %0 : f32
                  %r = arith.subf %1, %c : f32)"},
      {"hard_tanh", R"(%0 = arith.constant -1.0 : f32
                       %1 = arith.constant 1.0 : f32
                       %2 = arith.maximumf %x, %0 : f32
                       %3 = arith.minimumf %2, %1 : f32
                       %r = arith.mulf %3, %a : f32)"},
      {"hard_sigmoid", R"(%0 = arith.constant 0.0 : f32
                          %1 = arith.constant 1.0 : f32
                          %2 = arith.constant 0.5 : f32
                          %3 = arith.constant 0.16666667 : f32
                          %4 = math.fma %x, %3, %2 : f32
                          %5 = arith.maxnumf %4, %0 : f32
                          %6 = arith.minnumf %5, %1 : f32
                          %r = arith.subf %6, %2 : f32)"},
      // Other constants of these would give NaN codes that differ.
      {"clamp", R"(%0 = arith.constant -0.3 : f32
                   %1 = arith.constant 1.0 : f32
                   %2 = arith.mulf %x, %a : f32
                   %3 = arith.cmpf olt, %2, %0 : f32
                   %4 = arith.select %3, %0, %2 : f32
                   %5 = arith.cmpf ugt, %4, %1 : f32
                   %r = arith.select %5, %1, %4 : f32)"},
      {"prelu", R"(%0 = arith.constant 0.0 : f32
                   %1 = arith.cmpf ogt, %x, %0 : f32
                   %2 = arith.mulf %x, %a : f32
                   %3 = arith.select %1, %x, %2 : f32
                   %r = arith.addf %3, %b : f32)"},
      {"leaky_relu", R"(%0 = arith.constant 0.01 : f32
                        %1 = arith.mulf %x, %0 : f32
                        %2 = arith.maximumf %x, %1 : f32
                        %r = arith.addf %2, %0 : f32)"},
      {"abs", R"(%0 = math.absf %x : f32
                 %r = arith.subf %0, %c : f32)"},
      {"sqrt", R"(%0 = arith.addf %x, %c : f32
                  %1 = math.sqrt %0 : f32
                  %r = arith.subf %1, %c : f32)"},
      {"rsqrt", R"(%0 = arith.maximumf %x, %c : f32
                   %1 = math.rsqrt %0 : f32
                   %r = arith.subf %1, %c : f32)"},
      {"bools", R"(%0 = arith.cmpf oge, %x, %a : f32
                   %1 = arith.cmpf olt, %x, %c : f32
                   %2 = arith.cmpf uno, %x, %a : f32
                   %3 = arith.andi %0, %1 : i1
                   %4 = arith.ori %3, %2 : i1
                   %5 = arith.xori %4, %0 : i1
                   %6 = arith.uitofp %5 : i1 to f32
                   %7 = arith.constant 0.5 : f32
                   %r = arith.subf %6, %7 : f32)"},
      {"sign", R"(%r = arith.subf %x, %a : f32)", Always,
       "%z = bquant.sign %y : T"},
      {"branches", R"(%0 = arith.maximumf %x, %a : f32
                      %1 = arith.minimumf %x, %c : f32
                      %r = arith.addf %0, %1 : f32)"},
      {"hard_swish", R"(%0 = arith.constant 0.0 : f32
                        %1 = arith.constant 3.0 : f32
                        %2 = arith.constant 6.0 : f32
                        %3 = arith.addf %x, %1 : f32
                        %4 = arith.maximumf %3, %0 : f32
                        %5 = arith.minimumf %4, %2 : f32
                        %6 = arith.mulf %x, %5 : f32
                        %7 = arith.divf %6, %2 : f32
                        %r = arith.subf %7, %a : f32)",
       OfIntegers},
      {"softsign", R"(%0 = arith.constant 1.0 : f32
                      %1 = math.absf %x : f32
                      %2 = arith.addf %0, %1 : f32
                      %3 = arith.divf %x, %2 : f32
                      %r = arith.subf %3, %b : f32)",
       OfIntegers},
      {"tanh", R"(%0 = math.tanh %x : f32
                  %r = arith.subf %0, %b : f32)",
       Never}};
  for (auto [op, bound] : {std::pair("maximumf", "-0.3"),
                           {"minimumf", "0.3"},
                           {"maxnumf", "-0.3"},
                           {"minnumf", "0.3"}})
    rules.push_back({op, "%0 = arith.constant " + std::string(bound) + R"( : f32
                          %1 = arith.constant 0.1 : f32
                          %2 = arith.mulf %x, %a : f32
                          %3 = arith.)" +
                             op + R"( %2, %0 : f32
                          %r = arith.subf %3, %1 : f32)"});
  for (const char *mode : {"floor", "ceil", "round", "roundeven", "trunc"})
    rules.push_back({mode, R"(%0 = arith.constant -2.0 : f32
                              %1 = arith.constant 1.0 : f32
                              %2 = math.fma %x, %c, %b : f32
                              %3 = math.)" +
                               std::string(mode) + R"( %2 : f32
                              %4 = arith.maximumf %3, %0 : f32
                              %r = arith.minimumf %4, %1 : f32)"});
  for (const char *relation : {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                               "ueq", "ugt", "uge", "ult", "ule", "une", "uno"})
    rules.push_back({relation, "%0 = arith.cmpf " + std::string(relation) +
                                   R"(, %x, %b : f32
                              %1 = arith.constant 1.0 : f32
                              %2 = arith.constant -1.0 : f32
                              %r = arith.select %0, %1, %2 : f32)"});
  // Of two rows next to each other, and of channels as rows.
  rules.push_back({"flatten", "%r = arith.addf %x, %a : f32", Always, R"(
      %z0 = tensor.expand_shape %y [[0], [1, 2]] output_shape [ROWS, 2, 2]
          : T into tensor<ROWSx2x2xf32>
      %z = tensor.collapse_shape %z0 [[0], [1, 2]]
          : tensor<ROWSx2x2xf32> into T)"});
  rules.push_back({"transpose", "%r = arith.addf %x, %a : f32", Always, R"(
      %z0 = tensor.empty() : tensor<4xROWSxf32>
      %z1 = linalg.transpose ins(%y : T) outs(%z0 : tensor<4xROWSxf32>)
          permutation = [1, 0]
      %z2 = linalg.negf ins(%z1 : tensor<4xROWSxf32>)
          outs(%z0 : tensor<4xROWSxf32>) -> tensor<4xROWSxf32>
      %z = linalg.transpose ins(%z2 : tensor<4xROWSxf32>) outs(%init : T)
          permutation = [1, 0])"});
  return rules;
}

static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.data(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
}

/// Of one, two and two equal planes.
static constexpr int kQuantizers = 3;

/// A function of `rows` rows of a float, or of the depth of a product.
static std::string makeText(const Rule &rule, const std::string &name,
                            bool ofIntegers, int64_t rows, int quantizer) {
  static const char *planes[] = {"1", "2", "[1, 1]"},
                    *scalars[] = {"0.5", "1.0, 0.4", "0.3"},
                    *counts[] = {"1", "2", "1"};
  std::string text = "func.func @" + name + "(%in: tensor<ROWSx" +
                     (ofIntegers ? std::to_string(kDepth) : "4") +
                     "xf32>) -> T {\n";
  if (ofIntegers)
    text += R"(
      %s = arith.constant dense<0.37> : tensor<1xf32>
      %p = bquant.quantize %in scalars(%s : tensor<1xf32>)
          : tensor<ROWSx64xf32> -> !bquant.tensor<ROWSx64, 1>
      %w = bquant.constant words(dense<-1> : tensor<1x4x2xi32>)
          scalars(dense<[[0.11, 0.05, 0.4, 0.023]]> : tensor<1x4xf32>)
          : !bquant.tensor<4x64, 1, axes = [0]>
      %source = bquant.matmul %p, %w : (!bquant.tensor<ROWSx64, 1>,
          !bquant.tensor<4x64, 1, axes = [0]>) -> T)";
  std::string ins = ofIntegers ? "%source" : "%in", types = "T";
  std::string maps = "affine_map<(d0, d1) -> (d0, d1)>", arguments = "%x: f32";
  for (auto [n, values] : llvm::enumerate(kConstants)) {
    std::string constant(1, char('a' + n));
    text += "\n      %k" + constant + " = arith.constant dense<[";
    for (const float &value : values)
      text += (&value == values ? "0x" : ", 0x") +
              llvm::utohexstr(llvm::bit_cast<uint32_t>(value), false, 8);
    text += "]> : tensor<4xf32>";
    ins += ", %k" + constant;
    types += ", tensor<4xf32>";
    maps += ", affine_map<(d0, d1) -> (d1)>";
    arguments += ", %" + constant + ": f32";
  }
  text += R"(
      %init = tensor.empty() : T
      %y = linalg.generic {indexing_maps = [)" +
          maps + R"(, affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]}
          ins()" +
          ins + " : " + types + ") outs(%init : T) {\n      ^bb0(" + arguments +
          ", %out: f32):\n        " + rule.body +
          "\n        linalg.yield %r : f32\n      } -> T\n      " + rule.tail +
          R"(
      %v = arith.constant dense<[SCALARS]> : tensor<COUNTxf32>
      %q = bquant.quantize )" +
          (rule.tail.empty() ? "%y" : "%z") +
          R"( scalars(%v : tensor<COUNTxf32>)
          : T -> !bquant.tensor<ROWSx4, PLANES>
      %d = bquant.dequantize %q : !bquant.tensor<ROWSx4, PLANES> -> T
      return %d : T
    })";
  for (auto [from, to] :
       {std::pair<StringRef, std::string>{" T", " tensor<ROWSx4xf32>"},
        {"ROWS", std::to_string(rows)},
        {"SCALARS", scalars[quantizer]},
        {"COUNT", counts[quantizer]},
        {"PLANES", planes[quantizer]}})
    replaceAll(text, from, to);
  return text;
}

namespace {
/// A rule as it is written and folded, at inputs of its choice.
class RuleChecker {
public:
  RuleChecker(std::string name, Compiled &written, ArrayRef<Compiled *> folded)
      : name(std::move(name)), written(written),
        folded(folded.begin(), folded.end()) {}

  /// Fails where a folded program differs.
  void check(const Array &x);
  /// Of a float: finds the switch points of each channel and checks them.
  void checkSwitchPoints(int64_t rows);

  int64_t points = 0, values = 0;

private:
  std::vector<float> run(Compiled &compiled, const Array &x) {
    std::vector<Array> outputs = {{{x.shape[0], kChannels},
                                   false,
                                   std::vector<float>(x.shape[0] * kChannels),
                                   {}}};
    llvm::cantFail(compiled.call(name, {x}, outputs));
    return std::move(outputs[0].floats);
  }

  std::string name;
  Compiled &written;
  SmallVector<Compiled *> folded;
};
} // namespace

void RuleChecker::check(const Array &x) {
  std::vector<float> expected = run(written, x);
  values += int64_t(expected.size());
  for (Compiled *compiled : folded) {
    std::vector<float> got = run(*compiled, x);
    for (size_t n = 0; n < got.size(); ++n)
      ASSERT_EQ(got[n], expected[n])
          << name << ", row " << n / kChannels << ", channel " << n % kChannels
          << (x.shape[1] == kChannels ? ", x = " + std::to_string(x.floats[n])
                                      : std::string());
  }
}

void RuleChecker::checkSwitchPoints(int64_t rows) {
  Array x{{rows, kChannels}, false, std::vector<float>(rows * kChannels), {}};
  auto at = [&](int64_t row, int64_t c) -> float & {
    return x.floats[row * kChannels + c];
  };
  // Floats at equal distances, the zeros, constants and their neighbours; NaN.
  int64_t low = toOrdered(-INFINITY), high = toOrdered(INFINITY);
  std::vector<int32_t> grid = {-1, 0};
  for (const auto &values : ArrayRef(kConstants).drop_back())
    for (float value : values)
      for (int side : {-1, 0, 1})
        grid.push_back(toOrdered(value) + side);
  for (int64_t n = 0, rest = rows - 1 - int64_t(grid.size()); n < rest; ++n)
    grid.push_back(int32_t(low + (high - low) * n / (rest - 1)));
  llvm::sort(grid);
  for (int64_t c = 0; c < kChannels; ++c) {
    for (auto [row, position] : llvm::enumerate(grid))
      at(int64_t(row), c) = fromOrdered(position);
    at(rows - 1, c) = NAN;
  }
  ASSERT_NO_FATAL_FAILURE(check(x));

  // Codes differ between both ends of a gap, until these are neighbours.
  struct Gap {
    int64_t channel, first, last;
    float below, above;
  };
  std::vector<Gap> gaps;
  std::vector<float> codes = run(written, x);
  for (int64_t c = 0; c < kChannels; ++c)
    for (size_t n = 1; n < grid.size(); ++n) {
      float below = codes[(n - 1) * kChannels + c],
            above = codes[n * kChannels + c];
      if (below != above)
        gaps.push_back({c, grid[n - 1], grid[n], below, above});
    }
  // From infinity to NaN.
  for (int64_t c = 0; c < kChannels; ++c)
    points +=
        codes[(rows - 1) * kChannels + c] != codes[(rows - 2) * kChannels + c];
  ASSERT_LT(gaps.size() * 8, size_t(rows));
  for (int round = 0; round < 32; ++round) {
    for (auto [n, gap] : llvm::enumerate(gaps))
      at(int64_t(n), gap.channel) =
          fromOrdered(int32_t(gap.first + (gap.last - gap.first) / 2));
    codes = run(written, x);
    for (size_t n = 0, size = gaps.size(); n < size; ++n) {
      Gap &gap = gaps[n];
      int64_t middle = gap.first + (gap.last - gap.first) / 2;
      float code = codes[n * kChannels + gap.channel];
      if (middle == gap.first)
        continue;
      if (code == gap.below) {
        gap.first = middle;
        continue;
      }
      // Another code in between: two switch points.
      Gap rest{gap.channel, middle, gap.last, code, gap.above};
      gap.last = middle;
      gap.above = code;
      if (code != rest.above && int64_t(gaps.size()) < rows)
        gaps.push_back(rest);
    }
  }
  // The last float before, the first one after, and their neighbours.
  for (int64_t c = 0; c < kChannels; ++c) {
    int64_t row = 0;
    for (const Gap &gap : gaps) {
      if (gap.channel != c)
        continue;
      ASSERT_EQ(gap.first + 1, gap.last);
      ++points;
      for (int64_t position = gap.first - 1; position <= gap.last + 1;
           ++position)
        for (float sign : {1.0f, -1.0f})
          at(row++, c) =
              sign * fromOrdered(int32_t(std::clamp(position, low, high)));
    }
  }
  check(x);
}

/// Whether thresholds are all that is left of a chain, but for a sign of each
/// channel.
static bool isFolded(Operation *function) {
  bool folded = false;
  function->walk([&](DequantizeOp op) {
    auto quantize = op.getInput().getDefiningOp<QuantizeOp>();
    folded = quantize && quantize.getThresholds();
  });
  function->walk([&](linalg::GenericOp op) {
    folded &= llvm::all_of(*op.getBody(), [](Operation &op) {
      return isa<arith::MulFOp, linalg::YieldOp>(op);
    });
  });
  return folded;
}

static void checkRules(bool ofIntegers) {
  std::unique_ptr<MLIRContext> context = makeContext();
  int64_t rows = ofIntegers ? kSums : isNightly() ? 16384 : 1024;
  std::vector<Rule> rules = makeRules();
  int64_t points = 0, values = 0, programs = 0;
  for (int turn = 0; turn < (isNightly() ? kQuantizers : 1); ++turn) {
    std::string text;
    for (auto [n, rule] : llvm::enumerate(rules))
      text += makeText(rule, "rule_" + rule.name, ofIntegers, rows,
                       int(n + turn) % kQuantizers);
    auto module = parseSourceString<ModuleOp>(text, context.get());
    ASSERT_TRUE(module) << text;
    OwningOpRef<ModuleOp> after = module->clone();
    PassManager pm(context.get());
    pm.addPass(createFoldSignCascades());
    ASSERT_TRUE(succeeded(pm.run(*after)));
    for (const Rule &rule : rules)
      EXPECT_EQ(isFolded(after->lookupSymbol("rule_" + rule.name)),
                rule.folds == Always ||
                    (rule.folds == OfIntegers && ofIntegers))
          << rule.name;

    std::vector<std::unique_ptr<Compiled>> compiled;
    std::vector<Route> routes = {getReferenceRoute(), getWordsRoute(true)};
    if (isNightly())
      routes.push_back(getToolRoute(Strategy::Auto));
    for (const Route &route : routes) {
      auto program = route.compile(module->clone());
      ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
      compiled.push_back(std::move(*program));
    }
    SmallVector<Compiled *> folded;
    for (auto &program : llvm::drop_begin(compiled))
      folded.push_back(program.get());
    for (const Rule &rule : rules) {
      RuleChecker checker("rule_" + rule.name, *compiled.front(), folded);
      if (ofIntegers) {
        // Each sum: so many signs are +1.
        Array x{{kSums, kDepth}, false, {}, {}};
        for (int64_t n = 0; n < kSums * kDepth; ++n)
          x.floats.push_back(n % kDepth < n / kDepth ? 1 : -1);
        checker.check(x);
      } else {
        checker.checkSwitchPoints(rows);
        EXPECT_GT(checker.points, 0) << rule.name;
      }
      if (testing::Test::HasFatalFailure())
        return;
      points += checker.points;
      values += checker.values;
      ++programs;
    }
  }
  llvm::outs() << programs << " programs, " << points << " switch points, "
               << values << " codes\n";
}

TEST(FoldRulesTest, FloatsAtTheirSwitchPoints) { checkRules(false); }
TEST(FoldRulesTest, AccumulatorsAtAllSums) { checkRules(true); }
