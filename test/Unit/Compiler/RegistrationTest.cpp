//===- RegistrationTest.cpp - What the compiler knows of MLIR -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Compiler.h"
#include "bquant/InitAll.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {
std::string print(mlir::PassManager &pm) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  return text;
}

/// Upstream's passes are registered one by one: one that a stage has and
/// `registerUpstreamPasses` has not could not be named in a pipeline.
TEST(Registration, KnowsEachPassOfTheRoutes) {
  registerUpstreamPasses();
  registerAllPasses();
  mlir::MLIRContext context;
  for (llvm::ArrayRef<Stage> stages : {getStages(), getReferenceStages()})
    for (int threads : {1, 2}) {
      RouteOptions options;
      options.threads = threads;
      mlir::PassManager built(&context), parsed(&context);
      ASSERT_TRUE(buildRoute(built, stages, options));
      std::string text = print(built), message;
      llvm::StringRef passes = text;
      ASSERT_TRUE(passes.consume_front("any(") && passes.consume_back(")"));
      llvm::raw_string_ostream os(message);
      EXPECT_TRUE(mlir::succeeded(mlir::parsePassPipeline(passes, parsed, os)))
          << message;
      EXPECT_EQ(parsed.size(), built.size());
    }
}

/// The dialects that a pass makes are all there before one is loaded, since a
/// pass that runs on functions in several threads can load none.
TEST(Registration, KnowsTheDialectsOfTheRoutes) {
  mlir::DialectRegistry known, needed;
  registerCompilerDialects(known);
  mlir::MLIRContext context;
  for (llvm::ArrayRef<Stage> stages : {getStages(), getReferenceStages()}) {
    mlir::PassManager pm(&context);
    ASSERT_TRUE(buildRoute(pm, stages, {}));
    pm.getDependentDialects(needed);
  }
  for (llvm::StringRef name : needed.getDialectNames())
    EXPECT_TRUE(known.getDialectAllocator(name)) << name.str();
}
} // namespace
