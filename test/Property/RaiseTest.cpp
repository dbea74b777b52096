//===- RaiseTest.cpp - Raised programs equal what was written -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random elementwise expressions, many of them sign idioms and many that only
// look like one, and products of what they quantize. The program as it is
// written, bufferized and run, is the oracle of the raised one. Numbers are
// such that sums of floats are exact, so that products agree in every bit, too.
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {

class Random {
public:
  explicit Random(uint32_t seed) : generator(seed) {}
  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(generator() % uint64_t(high - low + 1));
  }
  bool chance(int64_t percent) { return pick(0, 99) < percent; }
  template <typename T> const T &choose(const std::vector<T> &from) {
    return from[pick(0, from.size() - 1)];
  }

private:
  std::mt19937 generator;
};

std::string toText(const Shape &shape, StringRef element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

std::string bits(float value) {
  return "0x" +
         llvm::utohexstr(llvm::bit_cast<uint32_t>(value), false, /*Width=*/8);
}

Array filled(const Shape &shape, float value) {
  Array array;
  array.shape = shape;
  array.floats.assign(count(shape), value);
  return array;
}

bool isSame(float a, float b) {
  return llvm::bit_cast<uint32_t>(a) == llvm::bit_cast<uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// A function, what it is called with and the shapes of its results.
struct Program {
  std::string name, text;
  std::vector<Array> inputs;
  std::vector<Shape> results;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// A random expression of x, as ops on tensors or in the body of one generic.
class Expression {
public:
  Expression(Random &random, std::string type)
      : random(random), type(std::move(type)) {}

  /// An op whose operands and result (but conditions) are floats.
  std::string op(StringRef name, ArrayRef<std::string> operands) {
    std::string result = fresh();
    text += "    " + result + " = " + name.str() + " " +
            llvm::join(operands, ", ") + " : " + type + "\n";
    return result;
  }
  std::string number(float value) {
    std::string result = fresh();
    std::string literal = bits(value);
    text += "    " + result + " = arith.constant " +
            (inBody() ? literal : "dense<" + literal + ">") + " : " + type +
            "\n";
    return result;
  }
  std::string compare(StringRef predicate, const std::string &a,
                      const std::string &b) {
    return op(("arith.cmpf " + predicate + ",").str(), {a, b});
  }
  std::string select(const std::string &bit, const std::string &a,
                     const std::string &b) {
    std::string result = fresh();
    text += "    " + result + " = arith.select " + bit + ", " + a + ", " + b +
            " : " + (inBody() ? "" : bitType() + ", ") + type + "\n";
    return result;
  }
  std::string toFloat(const std::string &bit) {
    std::string result = fresh();
    text += "    " + result + " = arith.uitofp " + bit + " : " + bitType() +
            " to " + type + "\n";
    return result;
  }
  std::string bitOp(StringRef name, const std::string &a,
                    const std::string &b) {
    std::string result = fresh();
    text += "    " + result + " = " + name.str() + " " + a + ", " + b + " : " +
            bitType() + "\n";
    return result;
  }

  /// One of torch's and others' spellings of the sign of x; not all of them are
  /// bquant's, and not all of them for zero and NaN.
  std::string sign(const std::string &x);
  /// Anything.
  std::string anything(const std::string &x);
  std::string clamp(const std::string &x, float low, float high);

  std::string text;

private:
  bool inBody() const { return type == "f32"; }
  std::string bitType() const {
    return inBody() ? "i1" : type.substr(0, type.size() - 4) + "i1>";
  }
  std::string fresh() { return "%e" + std::to_string(next++); }

  Random &random;
  std::string type;
  int next = 0;
};

std::string Expression::sign(const std::string &x) {
  std::string zero = number(random.chance(80) ? 0.0f : -0.0f),
              one = number(1.0f), minus = number(-1.0f);
  auto torchSign = [&] {
    std::string positive = select(compare("ogt", x, zero), one, zero);
    return select(compare("olt", x, zero), minus, positive);
  };
  switch (random.pick(0, 9)) {
  case 0:
    return select(compare("oge", x, zero), one, minus);
  case 1:
    return select(compare("ole", zero, x), one, minus);
  case 2:
    return select(compare("ult", x, zero), minus, one);
  case 3: {
    std::string twice =
        op("arith.mulf", {toFloat(compare("oge", x, zero)), number(2.0f)});
    return op("arith.subf", {twice, one});
  }
  case 4:
    return op("arith.addf", {torchSign(), toFloat(compare("oeq", x, zero))});
  case 5: {
    std::string s = torchSign();
    return select(compare("oeq", s, zero), one, s);
  }
  case 6:
    return torchSign();
  case 7:
    return op("math.copysign", {one, x});
  case 8:
    return select(compare(random.choose<std::string>(
                              {"olt", "ogt", "ole", "uge", "ugt", "ule"}),
                          x, zero),
                  one, minus);
  default: {
    // (s - c) + c.
    std::string s = sign(x);
    std::string c = random.chance(70) ? clamp(x, -1.0f, 1.0f) : x;
    return op("arith.addf", {op("arith.subf", {s, c}), c});
  }
  }
}

std::string Expression::clamp(const std::string &x, float low, float high) {
  std::string l = number(low), h = number(high);
  switch (random.pick(0, 3)) {
  case 0:
    return op("arith.minimumf", {op("arith.maximumf", {x, l}), h});
  case 1:
    return op("arith.minnumf", {op("arith.maxnumf", {x, l}), h});
  case 2: {
    std::string y = select(compare("ult", x, l), l, x);
    return select(compare("ugt", y, h), h, y);
  }
  default: {
    std::string y = select(compare("ogt", x, l), x, l);
    return select(compare("olt", h, y), h, y);
  }
  }
}

std::string Expression::anything(const std::string &x) {
  static const std::vector<std::string> predicates = {
      "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
      "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
  static const std::vector<std::string> unary = {"arith.negf", "math.absf"};
  static const std::vector<std::string> binary = {
      "arith.addf",     "arith.subf",    "arith.mulf",    "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "math.copysign", "arith.divf"};
  static const std::vector<std::string> logic = {"arith.andi", "arith.ori",
                                                 "arith.xori"};
  static const std::vector<float> numbers = {0.0f,  -0.0f, 1.0f,
                                             -1.0f, 2.0f,  0.5f};
  std::vector<std::string> floats = {x}, flags;
  if (random.chance(60))
    floats.push_back(sign(x));
  for (int64_t i = random.pick(1, 6); i > 0; --i) {
    auto any = [&] {
      return random.chance(40) ? number(random.choose(numbers))
                               : random.choose(floats);
    };
    int64_t kind = random.pick(0, 6);
    if (kind == 0 || flags.empty())
      flags.push_back(
          compare(random.choose(predicates), random.choose(floats), any()));
    else if (kind == 1)
      flags.push_back(bitOp(random.choose(logic), random.choose(flags),
                            random.choose(flags)));
    else if (kind == 2)
      floats.push_back(toFloat(random.choose(flags)));
    else if (kind == 3)
      floats.push_back(op(random.choose(unary), {random.choose(floats)}));
    else if (kind == 4)
      floats.push_back(
          op(random.choose(binary), {random.choose(floats), any()}));
    else
      floats.push_back(select(random.choose(flags), any(), any()));
  }
  return floats.back();
}

/// Odd shapes and maps: rank 0, a vector that is broadcast, two results of one
/// op, results that are used by others, too.
Program makeExpression(uint32_t seed) {
  Random random(seed);
  Program program;
  program.name = "f" + std::to_string(seed);
  Shape shape;
  for (int64_t rank = random.pick(0, 3); rank > 0; --rank)
    shape.push_back(random.pick(1, 7));
  bool body = random.chance(50);
  bool broadcast = body && !shape.empty() && random.chance(30);
  Shape xShape = broadcast ? Shape{shape[0]} : shape;
  std::string type = toText(shape, "f32"), xType = toText(xShape, "f32");
  Expression expression(random, body ? "f32" : type);
  auto make = [&](const std::string &x) {
    return random.chance(50) ? expression.sign(x) : expression.anything(x);
  };
  std::string first = make(body ? "%a" : "%x");
  std::string second =
      random.chance(50) ? make(first) : make(body ? "%a" : "%x");
  std::string text = "func.func @" + program.name + "(%x: " + xType + ") -> (" +
                     type + ", " + type + ") {\n";
  if (body) {
    std::string dims, parallel;
    for (size_t i = 0; i < shape.size(); ++i) {
      dims += (i ? ", d" : "d") + std::to_string(i);
      parallel += i ? ", \"parallel\"" : "\"parallel\"";
    }
    std::string identity = "affine_map<(" + dims + ") -> (" + dims + ")>",
                map =
                    broadcast ? "affine_map<(" + dims + ") -> (d0)>" : identity;
    text += "  %i = tensor.empty() : " + type +
            "\n  %r:2 = linalg.generic {indexing_maps = [" + map + ", " +
            identity + ", " + identity + "], iterator_types = [" + parallel +
            "]} ins(%x : " + xType + ") outs(%i, %i : " + type + ", " + type +
            ") {\n  ^bb0(%a: f32, %o0: f32, %o1: f32):\n" + expression.text +
            "    linalg.yield " + first + ", " + second +
            " : f32, f32\n  } -> (" + type + ", " + type +
            ")\n  return %r#0, %r#1 : " + type + ", " + type + "\n}\n";
  } else {
    text += expression.text + "  return " + first + ", " + second + " : " +
            type + ", " + type + "\n}\n";
  }
  program.text = text;
  program.results = {shape, shape};
  Array x = filled(xShape, 0);
  static const std::vector<float> special = {
      0.0f, -0.0f,    1e-45f,    -1e-45f,     NAN,
      -NAN, INFINITY, -INFINITY, 16777216.0f, -16777219.0f,
      1.0f, -1.0f,    2e7f,      -0.3f,       5.9604645e-8f};
  for (float &value : x.floats)
    value = random.chance(70) ? random.choose(special)
                              : float(random.pick(-4000, 4000)) / 1024.0f;
  program.inputs = {x};
  return program;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A matrix product of a quantized x by a quantized filter, in the ways in
/// which producers write them. All numbers are multiples of 1/8.
class Product {
public:
  explicit Product(uint32_t seed)
      : random(seed), seed(seed), rows(random.pick(1, 5)),
        depth(8 * random.pick(2, 9)), columns(random.pick(1, 4)) {}

  Program make();

private:
  float eighths(int64_t low, int64_t high) {
    return float(random.pick(low, high)) / 8.0f;
  }
  std::string quantize(Expression &e, const std::string &x);
  /// A filter's latent value as a constant; no element is zero.
  std::vector<float> makeLatent();
  std::string makeFilter();

  Random random;
  uint32_t seed;
  int64_t rows, depth, columns;
  std::string text;
};

std::string Product::quantize(Expression &e, const std::string &x) {
  // Of which zero and NaN do not differ where they can occur.
  auto sign = [&](const std::string &y) {
    std::string zero = e.number(0.0f), one = e.number(1.0f),
                minus = e.number(-1.0f);
    if (random.chance(40)) {
      std::string positive = e.select(e.compare("ogt", y, zero), one, zero);
      std::string s = e.select(e.compare("olt", y, zero), minus, positive);
      return e.op("arith.addf", {s, e.toFloat(e.compare("oeq", y, zero))});
    }
    return e.select(e.compare("oge", y, zero), one, minus);
  };
  auto scale = [&](const std::string &v, const std::string &s) {
    return random.chance(50) ? e.op("arith.mulf", {v, s})
                             : e.op("arith.mulf", {s, v});
  };
  switch (random.pick(0, 5)) {
  case 0: // Any sign of another kind, scaled.
    return scale(e.number(eighths(1, 40)), e.sign(x));
  case 1: { // v (s1 + s2).
    std::string v = e.number(eighths(1, 9)), s1 = sign(x);
    std::string rest = e.op("arith.subf", {x, scale(v, s1)});
    return scale(v, e.op("arith.addf", {s1, sign(rest)}));
  }
  default: {
    int64_t planes = random.pick(1, 3);
    bool fromSum = random.chance(50), fromZero = random.chance(50);
    std::string sum = e.number(0.0f), rest = x;
    for (int64_t plane = 0; plane < planes; ++plane) {
      std::string v = e.number(eighths(0, 9));
      std::string term = scale(v, sign(rest));
      // As written twice.
      std::string again = random.chance(50) ? term : scale(v, sign(rest));
      sum = plane == 0 && !fromZero ? term : e.op("arith.addf", {sum, term});
      rest = e.op("arith.subf", {fromSum ? x : rest, fromSum ? sum : again});
    }
    return sum;
  }
  }
}

std::vector<float> Product::makeLatent() {
  std::vector<float> latent;
  for (int64_t i = 0; i < columns * depth; ++i)
    latent.push_back(eighths(1, 40) * (random.chance(50) ? 1.0f : -1.0f));
  return latent;
}

std::string Product::makeFilter() {
  Shape shape = {columns, depth};
  std::string type = toText(shape, "f32"), row = toText({columns}, "f32");
  auto dense = [&](ArrayRef<float> values, bool flat = false) {
    std::string list = flat ? "[" : "[[";
    for (size_t i = 0; i < values.size(); ++i)
      list += (i == 0                    ? ""
               : i % depth == 0 && !flat ? "], ["
                                         : ", ") +
              bits(values[i]);
    return list + (flat ? "]" : "]]");
  };
  std::vector<float> latent = makeLatent();
  int64_t kind = random.pick(0, 2);
  if (kind == 0) { // Multiplied out.
    int64_t planes = random.pick(1, 3);
    bool ternary = planes == 2 && random.chance(50);
    for (int64_t c = 0; c < columns; ++c) {
      // Foldable: each is at least the sum of those after it.
      float v[3] = {};
      for (int64_t plane = planes; plane-- > 0;)
        v[plane] = v[1] + v[2] + eighths(1, 10);
      for (int64_t k = 0; k < depth; ++k) {
        float sum = 0;
        for (int64_t plane = 0; plane < planes; ++plane)
          sum += v[ternary ? 0 : plane] * (random.chance(50) ? 1.0f : -1.0f);
        latent[c * depth + k] = sum;
      }
      // Signs of both kinds, and the greatest level.
      latent[c * depth] = v[0];
      for (int64_t plane = 1; plane < planes; ++plane)
        latent[c * depth] += v[ternary ? 0 : plane];
      latent[c * depth + 1] = -latent[c * depth];
    }
    text +=
        "  %f = arith.constant dense<" + dense(latent) + "> : " + type + "\n";
    return "%f";
  }
  text += "  %w = arith.constant dense<" + dense(latent) + "> : " + type + "\n";
  if (kind == 1) { // Quantized in the graph.
    Expression e(random, type);
    std::string f = quantize(e, "%w");
    for (size_t at = 0; (at = e.text.find("%e", at)) != std::string::npos;)
      e.text.replace(at, 2, "%g");
    text += e.text;
    return "%g" + f.substr(2);
  }
  // By the mean of its magnitudes, computed in the graph.
  std::string rowMap = "affine_map<(d0, d1) -> (d0)>",
              identity = "affine_map<(d0, d1) -> (d0, d1)>";
  text +=
      "  %z = arith.constant 0.0 : f32\n"
      "  %n = arith.constant dense<" +
      bits(std::ldexp(1.0f, random.pick(0, 5))) + "> : " + row +
      "\n  %m = math.absf %w : " + type + "\n  %ri = tensor.empty() : " + row +
      "\n  %rz = linalg.fill ins(%z : f32) outs(%ri : " + row + ") -> " + row +
      "\n  %t = linalg.generic {indexing_maps = [" + identity + ", " + rowMap +
      "], iterator_types = [\"parallel\", \"reduction\"]} ins(%m : " + type +
      ") outs(%rz : " + row +
      ") {\n  ^bb0(%a: f32, %o: f32):\n    %u = arith.addf %o, %a : f32\n"
      "    linalg.yield %u : f32\n  } -> " +
      row + "\n  %v = arith.divf %t, %n : " + row +
      "\n  %one = arith.constant 1.0 : f32\n"
      "  %minus = arith.constant -1.0 : f32\n"
      "  %fi = tensor.empty() : " +
      type + "\n  %f = linalg.generic {indexing_maps = [" + identity + ", " +
      rowMap + ", " + identity +
      "], iterator_types = [\"parallel\", \"parallel\"]} ins(%w, %v : " + type +
      ", " + row + ") outs(%fi : " + type +
      ") {\n  ^bb0(%a: f32, %b: f32, %o: f32):\n"
      "    %c = arith.cmpf oge, %a, %z : f32\n"
      "    %s = arith.select %c, %one, %minus : f32\n"
      "    %p = arith.mulf %s, %b : f32\n    linalg.yield %p : f32\n  } -> " +
      type + "\n";
  return "%f";
}

Program Product::make() {
  Program program;
  program.name = "p" + std::to_string(seed);
  Shape xShape = {rows, depth}, yShape = {rows, columns};
  std::string xType = toText(xShape, "f32"), yType = toText(yShape, "f32"),
              wType = toText({columns, depth}, "f32"),
              tType = toText({depth, columns}, "f32");
  Expression e(random, xType);
  std::string input = quantize(e, "%x");
  text = e.text;
  std::string filter = makeFilter();
  text +=
      "  %zero = arith.constant 0.0 : f32\n  %yi = tensor.empty() : " + yType +
      "\n  %y0 = linalg.fill ins(%zero : f32) outs(%yi : " + yType + ") -> " +
      yType + "\n";
  if (random.chance(50)) {
    text += "  %ti = tensor.empty() : " + tType +
            "\n  %ft = linalg.transpose ins(" + filter + " : " + wType +
            ") outs(%ti : " + tType +
            ") permutation = [1, 0]\n  %y = linalg.matmul ins(" + input +
            ", %ft : " + xType + ", " + tType + ") outs(%y0 : " + yType +
            ") -> " + yType + "\n";
  } else {
    text += "  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> "
            "(m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> "
            "(m, n)>], iterator_types = [\"parallel\", \"parallel\", "
            "\"reduction\"]} ins(" +
            input + ", " + filter + " : " + xType + ", " + wType +
            ") outs(%y0 : " + yType +
            ") {\n  ^bb0(%a: f32, %b: f32, %o: f32):\n"
            "    %p = arith.mulf %a, %b : f32\n"
            "    %s = arith.addf %o, %p : f32\n    linalg.yield %s : f32\n"
            "  } -> " +
            yType + "\n";
  }
  program.text = "func.func @" + program.name + "(%x: " + xType + ") -> " +
                 yType + " {\n" + text + "  return %y : " + yType + "\n}\n";
  program.results = {yShape};
  Array x = filled(xShape, 0);
  static const std::vector<float> special = {0.0f,    -0.0f,    1e-45f,
                                             -1e-45f, INFINITY, -INFINITY};
  for (float &value : x.floats)
    value = random.chance(20) ? random.choose(special) : eighths(-40, 40);
  program.inputs = {x};
  return program;
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

class RaiseTest : public ::testing::Test {
protected:
  RaiseTest()
      : registry(makeRegistry()),
        context(registry, MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerRouteDialects(registry);
    return registry;
  }

  /// BQUANT_RAISE_PROGRAMS=1000 for a long run.
  static uint32_t countPrograms() {
    const char *number = std::getenv("BQUANT_RAISE_PROGRAMS");
    return number ? uint32_t(std::atoll(number)) : 100;
  }

  OwningOpRef<ModuleOp> parse(ArrayRef<Program> programs) {
    std::string text;
    for (const Program &program : programs)
      text += program.text;
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// Runs `passes` on a copy and calls all functions.
  std::vector<std::vector<Array>>
  run(ModuleOp module, ArrayRef<Program> programs, const Route &route,
      function_ref<void(OpPassManager &)> passes) {
    OwningOpRef<ModuleOp> copy = module.clone();
    PassManager pm(&context);
    passes(pm);
    EXPECT_TRUE(succeeded(pm.run(*copy)));
    std::vector<std::vector<Array>> results;
    auto compiled = route.compile(std::move(copy));
    if (!compiled) {
      ADD_FAILURE() << route.name << ": "
                    << llvm::toString(compiled.takeError());
      return results;
    }
    for (const Program &program : programs) {
      results.emplace_back();
      for (const Shape &shape : program.results)
        results.back().push_back(filled(shape, -12345.678f));
      // Code may compute in the arguments' buffers.
      std::vector<Array> inputs = program.inputs;
      llvm::Error error =
          (*compiled)->call(program.name, inputs, results.back());
      EXPECT_FALSE(bool(error));
    }
    return results;
  }

  std::vector<std::vector<Array>> runUnraised(ModuleOp module,
                                              ArrayRef<Program> programs) {
    return run(module, programs, getReferenceRoute(), [](OpPassManager &pm) {
      pm.addPass(createConvertElementwiseToLinalgPass());
    });
  }

  static void compare(ArrayRef<Program> programs,
                      const std::vector<std::vector<Array>> &expected,
                      const std::vector<std::vector<Array>> &got,
                      StringRef route,
                      function_ref<bool(float, float)> isSame) {
    ASSERT_EQ(expected.size(), got.size());
    for (size_t n = 0; n < programs.size(); ++n)
      for (size_t r = 0; r < expected[n].size(); ++r)
        for (size_t i = 0; i < expected[n][r].floats.size(); ++i) {
          float a = expected[n][r].floats[i], b = got[n][r].floats[i];
          ASSERT_TRUE(isSame(a, b))
              << route.str() << ", result " << r << ", element " << i
              << ": expected " << a << ", but got " << b << "\n"
              << programs[n].text;
        }
  }

  DialectRegistry registry;
  MLIRContext context;
};

} // namespace

TEST_F(RaiseTest, ExpressionsKeepEveryBit) {
  std::vector<Program> programs;
  for (uint32_t seed = 0; seed < 3 * countPrograms(); ++seed)
    programs.push_back(makeExpression(seed));
  OwningOpRef<ModuleOp> module = parse(programs);
  ASSERT_TRUE(module);
  int signs = 0;
  auto raised =
      run(*module, programs, getReferenceRoute(), [&](OpPassManager &pm) {
        RouteOptions options;
        options.assumptions.strictNaN = true;
        buildRecognitionPipeline(pm, options);
        pm.addPass(createConvertElementwiseToLinalgPass());
      });
  OwningOpRef<ModuleOp> copy = module->clone();
  PassManager pm(&context);
  buildRecognitionPipeline(pm);
  ASSERT_TRUE(succeeded(pm.run(*copy)));
  copy->walk([&](SignOp) { ++signs; });
  compare(programs, runUnraised(*module, programs), raised, "raised", isSame);
  EXPECT_GT(signs * 5, int(programs.size()));
}

TEST_F(RaiseTest, ProductsAreRaisedAndEqual) {
  std::vector<Program> programs;
  for (uint32_t seed = 0; seed < countPrograms(); ++seed)
    programs.push_back(Product(seed).make());
  OwningOpRef<ModuleOp> module = parse(programs);
  ASSERT_TRUE(module);
  auto expected = runUnraised(*module, programs);
  // Sums of nothing but zeros may have another sign.
  auto isEqual = [](float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
  };
  auto raised =
      run(*module, programs, getReferenceRoute(), [&](OpPassManager &pm) {
        buildRecognitionPipeline(pm);
        pm.addPass(createSolveScalars());
        pm.addPass(createConvertElementwiseToLinalgPass());
      });
  compare(programs, expected, raised, "raised", isEqual);
  for (const Route &route : getFastRoutes())
    compare(programs, expected,
            run(*module, programs, route, [](OpPassManager &) {}), route.name,
            isEqual);
  PassManager pm(&context);
  buildRecognitionPipeline(pm);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  for (auto function : module->getOps<func::FuncOp>()) {
    int products = 0;
    function.walk([&](MatmulOp) { ++products; });
    if (products != 1) {
      uint32_t n = std::atoi(function.getName().drop_front().str().c_str());
      ADD_FAILURE() << "not raised:\n" << programs[n].text;
    }
  }
}

TEST_F(RaiseTest, NetworksAsTorchMlirWritesThem) {
  int networks = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           file(BQUANT_TORCH_MLIR_NETWORKS, error),
       end;
       file != end && !error; file.increment(error)) {
    SCOPED_TRACE(file->path());
    ++networks;
    auto module = parseSourceFile<ModuleOp>(file->path(), &context);
    ASSERT_TRUE(module);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    auto shapeOf = [](Type type) {
      ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
      return Shape(shape.begin(), shape.end());
    };
    Program program;
    program.name = "main";
    program.results = {shapeOf(function.getResultTypes()[0])};
    program.inputs = {filled(shapeOf(function.getArgumentTypes()[0]), 0)};
    Random random(1);
    for (float &value : program.inputs[0].floats)
      value = float(random.pick(-30000, 30000)) / 10000.0f;

    // The first convolution stays float, and so does XNOR-Net's map of means.
    OwningOpRef<ModuleOp> raised = module->clone();
    PassManager pm(&context);
    buildRecognitionPipeline(pm);
    ASSERT_TRUE(succeeded(pm.run(*raised)));
    int floats = 0, binary = 0;
    raised->walk([&](Operation *op) {
      floats += isa<linalg::Conv2DNhwcFhwcOp>(op);
      binary += isa<Conv2DOp>(op);
      if (isa<Conv2DOp, MatmulOp>(op))
        EXPECT_TRUE(isa<SBTensorType>(op->getOperand(0).getType()));
    });
    bool isXnor = StringRef(file->path()).contains("xnor");
    EXPECT_EQ(floats, isXnor ? 2 : 1);
    EXPECT_GE(binary, 1);

    auto expected = runUnraised(*module, program);
    auto isNear = [](float a, float b) {
      return std::fabs(a - b) <= 1e-4f * std::max(1.0f, std::fabs(a));
    };
    for (const Route &route : getFastRoutes())
      compare(program, expected,
              run(*module, program, route, [](OpPassManager &) {}), route.name,
              isNear);
  }
  EXPECT_EQ(networks, 9);
}
