//===- FoldTest.cpp - Folded programs equal unfolded ones in every bit ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random chains between a product, a float, a sum of both or a pool and a
// quantize. The unfolded program goes the reference route; the folded one goes
// the others, and the tools' own compiler folds and compiles some of them in
// one go. Inputs are floats of every class and the neighbours of every
// threshold that the fold found; all that is folded is interpreted, too, around
// each threshold of each channel.
//
//   BQUANT_FOLD_SEED=17 bin/BQuantPropertyTests --gtest_filter=Fold*
//
// runs one program again and prints it, folded; BQUANT_FOLD_PROGRAMS=10000
// makes a long run.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/IR/RawElements.h"
#include "FoldPrograms.h"
#include "Routes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

/// Programs in a module, since a module costs more than a function.
static constexpr uint32_t kBatch = 50;
/// One batch of so many goes the way of the tools, too.
static constexpr uint32_t kToolBatches = 10;

namespace {
/// What became of the programs.
struct Tally {
  int programs = 0, folded = 0, integers = 0, views = 0, sums = 0, cascades = 0;
  int64_t values = 0;
};
} // namespace

/// Puts neighbours of the float thresholds of a function into its argument y:
/// where that is the source, they are hit.
static void aim(func::FuncOp function, Array &y) {
  int64_t columns = y.shape[1], row = 0;
  function.walk([&](QuantizeOp op) {
    auto constant = op.getThresholds()
                        ? op.getThresholds().getDefiningOp<arith::ConstantOp>()
                        : arith::ConstantOp();
    if (!constant || !op.getInput().getType().getElementType().isF32())
      return;
    SmallVector<float> values =
        getFloatValues(cast<ElementsAttr>(constant.getValue()));
    // A row of thresholds for each channel; if there are others than columns
    // (a view), each column sees all.
    ArrayRef<int64_t> shape = op.getThresholds().getType().getShape();
    bool perColumn = shape.size() == 2 && shape[0] == columns;
    int64_t n = perColumn ? shape[1] : int64_t(values.size());
    for (int64_t i = 0; i < n; ++i)
      for (int side : {0, 1, 2})
        for (float sign : {1.0f, -1.0f}) {
          if (row == y.shape[0])
            return;
          for (int64_t c = 0; c < columns; ++c) {
            float t = values[perColumn ? c * n + i : i];
            float x = side == 0   ? t
                      : side == 1 ? std::nextafter(t, -INFINITY)
                                  : std::nextafter(t, INFINITY);
            y.floats[row * columns + c] = sign * x;
          }
          ++row;
        }
  });
}

static std::vector<Array> blank(const FoldProgram &program) {
  std::vector<Array> arrays;
  for (const Shape &shape : program.getResults()) {
    arrays.emplace_back();
    arrays.back().shape = shape;
    arrays.back().floats.assign(count(shape), -12345.678f);
  }
  return arrays;
}

/// What differs, or nothing. All NaN are alike.
static std::string compare(const std::vector<Array> &expected,
                           const std::vector<Array> &got) {
  for (auto [result, pair] : llvm::enumerate(llvm::zip_equal(expected, got))) {
    auto &[a, b] = pair;
    for (auto [i, x, y] : llvm::enumerate(a.floats, b.floats))
      if (llvm::bit_cast<uint32_t>(x) != llvm::bit_cast<uint32_t>(y) &&
          !(std::isnan(x) && std::isnan(y)))
        return "result " + std::to_string(result) + ", element " +
               std::to_string(i) + ": expected " + std::to_string(x) +
               ", but got " + std::to_string(y);
  }
  return "";
}

