//===- ExhaustiveProductTest.cpp - Every pair of codes by every kernel ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers in which every code of the input, of up to 4 planes, meets every code
// of the filter, at every channel but of depthwise ones: half of the rows and
// filters hold one code everywhere, so that a result is a multiple of one
// product; in the others neighbouring channels differ.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "CrossRoute.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

namespace {
/// Planes of scalars of their own, or of one.
using Ratios = std::vector<int64_t>;
struct Kind {
  int64_t planes;
  Ratios ratios;
};

/// Depthwise: a filter of one channel each. Grouped: of 8 channels each.
enum class Form { Matmul, Conv2D, Grouped, Depthwise, FloatMatmul };

class PairsProgram : public Generator {
public:
  using Generator::Generator;

  /// By the kernel number `kernel` of those that can compute it, whose number
  /// becomes `kernels`.
  Case make(Form form, const Kind &input, const Kind &filter, size_t kernel);

  size_t kernels = 0;
  StringRef kernelName;

private:
  Codes makeType(const Kind &kind, Shape shape, bool offset);
  Node makeInput(const Kind &kind, const Shape &shape, bool offset);
  Node makeFilter(const Kind &kind, const Shape &shape, bool offset);
};
} // namespace

/// The code of channel `c` in row `row`: the same in all channels, or not.
static int64_t codeAt(int64_t row, int64_t c, int64_t codes) {
  return (row < codes ? row : row + c) % codes;
}

Codes PairsProgram::makeType(const Kind &kind, Shape shape, bool offset) {
  Codes type;
  type.shape = std::move(shape);
  type.planes = kind.planes;
  type.ratios = kind.ratios;
  // All codes but those of equal ratios have values of their own.
  static constexpr float scalars[] = {1.75f, 0.8f, 0.35f, 0.15f};
  type.scalars.assign(scalars, scalars + type.numScalars());
  if (offset)
    type.offset = {0.6f};
  return type;
}

Node PairsProgram::makeInput(const Kind &kind, const Shape &shape,
                             bool offset) {
  Codes type = makeType(kind, shape, offset);
  int64_t codes = int64_t(1) << kind.planes, channels = shape.back();
  // A cascade does not give every code, ranks do.
  Array x{shape, false, {}, {}}, thresholds{{codes - 1}, false, {}, {}};
  for (int64_t n = 0; n < count(shape); ++n)
    x.floats.push_back(
        float(codeAt(n / channels % (2 * codes), 5 * (n % channels), codes)));
  std::vector<int64_t> table;
  for (int64_t n = 0; n < codes; ++n)
    table.push_back(n);
  for (int64_t n = 1; n < codes; ++n)
    thresholds.floats.push_back(float(n));
  Value scalars = constant({{type.numScalars()}, false, type.scalars, {}});
  Value offsets = offset ? constant({{}, false, type.offset, {}}) : Value();
  return quantizeByThresholds(argument(x), type, scalars, offsets,
                              {constant(thresholds), thresholds, {}}, table);
}

Node PairsProgram::makeFilter(const Kind &kind, const Shape &shape,
                              bool offset) {
  Codes type = makeType(kind, shape, offset);
  int64_t codes = int64_t(1) << kind.planes, each = count(shape) / shape[0];
  for (int64_t n = 0; n < count(shape); ++n)
    type.codes.push_back(
        uint8_t(codeAt(n / each % (2 * codes), 3 * (n % each), codes)));
  return filter(type);
}

