//===- EqualityTest.cpp - Every route gives the oracle's bits -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random layers and networks, each from a seed of its own: by a kernel that is
// drawn, or, with BQUANT_NIGHTLY set, by each that can compute it. A failure
// prints the seed and the program. Some are compiled for AArch64 and
// run by qemu, too. To run one again:
//
//   BQUANT_PROPERTY_SEED=17 bin/BQuantPropertyTests --gtest_filter=*Layers0
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "CrossRoute.h"
#include "bquant/Target/TargetDescription.h"
#include "gtest/gtest.h"
#include <memory>
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

/// The functions of a module, since a module costs more than a function.
static constexpr int kBatch = 13;

/// More than any product has to choose among.
static constexpr size_t kMostKernels = 6;
static constexpr size_t kMostThreads = 5;

/// Each product by a kernel that is drawn among those that can compute it, on a
/// number of threads that is drawn; every night by each of them.
static void addKernelRoutes(std::vector<Route> &routes, uint32_t seed,
                            const TargetOptions &target) {
  if (!isNightly()) {
    auto random = std::make_shared<std::mt19937>(seed);
    auto threads = int32_t((*random)() % kMostThreads + 1);
    routes.push_back(getKernelRoute(
        "kernels of seed " + std::to_string(seed),
        [random](size_t count) { return (*random)() % count; }, target,
        threads));
    return;
  }
  for (size_t kernel = 0; kernel < kMostKernels; ++kernel)
    routes.push_back(getKernelRoute(
        "kernel " + std::to_string(kernel),
        [kernel](size_t count) { return kernel % count; }, target,
        int32_t(kernel % kMostThreads + 1)));
}

/// The reference, what users get and kernels for each program; words alone,
/// which show where a mistake lies, and the scalar kernel for some.
static std::vector<Route> getRoutes(int batch, uint32_t seed,
                                    const TargetOptions &target) {
  std::vector<Route> routes = {getReferenceRoute(target)};
  bool all = std::getenv("BQUANT_PROPERTY_SEED");
  if (all || batch % 3 == 0)
    routes.push_back(getWordsRoute(/*fold=*/false, target));
  if (all || batch % 3 == 1)
    routes.push_back(getWordsRoute(/*fold=*/true, target));
  if (all || isNightly() || batch % 3 == 2)
    routes.push_back(getToolRoute(Strategy::Scalar, target));
  routes.push_back(getToolRoute(Strategy::Auto, target));
  addKernelRoutes(routes, seed, target);
  return routes;
}

/// One strategy on one thread and on several, which decide how rows are cut.
static std::vector<Route> getThreadRoutes(int batch, uint32_t,
                                          const TargetOptions &target) {
  int32_t threads = batch % 2 == 0 ? 2 : int32_t(kMostThreads);
  return {getToolRoute(Strategy::Auto, target),
          getToolRoute(Strategy::Auto, target, threads)};
}

/// The programs `make` builds of the seeds from `first` up to `last`.
static void checkBatch(MLIRContext &context, const TargetOptions &target,
                       llvm::ArrayRef<Route> routes, uint32_t first,
                       uint32_t last, Case (Generator::*make)()) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  TargetDescription description(llvm::cantFail(resolveTarget(target)));
  std::vector<Case> cases;
  for (uint32_t seed = first; seed < last; ++seed)
    cases.push_back((Generator(*module, seed, description).*make)());
  checkCases(*module, cases, routes);
}

/// Seeds of one test are fewer.
static constexpr uint32_t kSeedsOfATest = 1000;

/// Of the programs of a test, those that do not wait for the night.
static constexpr int kMostByDay = 2 * kBatch;

/// `number` programs; the targets take turns, from test to test, too, and so do
/// the routes, at another pace.
static void
check(uint32_t first, int number, Case (Generator::*make)(),
      std::vector<Route> (*routes)(int, uint32_t,
                                   const TargetOptions &) = getRoutes) {
  const char *seed = std::getenv("BQUANT_PROPERTY_SEED");
  if (seed) {
    first = uint32_t(std::atoll(seed));
    number = 1;
  } else if (!isNightly()) {
    number = std::min(number, kMostByDay);
  }
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::vector<TargetOptions> targets = getTargets();
  for (int done = 0; done < number && !testing::Test::HasFatalFailure();
       done += kBatch)
    for (size_t t = 0; t < targets.size(); ++t)
      if (int batch = done / kBatch;
          seed || (first / kSeedsOfATest + batch) % targets.size() == t)
        checkBatch(
            context, targets[t],
            routes(first / kSeedsOfATest / 2 + batch, first + done, targets[t]),
            first + done, first + std::min(number, done + kBatch), make);
}

