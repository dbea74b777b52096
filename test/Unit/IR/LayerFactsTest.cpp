//===- LayerFactsTest.cpp - What is written into a module of its layers --===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "Dialect/BQuant/Analysis/Layers.h"
#include "bquant/Compiler/Compiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
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

TEST_F(LayerFactsTest, WhatOperationsAndTheirCallerSay) {
  OwningOpRef<ModuleOp> module = parse(1);
  ASSERT_TRUE(module);
  std::vector<LayerFacts> binary = describeLayers(
      *module, /*reference=*/false, [](Operation *op, LayerFacts &facts) {
        EXPECT_EQ(op->getName().getStringRef(), "bquant.matmul");
        facts.kernel = "popcount<rows = 7>";
      });
  ASSERT_EQ(binary.size(), 1u);
  EXPECT_EQ(binary[0].function, "f0");
  EXPECT_EQ(binary[0].location, "-:3:8");
  EXPECT_EQ(binary[0].operation, "matmul");
  EXPECT_EQ(binary[0].operands, "2x40, 2 planes by 3x40, 1 plane");
  EXPECT_EQ(binary[0].result, "2x3 f32");
  EXPECT_EQ(binary[0].macs, 2 * 3 * 40 * 2);
  EXPECT_EQ(binary[0].weightBytes, 0);
  EXPECT_EQ(binary[0].arithmetic, LayerArithmetic::Binary);
  EXPECT_EQ(binary[0].kernel, "popcount<rows = 7>");
  std::vector<LayerFacts> reference =
      describeLayers(*module, /*reference=*/true);
  ASSERT_EQ(reference.size(), 1u);
  EXPECT_EQ(reference[0].arithmetic, LayerArithmetic::Reference);
  EXPECT_TRUE(reference[0].isBinary());
  EXPECT_EQ(reference[0].kernel, "");
}

TEST_F(LayerFactsTest, AModuleKeepsEachField) {
  OwningOpRef<ModuleOp> module = parse(1);
  ASSERT_TRUE(module);
  EXPECT_TRUE(takeLayerFacts(*module).empty());
  LayerFacts full, empty;
  full.function = "f";
  full.location = "conv1";
  full.operation = "conv_2d";
  full.operands = "1x8x8x64, 1 plane by 64x3x3x64, 1 plane";
  full.result = "1x6x6x64 f32";
  full.arithmetic = LayerArithmetic::FloatByBinary;
  full.thresholds = true;
  full.macs = 1327104;
  full.weightBytes = 4864;
  full.kernel = "popcount<rows = 7, channels = 32>";
  full.layout = "words";
  full.tile = {7, 32};
  full.estimatedCycles = 5000;
  full.limitCycles = 4000;
  setLayerFacts(*module, {full, empty});
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  std::vector<LayerFacts> read = takeLayerFacts(*parsed);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].function, full.function);
  EXPECT_EQ(read[0].location, full.location);
  EXPECT_EQ(read[0].operation, full.operation);
  EXPECT_EQ(read[0].operands, full.operands);
  EXPECT_EQ(read[0].result, full.result);
  EXPECT_EQ(read[0].arithmetic, full.arithmetic);
  EXPECT_EQ(read[0].thresholds, full.thresholds);
  EXPECT_EQ(read[0].macs, full.macs);
  EXPECT_EQ(read[0].weightBytes, full.weightBytes);
  EXPECT_EQ(read[0].kernel, full.kernel);
  EXPECT_EQ(read[0].layout, full.layout);
  ASSERT_TRUE(read[0].tile);
  EXPECT_EQ(read[0].tile->rows, full.tile->rows);
  EXPECT_EQ(read[0].tile->channels, full.tile->channels);
  EXPECT_EQ(read[0].estimatedCycles, full.estimatedCycles);
  EXPECT_EQ(read[0].limitCycles, full.limitCycles);
  EXPECT_EQ(read[1].function, "");
  EXPECT_FALSE(read[1].thresholds);
  EXPECT_FALSE(read[1].tile);
  EXPECT_FALSE(read[1].estimatedCycles);
  EXPECT_TRUE(takeLayerFacts(*parsed).empty());
}

TEST_F(LayerFactsTest, WhatElseHasTheName) {
  auto module = parseSourceString<ModuleOp>(
      "module attributes {bquant.layers = [1, {macs = 3 : ui8, op = 2, "
      "tile = array<i64: 1>, function = \"f\"}]} {}",
      &context);
  ASSERT_TRUE(module);
  std::vector<LayerFacts> read = takeLayerFacts(*module);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].function, "f");
  EXPECT_EQ(read[0].macs, 0);
  EXPECT_FALSE(read[0].tile);
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
