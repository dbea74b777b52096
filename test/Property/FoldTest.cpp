//===- FoldTest.cpp - Folded programs equal unfolded ones in every bit ----===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random chains between a product, a float or a sum of both and a quantize, as
// linalg.generic ops, fused or not. The unfolded program goes the reference
// route; the folded one goes all routes. Inputs are floats of every class and
// the neighbours of every threshold that the fold found.
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
constexpr int64_t kRows = 48;

/// A random function as MLIR text.
class RandomProgram {
public:
  explicit RandomProgram(uint32_t seed)
      : random(seed), seed(seed), channels(pick(1, 4)), taps(pick(1, 70)) {}

  std::string makeFunction();

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  float number();
  /// For the arguments x (rows x taps) and y (rows x channels).
  Array input(int64_t columns);

  std::mt19937 random;
  uint32_t seed;
  int64_t channels, taps;

private:
  /// Emits ops and returns the name of their result.
  std::string makeSource();
  std::string makeStep(const std::string &x);
  std::string makeConstant(const std::string &type, int64_t count,
                           bool positive = false);
  std::string generic(ArrayRef<std::string> inputs, ArrayRef<std::string> types,
                      ArrayRef<std::string> maps, StringRef body,
                      StringRef result);
  std::string name() { return "%v" + std::to_string(next++); }
  std::string floats() {
    return "tensor<" + std::to_string(kRows) + "x" + std::to_string(channels) +
           "xf32>";
  }
  std::string row() { return "tensor<" + std::to_string(channels) + "xf32>"; }

  std::string text;
  int next = 0;
};
} // namespace

static constexpr StringLiteral kIdentity = "affine_map<(d0, d1) -> (d0, d1)>";
static constexpr StringLiteral kChannel = "affine_map<(d0, d1) -> (d1)>";

float RandomProgram::number() {
  switch (pick(0, 15)) {
  case 0:
    return 0.0f;
  case 1:
    return -0.0f;
  case 2:
    return std::ldexp(float(pick(-9, 9)), int(pick(-149, 120)));
  case 3:
    return float(pick(-3, 3));
  default:
    return float(pick(-4000, 4000)) / 1024.0f;
  }
}

Array RandomProgram::input(int64_t columns) {
  Array array;
  array.shape = {kRows, columns};
  for (int64_t i = 0; i < kRows * columns; ++i) {
    float special[] = {NAN,    INFINITY, -INFINITY,     0.0f,           -0.0f,
                       1e-45f, -1e-45f,  3.4028235e38f, -3.4028235e38f, 1.0f};
    array.floats.push_back(pick(0, 7) ? number() : special[pick(0, 9)]);
  }
  return array;
}

std::string RandomProgram::makeConstant(const std::string &type, int64_t count,
                                        bool positive) {
  std::string result = name(), list;
  for (int64_t i = 0; i < count; ++i) {
    float value = positive ? float(pick(1, 3000)) / 1024.0f : number();
    list += (i ? ", 0x" : "0x") +
            llvm::utohexstr(llvm::bit_cast<uint32_t>(value), false, 8);
  }
  text += "  " + result + " = arith.constant dense<[" + list + "]> : " + type +
          "\n";
  return result;
}

std::string RandomProgram::generic(ArrayRef<std::string> inputs,
                                   ArrayRef<std::string> types,
                                   ArrayRef<std::string> maps, StringRef body,
                                   StringRef result) {
  std::string init = name(), value = name();
  bool isBool = result == "i1";
  std::string type = isBool ? "tensor<" + std::to_string(kRows) + "x" +
                                  std::to_string(channels) + "xi1>"
                            : floats();
  text += "  " + init + " = tensor.empty() : " + type + "\n";
  text += "  " + value + " = linalg.generic {indexing_maps = [" +
          llvm::join(maps, ", ") + ", " + kIdentity.str() +
          "], iterator_types = [\"parallel\", \"parallel\"]} ins(" +
          llvm::join(inputs, ", ") + " : " + llvm::join(types, ", ") +
          ") outs(" + init + " : " + type + ") {\n  ^bb0(";
  for (size_t i = 0; i < inputs.size(); ++i)
    text += "%a" + std::to_string(i) +
            (StringRef(types[i]).ends_with("i1>") ? ": i1, " : ": f32, ");
  text += "%out: " + result.str() + "):\n" + body.str() +
          "    linalg.yield %r : " + result.str() + "\n  } -> " + type + "\n";
  return value;
}