Case PairsProgram::make(Form form, const Kind &input, const Kind &filter,
                        size_t kernel) {
  // Offsets by turns.
  bool inputOffset = seed % 3 == 1, filterOffset = seed % 4 == 1;
  int64_t rows = int64_t(2) << input.planes, filters = int64_t(2)
                                                       << filter.planes;
  Node x, y;
  auto multiply = [&](const Shape &filterShape, const Geometry *g) {
    Node f = makeFilter(filter, filterShape, filterOffset);
    bool isInt = form != Form::FloatMatmul && x.codes.numScalars() == 1 &&
                 f.codes.numScalars() == 1 && x.codes.offset.empty() &&
                 f.codes.offset.empty();
    y = g ? conv2d(x, f, *g, isInt) : matmul(x, f, isInt);
  };
  Geometry g;
  constexpr int64_t kChannels = 64;
  switch (form) {
  case Form::Matmul:
    x = makeInput(input, {rows, kChannels}, inputOffset);
    multiply({filters, kChannels}, nullptr);
    break;
  case Form::FloatMatmul: {
    // Integers, whose sums are exact in any order.
    Array floats{{rows, kChannels}, false, {}, {}};
    for (int64_t n = 0; n < rows * kChannels; ++n)
      floats.floats.push_back(float(
          codeAt(n / kChannels, 5 * (n % kChannels), rows / 2) - rows / 4));
    x = argument(floats);
    multiply({filters, kChannels}, nullptr);
    break;
  }
  case Form::Conv2D:
    x = makeInput(input, {1, rows / 2 + 2, 4, kChannels / 2}, inputOffset);
    std::fill_n(g.pads, 4, 1);
    g.padValue = input.planes == 1;
    multiply({filters, 3, 2, kChannels / 2}, &g);
    break;
  case Form::Grouped:
    g.groups = 4;
    x = makeInput(input, {1, rows, 1, 8 * g.groups}, inputOffset);
    multiply({std::max<int64_t>(filters, 16) * g.groups, 1, 1, 8}, &g);
    break;
  case Form::Depthwise:
    g.groups = kChannels;
    g.pads[1] = 1;
    x = makeInput(input, {1, rows, 2, kChannels}, inputOffset);
    multiply({kChannels, 2, 1, 1}, &g);
    break;
  }
  Operation *product = y.value.getDefiningOp();
  std::optional<ProductShape> shape = getProductShape(product);
  SmallVector<KernelAttrInterface> all =
      getKernels(b.getContext(), *shape, target);
  // Those that would not be chosen here.
  for (Attribute attr :
       {Attribute(PopcountAttr::get(b.getContext(), 3, 32, 128, 8)),
        Attribute(packed::BytesAttr::get(b.getContext(), 3, 8, 128, 2)),
        Attribute(packed::BytesAttr::get(b.getContext(), 3, 8, 128, 1))})
    if (auto given = cast<KernelAttrInterface>(attr);
        !shape->floatInput &&
        succeeded(given.verifyProduct(*shape, target, silently)))
      all.push_back(given);
  kernels = all.size();
  kernelName = getKernelName(all[kernel]);
  product->setAttr("kernel", all[kernel]);
  return finish("pairs", {y});
}

static const std::vector<Kind> &getKinds() {
  static const std::vector<Kind> kinds = {
      {4, {8, 4, 2, 1}}, {1, {}},        {2, {}},        {3, {}},
      {4, {}},           {2, {1, 1}},    {2, {2, 1}},    {2, {1, 2}},
      {2, {3, 2}},       {3, {4, 2, 1}}, {3, {1, 1, 1}}, {4, {1, 1, 1, 1}}};
  return kinds;
}

/// By each kernel that can compute them on a target: codes of 4 bits of one
/// scalar, which all kernels take, and at night all kinds.
static void check(const TargetOptions &target, ArrayRef<Form> forms,
                  const Route &route) {
  TargetDescription description(llvm::cantFail(resolveTarget(target)));
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module;
  std::vector<Case> cases;
  auto run = [&] {
    if (!cases.empty())
      checkCases(*module, cases, route);
    cases.clear();
    module = ModuleOp::create(UnknownLoc::get(context.get()));
  };
  run();
  std::map<StringRef, int> layers;
  uint32_t seed = 0;
  size_t kinds = isNightly() ? getKinds().size() : 1;
  for (Form form : forms)
    // A float has no planes.
    for (size_t i = 0; i < (form == Form::FloatMatmul ? 1 : kinds); ++i)
      for (size_t j = 0; j < kinds; ++j) {
        // Other machines and forms take a partner for each kind.
        bool takesAll = !isNightly() || form == Form::FloatMatmul ||
                        (form == Form::Matmul && target.cpu.empty());
        if (!takesAll && (5 * i + j) % kinds != size_t(form))
          continue;
        size_t kernels = 1;
        for (size_t kernel = 0; kernel < kernels; ++kernel) {
          PairsProgram program(*module, seed++, description);
          Case layer = program.make(form, getKinds()[i], getKinds()[j], kernel);
          kernels = program.kernels;
          // By day these are for kernels of their own.
          if (form != Form::Matmul && !isNightly() &&
              layers.count(program.kernelName)) {
            module->lookupSymbol(layer.name)->erase();
            continue;
          }
          cases.push_back(std::move(layer));
          ++layers[program.kernelName];
        }
        if (cases.size() >= 12)
          run();
        if (testing::Test::HasFatalFailure())
          return;
      }
  run();
  for (auto [kernel, number] : layers)
    llvm::outs() << kernel << ": " << number << " layers  ";
  llvm::outs() << "\n";
  EXPECT_TRUE(layers.count("popcount") && layers.count("scalar"));
  EXPECT_EQ(layers.count("table"), description.tableBits > 0);
  EXPECT_EQ(layers.count("bytes"), description.hasByteDotProducts ||
                                       description.bytePairBits > 0 ||
                                       description.multipliesSignedBytes);
  EXPECT_EQ(layers.count("sum_table"), description.lanePermuteBits > 0);
  EXPECT_TRUE(layers.count("octets") && layers.count("depthwise") &&
              layers.count("fma"));
}