/// A batch of the same programs for a CPU of AArch64. The oracle's bits are
/// those of an x86 that has an fma, too: the tests below of the same seeds say
/// so.
static void checkCross(const char *cpu, uint32_t first,
                       Case (Generator::*make)(), const char *features = "") {
  std::string missing = getMissingCrossTool();
  if (!missing.empty()) {
    std::string message =
        "expected " + missing + ", but got none: ./dev setup --cross";
    if (std::getenv("BQUANT_REQUIRE_CROSS"))
      FAIL() << message;
    GTEST_SKIP() << message;
  }
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  TargetOptions target{"aarch64-linux-gnu", cpu, features};
  checkBatch(context, target, getCrossRoute(Strategy::Auto, target), first,
             first + kBatch, make);
}

// With dot products and without.
TEST(CrossTest, Layers) { checkCross("cortex-a53", 1, &Generator::makeLayer); }
TEST(CrossTest, FloatProducts) {
  checkCross("cortex-a53", 30001, &Generator::makeFloatProduct);
}
TEST(CrossTest, Online) {
  checkCross("neoverse-n1", 6001, &Generator::makeOnline);
}
TEST(CrossTest, Pools) { checkCross("cortex-a53", 5001, &Generator::makePool); }
TEST(CrossTest, Groups) {
  checkCross("neoverse-n1", 20001, &Generator::makeGroupedLayer);
}
TEST(CrossTest, FewChannels) {
  checkCross("neoverse-n1", 70001, &Generator::makeFewChannels);
}
// One has dot products of bytes, one none, and one products of two rows.
TEST(CrossTest, UniformDots) {
  checkCross("neoverse-n1", 50001, &Generator::makeUniformLayer);
}
TEST(CrossTest, Uniform) {
  checkCross("cortex-a53", 50001, &Generator::makeUniformLayer);
}
TEST(CrossTest, UniformMatrices) {
  checkCross("neoverse-n1", 50001, &Generator::makeUniformLayer, "+i8mm");
}
TEST(CrossTest, Networks) {
  checkCross("neoverse-n1", 10001, &Generator::makeNetwork);
}

// Several tests, so that they can run side by side.
TEST(PropertyTest, Layers0) { check(1, 52, &Generator::makeLayer); }
TEST(PropertyTest, Layers1) { check(1001, 52, &Generator::makeLayer); }
TEST(PropertyTest, Layers2) { check(2001, 52, &Generator::makeLayer); }
TEST(PropertyTest, Layers3) { check(3001, 52, &Generator::makeLayer); }

TEST(PropertyTest, FloatProducts) {
  check(30001, 52, &Generator::makeFloatProduct);
}

TEST(PropertyTest, Online0) { check(6001, 26, &Generator::makeOnline); }
TEST(PropertyTest, Online1) { check(7001, 26, &Generator::makeOnline); }

TEST(PropertyTest, Pools) { check(5001, 52, &Generator::makePool); }
TEST(PropertyTest, PooledProducts) {
  check(60001, 26, &Generator::makePooledProduct, getThreadRoutes);
}
TEST(PropertyTest, Groups0) { check(20001, 26, &Generator::makeGroupedLayer); }
TEST(PropertyTest, Groups1) { check(21001, 26, &Generator::makeGroupedLayer); }
TEST(PropertyTest, FewChannels) {
  check(70001, 12, &Generator::makeFewChannels);
}

TEST(PropertyTest, Uniform0) { check(50001, 13, &Generator::makeUniformLayer); }
TEST(PropertyTest, Uniform1) { check(51001, 26, &Generator::makeUniformLayer); }

TEST(PropertyTest, Networks0) { check(10001, 25, &Generator::makeNetwork); }
TEST(PropertyTest, Networks1) { check(11001, 13, &Generator::makeNetwork); }
TEST(PropertyTest, Networks2) { check(12001, 25, &Generator::makeNetwork); }
TEST(PropertyTest, Residual0) {
  check(80001, 13, &Generator::makeResidualNetwork);
}
TEST(PropertyTest, Residual1) {
  check(81001, 13, &Generator::makeResidualNetwork);
}
