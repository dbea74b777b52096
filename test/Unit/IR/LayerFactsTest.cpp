//===- LayerFactsTest.cpp - Layers that are published, and who listens ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "Dialect/BQuant/Analysis/Layers.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace bquant;

namespace {
class LayerFactsTest : public ::testing::Test {
protected:
  static DialectRegistry createRegistry() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  /// Functions f0, f1, ... with a product each.
  OwningOpRef<ModuleOp> parse(int functions) {
    std::string text;
    for (int i = 0; i < functions; ++i)
      text += llvm::formatv(
          "func.func @f{0}(%x: !bquant.tensor<2x40, 2>,\n"
          "    %w: !bquant.tensor<3x40, 1, axes = [0]>) {{\n"
          "  %y = bquant.matmul %x, %w : (!bquant.tensor<2x40, 2>,\n"
          "      !bquant.tensor<3x40, 1, axes = [0]>) -> tensor<2x3xf32>\n"
          "  return\n"
          "}\n",
          i);
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context{createRegistry()};
};

TEST_F(LayerFactsTest, NothingIsComputedWhereNobodyListens) {
  OwningOpRef<ModuleOp> module = parse(1);
  ASSERT_TRUE(module);
  int computed = 0;
  auto count = [&](Operation *, LayerFacts &) { ++computed; };
  publishLayers(*module, /*reference=*/false, count);
  EXPECT_EQ(computed, 0);
  {
    ScopedLayerListener listener(&context, [](Location, const LayerFacts &) {});
    publishLayers(*module, /*reference=*/false, count);
  }
  EXPECT_EQ(computed, 1);
  publishLayers(*module, /*reference=*/false, count);
  EXPECT_EQ(computed, 1);
}

TEST_F(LayerFactsTest, WhatOperationsAndTheirCallerSay) {
  OwningOpRef<ModuleOp> module = parse(1);
  ASSERT_TRUE(module);
  std::vector<LayerFacts> heard;
  ScopedLayerListener listener(&context,
                               [&](Location loc, const LayerFacts &facts) {
                                 EXPECT_TRUE(isa<FileLineColLoc>(loc));
                                 heard.push_back(facts);
                               });
  publishLayers(*module, /*reference=*/false,
                [](Operation *op, LayerFacts &facts) {
                  EXPECT_EQ(op->getName().getStringRef(), "bquant.matmul");
                  facts.kernel = "popcount<rows = 7>";
                  facts.tile = {7, 32};
                });
  publishLayers(*module, /*reference=*/true);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].function, "f0");
  EXPECT_EQ(heard[0].operation, "matmul");
  EXPECT_EQ(heard[0].operands, "2x40, 2 planes by 3x40, 1 plane");
  EXPECT_EQ(heard[0].result, "2x3 f32");
  EXPECT_EQ(heard[0].macs, 2 * 3 * 40 * 2);
  EXPECT_EQ(heard[0].weightBytes, 0);
  EXPECT_EQ(heard[0].arithmetic, LayerArithmetic::Binary);
  EXPECT_EQ(heard[0].kernel, "popcount<rows = 7>");
  ASSERT_TRUE(heard[0].tile);
  EXPECT_EQ(heard[0].tile->channels, 32);
  EXPECT_FALSE(heard[0].estimatedCycles);
  EXPECT_EQ(heard[1].arithmetic, LayerArithmetic::Reference);
  EXPECT_TRUE(heard[1].isBinary());
  EXPECT_EQ(heard[1].kernel, "");
}

TEST_F(LayerFactsTest, TheInnermostListens) {
  OwningOpRef<ModuleOp> module = parse(1);
  ASSERT_TRUE(module);
  int outer = 0, inner = 0;
  ScopedLayerListener first(&context,
                            [&](Location, const LayerFacts &) { ++outer; });
  {
    ScopedLayerListener second(&context,
                               [&](Location, const LayerFacts &) { ++inner; });
    publishLayers(*module, /*reference=*/false);
  }
  publishLayers(*module, /*reference=*/false);
  EXPECT_EQ(outer, 1);
  EXPECT_EQ(inner, 1);
}

TEST_F(LayerFactsTest, PassesOnManyFunctions) {
  constexpr int functions = 200;
  OwningOpRef<ModuleOp> module = parse(functions);
  ASSERT_TRUE(module);
  std::vector<std::string> names; // Nothing protects it but the interface.
  ScopedLayerListener listener(&context,
                               [&](Location, const LayerFacts &facts) {
                                 names.push_back(facts.function);
                               });
  PassManager pm(&context);
  pm.addPass(createSelectKernels());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  EXPECT_EQ(names.size(), size_t(functions));
}

TEST(LayerArithmeticTest, Names) {
  for (auto arithmetic :
       {LayerArithmetic::Binary, LayerArithmetic::FloatByBinary,
        LayerArithmetic::Float, LayerArithmetic::Integer,
        LayerArithmetic::Reference})
    EXPECT_EQ(symbolizeLayerArithmetic(stringifyLayerArithmetic(arithmetic)),
              arithmetic);
  EXPECT_FALSE(symbolizeLayerArithmetic("bits"));
}
} // namespace
