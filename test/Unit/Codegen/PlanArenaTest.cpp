//===- PlanArenaTest.cpp - Buffers that live together share no byte -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Compiler/Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;

namespace {

struct Buffer {
  int64_t bytes, first, last;
};

/// A function with one operation a moment, which touches the buffers whose life
/// begins or ends there.
std::string write(const std::vector<Buffer> &buffers, int64_t moments) {
  std::string text = "func.func @f() {\n";
  auto type = [](const Buffer &buffer) {
    return "memref<" + std::to_string(buffer.bytes) + "xi8>";
  };
  for (size_t i = 0; i < buffers.size(); ++i)
    text += "%b" + std::to_string(i) +
            " = memref.alloc() : " + type(buffers[i]) + "\n";
  for (int64_t moment = 0; moment < moments; ++moment) {
    std::string operands, types;
    for (size_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].first == moment || buffers[i].last == moment) {
        operands += (operands.empty() ? "%b" : ", %b") + std::to_string(i);
        types += (types.empty() ? "" : ", ") + type(buffers[i]);
      }
    text += "\"test.use\"(" + operands + ") : (" + types + ") -> ()\n";
  }
  return text + "return\n}\n";
}

TEST(PlanArenaTest, RandomLives) {
  DialectRegistry registry;
  bquant::registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    auto draw = [&](int64_t from, int64_t to) {
      return std::uniform_int_distribution<int64_t>(from, to)(random);
    };
    int64_t moments = draw(1, 12);
    std::vector<Buffer> buffers(draw(1, 15));
    int64_t sum = 0;
    for (Buffer &buffer : buffers) {
      buffer.bytes = draw(1, 300);
      buffer.first = draw(0, moments - 1);
      buffer.last = draw(buffer.first, moments - 1);
      sum += (buffer.bytes + 63) / 64 * 64;
    }

    auto module =
        parseSourceString<ModuleOp>(write(buffers, moments), &context);
    ASSERT_TRUE(module);
    PassManager pm(&context);
    pm.nest<func::FuncOp>().addPass(bquant::createPlanArena());
    ASSERT_TRUE(succeeded(pm.run(*module)));

    auto function = *module->getOps<func::FuncOp>().begin();
    int64_t total =
        function->getAttrOfType<IntegerAttr>("bquant.arena_bytes").getInt();
    // Each view by the buffer it stands for: in their order.
    std::vector<int64_t> offsets;
    function.walk([&](memref::ViewOp view) {
      llvm::APInt offset;
      ASSERT_TRUE(matchPattern(view.getByteShift(), m_ConstantInt(&offset)));
      offsets.push_back(offset.getSExtValue());
    });
    ASSERT_EQ(offsets.size(), buffers.size());

    int64_t most = 0;
    for (int64_t moment = 0; moment < moments; ++moment) {
      int64_t live = 0;
      for (const Buffer &buffer : buffers)
        if (buffer.first <= moment && moment <= buffer.last)
          live += buffer.bytes;
      most = std::max(most, live);
    }
    EXPECT_GE(total, most);
    EXPECT_LE(total, sum);
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_EQ(offsets[i] % 64, 0);
      EXPECT_LE(offsets[i] + buffers[i].bytes, total);
      for (size_t j = 0; j < i; ++j) {
        bool together = buffers[i].first <= buffers[j].last &&
                        buffers[j].first <= buffers[i].last;
        bool apart = offsets[i] + buffers[i].bytes <= offsets[j] ||
                     offsets[j] + buffers[j].bytes <= offsets[i];
        EXPECT_TRUE(!together || apart) << i << " and " << j;
      }
    }
  }
}

} // namespace
