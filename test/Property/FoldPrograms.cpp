//===- FoldPrograms.cpp - Random chains before a quantize -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldPrograms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace bquant::test;

/// Divisible by what pools and reshapes take together.
static constexpr int64_t kRows = 48;

static std::string typeOf(const Shape &shape, const std::string &element) {
  std::string type = "tensor<";
  for (int64_t size : shape)
    type += std::to_string(size) + "x";
  return type + element + ">";
}

static std::string dims(size_t rank) {
  std::string list;
  for (size_t d = 0; d < rank; ++d)
    list += (d ? ", d" : "d") + std::to_string(d);
  return "(" + list + ")";
}

static std::string identity(size_t rank) {
  return "affine_map<" + dims(rank) + " -> " + dims(rank) + ">";
}

FoldProgram::FoldProgram(uint32_t seed)
    : seed(seed), random(seed), channels(pick(1, 4)), taps(pick(1, 70)) {
  Value source = makeSource(), value = source;
  for (int64_t steps = pick(0, 4); steps > 0; --steps) {
    value = pick(0, 4) ? makeStep(value) : makeView(value);
    // A fork: what was so far goes to a quantize of its own.
    if (pick(0, 9) == 0 && value.channelDim + 1 == int64_t(value.shape.size()))
      addQuantize(value);
  }
  if (value.channelDim + 1 != int64_t(value.shape.size()) && pick(0, 5))
    value = transpose(value);
  addQuantize(value);
  // Sometimes the source or the chain's end is wanted as a float, too.
  if (pick(0, 3) == 0)
    addResult(source);
  else if (pick(0, 5) == 0)
    addResult(value);
  function = "func.func @" + getName() +
             "(%x: " + typeOf({kRows, taps}, "f32") +
             ", %y: " + typeOf({kRows, channels}, "f32") + ") -> (" + types +
             ") {\n" + text + "  return " + returned + " : " + types + "\n}\n";
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

float FoldProgram::number() {
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

std::vector<Array> FoldProgram::makeInputs() {
  static const float special[] = {
      NAN,    INFINITY, -INFINITY,     0.0f,           -0.0f,
      1e-45f, -1e-45f,  3.4028235e38f, -3.4028235e38f, 1.0f};
  std::vector<Array> arrays(2);
  for (auto [array, columns] :
       {std::pair(&arrays[0], taps), std::pair(&arrays[1], channels)}) {
    array->shape = {kRows, columns};
    for (int64_t i = 0; i < kRows * columns; ++i)
      array->floats.push_back(pick(0, 7) ? number() : special[pick(0, 9)]);
  }
  return arrays;
}

std::string FoldProgram::makeConstant(int64_t count, bool positive) {
  std::string result = makeName(), list;
  for (int64_t i = 0; i < count; ++i) {
    float value = positive ? float(pick(1, 3000)) / 1024.0f : number();
    list += (i ? ", 0x" : "0x") +
            llvm::utohexstr(llvm::bit_cast<uint32_t>(value), false, 8);
  }
  text += "  " + result + " = arith.constant dense<[" + list +
          "]> : " + typeOf({count}, "f32") + "\n";
  return result;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::string FoldProgram::makeGeneric(const std::vector<Operand> &ins,
                                     const Shape &shape,
                                     const std::string &body,
                                     const std::string &element) {
  std::string init = makeName(), value = makeName(), names, inTypes, maps, args;
  for (size_t i = 0; i < ins.size(); ++i) {
    names += (i ? ", " : "") + ins[i].name;
    inTypes += (i ? ", " : "") + ins[i].type;
    maps += ins[i].map + ", ";
    args +=
        "%a" + std::to_string(i) +
        (llvm::StringRef(ins[i].type).ends_with("i1>") ? ": i1, " : ": f32, ");
  }
  std::string type = typeOf(shape, element), iterators;
  for (size_t d = 0; d < shape.size(); ++d)
    iterators += d ? ", \"parallel\"" : "\"parallel\"";
  text += "  " + init + " = tensor.empty() : " + type + "\n  " + value +
          " = linalg.generic {indexing_maps = [" + maps +
          identity(shape.size()) + "], iterator_types = [" + iterators +
          "]} ins(" + names + " : " + inTypes + ") outs(" + init + " : " +
          type + ") {\n  ^bb0(" + args + "%out: " + element + "):\n" + body +
          "    linalg.yield %r : " + element + "\n  } -> " + type + "\n";
  return value;
}

FoldProgram::Operand FoldProgram::whole(const Value &x) const {
  return {x.name, typeOf(x.shape, "f32"), identity(x.shape.size())};
}

FoldProgram::Operand FoldProgram::row(const Value &x,
                                      const std::string &name) const {
  return {name, typeOf({x.channels()}, "f32"),
          "affine_map<" + dims(x.shape.size()) + " -> (d" +
              std::to_string(x.channelDim) + ")>"};
}

FoldProgram::Value FoldProgram::makeStep(const Value &x,
                                         const std::string &body,
                                         int64_t constants, bool positive) {
  std::vector<Operand> ins = {whole(x)};
  for (int64_t i = 0; i < constants; ++i)
    ins.push_back(row(x, makeConstant(x.channels(), positive)));
  return {makeGeneric(ins, x.shape, body), x.shape, x.channelDim};
}

FoldProgram::Value FoldProgram::makeProduct(const Value &y, bool again) {
  // Planes of x and w; a product of one plane or ratios each is an integer.
  static const char *planes[] = {"1", "[1, 1]", "[2, 1]", "2"};
  static const int64_t scalars[] = {1, 1, 1, 2}, counts[] = {1, 2, 2, 2};
  int64_t p = again ? scalarsBefore.planes : pick(0, 3);
  int64_t w = again ? scalarsBefore.filterPlanes : pick(0, 3);
  std::string v = again ? scalarsBefore.input : makeConstant(scalars[p], true);
  std::string x = typeOf({kRows, taps}, "f32");
  auto sb = [](const Shape &shape, const std::string &rest) {
    std::string type = typeOf(shape, "");
    return "!bquant." + type.substr(0, type.size() - 2) + ", " + rest + ">";
  };
  std::string xq = sb({kRows, taps}, planes[p]);
  std::string wq =
      sb({y.channels(), taps}, std::string(planes[w]) + ", axes = [0]");
  int64_t words = (taps + 31) / 32;
  std::string list, wv;
  for (int64_t i = 0; i < counts[w]; ++i)
    for (int64_t j = 0; j < y.channels(); ++j)
      for (int64_t n = 0; n < words; ++n) {
        uint32_t word = uint32_t(random());
        if (n == words - 1 && taps % 32)
          word &= (1u << taps % 32) - 1;
        list += (n   ? ", "
                 : j ? "], ["
                 : i ? "]], [["
                     : "[[[") +
                std::to_string(int32_t(word));
      }
  for (int64_t i = 0; i < scalars[w]; ++i)
    for (int64_t j = 0; j < y.channels(); ++j)
      wv += (j   ? ", "
             : i ? "], ["
                 : "[[") +
            std::to_string(pick(0, 3000)) + ".0e-3";
  if (again)
    wv = scalarsBefore.filter;
  scalarsBefore = {p, w, v, wv};
  std::string q = makeName(), f = makeName(), product = makeName();
  text += "  " + q + " = bquant.quantize %x scalars(" + v + " : " +
          typeOf({scalars[p]}, "f32") + ") : " + x + " -> " + xq + "\n";
  text += "  " + f + " = bquant.constant words(dense<" + list +
          "]]]> : " + typeOf({counts[w], y.channels(), words}, "i32") +
          ") scalars(dense<" + wv +
          "]]> : " + typeOf({scalars[w], y.channels()}, "f32") + ") : " + wq +
          "\n";
  text += "  " + product + " = bquant.matmul " + q + ", " + f + " : (" + xq +
          ", " + wq + ") -> " + typeOf(y.shape, "f32") + "\n";
  return {product, y.shape, 1};
}

FoldProgram::Value FoldProgram::makeSource() {
  Value y{"%y", {kRows, channels}, 1};
  auto add = [&](const Value &a, const Value &b) -> Value {
    return {makeGeneric({whole(a), whole(b)}, a.shape,
                        "    %r = arith.addf %a0, %a1 : f32\n"),
            a.shape, 1};
  };
  switch (pick(0, 7)) {
  case 0:
    return y;
  case 1: // A shortcut.
    return add(makeProduct(y), y);
  case 2: { // Two products.
    Value first = makeProduct(y);
    return add(first, makeProduct(y, /*again=*/pick(0, 3) != 0));
  }
  case 3:
    return makePool(pick(0, 1) ? y : makeProduct(y));
  default:
    return makeProduct(y);
  }
}

/// The maximum of pairs of rows: no step, and the source of what follows.
FoldProgram::Value FoldProgram::makePool(const Value &x) {
  Value in = makeStep(makeStep(x));
  Shape shape = {in.shape[0] / 2, in.shape[1]};
  std::string pairs = makeName(), low = makeName(), init = makeName(),
              fill = makeName(), value = makeName();
  std::string out = typeOf(shape, "f32");
  std::string pairsType = typeOf({shape[0], 2, shape[1]}, "f32");
  text += "  " + pairs + " = tensor.expand_shape " + in.name +
          " [[0, 1], [2]] output_shape [" + std::to_string(shape[0]) + ", 2, " +
          std::to_string(shape[1]) + "] : " + typeOf(in.shape, "f32") +
          " into " + pairsType + "\n  " + low +
          " = arith.constant 0xFF800000 : f32\n  " + init +
          " = tensor.empty() : " + out + "\n  " + fill + " = linalg.fill ins(" +
          low + " : f32) outs(" + init + " : " + out + ") -> " + out + "\n  " +
          value + " = linalg.reduce { arith.maximumf } ins(" + pairs + " : " +
          pairsType + ") outs(" + fill + " : " + out + ") dimensions = [1]\n";
  return {value, shape, 1};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

FoldProgram::Value FoldProgram::makeStep(const Value &x) {
  switch (pick(0, 20)) {
  case 0:
    return makeStep(x, "    %r = arith.mulf %a0, %a1 : f32\n", 1);
  case 1:
    return makeStep(x, "    %r = arith.addf %a1, %a0 : f32\n", 1);
  case 2:
    return makeStep(x, "    %r = arith.subf %a0, %a1 : f32\n", 1);
  case 3:
    return makeStep(x, "    %r = arith.divf %a0, %a1 : f32\n", 1);
  case 4:
    return makeStep(x, "    %r = arith.maximumf %a0, %a1 : f32\n", 1);
  case 5:
    return makeStep(x, "    %r = arith.minnumf %a1, %a0 : f32\n", 1);
  case 6: // Batch norm.
  case 7:
    return makeStep(makeStep(x, "    %r = arith.subf %a0, %a1 : f32\n", 1),
                    "    %1 = math.rsqrt %a1 : f32\n"
                    "    %2 = arith.mulf %a0, %1 : f32\n"
                    "    %3 = arith.subf %a3, %a2 : f32\n"
                    "    %4 = arith.mulf %2, %3 : f32\n"
                    "    %r = arith.addf %4, %a3 : f32\n",
                    3, /*positive=*/true);
  case 8: // Clamp, NaN to the lower bound or through.
    return makeStep(x, std::string("    %lo = arith.constant -1.5 : f32\n"
                                   "    %hi = arith.constant 2.0 : f32\n"
                                   "    %0 = arith.cmpf ") +
                           (pick(0, 1) ? "ult" : "olt") +
                           ", %a0, %lo : f32\n"
                           "    %1 = arith.select %0, %lo, %a0 : f32\n"
                           "    %2 = arith.cmpf ogt, %1, %hi : f32\n"
                           "    %r = arith.select %2, %hi, %1 : f32\n");
  case 9: { // PReLU in three ops.
    Operand in = whole(x);
    std::string c = makeGeneric({in}, x.shape,
                                "    %z = arith.constant 0.0 : f32\n"
                                "    %r = arith.cmpf ogt, %a0, %z : f32\n",
                                "i1");
    Value m = makeStep(x, "    %r = arith.mulf %a1, %a0 : f32\n", 1);
    return {makeGeneric({{c, typeOf(x.shape, "i1"), in.map}, in, whole(m)},
                        x.shape, "    %r = arith.select %a0, %a1, %a2 : f32\n"),
            x.shape, x.channelDim};
  }
  case 10:
    return makeStep(x, "    %r = math.absf %a0 : f32\n");
  case 11: // ReLU.
    return makeStep(x, "    %z = arith.constant 0.0 : f32\n"
                       "    %r = arith.maximumf %a0, %z : f32\n");
  case 12: // Repeated.
    return makeStep(x,
                    "    %0 = arith.addf %a0, %a1 : f32\n"
                    "    %1 = arith.addf %0, %a2 : f32\n"
                    "    %2 = arith.mulf %1, %a3 : f32\n"
                    "    %r = arith.mulf %2, %a4 : f32\n",
                    4);
  case 13: // Hard sigmoid.
    return makeStep(x, "    %z = arith.constant 0.0 : f32\n"
                       "    %one = arith.constant 1.0 : f32\n"
                       "    %s = arith.constant 6.0 : f32\n"
                       "    %h = arith.constant 0.5 : f32\n"
                       "    %0 = arith.divf %a0, %s : f32\n"
                       "    %1 = arith.addf %0, %h : f32\n"
                       "    %2 = arith.maxnumf %1, %z : f32\n"
                       "    %r = arith.minnumf %2, %one : f32\n");
  case 14: // Hard swish: no monotone step of a float, but one of integers.
    return makeStep(x, "    %z = arith.constant 0.0 : f32\n"
                       "    %three = arith.constant 3.0 : f32\n"
                       "    %six = arith.constant 6.0 : f32\n"
                       "    %0 = arith.addf %a0, %three : f32\n"
                       "    %1 = arith.maximumf %0, %z : f32\n"
                       "    %2 = arith.minimumf %1, %six : f32\n"
                       "    %3 = arith.mulf %a0, %2 : f32\n"
                       "    %r = arith.divf %3, %six : f32\n");
  case 15: // A root, of what is not negative or of anything.
    return pick(0, 1) ? makeStep(x, "    %0 = math.absf %a0 : f32\n"
                                    "    %r = math.sqrt %0 : f32\n")
                      : makeStep(x,
                                 "    %0 = arith.maximumf %a0, %a1 : f32\n"
                                 "    %r = math.rsqrt %0 : f32\n",
                                 1, /*positive=*/true);
  case 16:
  case 17:
    return makeRound(x);
  case 18: // where(lo <= x < hi, 1, -1) of an importer.
    return makeStep(x,
                    "    %one = arith.constant 1.0 : f32\n"
                    "    %0 = arith.cmpf oge, %a0, %a1 : f32\n"
                    "    %1 = arith.cmpf uno, %a0, %a1 : f32\n"
                    "    %2 = arith.xori %0, %1 : i1\n"
                    "    %3 = arith.uitofp %2 : i1 to f32\n"
                    "    %4 = arith.addf %3, %3 : f32\n"
                    "    %r = arith.subf %4, %one : f32\n",
                    1);
  case 19: // Leaky, as a maximum; a fused step.
    return makeStep(x, "    %s = arith.constant 0.01 : f32\n"
                       "    %h = arith.constant -0.5 : f32\n"
                       "    %0 = arith.mulf %a0, %s : f32\n"
                       "    %1 = arith.maximumf %a0, %0 : f32\n"
                       "    %2 = arith.negf %1 : f32\n"
                       "    %r = math.fma %2, %h, %h : f32\n");
  default: { // A sum of two branches of one value.
    Value other = makeStep(x);
    return {makeGeneric({whole(x), whole(other)}, x.shape,
                        "    %r = arith.addf %a0, %a1 : f32\n"),
            x.shape, x.channelDim};
  }
  }
}

/// A uniform quantizer written out: round(x s) clamped, by any rounding.
FoldProgram::Value FoldProgram::makeRound(const Value &x) {
  static const char *modes[] = {"floor", "ceil", "round", "roundeven", "trunc"};
  return makeStep(x,
                  "    %lo = arith.constant -2.0 : f32\n"
                  "    %hi = arith.constant 1.0 : f32\n"
                  "    %0 = arith.mulf %a0, %a1 : f32\n"
                  "    %1 = arith.addf %0, %a2 : f32\n"
                  "    %2 = math." +
                      std::string(modes[pick(0, 4)]) +
                      " %1 : f32\n"
                      "    %3 = arith.maximumf %2, %lo : f32\n"
                      "    %r = arith.minimumf %3, %hi : f32\n",
                  2, /*positive=*/pick(0, 1) != 0);
}

FoldProgram::Value FoldProgram::transpose(const Value &x) {
  Shape shape = {x.shape[1], x.shape[0]};
  std::string init = makeName(), value = makeName();
  std::string type = typeOf(shape, "f32");
  text += "  " + init + " = tensor.empty() : " + type + "\n  " + value +
          " = linalg.transpose ins(" + x.name + " : " + typeOf(x.shape, "f32") +
          ") outs(" + init + " : " + type + ") permutation = [1, 0]\n";
  return {value, shape, 1 - x.channelDim};
}

FoldProgram::Value FoldProgram::makeView(const Value &x) {
  std::string from = typeOf(x.shape, "f32");
  auto list = [](const Shape &shape) {
    std::string dims;
    for (size_t d = 0; d < shape.size(); ++d)
      dims += (d ? ", " : "") + std::to_string(shape[d]);
    return "[" + dims + "]";
  };
  bool isEven = x.shape[0] % 2 == 0;
  bool isSlice = x.channels() > 1 && x.shape[0] > 8 && pick(0, 1);
  if (x.channelDim == 0 || pick(0, 2) == 0 || (!isSlice && !isEven))
    return transpose(x);
  std::string value = makeName();
  if (isSlice) {
    // Some of the channels, from the first row or the second on.
    int64_t offset = pick(0, 1), row = pick(0, 1);
    Shape shape = {x.shape[0] - row * 4, x.channels() - 1};
    text += "  " + value + " = tensor.extract_slice " + x.name +
            list({row, offset}) + " " + list(shape) + " [1, 1] : " + from +
            " to " + typeOf(shape, "f32") + "\n";
    return {value, shape, 1};
  }
  // Pairs of rows side by side: a flatten.
  std::string pairs = makeName();
  Shape split = {x.shape[0] / 2, 2, x.channels()};
  Shape shape = {split[0], 2 * x.channels()};
  text += "  " + pairs + " = tensor.expand_shape " + x.name +
          " [[0, 1], [2]] output_shape " + list(split) + " : " + from +
          " into " + typeOf(split, "f32") + "\n  " + value +
          " = tensor.collapse_shape " + pairs +
          " [[0], [1, 2]] : " + typeOf(split, "f32") + " into " +
          typeOf(shape, "f32") + "\n";
  return {value, shape, 1};
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void FoldProgram::addResult(const Value &value) {
  returned += (results.empty() ? "" : ", ") + value.name;
  types += (results.empty() ? "" : ", ") + typeOf(value.shape, "f32");
  results.push_back(value.shape);
}

void FoldProgram::addQuantize(const Value &x) {
  int64_t planes = pick(1, 3);
  bool ternary = planes == 3;
  int64_t scalars = planes == 2 ? 2 : 1;
  std::string v = makeConstant(scalars, true);
  std::string vType = typeOf({scalars}, "f32"), type = typeOf(x.shape, "f32");
  std::string q = "!bquant." + type.substr(0, type.size() - 5) + ", " +
                  (ternary ? "[1, 1]" : std::to_string(planes)) + ">";
  std::string how;
  if (planes == 1 && pick(0, 3) == 0) {
    std::string t = makeConstant(1);
    how = " thresholds(" + t + " : tensor<1xf32>) codes [" +
          (pick(0, 1) ? "0, 1" : "1, 0") + "]";
  }
  std::string code = makeName(), value = makeName();
  text += "  " + code + " = bquant.quantize " + x.name + how + " scalars(" + v +
          " : " + vType + ") : " + type + " -> " + q + "\n  " + value +
          " = bquant.dequantize " + code + " : " + q + " -> " + type + "\n";
  addResult({value, x.shape, x.channelDim});
}