static constexpr Form kAllForms[] = {Form::Matmul, Form::Grouped,
                                     Form::Depthwise, Form::FloatMatmul,
                                     Form::Conv2D};

TEST(ExhaustiveProductTest, EveryPairOfCodesHere) {
  ArrayRef<Form> forms = kAllForms;
  check({}, isNightly() ? forms : forms.drop_back(),
        getToolRoute(Strategy::Auto));
}

TEST(ExhaustiveProductTest, EveryPairOfCodesOnOlderCPUs) {
  if (!isNightly())
    GTEST_SKIP() << "nightly";
  std::vector<TargetOptions> targets = getTargets();
  for (const TargetOptions &target : ArrayRef(targets).drop_front())
    check(target, kAllForms, getToolRoute(Strategy::Auto, target));
}

TEST(ExhaustiveProductTest, EveryPairOfCodesOnAArch64) {
  if (!isNightly())
    GTEST_SKIP() << "nightly";
  if (std::string missing = getMissingCrossTool(); !missing.empty()) {
    ASSERT_FALSE(std::getenv("BQUANT_REQUIRE_CROSS")) << missing;
    GTEST_SKIP() << "expected " << missing << ", but got none";
  }
  constexpr const char *kTriple = "aarch64-linux-gnu";
  for (const TargetOptions &target :
       {TargetOptions{kTriple, "cortex-a53", ""},
        TargetOptions{kTriple, "neoverse-n1", ""},
        TargetOptions{kTriple, "neoverse-n1", "+i8mm"}})
    check(target, kAllForms, getCrossRoute(Strategy::Auto, target));
}

// Integers of bf16 and their sums are exact in any order.
TEST(ExhaustiveProductTest, EveryPairOfBF16Integers) {
  TargetDescription host(llvm::cantFail(resolveTarget({})));
  if (!host.hasBF16DotProducts)
    GTEST_SKIP() << "no dot products of bf16";
  constexpr int64_t kValues = 31, kRows = 2 * kValues, kChannels = 64;
  auto valueAt = [](int64_t row, int64_t c) {
    return float(codeAt(row, c, kValues) - kValues / 2);
  };
  std::unique_ptr<MLIRContext> context = makeContext();
  Array x{{kRows, kChannels}, false, {}, {}},
      w{{kChannels, kRows}, false, {}, {}};
  for (int64_t m = 0; m < kRows; ++m)
    for (int64_t c = 0; c < kChannels; ++c)
      x.floats.push_back(valueAt(m, 5 * c));
  for (int64_t c = 0; c < kChannels; ++c)
    for (int64_t n = 0; n < kRows; ++n)
      w.floats.push_back(valueAt(n, 3 * c));
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<62x64xf32>) -> tensor<62x62xf32> {
      %w = arith.constant dense<0.0> : tensor<64x62xf32>
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<62x62xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<62x62xf32>)
          -> tensor<62x62xf32>
      %y = linalg.matmul ins(%x, %w : tensor<62x64xf32>, tensor<64x62xf32>)
          outs(%init : tensor<62x62xf32>) -> tensor<62x62xf32>
      return %y : tensor<62x62xf32>
    })",
                                            context.get());
  ASSERT_TRUE(module);
  module->walk([&](arith::ConstantOp op) {
    if (auto type = dyn_cast<RankedTensorType>(op.getType()))
      op.setValueAttr(DenseElementsAttr::get(type, ArrayRef<float>(w.floats)));
  });
  Case program{"f", 0, {x}, {test::matmul(x, w, /*fused=*/false)}};
  checkCases(
      *module, program,
      getToolRoute(Strategy::Auto, {}, /*threads=*/1, FloatPrecision::BF16));
}
