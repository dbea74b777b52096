//===- FootprintTest.cpp - Of many accesses, a box around all -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Footprint.h"
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

TEST(Footprint, ofManyAccesses) {
  DialectRegistry registry;
  bquant::registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto conflict = [&](const std::vector<int> &a, const std::vector<int> &b) {
    auto module = parseSourceString<ModuleOp>(
        "func.func @f(%x: memref<100xf32>, %v: f32) {\n" + write(a) + write(b) +
            "return\n}\n",
        &context);
    Operation *first =
        &module->lookupSymbol<func::FuncOp>("f").getBody().front().front();
    return bquant::Footprint(first).conflictsWith(
        bquant::Footprint(first->getNextNode()));
  };
  // Every second element. Of a few, each is known; of more, none is forgotten.
  std::vector<int> few, many;
  for (int index = 5; index <= 93; index += 2) {
    if (index < 50)
      few.push_back(index);
    many.push_back(index);
  }
  for (int index = 0; index < 100; ++index) {
    SCOPED_TRACE(index);
    EXPECT_EQ(conflict(few, {index}), llvm::is_contained(few, index));
    if (llvm::is_contained(many, index))
      EXPECT_TRUE(conflict(many, {index}));
    else if (index < 5 || index > 93)
      EXPECT_FALSE(conflict(many, {index}));
  }
}

} // namespace