static void runBatch(MLIRContext &context, std::vector<FoldProgram> programs,
                     bool tools, Tally &tally) {
  std::string text;
  for (FoldProgram &program : programs)
    text += program.getText();
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  OwningOpRef<ModuleOp> after = module->clone();
  PassManager pm(&context);
  FoldSignCascadesOptions options;
  options.verifyFolding = true;
  pm.addPass(createFoldSignCascades(options));
  ASSERT_TRUE(succeeded(pm.run(*after))) << text;
  after->walk([&](QuantizeOp op) {
    if (!op.getThresholds())
      return void(++tally.cascades);
    ++tally.folded;
    tally.integers += op.getInput().getType().getElementType().isInteger(32);
    tally.sums += isa_and_nonnull<linalg::AddOp>(op.getInput().getDefiningOp());
    tally.views +=
        isa_and_nonnull<linalg::TransposeOp, tensor::CollapseShapeOp,
                        tensor::ExtractSliceOp>(op.getInput().getDefiningOp());
  });

  if (programs.size() == 1)
    llvm::outs() << *module << *after;

  // The inputs, and what the unfolded program makes of them.
  auto reference = getReferenceRoute().compile(module->clone());
  ASSERT_TRUE(bool(reference)) << llvm::toString(reference.takeError());
  std::vector<std::vector<Array>> inputs, expected;
  for (FoldProgram &program : programs) {
    inputs.push_back(program.makeInputs());
    aim(after->lookupSymbol<func::FuncOp>(program.getName()), inputs.back()[1]);
    expected.push_back(blank(program));
    ASSERT_FALSE(bool(
        (*reference)->call(program.getName(), inputs.back(), expected.back())));
  }
  std::vector<std::pair<Route, ModuleOp>> routes = {{getWordsRoute(), *after}};
  if (tools) {
    routes.push_back({getReferenceRoute(), *after});
    for (const Route &route : getFastRoutes())
      routes.push_back({route, *module});
  }
  for (auto &[route, source] : routes) {
    auto compiled = route.compile(source.clone());
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    for (size_t n = 0; n < programs.size(); ++n) {
      std::string name = programs[n].getName();
      std::vector<Array> got = blank(programs[n]);
      ASSERT_FALSE(bool((*compiled)->call(name, inputs[n], got)));
      for (const Array &array : got)
        tally.values += count(array.shape);
      std::string difference = compare(expected[n], got);
      if (difference.empty())
        continue;
      std::string before, folded;
      llvm::raw_string_ostream(before) << *module->lookupSymbol(name);
      llvm::raw_string_ostream(folded) << *after->lookupSymbol(name);
      FAIL() << route.name << ", seed " << programs[n].seed << ", "
             << difference << "\n"
             << before << folded;
    }
  }
  tally.programs += int(programs.size());
}

TEST(FoldTest, FoldedEqualsUnfolded) {
  uint32_t first = 0, last = 600;
  if (const char *number = std::getenv("BQUANT_FOLD_PROGRAMS"))
    last = uint32_t(std::atoll(number));
  const char *seed = std::getenv("BQUANT_FOLD_SEED");
  if (seed) {
    first = uint32_t(std::atoll(seed));
    last = first + 1;
  }
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Tally tally;
  for (uint32_t start = first; start < last && !HasFatalFailure();
       start += kBatch) {
    std::vector<FoldProgram> programs;
    for (uint32_t n = start; n < std::min(start + kBatch, last); ++n)
      programs.emplace_back(n);
    bool tools = seed || start / kBatch % kToolBatches == 0;
    runBatch(context, std::move(programs), tools, tally);
  }
  llvm::outs() << "folded equals unfolded: " << tally.programs << " programs, "
               << tally.folded << " quantizes folded (" << tally.integers
               << " of an integer, " << tally.sums << " of a sum of two, "
               << tally.views << " of a view), " << tally.cascades << " not; "
               << tally.values << " values compared\n";
  if (seed)
    return;
  // Most have folded, and in every way.
  EXPECT_GT(tally.folded * 10, tally.programs * 6);
  EXPECT_GT(tally.integers * 10, tally.programs * 2);
  EXPECT_GT((tally.folded - tally.integers) * 10, tally.programs * 2);
  EXPECT_GT(tally.views * 20, tally.programs);
  EXPECT_GT(tally.sums * 200, tally.programs);
}
