//===- Generator.cpp - Random layers and networks -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>
#include <limits>

#pragma STDC FP_CONTRACT OFF

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

Generator::Generator(ModuleOp module, uint32_t seed,
                     const TargetDescription &target)
    : random(seed), seed(seed), target(target), module(module),
      b(UnknownLoc::get(module.getContext()), module.getContext()) {
  b.setInsertionPointToEnd(module.getBody());
  std::string name = "seed_" + std::to_string(seed);
  function = func::FuncOp::create(b, name, b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
}

//===----------------------------------------------------------------------===//
// Random choices
//===----------------------------------------------------------------------===//

int64_t Generator::pick(int64_t low, int64_t high) {
  return low + int64_t(random() % uint64_t(high - low + 1));
}

/// Many zeros of both signs and ties, since that is where mistakes hide.
float Generator::number() {
  int64_t kind = pick(0, 9);
  if (kind == 0)
    return chance(50) ? 0.0f : -0.0f;
  if (kind <= 4)
    return float(pick(-8, 8)) * 0.25f;
  return float(pick(-1000000, 1000000)) / 400000.0f;
}

float Generator::scalar() {
  int64_t kind = pick(0, 9);
  if (kind == 0)
    return 0;
  if (kind <= 5)
    return float(pick(1, 6)) * 0.25f;
  return float(pick(1, 1000000)) / 700000.0f;
}

Array Generator::numbers(const Shape &shape, bool special) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Array array{shape, false, {}, {}};
  for (int64_t n = 0; n < count(shape); ++n)
    array.floats.push_back(
        special && chance(2) ? choose({inf, -inf, std::nanf(""), 3e38f, 1e-45f})
                             : number());
  return array;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RankedTensorType Generator::typeOf(const Shape &shape, bool isInt) {
  return RankedTensorType::get(shape, isInt ? Type(b.getI32Type())
                                            : Type(b.getF32Type()));
}

SBTensorType Generator::typeOf(const Codes &codes) {
  return SBTensorType::get(b.getContext(), codes.shape, codes.planes,
                           codes.ratios, codes.axes, !codes.offset.empty());
}

Value Generator::constant(const Array &array) {
  RankedTensorType type = typeOf(array.shape, array.isInt);
  auto attr = array.isInt
                  ? DenseElementsAttr::get(type, ArrayRef<int32_t>(array.ints))
                  : DenseElementsAttr::get(type, ArrayRef<float>(array.floats));
  return arith::ConstantOp::create(b, attr);
}

Node Generator::argument(Array array) {
  Block &entry = function.front();
  Value value = entry.addArgument(typeOf(array.shape, array.isInt), b.getLoc());
  inputs.push_back(array);
  return {value, std::move(array), {}};
}

Value Generator::known(const Array &array) {
  return chance(75) ? constant(array) : argument(array).value;
}

Codes Generator::randomType(Shape shape, int maxPlanes, bool axisAllowed,
                            bool offsetAllowed) {
  Codes codes;
  codes.shape = std::move(shape);
  int64_t kind = pick(0, 9);
  if (even)
    codes.ratios = evenRatios();
  if (maxPlanes == 1 || even || kind <= 3)
    codes.planes = 1;
  else if (kind <= 5)
    codes.planes = 2;
  else if (kind <= 7)
    codes.ratios = {1, 1};
  else if (kind == 8)
    codes.ratios = choose<std::vector<int64_t>>(
        {{2, 1}, {4, 2, 1}, {1, 2}, {3, 2}, {8, 4, 2, 1}, {1, 1, 1}});
  else
    codes.planes = maxPlanes;
  if (!codes.ratios.empty())
    codes.planes = codes.ratios.size();
  if (axisAllowed && chance(50))
    codes.axes = codes.shape.size() == 3
                     ? choose<std::vector<int64_t>>({{0}, {1}, {0, 1}})
                     : std::vector<int64_t>{0};
  for (int64_t n = 0; n < codes.numScalars() * codes.axisSize(); ++n)
    codes.scalars.push_back(scalar());
  if (offsetAllowed && chance(50))
    for (int64_t n = 0; n < codes.axisSize(); ++n)
      codes.offset.push_back(number());
  return codes;
}

static Array scalarsOf(const Codes &codes) {
  Array array{{codes.numScalars()}, false, codes.scalars, {}};
  for (int64_t axis : codes.axes)
    array.shape.push_back(codes.shape[axis]);
  return array;
}

static Array offsetOf(const Codes &codes) {
  Array array{{}, false, codes.offset, {}};
  for (int64_t axis : codes.axes)
    array.shape.push_back(codes.shape[axis]);
  return array;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::vector<double> Generator::makeEvenThresholds(const Array &x,
                                                  int64_t size) {
  auto draw = [&]() -> double {
    int64_t at = pick(0, count(x.shape) - 1);
    double value = x.isInt ? x.ints[at] : x.floats[at];
    return std::isfinite(value) ? value : pick(-4, 4);
  };
  auto [low, high] = std::minmax({draw(), draw()});
  // Some that all values reach, and some that none does.
  int64_t always = x.isInt && chance(20) ? pick(1, size) : 0;
  int64_t never = chance(20) ? pick(1, size) : 0;
  std::vector<double> row;
  for (int64_t n = 0; n < size; ++n) {
    double t = low + (high - low) * (n + 0.5) / size;
    double rounded = x.isInt ? std::ceil(t) : double(float(t));
    if (!x.isInt && rounded < t)
      rounded = std::nextafter(float(t), float(high) + 1);
    if (n >= size - never)
      rounded = x.isInt ? std::numeric_limits<int32_t>::max() : std::nan("");
    if (n < always)
      rounded = std::numeric_limits<int32_t>::min();
    row.push_back(rounded);
  }
  return row;
}

Node Generator::quantizeByScalars(const Node &x, const Codes &type,
                                  Value scalars, Value offset) {
  auto op = QuantizeOp::create(b, typeOf(type), x.value, SchemeAttr(), Value(),
                               DenseI64ArrayAttr(), scalars, offset);
  return {op.getResult(), {}, test::quantizeByScalars(x.array, type)};
}

Node Generator::quantizeByThresholds(const Node &x, const Codes &type,
                                     Value scalars, Value offset,
                                     const Node &thresholds,
                                     const std::vector<int64_t> &table) {
  auto op = QuantizeOp::create(b, typeOf(type), x.value, SchemeAttr(),
                               thresholds.value, b.getDenseI64ArrayAttr(table),
                               scalars, offset);
  return {op.getResult(),
          {},
          test::quantizeByThresholds(x.array, thresholds.array, table, type)};
}

Node Generator::quantize(const Node &x, bool onePlane, bool offset) {
  const Shape &shape = x.array.shape;
  Codes type =
      randomType(shape, onePlane ? 1 : 4, /*axisAllowed=*/true, offset);
  Value offsetValue = type.offset.empty() ? Value() : known(offsetOf(type));
  Value scalars = known(scalarsOf(type));
  if (!x.array.isInt && chance(60))
    return quantizeByScalars(x, type, scalars, offsetValue);

  // Thresholds among values that occur, so that ties do, too; or the ranks
  // among evenly spaced ones, of which the reference compares with each: 255
  // take long to compile.
  bool ranks = chance(type.planes <= 4 ? 12 : 2);
  int64_t each = ranks ? (1 << type.planes) - 1 : pick(1, 4);
  bool ascending = chance(85);
  Array thresholds{{each}, x.array.isInt, {}, {}};
  if (chance(60))
    thresholds.shape = {shape.back(), each};
  for (int64_t n = 0; n < count(thresholds.shape); n += each) {
    std::vector<double> row;
    if (ranks)
      row = makeEvenThresholds(x.array, each);
    for (int64_t t = row.size(); t < each; ++t) {
      int64_t at = pick(0, count(shape) - 1);
      double value = x.array.isInt ? x.array.ints[at] : x.array.floats[at];
      row.push_back(chance(70)      ? value
                    : x.array.isInt ? double(pick(-40, 40))
                                    : double(number()));
      if (std::isnan(row.back()) || (!x.array.isInt && chance(10)))
        row.back() = std::nan("");
    }
    if (ascending)
      std::sort(row.begin(), row.end(), [](double a, double c) {
        return std::isnan(c) ? !std::isnan(a) : a < c;
      });
    for (double t : row) {
      if (x.array.isInt)
        thresholds.ints.push_back(int32_t(t));
      else
        thresholds.floats.push_back(float(t));
    }
  }
  std::vector<int64_t> table;
  for (int64_t n = 0; n <= each; ++n)
    table.push_back(ranks ? n : pick(0, (1 << type.planes) - 1));
  return quantizeByThresholds(x, type, scalars, offsetValue,
                              {known(thresholds), thresholds, {}}, table);
}

Node Generator::filter(const Shape &shape, bool offset) {
  offset = offset && chance(25);
  if (chance(15)) {
    // Known at run time only.
    Codes type = randomType(shape, 2, /*axisAllowed=*/true, offset);
    Node x = argument(numbers(shape));
    Value scalars = known(scalarsOf(type));
    Value offsetValue = type.offset.empty() ? Value() : known(offsetOf(type));
    return quantizeByScalars(x, type, scalars, offsetValue);
  }
  Codes codes = randomType(shape, 4, /*axisAllowed=*/true, offset);
  for (int64_t n = 0; n < count(shape); ++n)
    codes.codes.push_back(uint8_t(pick(0, (1 << codes.planes) - 1)));
  return filter(codes);
}

Node Generator::filter(const Codes &codes) {
  const Shape &shape = codes.shape;
  int64_t rows = count(shape) / shape.back();
  int64_t words = llvm::divideCeil(shape.back(), kWordBits);
  std::vector<uint32_t> packed(codes.planes * rows * words, 0);
  for (int64_t n = 0; n < count(shape); ++n) {
    int64_t c = n % shape.back();
    for (int64_t p = 0; p < codes.planes; ++p)
      if (codes.sign(n, p) > 0)
        packed[(p * rows + n / shape.back()) * words + c / kWordBits] |=
            uint32_t(1) << (c % kWordBits);
  }
  SBTensorType type = typeOf(codes);
  auto op = ConstantOp::create(
      b, type,
      DenseElementsAttr::get(type.getWordsType(), ArrayRef<uint32_t>(packed)),
      DenseElementsAttr::get(type.getScalarsType(),
                             ArrayRef<float>(codes.scalars)),
      codes.offset.empty()
          ? ElementsAttr()
          : DenseElementsAttr::get(type.getOffsetType(),
                                   ArrayRef<float>(codes.offset)));
  return {op.getResult(), {}, codes};
}

Node Generator::dequantize(const Node &q) {
  auto op = DequantizeOp::create(b, typeOf(q.codes.shape), q.value);
  return {op.getResult(), test::dequantize(q.codes), {}};
}

Node Generator::sign(const Node &x) {
  auto op = SignOp::create(b, x.value);
  Node y{op.getResult(), x.array, {}};
  for (float &v : y.array.floats)
    v = v >= 0 ? 1.0f : -1.0f;
  return y;
}

/// Whether the input of a product is codes.
static bool isBinary(const Node &x) {
  return isa<SBTensorType>(x.value.getType());
}

/// Whether a product of these can have an i32 result.
static bool hasIntegerResult(const Node &x, const Node &y) {
  return isBinary(x) && x.codes.offset.empty() && x.codes.numScalars() == 1 &&
         y.codes.numScalars() == 1 && y.codes.offset.empty();
}

SumOrder Generator::drawKernel(Operation *product) {
  SumOrder order{target.fusesMultiplyAdd};
  std::optional<ProductShape> shape = getProductShape(product);
  if (!shape || !shape->floatInput)
    return order;
  SmallVector<KernelAttrInterface> kernels =
      getKernels(b.getContext(), *shape, target);
  KernelAttrInterface kernel = kernels[pick(0, int64_t(kernels.size()) - 1)];
  product->setAttr("kernel", kernel);
  order.terms = kernel.getInputChannels();
  return order;
}

Node Generator::conv2d(const Node &x, int64_t groups, int64_t filters) {
  const Shape &in = isBinary(x) ? x.codes.shape : x.array.shape;
  Geometry g;
  g.groups = groups;
  int64_t taps[2];
  do {
    for (int d = 0; d < 2; ++d) {
      taps[d] = choose<int64_t>({1, 1, 2, 3, 3, 3, 4, 5});
      g.strides[d] = choose<int64_t>({1, 1, 1, 2, 3});
      g.dilations[d] = choose<int64_t>({1, 1, 1, 2, 3});
      for (int side = 0; side < 2; ++side)
        g.pads[2 * d + side] = choose<int64_t>({0, 0, 0, 1, 1, 1, 2, 5});
    }
  } while (!outputSize(g, 0, in[1], taps[0]) ||
           !outputSize(g, 1, in[2], taps[1]));
  return conv2d(x, filters, taps, g);
}

Node Generator::conv2d(const Node &x, int64_t filters, const int64_t taps[2],
                       Geometry g) {
  const Shape &in = isBinary(x) ? x.codes.shape : x.array.shape;
  if (isBinary(x) && x.codes.planes == 1 && chance(40))
    g.padValue = 1;
  // Of floats the sum of a window has an order of its own.
  Node f = filter({filters, taps[0], taps[1], in[3] / g.groups},
                  /*offset=*/isBinary(x));
  return conv2d(x, f, g, hasIntegerResult(x, f) && chance(50));
}

Node Generator::conv2d(const Node &x, const Node &f, const Geometry &g,
                       bool isInt) {
  const Shape &in = isBinary(x) ? x.codes.shape : x.array.shape;
  const Shape &window = f.codes.shape;
  Shape shape{in[0], outputSize(g, 0, in[1], window[1]),
              outputSize(g, 1, in[2], window[2]), window[0]};
  auto op = Conv2DOp::create(b, typeOf(shape, isInt), x.value,
                             cast<TypedValue<SBTensorType>>(f.value), g.strides,
                             g.dilations, g.pads, g.groups, g.padValue,
                             /*kernel=*/nullptr);
  Array y = test::conv2d(isBinary(x) ? &x.codes : nullptr,
                         isBinary(x) ? nullptr : &x.array, f.codes, g, isInt,
                         drawKernel(op));
  return {op.getResult(), y, {}};
}

Node Generator::floatMatmul(const Node &x, int64_t columns) {
  // An argument, since a constant may turn out to be signs.
  Node w = argument(numbers({x.array.shape.back(), columns}));
  Array y = test::matmul(x.array, w.array, target.fusesMultiplyAdd);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(b, y.shape, b.getF32Type());
  Value init = linalg::FillOp::create(b, zero, empty).getResult(0);
  auto op =
      linalg::MatmulOp::create(b, TypeRange(init.getType()),
                               ValueRange{x.value, w.value}, ValueRange(init));
  return {op.getResult(0), y, {}};
}

Node Generator::matmul(const Node &x, int64_t columns) {
  Shape shape = isBinary(x) ? x.codes.shape : x.array.shape;
  shape[shape.size() - 2] = columns;
  Node rhs = filter(shape, /*offset=*/isBinary(x));
  return matmul(x, rhs, hasIntegerResult(x, rhs) && chance(50));
}

Node Generator::matmul(const Node &x, const Node &rhs, bool isInt) {
  Shape result = isBinary(x) ? x.codes.shape : x.array.shape;
  result.back() = rhs.codes.shape[rhs.codes.shape.size() - 2];
  auto op = MatmulOp::create(b, typeOf(result, isInt), x.value,
                             cast<TypedValue<SBTensorType>>(rhs.value),
                             /*kernel=*/nullptr);
  Array y = test::matmul(isBinary(x) ? &x.codes : nullptr,
                         isBinary(x) ? nullptr : &x.array, rhs.codes, isInt,
                         drawKernel(op));
  return {op.getResult(), y, {}};
}

/// One elementwise generic over `operands` with the given maps.
static Value
elementwise(ImplicitLocOpBuilder &b, RankedTensorType type, ValueRange operands,
            ArrayRef<AffineMap> maps,
            function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  Value init =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, type, operands, init, maps, loops,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, body(b, loc, args));
             })
      .getResult(0);
}

Node Generator::toFloat(const Node &x) {
  if (!x.array.isInt)
    return x;
  Node y{Value(), {x.array.shape, false, {}, {}}, {}};
  for (int32_t n : x.array.ints)
    y.array.floats.push_back(float(n));
  AffineMap map = b.getMultiDimIdentityMap(x.array.shape.size());
  y.value = elementwise(b, typeOf(x.array.shape), x.value, {map, map},
                        [](OpBuilder &b, Location loc, ValueRange args) {
                          return arith::SIToFPOp::create(b, loc, b.getF32Type(),
                                                         args[0]);
                        });
  return y;
}

Node Generator::epilogue(const Node &x) {
  const Shape &shape = x.array.shape;
  Array channel = numbers({shape.back()});
  Node y = x;
  enum { Scale, Bias, PReLU } kind = choose({Scale, Bias, PReLU});
  for (int64_t n = 0; n < count(shape); ++n) {
    float &v = y.array.floats[n], c = channel.floats[n % shape.back()];
    if (kind == Scale)
      v = v * c;
    else if (kind == Bias)
      v = v + c;
    else
      v = v > 0 ? v : v * c;
  }
  int64_t rank = shape.size();
  AffineMap map = b.getMultiDimIdentityMap(rank);
  AffineMap last = AffineMap::get(rank, 0, b.getAffineDimExpr(rank - 1));
  y.value = elementwise(
      b, typeOf(shape), {x.value, constant(channel)}, {map, last, map},
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        if (kind == Bias)
          return arith::AddFOp::create(b, loc, args[0], args[1]);
        Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
        if (kind == Scale)
          return product;
        Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
        Value positive = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::OGT, args[0], zero);
        return arith::SelectOp::create(b, loc, positive, args[0], product);
      });
  return y;
}

Node Generator::add(const Node &x, const Node &y) {
  Node sum = x;
  for (size_t n = 0; n < sum.array.floats.size(); ++n)
    sum.array.floats[n] = x.array.floats[n] + y.array.floats[n];
  AffineMap map = b.getMultiDimIdentityMap(x.array.shape.size());
  sum.value =
      elementwise(b, typeOf(x.array.shape), {x.value, y.value}, {map, map, map},
                  [](OpBuilder &b, Location loc, ValueRange args) {
                    return arith::AddFOp::create(b, loc, args[0], args[1]);
                  });
  return sum;
}

Node Generator::flatten(const Node &x) {
  Node y = x;
  const Shape &s = x.array.shape;
  y.array.shape = {s[0], s[1] * s[2] * s[3]};
  y.value = tensor::CollapseShapeOp::create(
      b, typeOf(y.array.shape), x.value,
      ArrayRef<ReassociationIndices>{{0}, {1, 2, 3}});
  return y;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Case Generator::finish(const char *kind, ArrayRef<Node> results) {
  SmallVector<Value> values;
  Case result{function.getName().str(), seed, inputs, {}};
  for (const Node &node : results) {
    values.push_back(node.value);
    result.outputs.push_back(node.array);
  }
  func::ReturnOp::create(b, values);
  function.setFunctionType(b.getFunctionType(
      function.front().getArgumentTypes(), ValueRange(values).getTypes()));
  function->setAttr("test.kind", b.getStringAttr(kind));
  return result;
}

SmallVector<Node> Generator::after(Node y) {
  SmallVector<Node> results{y};
  if (chance(40)) {
    // What follows a layer: an epilogue and the next quantize.
    if (chance(50))
      y = epilogue(toFloat(y));
    results.push_back(dequantize(quantize(y, false, /*offset=*/true)));
  }
  return results;
}

Case Generator::makeLayer() {
  int64_t kind = pick(0, 19);
  if (kind == 0) {
    Node x = argument(numbers({pick(1, 3), channels()}, /*special=*/true));
    return finish("sign", {sign(x), dequantize(quantize(x, false, true))});
  }
  if (kind <= 2) {
    Node x = argument(
        numbers({pick(1, 2), pick(1, 7), pick(1, 7), channels()}, true));
    return finish("max_pool_2d",
                  {dequantize(maxPool(quantize(x, false, true)))});
  }
  if (kind <= 6) {
    int64_t depth = choose<int64_t>({1, 3, 31, 32, 33, 65, 200, 513});
    Shape shape{choose<int64_t>({1, 1, 2, 5, 9}), depth};
    if (chance(25))
      shape.insert(shape.begin(), pick(1, 3));
    bool isFloat = chance(10);
    Node x = argument(numbers(shape, !isFloat));
    Node q = isFloat ? x : quantize(x, /*onePlane=*/false, /*offset=*/true);
    return finish("matmul",
                  after(matmul(q, choose<int64_t>({1, 2, 16, 17, 33}))));
  }
  Shape shape{pick(1, 2), pick(1, 8), pick(1, 8), channels()};
  bool isFloat = kind == 7;
  Node x = argument(numbers(shape, !isFloat));
  Node q = isFloat ? x : quantize(x, /*onePlane=*/chance(20), /*offset=*/true);
  int64_t groups = 1,
          filters = choose<int64_t>({1, 3, 8, 16, 17, 31, 32, 33, 48, 65});
  if (kind == 8 || kind == 9) {
    groups = shape[3] % 2 == 0 && chance(50) ? 2 : shape[3];
    filters = groups * pick(1, 2);
  }
  return finish("conv_2d", after(conv2d(q, groups, filters)));
}

Case Generator::makeFloatProduct() {
  if (chance(30)) {
    Shape shape{pick(1, 2), pick(1, 6), pick(1, 6), channels()};
    return finish("conv_2d", after(conv2d(argument(numbers(shape)), 1,
                                          choose<int64_t>({1, 3, 32, 33}))));
  }
  Node x =
      argument(numbers({pick(1, 9), choose<int64_t>({1, 3, 31, 32, 65, 200})}));
  int64_t columns = choose<int64_t>({1, 2, 16, 17, 33, 70});
  return finish("matmul", after(chance(30) ? matmul(x, columns)
                                           : floatMatmul(x, columns)));
}

Case Generator::makeGroupedLayer() {
  // Channels of a group: divisors and multiples of a word, and others.
  int64_t channels = choose<int64_t>({1, 1, 1, 2, 4, 8, 16, 5, 12, 33, 32, 64});
  int64_t groups = pick(1, channels >= 32 ? 3 : channels >= 8 ? 5 : 70);
  int64_t filters =
      groups * (chance(40) ? 1 : choose<int64_t>({2, 3, 4, 8, 16, 32, 40}));
  if (filters > 200)
    filters = groups;
  Shape shape{pick(1, 2), chance(20) ? 1 : pick(1, 7), pick(1, 7),
              channels * groups};
  Node x = argument(numbers(shape));
  if (chance(80))
    x = quantize(x, /*onePlane=*/chance(40), /*offset=*/true);
  return finish("grouped", after(conv2d(x, groups, filters)));
}

Case Generator::makeFewChannels() {
  // Groups and filters that fill registers of any size.
  int64_t channels = choose<int64_t>({1, 2, 4, 8, 8, 16, 16});
  int64_t groups = choose<int64_t>({4, 8, 16});
  int64_t filters = groups * choose<int64_t>({4, 8, 16});
  Shape shape{pick(1, 2), pick(1, 6), pick(1, 6), channels * groups};
  Node x = quantize(argument(numbers(shape)), /*onePlane=*/chance(50),
                    /*offset=*/true);
  return finish("few", after(conv2d(x, groups, filters)));
}

Case Generator::makeNetwork() {
  Node x = argument(numbers(
      {pick(1, 2), pick(4, 8), pick(4, 8), choose<int64_t>({3, 8, 33})}));
  SmallVector<Node> results;
  int64_t layers = pick(2, 3);
  for (int64_t layer = 0; layer < layers; ++layer) {
    Node q = quantize(x, /*onePlane=*/chance(30), /*offset=*/chance(30));
    if (chance(30))
      q = maxPool(q);
    Node y = toFloat(
        conv2d(q, 1, choose<int64_t>({1, 3, 8, 16, 17, 31, 32, 33, 48, 65})));
    while (chance(50))
      y = epilogue(y);
    // The paper's shortcut: around the convolution, in float.
    if (y.array.shape == x.array.shape && chance(80))
      y = add(y, x);
    else if (chance(40))
      y = add(y, epilogue(y));
    x = y;
  }
  results.push_back(x);
  Node flat = quantize(flatten(x), false);
  results.push_back(toFloat(matmul(flat, 10)));
  return finish("network", results);
}
