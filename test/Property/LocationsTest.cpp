//===- LocationsTest.cpp - Code does not depend on debug locations --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object code of random programs, where locations are stripped or drawn
// anew before each stage. Names of symbols may follow from them, and nothing
// else.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Generator.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Pipelines/Pipelines.h"
#include "bquant/Target/ModuleTarget.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
/// What becomes of the locations of a module, where a stage begins.
using Relocate = llvm::function_ref<void(ModuleOp)>;

/// Code and constants of objects, each section by its name.
using Sections = std::map<std::string, std::string>;

Sections getSections(const Objects &objects) {
  Sections sections;
  for (const std::unique_ptr<llvm::MemoryBuffer> &buffer : objects) {
    auto object =
        llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*buffer));
    for (llvm::object::SectionRef section : object->sections())
      if (section.isText() || section.isData())
        sections[llvm::cantFail(section.getName()).str()] +=
            llvm::cantFail(section.getContents()).str();
  }
  return sections;
}

/// By the whole route, stage by stage. Import may name what it makes.
Sections compile(ModuleOp original, const Target &target, int threads,
                 Relocate relocate) {
  OwningOpRef<ModuleOp> module = original.clone();
  RouteOptions options;
  options.threads = threads;
  for (auto [i, stage] : llvm::enumerate(getStages())) {
    if (i > 0)
      relocate(*module);
    PassManager pm(module->getContext());
    stage.build(pm, options);
    if (failed(pm.run(*module)))
      return {};
  }
  return getSections(llvm::cantFail(compileObjects(Version{*module, target})));
}

void check(uint32_t first, int number, Case (Generator::*make)()) {
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Target target = llvm::cantFail(resolveTarget({}));
  TargetDescription description(target);
  std::mt19937 random(first);
  auto name = [&](ModuleOp module) {
    module.walk([&](Operation *op) {
      op->setLoc(NameLoc::get(
          StringAttr::get(&context, "layer" + std::to_string(random() % 5))));
    });
  };
  auto strip = [&](ModuleOp module) {
    module.walk([&](Operation *op) { op->setLoc(UnknownLoc::get(&context)); });
  };
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  if (isNightly())
    number *= 5;
  for (int i = 0; i < number; ++i)
    (void)(Generator(*module, first + i, description).*make)();
  setModuleTarget(*module, target);
  for (int threads : {1, 3}) {
    SCOPED_TRACE(threads);
    Sections sections = compile(*module, target, threads, [](ModuleOp) {});
    EXPECT_FALSE(sections[".text"].empty());
    EXPECT_TRUE(sections == compile(*module, target, threads, strip));
    EXPECT_TRUE(sections == compile(*module, target, threads, name));
  }
}
} // namespace

TEST(LocationsTest, Layers) { check(1, 6, &Generator::makeLayer); }
TEST(LocationsTest, Online) { check(6001, 2, &Generator::makeOnline); }
TEST(LocationsTest, Pools) { check(60001, 2, &Generator::makePooledProduct); }
TEST(LocationsTest, Networks) { check(10001, 2, &Generator::makeNetwork); }
TEST(LocationsTest, Residual) {
  check(80001, 1, &Generator::makeResidualNetwork);
}
