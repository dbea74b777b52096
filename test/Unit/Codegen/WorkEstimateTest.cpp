//===- WorkEstimateTest.cpp - The time of code, by its operations ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Layers/WorkEstimate.h"
#include "bquant/Compiler/Compiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

struct Case {
  const char *body;
  /// As many as this are operations on one register.
  double operations;
};

const Case cases[] = {
    {"arith.addf %v, %v : vector<8xf32>", 1},
    {"arith.addf %w, %w : vector<64xf32>", 8},
    {"arith.addi %k, %k : vector<8xindex>", 2},
    {"arith.extf %h : vector<16xf16> to vector<16xf32>", 2},
    {"arith.truncf %w : vector<64xf32> to vector<64xf16>", 8},
    {"arith.addi %n, %n : index", 1},
    {"memref.load %m[%n, %n] : memref<4x100xf32>", 1},
    // What has no code of its own.
    {"arith.constant 1.0 : f32", 0},
    {"memref.collapse_shape %m [[0, 1]] : memref<4x100xf32> into "
     "memref<400xf32>",
     0},
    // What works on whole buffers, as far as these are known.
    {"memref.copy %m, %m : memref<4x100xf32> to memref<4x100xf32>", 400},
    {"memref.copy %d, %d : memref<?xf32> to memref<?xf32>", 1},
    // Loops, in all their dimensions.
    {"scf.for %i = %c0 to %c10 step %c3 {\n"
     "  %a = arith.addf %v, %v : vector<8xf32>\n"
     "  %b = arith.addf %w, %w : vector<64xf32>\n"
     "}",
     4 * 9},
    {"scf.for %i = %cm3 to %c10 step %c1 {\n"
     "  %a = arith.addf %v, %v : vector<8xf32>\n"
     "}",
     13},
    {"scf.forall (%i, %j) in (5, 7) {\n"
     "  scf.for %k1 = %c0 to %c10 step %c1 {\n"
     "    %a = arith.addf %v, %v : vector<8xf32>\n"
     "  }\n"
     "}",
     350},
    {"scf.for %i = %c0 to %n step %c1 {\n"
     "  %a = arith.addf %v, %v : vector<8xf32>\n"
     "}",
     1},
};

TEST(WorkEstimate, countsOperations) {
  DialectRegistry registry;
  bquant::registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  double one = 0;
  for (auto [body, operations] : cases) {
    SCOPED_TRACE(body);
    auto module = parseSourceString<ModuleOp>(
        "func.func @f(%v: vector<8xf32>, %w: vector<64xf32>,\n"
        "    %k: vector<8xindex>, %h: vector<16xf16>,\n"
        "    %m: memref<4x100xf32>, %d: memref<?xf32>, %n: index) {\n"
        "%cm3 = arith.constant -3 : index\n"
        "%c0 = arith.constant 0 : index\n"
        "%c1 = arith.constant 1 : index\n"
        "%c3 = arith.constant 3 : index\n"
        "%c10 = arith.constant 10 : index\n" +
            std::string(body) + "\nreturn\n}\n",
        &context);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    Operation *last = function.getBody().front().getTerminator()->getPrevNode();
    if (one == 0)
      one = bquant::estimateNanoseconds(last);
    EXPECT_DOUBLE_EQ(bquant::estimateNanoseconds(function), operations * one);
  }
  // Some machines do one in the tenth of a nanosecond, none needs a whole one.
  EXPECT_GT(one, 0.03);
  EXPECT_LT(one, 1);
}

} // namespace
