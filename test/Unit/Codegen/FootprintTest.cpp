//===- FootprintTest.cpp - Of many accesses, a box around all -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Layers/Footprint.h"
#include "bquant/Compiler/Compiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// A layer that writes the elements of `indices`.
std::string write(const std::vector<int> &indices) {
  std::string text = "bquant_packed.layer \"l\" ins(%w = %v : f32) "
                     "outs(%o = %x : memref<100xf32>) {\n";
  for (int index : indices) {
    std::string number = std::to_string(index);
    text += "%c" + number + " = arith.constant " + number + " : index\n" +
            "memref.store %w, %o[%c" + number + "] : memref<100xf32>\n";
  }
  return text + "}\n";
}

/// Whether layers that write these elements have to wait for each other, where
/// more than `mostBoxes` become their hull.
bool conflict(const std::vector<int> &a, const std::vector<int> &b,
              size_t mostBoxes) {
  DialectRegistry registry;
  bquant::registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(
      "func.func @f(%x: memref<100xf32>, %v: f32) {\n" + write(a) + write(b) +
          "return\n}\n",
      &context);
  Operation *first =
      &module->lookupSymbol<func::FuncOp>("f").getBody().front().front();
  return bquant::Footprint(first, mostBoxes)
      .conflictsWith(bquant::Footprint(first->getNextNode(), mostBoxes));
}

TEST(Footprint, ofManyAccesses) {
  constexpr size_t kMostBoxes = 32;
  // Every second element. Of a few, each is known; of more, none is forgotten.
  std::vector<int> few, many;
  for (int index = 5; index <= 93; index += 2) {
    if (index < 50)
      few.push_back(index);
    many.push_back(index);
  }
  for (int index = 0; index < 100; ++index) {
    SCOPED_TRACE(index);
    EXPECT_EQ(conflict(few, {index}, kMostBoxes),
              llvm::is_contained(few, index));
    if (llvm::is_contained(many, index))
      EXPECT_TRUE(conflict(many, {index}, kMostBoxes));
    else if (index < 5 || index > 93)
      EXPECT_FALSE(conflict(many, {index}, kMostBoxes));
  }
}

TEST(Footprint, ofNeighbours) {
  // First to last, last to first, and such that two boxes become one by what is
  // between them: 60 elements that are two boxes.
  std::vector<int> up, down, between;
  for (int index = 10; index < 50; ++index)
    up.push_back(index);
  for (int index = 60; index < 80; ++index)
    up.push_back(index);
  down.assign(up.rbegin(), up.rend());
  for (int first : {0, 1})
    for (size_t i = first; i < up.size(); i += 2)
      between.push_back(up[i]);
  for (int index = 0; index < 100; ++index) {
    SCOPED_TRACE(index);
    bool expected = llvm::is_contained(up, index);
    EXPECT_EQ(conflict(up, {index}, 2), expected);
    EXPECT_EQ(conflict(down, {index}, 2), expected);
    EXPECT_EQ(conflict(between, {index}, 32), expected);
  }
}

} // namespace
