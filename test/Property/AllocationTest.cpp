//===- AllocationTest.cpp - A call takes nothing but its arguments --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function allocates nothing, writes to its outputs and its arena
// alone, and needs little stack. The routes of the tools check the first two at
// every call of every property test; here they are checked themselves, and
// called as a library and by the reference strategy, too.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "Generator.h"
#include "Routes.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

TEST(AllocationTest, CountsEveryKind) {
  if (!countsAllocations())
    GTEST_SKIP() << "another malloc is in use";
  EXPECT_EQ(countAllocations([] {}), 0);
  void *volatile memory = nullptr;
  EXPECT_EQ(countAllocations([&] { memory = std::malloc(8); }), 1);
  EXPECT_EQ(countAllocations([&] { memory = std::realloc(memory, 80); }), 1);
  EXPECT_EQ(countAllocations([&] { std::free(memory); }), 1);
  EXPECT_EQ(countAllocations([&] { memory = std::aligned_alloc(64, 64); }), 1);
  std::free(memory);
  EXPECT_EQ(countAllocations([&] { memory = new int[4]; }), 1);
  delete[] static_cast<int *>(memory);
  // What code made in memory and libraries find is ours.
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "malloc"),
            reinterpret_cast<void *>(&std::malloc));
}

TEST(AllocationTest, MeasuresStack) {
  if (!countsAllocations())
    GTEST_SKIP() << "frames are not what they are without a sanitizer";
  auto use = [](auto bytes) {
    volatile char memory[bytes.value];
    for (volatile char &byte : memory)
      byte = 1;
  };
  auto measure = [&](auto bytes) { return measureStack([&] { use(bytes); }); };
  EXPECT_LT(measure(std::integral_constant<size_t, 16>()), 2048u);
  EXPECT_GE(measure(std::integral_constant<size_t, 100000>()), 100000u);
}

/// Networks of the generator by one route: the route itself fails on an
/// allocation or a write beside the arena.
static void check(uint32_t first, const Route &route) {
  SCOPED_TRACE(route.name);
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Case> cases;
  for (uint32_t n = 0; n < 4; ++n) {
    cases.push_back(Generator(*module, first + n).makeNetwork());
    cases.push_back(Generator(*module, first + 100 + n).makeLayer());
  }
  auto compiled = route.compile(std::move(module));
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  for (const Case &program : cases) {
    SCOPED_TRACE("seed " + std::to_string(program.seed));
    std::vector<Array> outputs = program.outputs;
    llvm::Error error = llvm::Error::success();
    size_t stack = measureStack([&] {
      llvm::consumeError(std::move(error));
      error = (*compiled)->call(program.name, program.inputs, outputs);
    });
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    // Ours that calls it included, which a sanitizer makes larger.
    if (countsAllocations())
      EXPECT_LT(stack, 16384u);
  }
}

TEST(AllocationTest, Fast) {
  for (const Route &route : getFastRoutes())
    check(20001, route);
}
TEST(AllocationTest, Reference) {
  check(20001, getToolRoute(Strategy::Reference));
}
TEST(AllocationTest, Library) { check(20201, getLibraryRoute(Strategy::Auto)); }
TEST(AllocationTest, ReferenceLibrary) {
  check(20201, getLibraryRoute(Strategy::Reference));
}
