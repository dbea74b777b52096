//===- KernelsTest.cpp - Kernels given by hand give the oracle's bits -----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random layers and networks, folded, with one kernel on each product that it
// can compute, go the rest of the route. So every machine runs kernels that it
// would not choose, and those that are there to test the interface.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "TestKernels.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

namespace {
struct KernelCase {
  const char *name;
  Attribute (*make)(MLIRContext *, int64_t rows, int64_t channels);
  /// Products that it computes, at least.
  int least;
};

Attribute makeBytesCounted(MLIRContext *context, int64_t rows,
                           int64_t channels) {
  return PopcountAttr::get(context, rows, channels, /*bits=*/128,
                           /*counted=*/8);
}
/// Of 128 bits, which all hosts have: x86.
template <int64_t summed, int64_t held = 1, int64_t levels = 0,
          int64_t group = 1, bool biased = false>
Attribute makeBytes(MLIRContext *context, int64_t rows, int64_t channels) {
  return packed::BytesAttr::get(context, rows, channels, /*bits=*/128, summed,
                                held, levels, /*taps=*/0,
                                /*signedCodes=*/false, group, biased);
}
Attribute makeTable(MLIRContext *context, int64_t rows, int64_t channels) {
  return TableAttr::get(context, rows, channels, /*bits=*/128);
}
template <int64_t step>
Attribute makeOctets(MLIRContext *context, int64_t rows, int64_t channels) {
  return OctetsAttr::get(context, rows, channels, /*bits=*/128, step);
}
template <typename Attr>
Attribute makeTest(MLIRContext *context, int64_t rows, int64_t channels) {
  return Attr::get(context, rows, channels);
}

const KernelCase cases[] = {
    {"Bytes", makeTest<test::BytesAttr>, 5},
    {"BytesInPairs", makeBytes<2>, 1},
    {"BytesWidened", makeBytes<1>, 1},
    {"BytesOfBits", makeBytes<2, 8, 1>, 1},
    {"BytesInGroups", makeBytes<2, 1, 0, 3>, 1},
    {"BytesInBiasedGroups", makeBytes<2, 1, 0, 2, true>, 1},
    {"BytesOfNibbles", makeBytes<1, 1, 15>, 1},
    {"Octets", makeOctets<1>, 1},
    {"OctetsInTwos", makeOctets<2>, 1},
    {"Parity", makeTest<ParityAttr>, 5},
    {"PopcountOfBytes", makeBytesCounted, 10},
    {"Table", makeTable, 10},
    {"Whole", makeTest<WholeAttr>, 5}};

class GivenKernelsTest : public testing::TestWithParam<KernelCase> {};
} // namespace

/// Puts the kernel, in a tile that fits, on all products of a function that it
/// can compute; returns how many these are.
static int setKernels(Operation *function, const KernelCase &kernel,
                      const TargetDescription &target) {
  int served = 0;
  function->walk([&](Operation *op) {
    std::optional<ProductShape> shape = getProductShape(op);
    if (!shape || shape->floatInput) // Theirs sum floats.
      return;
    for (int64_t channels : {64, 32, 16, 8, 4, 2, 1}) {
      // Other rows than any other kernel has.
      auto attr = kernel.make(op->getContext(), 3, channels);
      if (failed(cast<KernelAttrInterface>(attr).verifyProduct(*shape, target,
                                                               silently)))
        continue;
      op->setAttr("kernel", attr);
      ++served;
      return;
    }
  });
  return served;
}

static void checkPrograms(MLIRContext &context, const KernelCase &kernel,
                          uint32_t first, uint32_t number,
                          Case (Generator::*make)(), int &served) {
  if (isNightly())
    number *= 5;
  llvm::Expected<Target> host = resolveTarget({});
  ASSERT_TRUE(bool(host));
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Case> programs;
  for (uint32_t seed = first; seed < first + number; ++seed)
    programs.push_back(
        (Generator(*module, seed, TargetDescription(*host)).*make)());
  CompileOptions options;
  options.verifyEach = true;
  options.stopAfter = "fold";
  ASSERT_FALSE(bool(lower(*module, options, *host, nullptr)));
  // Other tests compile what has no product for it.
  TargetDescription target = *getModuleDescription(*module);
  llvm::erase_if(programs, [&](const Case &program) {
    Operation *function = module->lookupSymbol(program.name);
    int products = setKernels(function, kernel, target);
    served += products;
    if (products == 0)
      function->erase();
    return products == 0;
  });
  if (programs.empty())
    return;
  // What a kernel emits, and what it says that this means.
  checkCases(*module, programs,
             {getToolRoute(Strategy::Auto), getWordsRoute()});
}

TEST_P(GivenKernelsTest, GivesTheOraclesBits) {
  DialectRegistry registry;
  registerRouteDialects(registry);
  registerTestKernels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  int served = 0;
  checkPrograms(context, GetParam(), 40001, 8, &Generator::makeLayer, served);
  checkPrograms(context, GetParam(), 42001, 5, &Generator::makeGroupedLayer,
                served);
  checkPrograms(context, GetParam(), 70001, 3, &Generator::makeFewChannels,
                served);
  checkPrograms(context, GetParam(), 43001, 3, &Generator::makeNetwork, served);
  checkPrograms(context, GetParam(), 44001, 24, &Generator::makeUniformLayer,
                served);
  EXPECT_GE(served, GetParam().least);
}

// Sums of bytes are full after 31 words in which all bits differ; there are 64.
TEST(KernelsTest, BytesHoldAllThatDiffers) {
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<2x2048xf32>, %v: tensor<1xf32>) -> tensor<2x8xi32> {
      %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
          : tensor<2x2048xf32> -> !bquant.tensor<2x2048, 1>
      %w = bquant.constant words(dense<0> : tensor<1x8x64xi32>)
          scalars(dense<1.0> : tensor<1xf32>) : !bquant.tensor<8x2048, 1>
      %0 = bquant.matmul %q, %w kernel(#bquant_packed.popcount<rows = 2, channels = 8,
                                       bits = 128, counted = 8>)
          : (!bquant.tensor<2x2048, 1>, !bquant.tensor<8x2048, 1>)
          -> tensor<2x8xi32>
      return %0 : tensor<2x8xi32>
    })",
                                                             &context);
  ASSERT_TRUE(module);
  auto compiled = getToolRoute(Strategy::Auto).compile(std::move(module));
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  std::vector<Array> inputs(2), outputs(1);
  inputs[0] = {{2, 2048}, false, std::vector<float>(2 * 2048, 1), {}};
  inputs[1] = {{1}, false, {1}, {}};
  outputs[0] = {{2, 8}, true, {}, std::vector<int32_t>(16)};
  ASSERT_FALSE(bool((*compiled)->call("f", inputs, outputs)));
  EXPECT_EQ(outputs[0].ints, std::vector<int32_t>(16, -2048));
}

INSTANTIATE_TEST_SUITE_P(, GivenKernelsTest, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });
