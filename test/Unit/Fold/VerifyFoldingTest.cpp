//===- VerifyFoldingTest.cpp - Wrong thresholds are noticed ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain and thresholds for it, both written by hand: right ones pass, and a
// threshold moved by one float or one integer does not.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Transforms/Fold/VerifyFolding.h"
#include "bquant/InitAll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

namespace {
class VerifyFolding : public testing::Test {
protected:
  VerifyFolding() {
    DialectRegistry registry;
    bquant::registerAllDialects(registry);
    registry.insert<func::FuncDialect, arith::ArithDialect, math::MathDialect,
                    tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// `steps` from %x to %z, a quantize of it, and one of %x by thresholds.
  /// Returns the error; nothing if there is none.
  std::string verify(const std::string &steps, const std::string &element,
                     const std::string &thresholds, const std::string &codes,
                     std::vector<bool> negated = {}, FloatRange range = {}) {
    std::string type = "tensor<1x2x" + element + ">";
    std::string source = R"(
      func.func @f(%x: )" +
                         type + ") {\n" + steps + R"(
        %v = arith.constant dense<1.0> : tensor<1xf32>
        %q = bquant.quantize %z scalars(%v : tensor<1xf32>)
            : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
        %t = arith.constant dense<)" +
                         thresholds + "> : tensor<2x1x" + element + R"(>
        %r = bquant.quantize %x thresholds(%t : tensor<2x1x)" +
                         element + ">) codes " + codes +
                         R"( scalars(%v : tensor<1xf32>)
            : )" + type + R"( -> !bquant.tensor<1x2, 1>
        return
      })";
    auto module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    SmallVector<QuantizeOp> quantizes;
    module->walk([&](QuantizeOp op) { quantizes.push_back(op); });
    Value x = (*module->getOps<func::FuncOp>().begin()).getArgument(0);
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    LogicalResult result = verifyFolding(
        {quantizes[0], quantizes[1], {x}, {x}, negated, {range, range}});
    EXPECT_EQ(succeeded(result), message.empty());
    return message;
  }

  MLIRContext context;
};

// 2 x - 1 and 3 - x.
constexpr const char *kFloats = R"(
        %s = arith.constant dense<[[2.0, -1.0]]> : tensor<1x2xf32>
        %b = arith.constant dense<[[-1.0, 3.0]]> : tensor<1x2xf32>
        %m = arith.mulf %x, %s : tensor<1x2xf32>
        %z = arith.addf %m, %b : tensor<1x2xf32>)";

constexpr const char *kIntegers = R"(
        %c = arith.constant dense<[[0.4, -2.6]]> : tensor<1x2xf32>
        %i = arith.sitofp %x : tensor<1x2xi32> to tensor<1x2xf32>
        %z = arith.addf %i, %c : tensor<1x2xf32>)";
} // namespace

TEST_F(VerifyFolding, RightThresholdsPass) {
  // Of the falling channel: -x >= -3.
  EXPECT_EQ(verify(kFloats, "f32", "[[0.5], [-3.0]]", "[0, 1]", {false, true}),
            "");
  EXPECT_EQ(
      verify(kIntegers, "i32", "[[0], [3]]", "[0, 1]", {}, {-9, 9, false}), "");
}

TEST_F(VerifyFolding, ThresholdOfTheNextFloatFails) {
  EXPECT_EQ(
      verify(kFloats, "f32", "[[0.50000006], [-3.0]]", "[0, 1]", {false, true}),
      "expected the code 1 of the chain for a source of 0.5 in channel 0, "
      "but got 0 by the thresholds");
  EXPECT_EQ(
      verify(kFloats, "f32", "[[0.5], [-2.99999976]]", "[0, 1]", {false, true}),
      "expected the code 1 of the chain for a source of 3 in channel 1, "
      "but got 0 by the thresholds");
}

TEST_F(VerifyFolding, ThresholdOfTheNextIntegerFails) {
  EXPECT_EQ(
      verify(kIntegers, "i32", "[[0], [2]]", "[0, 1]", {}, {-9, 9, false}),
      "expected the code 0 of the chain for a source of 2 in channel 1, "
      "but got 1 by the thresholds");
  EXPECT_NE(
      verify(kIntegers, "i32", "[[1], [3]]", "[0, 1]", {}, {-9, 9, false}), "");
}

TEST_F(VerifyFolding, NaNAndInfinitiesCount) {
  // 0 x is NaN of infinities, and of NaN: code 0, not 1.
  const char *steps = R"(
        %s = arith.constant dense<0.0> : tensor<1x2xf32>
        %z = arith.mulf %x, %s : tensor<1x2xf32>)";
  std::string always = "[[0xFF800000], [0xFF800000]]";
  EXPECT_EQ(verify(steps, "f32", always, "[0, 1]"),
            "expected the code 0 of the chain for a source of +Inf in channel "
            "0, but got 1 by the thresholds");
  EXPECT_EQ(verify(steps, "f32", always, "[0, 1]", {}, {-1e30f, 1e30f, true}),
            "");
  EXPECT_EQ(
      verify(steps, "f32", always, "[1, 1]", {}, {-1e30f, 1e30f, true}),
      "expected the code 0 of the chain for a source of NaN in channel 0, "
      "but got 1 by the thresholds");
}

TEST_F(VerifyFolding, AMissedSwitchPointFails) {
  // |x| - 2 has two of them.
  const char *steps = R"(
        %c = arith.constant dense<2.0> : tensor<1x2xf32>
        %a = math.absf %x : tensor<1x2xf32>
        %z = arith.subf %a, %c : tensor<1x2xf32>)";
  EXPECT_NE(verify(steps, "f32", "[[2.0], [2.0]]", "[0, 1]"), "");
}

TEST_F(VerifyFolding, UnknownOpsAreNamed) {
  EXPECT_EQ(verify("%z = math.exp %x : tensor<1x2xf32>", "f32",
                   "[[0.0], [0.0]]", "[0, 1]"),
            "expected a folded chain that can be verified, but got 'math.exp'");
}
