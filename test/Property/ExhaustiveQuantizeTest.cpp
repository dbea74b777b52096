//===- ExhaustiveQuantizeTest.cpp - Every f16 through every quantize ------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All 65,536 bit patterns of f16 as f32: NaN of every payload, both infinities
// and zeros, denormals. What they are quantized to is decoded, and read by a
// product whose results tell the sign of each element, since a product's kernel
// decides how codes are written.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

static constexpr int64_t kChannels = 32, kRows = 65536 / kChannels;
static constexpr float kInf = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Exact; the payload of NaN stays in the highest bits, quiet or not.
static float toFloat(uint16_t half) {
  uint32_t sign = uint32_t(half >> 15) << 31, mantissa = half & 0x3ff;
  int exponent = half >> 10 & 31;
  if (exponent == 31)
    return llvm::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  float magnitude = exponent
                        ? std::ldexp(float(mantissa | 0x400), exponent - 25)
                        : std::ldexp(float(mantissa), -24);
  return sign ? -magnitude : magnitude;
}

/// Those near each other lie in one row, or far from each other.
static Array makeHalves(bool shuffled) {
  Array x{{kRows, kChannels}, false, {}, {}};
  for (uint32_t n = 0; n < 65536; ++n)
    x.floats.push_back(toFloat(uint16_t(shuffled ? n * 40503 : n)));
  return x;
}

namespace {
/// Planes, and what decides between their codes.
struct Form {
  int64_t planes = 1;
  std::vector<int64_t> ratios;
  std::vector<float> scalars;
  /// In place of the cascade, one row or one a channel.
  std::vector<float> thresholds;
  /// A code for each rank; empty: the rank.
  std::vector<int64_t> table;
  std::vector<int64_t> axes;
  bool offset = false;
  /// Scalars and thresholds are arguments.
  bool atRunTime = false;
};

class HalvesProgram : public Generator {
public:
  using Generator::Generator;

  Case make(const Form &form);
  Case makeOnline(OnlineRule rule, SchemeKind kind, int64_t planes,
                  bool ternary);
  Case makeSign();
  /// An argument of f16, which the program itself makes f32.
  Case makeF16();

private:
  Value known(const Form &form, const Array &array) {
    return form.atRunTime ? argument(array).value : constant(array);
  }
  Case finish(const Node &q);
};
} // namespace

/// All signs but one are +1: its sums S - 2 x_n tell every x_n.
Case HalvesProgram::finish(const Node &q) {
  SmallVector<Node> results{dequantize(q)};
  // Scalars of a product's input do not vary along what is summed.
  if (!llvm::is_contained(q.codes.axes, 1)) {
    Codes signs;
    signs.shape = {kChannels, kChannels};
    signs.scalars = {1};
    for (int64_t n = 0; n < kChannels * kChannels; ++n)
      signs.codes.push_back(n % (kChannels + 1) != 0);
    bool isInt = q.codes.numScalars() == 1 && q.codes.offset.empty();
    results.push_back(matmul(q, filter(signs), isInt));
  }
  return Generator::finish("halves", results);
}

Case HalvesProgram::make(const Form &form) {
  Node x = argument(makeHalves(/*shuffled=*/seed % 2));
  Codes type;
  type.shape = x.array.shape;
  type.planes = form.planes;
  type.ratios = form.ratios;
  type.axes = form.axes;
  // Along an axis the scalars take turns.
  Array scalars{{type.numScalars()}, false, {}, {}}, offset;
  for (int64_t axis : type.axes) {
    scalars.shape.push_back(type.shape[axis]);
    offset.shape.push_back(type.shape[axis]);
  }
  for (int64_t row = 0; row < type.numScalars(); ++row)
    for (int64_t at = 0; at < type.axisSize(); ++at)
      scalars.floats.push_back(form.scalars[(row + at) % form.scalars.size()]);
  type.scalars = scalars.floats;
  if (form.offset)
    for (int64_t at = 0; at < type.axisSize(); ++at)
      offset.floats.push_back(0.3f * float(at % 5) - 0.5f);
  type.offset = offset.floats;
  Value scalarsValue = known(form, scalars);
  Value offsetValue = form.offset ? known(form, offset) : Value();
  if (form.thresholds.empty())
    return finish(quantizeByScalars(x, type, scalarsValue, offsetValue));

  std::vector<int64_t> table = form.table;
  for (int64_t n = 0; form.table.empty() && n < int64_t(1) << type.planes; ++n)
    table.push_back(n);
  auto each = int64_t(table.size()) - 1, all = int64_t(form.thresholds.size());
  Array thresholds{{each}, false, form.thresholds, {}};
  if (all > each)
    thresholds.shape = {all / each, each};
  Node t{known(form, thresholds), thresholds, {}};
  return finish(
      quantizeByThresholds(x, type, scalarsValue, offsetValue, t, table));
}

Case HalvesProgram::makeOnline(OnlineRule rule, SchemeKind kind, int64_t planes,
                               bool ternary) {
  Node x = argument(makeHalves(/*shuffled=*/seed % 2));
  Codes type;
  type.shape = x.array.shape;
  type.planes = planes;
  type.axes = {0}; // A row with a NaN is NaN.
  if (ternary)
    type.ratios = {1, 1};
  Codes codes = test::quantizeOnline(x.array, rule, type);
  auto scheme = SchemeAttr::get(b.getContext(), kind, planes, ternary);
  auto op = QuantizeOp::create(b, typeOf(codes), x.value, scheme);
  Node q{op.getResult(), {}, codes};
  // Products read the codes of cascades and thresholds by day.
  return isNightly() ? finish(q) : Generator::finish("halves", {dequantize(q)});
}

Case HalvesProgram::makeSign() {
  return Generator::finish("sign", {sign(argument(makeHalves(false)))});
}

Case HalvesProgram::makeF16() {
  // Two to an integer: nothing reads them as such.
  Array halves{{kRows, kChannels}, true, {}, {}};
  for (uint32_t n = 0; n < 65536; n += 2)
    halves.ints.push_back(int32_t(n | (n + 1) << 16));
  RankedTensorType type = typeOf(halves.shape);
  inputs.push_back(halves);
  Value x =
      function.front().addArgument(type.clone(b.getF16Type()), b.getLoc());
  Value init = tensor::EmptyOp::create(b, halves.shape, b.getF32Type());
  AffineMap map = b.getMultiDimIdentityMap(2);
  Value wide = linalg::GenericOp::create(
                   b, type, x, init, ArrayRef{map, map},
                   SmallVector(2, utils::IteratorType::parallel),
                   [](OpBuilder &b, Location loc, ValueRange args) {
                     Value value = arith::ExtFOp::create(b, loc, b.getF32Type(),
                                                         args.front());
                     linalg::YieldOp::create(b, loc, value);
                   })
                   .getResult(0);
  Codes codes;
  codes.shape = halves.shape;
  codes.planes = 2;
  codes.scalars = {0.75f, 0.3f};
  Node q = quantizeByScalars({wide, makeHalves(false), {}}, codes,
                             constant({{2}, false, codes.scalars, {}}),
                             /*offset=*/Value());
  return Generator::finish("halves", {dequantize(q)});
}

static std::vector<Form> makeForms() {
  using Floats = std::vector<float>;
  std::vector<Form> forms;
  auto add = [&](int64_t planes, std::vector<int64_t> ratios, Floats scalars,
                 Floats thresholds = {}, std::vector<int64_t> table = {}) {
    Form form{planes, ratios, scalars, thresholds, table, {}, false, false};
    // Constants and arguments, offsets and axes take turns.
    size_t n = forms.size();
    form.atRunTime = n % 3 == 2;
    form.offset = n % 4 == 1;
    if (n % 5 >= 3)
      form.axes =
          n % 5 == 3 ? std::vector<int64_t>{0} : std::vector<int64_t>{1};
    forms.push_back(std::move(form));
  };
  // Cascades: residues that are 0, rounded, overflow, or NaN.
  const Floats someScalars[] = {{1.5f, 0.75f, 0.375f, 0.25f},
                                {0.7f, 0.3f, 0.1f, 3.0f},
                                {65504, 3e38f, 6e-8f, 1e-45f},
                                {0, -0.5f, kInf, kNaN}};
  for (const Floats &scalars : someScalars)
    for (int64_t planes : {1, 2, 3, 4})
      add(planes, {}, scalars);
  const std::vector<int64_t> someRatios[] = {
      {1, 1},    {2, 1},    {1, 2},       {3, 2},
      {1, 1, 1}, {4, 2, 1}, {8, 4, 2, 1}, {128, 64, 32, 16, 8, 4, 2, 1}};
  for (const auto &ratios : someRatios)
    for (float scalar : {0.25f, 0.3f, 1e-7f, kInf})
      add(int64_t(ratios.size()), ratios, {scalar});

  // Thresholds that halves tie with, or lie between two of them.
  const float some[] = {0,     -0.0f,    kInf,  -kInf, kNaN,
                        6e-8f, 5.9e-08f, 65504, 65519, 1.00048828125f};
  for (float t : some)
    add(1, {}, {1}, {t});
  add(2, {}, {1.5f, 0.5f}, {-1, 0, 1}, {2, 0, 3, 1});
  add(2, {1, 1}, {0.5f}, {-1e-7f, 1e-7f, kNaN}, {0, 1, 3, 2});
  add(2, {}, {1.5f, 0.5f}, {-kInf, -kInf, 2}, {1, 0, 2, 3});
  // Even steps, as uniform quantizers have them: exact, and rounded.
  for (float step : {0.5f, 0.1f, 1e-6f})
    for (int64_t planes : {3, 4}) {
      Floats row, rows;
      for (int64_t n = 0; n + 1 < 1 << planes; ++n)
        row.push_back(step * float(n - 2));
      std::vector<int64_t> ratios = planes == 3
                                        ? std::vector<int64_t>{4, 2, 1}
                                        : std::vector<int64_t>{8, 4, 2, 1};
      add(planes, ratios, {step / 2}, row);
      for (int64_t c = 0; c < kChannels; ++c)
        for (float t : row)
          rows.push_back(t * float(c % 7 + 1) - float(c % 3));
      add(planes, {}, {2, 1, 0.5f, 0.25f}, rows);
    }
  return forms;
}