std::string RandomProgram::makeSource() {
  int64_t kind = pick(0, 5);
  std::string sum = "%y";
  if (kind > 0) {
    // Planes of x and w; a product of one plane or ratios each is an integer.
    static const char *planes[] = {"1", "[1, 1]", "[2, 1]", "2"};
    static const int64_t scalars[] = {1, 1, 1, 2}, counts[] = {1, 2, 2, 2};
    int64_t p = pick(0, 3), w = pick(0, 3);
    std::string k = std::to_string(taps), c = std::to_string(channels);
    std::string v = makeConstant(
        "tensor<" + std::to_string(scalars[p]) + "xf32>", scalars[p], true);
    std::string x = "tensor<" + std::to_string(kRows) + "x" + k + "xf32>";
    std::string xq = "!bquant.tensor<" + std::to_string(kRows) + "x" + k +
                     ", " + planes[p] + ">";
    std::string wq =
        "!bquant.tensor<" + c + "x" + k + ", " + planes[w] + ", axes = [0]>";
    int64_t words = (taps + 31) / 32;
    std::string list;
    for (int64_t i = 0; i < counts[w]; ++i) {
      list += i ? ", [" : "[";
      for (int64_t j = 0; j < channels; ++j) {
        list += j ? ", [" : "[";
        for (int64_t n = 0; n < words; ++n) {
          uint32_t word = uint32_t(random());
          if (n == words - 1 && taps % 32)
            word &= (1u << taps % 32) - 1;
          list += (n ? ", " : "") + std::to_string(int32_t(word));
        }
        list += "]";
      }
      list += "]";
    }
    std::string wv, q = name(), f = name(), product = name();
    for (int64_t i = 0; i < scalars[w]; ++i) {
      wv += i ? ", [" : "[";
      for (int64_t j = 0; j < channels; ++j)
        wv += (j ? ", " : "") + std::to_string(pick(0, 3000)) + ".0e-3";
      wv += "]";
    }
    text += "  " + q + " = bquant.quantize %x scalars(" + v + " : tensor<" +
            std::to_string(scalars[p]) + "xf32>) : " + x + " -> " + xq + "\n";
    text += "  " + f + " = bquant.constant words(dense<[" + list +
            "]> : tensor<" + std::to_string(counts[w]) + "x" + c + "x" +
            std::to_string(words) + "xi32>) scalars(dense<[" + wv +
            "]> : tensor<" + std::to_string(scalars[w]) + "x" + c +
            "xf32>) : " + wq + "\n";
    text += "  " + product + " = bquant.matmul " + q + ", " + f + " : (" + xq +
            ", " + wq + ") -> " + floats() + "\n";
    if (kind < 5)
      return product;
    // A shortcut.
    sum = generic({product, "%y"}, {floats(), floats()},
                  {kIdentity.str(), kIdentity.str()},
                  "    %r = arith.addf %a0, %a1 : f32\n", "f32");
  }
  return sum;
}

