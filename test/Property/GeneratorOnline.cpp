//===- GeneratorOnline.cpp - Random layers with online scalars ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include <limits>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

Node Generator::quantizeOnline(const Node &x, bool anyAxes) {
  const Shape &shape = x.array.shape;
  Codes type;
  type.shape = shape;
  auto rule = choose({OnlineRule::LeastSquares, OnlineRule::LeastSquares,
                      OnlineRule::Greedy, OnlineRule::TernaryWeights});
  SchemeKind kind = SchemeKind::ls;
  bool isTernary = rule == OnlineRule::TernaryWeights;
  if (rule == OnlineRule::LeastSquares) {
    type.planes = pick(1, 2);
    isTernary = type.planes == 2 && chance(50);
  } else if (rule == OnlineRule::Greedy) {
    kind = SchemeKind::gf;
    type.planes = pick(1, 4);
  } else {
    kind = SchemeKind::twn;
  }
  if (isTernary) {
    type.planes = 2;
    type.ratios = {1, 1};
  }
  if (anyAxes) {
    for (size_t d = 0; d < shape.size(); ++d)
      if (chance(40))
        type.axes.push_back(d);
  } else if (chance(75)) {
    type.axes = shape.size() == 3
                    ? choose<std::vector<int64_t>>({{0}, {1}, {0, 1}})
                    : std::vector<int64_t>{0};
  }
  Codes codes = test::quantizeOnline(x.array, rule, type);
  auto scheme = SchemeAttr::get(b.getContext(), kind, type.planes, isTernary);
  auto op = QuantizeOp::create(b, typeOf(codes), x.value, scheme);
  return {op.getResult(), {}, codes};
}

Case Generator::makeOnline() {
  auto input = [&](const Shape &shape) {
    Array array = numbers(shape);
    int64_t sample = count(shape) / shape.front();
    if (chance(15)) // A sample of zeros.
      std::fill_n(array.floats.begin(), sample, chance(50) ? 0.0f : -0.0f);
    constexpr float inf = std::numeric_limits<float>::infinity();
    if (chance(15))
      array.floats[pick(0, count(shape) - 1)] =
          choose({inf, -inf, std::nanf("")});
    if (chance(15)) // Large and subnormal ones.
      for (float &v : array.floats)
        v *= chance(50) ? 1e38f : 1e-38f;
    return argument(array);
  };
  // An epilogue and the next layer's quantize.
  auto after = [&](Node y) {
    y = toFloat(y);
    SmallVector<Node> results{y};
    if (chance(50))
      y = epilogue(y);
    if (chance(60))
      results.push_back(dequantize(quantizeOnline(y)));
    return results;
  };
  int64_t kind = pick(0, 9);
  if (kind <= 1) {
    Shape shape;
    for (int64_t rank = pick(1, 4); rank > 0; --rank)
      shape.push_back(choose<int64_t>({1, 2, 3, 5, 11, 33}));
    Node x = input(shape);
    return finish("online values", {dequantize(quantizeOnline(x, true))});
  }
  if (kind <= 4) {
    int64_t depth = choose<int64_t>({1, 3, 31, 32, 33, 65, 200, 513});
    Shape shape{choose<int64_t>({1, 1, 2, 5, 9}), depth};
    if (chance(25))
      shape.insert(shape.begin(), pick(1, 3));
    Node q = quantizeOnline(input(shape));
    return finish("online matmul",
                  after(matmul(q, choose<int64_t>({1, 2, 16, 17, 33}))));
  }
  Shape shape{pick(1, 3), pick(1, 8), pick(1, 8), channels()};
  Node x = input(shape);
  if (kind == 9)
    x = epilogue(x);
  Node q = quantizeOnline(x);
  if (chance(20))
    q = maxPool(q);
  int64_t groups = chance(15) ? shape[3] : 1;
  int64_t filters = groups > 1 ? groups : choose<int64_t>({1, 3, 16, 33, 65});
  return finish("online conv_2d", after(conv2d(q, groups, filters)));
}