/// Each case for one of the targets by the tools and the reference; at night
/// for all targets by the tools, and by more routes. By day only each `step`th
/// case.
static void check(size_t count, size_t step,
                  llvm::function_ref<Case(HalvesProgram, size_t)> make) {
  std::unique_ptr<MLIRContext> context = makeContext();
  constexpr size_t kBatch = 8;
  std::vector<TargetOptions> targets = getTargets();
  step = isNightly() ? 1 : step;
  for (size_t first = 0; first < count; first += kBatch * step)
    for (auto [t, target] : llvm::enumerate(targets)) {
      bool isTurn = first / kBatch / step % targets.size() == t;
      if (!isTurn && !isNightly())
        continue;
      TargetDescription description(llvm::cantFail(resolveTarget(target)));
      OwningOpRef<ModuleOp> module =
          ModuleOp::create(UnknownLoc::get(context.get()));
      std::vector<Case> cases;
      for (size_t n = first; n < std::min(first + kBatch * step, count);
           n += step)
        cases.push_back(make(HalvesProgram(*module, n, description), n));
      std::vector<Route> routes = {getToolRoute(Strategy::Auto, target)};
      if (isTurn)
        routes.push_back(getReferenceRoute(target));
      if (isTurn && isNightly()) {
        routes.push_back(getToolRoute(Strategy::Scalar, target));
        routes.push_back(getWordsRoute(/*fold=*/false, target));
      }
      checkCases(*module, cases, routes);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

TEST(ExhaustiveQuantizeTest, EveryHalfByScalarsAndThresholds) {
  std::vector<Form> forms = makeForms();
  check(forms.size(), /*step=*/13, [&](HalvesProgram program, size_t n) {
    return program.make(forms[n]);
  });
}

TEST(ExhaustiveQuantizeTest, EveryHalfBySchemes) {
  struct {
    OnlineRule rule;
    SchemeKind kind;
    int64_t planes;
    bool ternary;
  } schemes[] = {{OnlineRule::LeastSquares, SchemeKind::ls, 2, false},
                 {OnlineRule::LeastSquares, SchemeKind::ls, 1, false},
                 {OnlineRule::LeastSquares, SchemeKind::ls, 2, true},
                 {OnlineRule::Greedy, SchemeKind::gf, 1, false},
                 {OnlineRule::Greedy, SchemeKind::gf, 2, false},
                 {OnlineRule::Greedy, SchemeKind::gf, 3, false},
                 {OnlineRule::Greedy, SchemeKind::gf, 4, false},
                 {OnlineRule::TernaryWeights, SchemeKind::twn, 2, true}};
  // The values of a row are near each other in one, and not in the other.
  check(2 * std::size(schemes), /*step=*/7,
        [&](HalvesProgram program, size_t n) {
          auto [rule, kind, planes, ternary] = schemes[n / 2];
          return program.makeOnline(rule, kind, planes, ternary);
        });
}

TEST(ExhaustiveQuantizeTest, EveryHalfBySign) {
  check(1, /*step=*/1,
        [](HalvesProgram program, size_t) { return program.makeSign(); });
}

TEST(ExhaustiveQuantizeTest, EveryHalfAsF16) {
  check(1, /*step=*/1,
        [](HalvesProgram program, size_t) { return program.makeF16(); });
}