std::string RandomProgram::makeStep(const std::string &x) {
  std::string id = kIdentity.str(), ch = kChannel.str(), f = floats();
  auto withConstant = [&](StringRef body, bool positive = false) {
    std::string c = makeConstant(row(), channels, positive);
    return generic({x, c}, {f, row()}, {id, ch}, body, "f32");
  };
  switch (pick(0, 12)) {
  case 0:
    return withConstant("    %r = arith.mulf %a0, %a1 : f32\n");
  case 1:
    return withConstant("    %r = arith.addf %a1, %a0 : f32\n");
  case 2:
    return withConstant("    %r = arith.subf %a0, %a1 : f32\n");
  case 3:
    return withConstant("    %r = arith.divf %a0, %a1 : f32\n");
  case 4:
    return withConstant("    %r = arith.maximumf %a0, %a1 : f32\n");
  case 5:
    return withConstant("    %r = arith.minnumf %a1, %a0 : f32\n");
  case 6: // Batch norm.
  case 7: {
    std::string mean = makeConstant(row(), channels);
    std::string var = makeConstant(row(), channels, true);
    std::string gamma = makeConstant(row(), channels);
    std::string beta = makeConstant(row(), channels);
    return generic({x, mean, var, gamma, beta}, {f, row(), row(), row(), row()},
                   {id, ch, ch, ch, ch},
                   "    %0 = arith.subf %a0, %a1 : f32\n"
                   "    %1 = math.rsqrt %a2 : f32\n"
                   "    %2 = arith.mulf %0, %1 : f32\n"
                   "    %3 = arith.mulf %2, %a3 : f32\n"
                   "    %r = arith.addf %3, %a4 : f32\n",
                   "f32");
  }
  case 8: // clamp, NaN to the lower bound or through.
    return generic({x}, {f}, {id},
                   std::string("    %lo = arith.constant -1.5 : f32\n"
                               "    %hi = arith.constant 2.0 : f32\n"
                               "    %0 = arith.cmpf ") +
                       (pick(0, 1) ? "ult" : "olt") +
                       ", %a0, %lo : f32\n"
                       "    %1 = arith.select %0, %lo, %a0 : f32\n"
                       "    %2 = arith.cmpf ogt, %1, %hi : f32\n"
                       "    %r = arith.select %2, %hi, %1 : f32\n",
                   "f32");
  case 9: { // PReLU in three ops.
    std::string slope = makeConstant(row(), channels);
    std::string c = generic({x}, {f}, {id},
                            "    %z = arith.constant 0.0 : f32\n"
                            "    %r = arith.cmpf ogt, %a0, %z : f32\n",
                            "i1");
    std::string m = generic({slope, x}, {row(), f}, {ch, id},
                            "    %r = arith.mulf %a0, %a1 : f32\n", "f32");
    std::string bools = "tensor<" + std::to_string(kRows) + "x" +
                        std::to_string(channels) + "xi1>";
    return generic({c, x, m}, {bools, f, f}, {id, id, id},
                   "    %r = arith.select %a0, %a1, %a2 : f32\n", "f32");
  }
  case 10:
    return generic({x}, {f}, {id}, "    %r = math.absf %a0 : f32\n", "f32");
  case 11: { // ReLU.
    return generic({x}, {f}, {id},
                   "    %z = arith.constant 0.0 : f32\n"
                   "    %r = arith.maximumf %a0, %z : f32\n",
                   "f32");
  }
  default: { // A sum of two branches of one value.
    std::string other = makeStep(x);
    return generic({x, other}, {f, f}, {id, id},
                   "    %r = arith.addf %a0, %a1 : f32\n", "f32");
  }
  }
}

std::string RandomProgram::makeFunction() {
  std::string source = makeSource(), value = source;
  for (int64_t steps = pick(0, 4); steps > 0; --steps)
    value = makeStep(value);
  int64_t planes = pick(1, 3);
  bool ternary = planes == 3;
  int64_t scalars = planes == 2 ? 2 : 1;
  std::string v = makeConstant("tensor<" + std::to_string(scalars) + "xf32>",
                               scalars, true);
  std::string q = "!bquant.tensor<" + std::to_string(kRows) + "x" +
                  std::to_string(channels) + ", " +
                  (ternary ? "[1, 1]" : std::to_string(planes)) + ">";
  text += "  %q = bquant.quantize " + value + " scalars(" + v + " : tensor<" +
          std::to_string(scalars) + "xf32>) : " + floats() + " -> " + q + "\n";
  text += "  %d = bquant.dequantize %q : " + q + " -> " + floats() + "\n";
  // Sometimes the source is wanted as a float, too.
  std::string second = pick(0, 3) ? "%d" : source;
  return "func.func @f" + std::to_string(seed) + "(%x: tensor<" +
         std::to_string(kRows) + "x" + std::to_string(taps) +
         "xf32>, %y: " + floats() + ") -> (" + floats() + ", " + floats() +
         ") {\n" + text + "  return %d, " + second + " : " + floats() + ", " +
         floats() + "\n}\n";
}

