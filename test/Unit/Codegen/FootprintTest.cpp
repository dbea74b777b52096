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

/// A function that writes the elements of `indices`.
std::string write(const std::string &name, const std::vector<int> &indices) {
  std::string text = "func.func @" + name +
                     "(%x: memref<100xf32> {llvm.noalias}, %v: f32, "
                     "%own: memref<64xi8> {llvm.noalias}) {\n";
  for (int index : indices) {
    std::string number = std::to_string(index);
    text += "%c" + number + " = arith.constant " + number + " : index\n" +
            "memref.store %v, %x[%c" + number + "] : memref<100xf32>\n";
  }
  return text + "return\n}\n";
}

TEST(Footprint, ofManyAccesses) {
  DialectRegistry registry;
  bquant::registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto conflict = [&](const std::vector<int> &a, const std::vector<int> &b) {
    auto module =
        parseSourceString<ModuleOp>(write("a", a) + write("b", b), &context);
    auto of = [&](StringRef name) {
      auto func = module->lookupSymbol<func::FuncOp>(name);
      Block &body = func.getBody().front();
      return bquant::Footprint(func, /*own=*/2,
                               llvm::make_range(body.begin(), body.end()));
    };
    return of("a").conflictsWith(of("b"));
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