/// Puts neighbours of the float thresholds of a function into its argument y:
/// where that is the source, they are hit.
static void aim(func::FuncOp function, Array &y) {
  size_t at = 0;
  function.walk([&](QuantizeOp op) {
    auto constant = op.getThresholds()
                        ? op.getThresholds().getDefiningOp<arith::ConstantOp>()
                        : arith::ConstantOp();
    if (!constant || !op.getInput().getType().getElementType().isF32())
      return;
    for (float t : getFloatValues(cast<ElementsAttr>(constant.getValue())))
      for (float x :
           {t, std::nextafter(t, -INFINITY), std::nextafter(t, INFINITY)})
        for (float value : {x, -x})
          // Every channel sees every threshold, as far as there is room.
          for (int64_t c = 0; c < y.shape[1] && at < y.floats.size(); ++c)
            y.floats[at++] = value;
  });
}

static Array blank(const Shape &shape) {
  Array array;
  array.shape = shape;
  array.floats.assign(count(shape), -12345.678f);
  return array;
}

TEST(FoldTest, FoldedEqualsUnfolded) {
  // BQUANT_FOLD_PROGRAMS=1000 for a long run.
  constexpr uint32_t kBatch = 50;
  uint32_t programsInAll = 150;
  if (const char *number = std::getenv("BQUANT_FOLD_PROGRAMS"))
    programsInAll = uint32_t(std::atoll(number));
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  int folded = 0, integers = 0, cascades = 0;
  for (uint32_t first = 0; first < programsInAll; first += kBatch) {
    std::string text;
    std::vector<RandomProgram> programs;
    for (uint32_t seed = first; seed < first + kBatch; ++seed) {
      programs.emplace_back(seed);
      text += programs.back().makeFunction();
    }
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    OwningOpRef<ModuleOp> after = module->clone();
    PassManager pm(&context);
    pm.addPass(createFoldSignCascades());
    ASSERT_TRUE(succeeded(pm.run(*after)));
    after->walk([&](QuantizeOp op) {
      if (!op.getThresholds())
        return void(++cascades);
      ++folded;
      integers += op.getInput().getType().getElementType().isInteger(32);
    });

    // The inputs, and what the unfolded program makes of them.
    auto reference = getReferenceRoute().compile(module->clone());
    ASSERT_TRUE(bool(reference)) << llvm::toString(reference.takeError());
    std::vector<std::vector<Array>> inputs, expected;
    for (RandomProgram &program : programs) {
      std::string name = "f" + std::to_string(program.seed);
      inputs.push_back(
          {program.input(program.taps), program.input(program.channels)});
      aim(after->lookupSymbol<func::FuncOp>(name), inputs.back()[1]);
      Shape shape = {kRows, program.channels};
      expected.push_back({blank(shape), blank(shape)});
      ASSERT_FALSE(
          bool((*reference)->call(name, inputs.back(), expected.back())));
    }
    for (const Route &route : {getReferenceRoute(), getWordsRoute()}) {
      auto compiled = route.compile(after->clone());
      ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
      for (size_t n = 0; n < programs.size(); ++n) {
        std::string name = "f" + std::to_string(programs[n].seed);
        Shape shape = {kRows, programs[n].channels};
        std::vector<Array> got = {blank(shape), blank(shape)};
        ASSERT_FALSE(bool((*compiled)->call(name, inputs[n], got)));
        for (int result : {0, 1})
          for (int64_t i = 0; i < count(shape); ++i) {
            float a = expected[n][result].floats[i], b = got[result].floats[i];
            if (llvm::bit_cast<uint32_t>(a) == llvm::bit_cast<uint32_t>(b) ||
                (std::isnan(a) && std::isnan(b)))
              continue;
            std::string before, folded;
            llvm::raw_string_ostream(before) << *module->lookupSymbol(name);
            llvm::raw_string_ostream(folded) << *after->lookupSymbol(name);
            FAIL() << route.name << ", seed " << programs[n].seed << ", result "
                   << result << ", element " << i << ": expected " << a
                   << ", but got " << b << "\n"
                   << before << folded;
          }
      }
    }
  }
  // Most have folded, and both ways.
  EXPECT_GT(folded * 10, int(programsInAll) * 6) << cascades << " have not";
  EXPECT_GT(integers * 10, int(programsInAll) * 2);
  EXPECT_GT((folded - integers) * 10, int(programsInAll) * 2);
}
