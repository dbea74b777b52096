//===- GeneratorPools.cpp - Random max-pools ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

Geometry Generator::makeWindow(const Shape &in, int64_t window[2]) {
  Geometry g;
  for (int d = 0; d < 2; ++d) {
    // Each window has to hold a position of the image.
    bool valid = false;
    while (!valid) {
      window[d] = pick(1, 3);
      g.strides[d] = pick(1, 3);
      g.dilations[d] = pick(1, 2);
      g.pads[2 * d] = pick(0, 2);
      g.pads[2 * d + 1] = pick(0, 2);
      int64_t outs = outputSize(g, d, in[d + 1], window[d]);
      valid = outs > 0;
      for (int64_t o = 0; o < outs && valid; ++o) {
        valid = false;
        for (int64_t t = 0; t < window[d]; ++t) {
          int64_t at = o * g.strides[d] + t * g.dilations[d] - g.pads[2 * d];
          valid |= at >= 0 && at < in[d + 1];
        }
      }
    }
  }
  return g;
}

Node Generator::maxPool(const Node &q) {
  int64_t window[2];
  Geometry g = makeWindow(q.codes.shape, window);
  Codes y = maxPool2d(q.codes, window, g);
  auto op = MaxPool2DOp::create(b, typeOf(y), q.value, window, g.strides,
                                g.dilations, g.pads);
  return {op.getResult(), {}, y};
}

Node Generator::floatMaxPool(const Node &x) {
  int64_t window[2];
  Geometry g = makeWindow(x.array.shape, window);
  return floatMaxPool(x, window, g);
}

/// The pool `PoolOp` of floats, which starts with `init` and takes it as
/// padding.
template <typename PoolOp>
static Value pool(ImplicitLocOpBuilder &b, Value image, const int64_t window[2],
                  const Geometry &g, const Shape &result, float init) {
  Value start = arith::ConstantOp::create(b, b.getF32FloatAttr(init));
  if (g.pads[0] + g.pads[1] + g.pads[2] + g.pads[3] > 0) {
    auto type = cast<RankedTensorType>(image.getType());
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<OpFoldResult> low(4, b.getIndexAttr(0)), high(low);
    for (int d = 0; d < 2; ++d) {
      shape[d + 1] += g.pads[2 * d] + g.pads[2 * d + 1];
      low[d + 1] = b.getIndexAttr(g.pads[2 * d]);
      high[d + 1] = b.getIndexAttr(g.pads[2 * d + 1]);
    }
    image =
        tensor::PadOp::create(b, type.clone(shape), image, low, high, start);
  }
  Value out = tensor::EmptyOp::create(b, result, b.getF32Type());
  out = linalg::FillOp::create(b, start, out).getResult(0);
  Value sizes =
      tensor::EmptyOp::create(b, ArrayRef<int64_t>(window, 2), b.getF32Type());
  return PoolOp::create(b, out.getType(), ValueRange{image, sizes}, out,
                        b.getI64VectorAttr(g.strides),
                        b.getI64VectorAttr(g.dilations))
      .getResult(0);
}

Node Generator::floatMaxPool(const Node &x, const int64_t window[2],
                             const Geometry &g) {
  Array y = maxPool2d(x.array, window, g);
  Value value = pool<linalg::PoolingNhwcMaxOp>(
      b, x.value, window, g, y.shape, -std::numeric_limits<float>::infinity());
  return {value, y, {}};
}

Node Generator::floatSumPool(const Node &x, const int64_t window[2],
                             const Geometry &g) {
  Array y = sumPool2d(x.array, window, g);
  Value value = pool<linalg::PoolingNhwcSumOp>(b, x.value, window, g, y.shape,
                                               /*init=*/0);
  return {value, y, {}};
}

Node Generator::quantizeLike(const Node &x, const Node &q) {
  auto like = q.value.getDefiningOp<QuantizeOp>();
  Codes type = q.codes;
  type.shape = x.array.shape;
  return quantizeByScalars(x, type, like.getScalars(), like.getOffset());
}

Node Generator::quantizeByConstants(const Node &x) {
  Codes type;
  type.shape = x.array.shape;
  type.planes = pick(1, 2);
  for (int64_t i = 0; i < type.planes; ++i)
    type.scalars.push_back(scalar());
  Value scalars = constant({{type.planes}, false, type.scalars, {}});
  return quantizeByScalars(x, type, scalars, /*offset=*/Value());
}

Case Generator::makePool() {
  Shape shape{pick(1, 2), pick(1, 7), pick(1, 7), channels()};
  int64_t kind = pick(0, 9);
  Node x = argument(numbers(shape, /*special=*/true));
  if (kind <= 1)
    return finish("pool of an argument",
                  {dequantize(quantize(floatMaxPool(x), false, true))});
  Node q = quantize(x, /*onePlane=*/chance(40), /*offset=*/chance(50));
  if (kind <= 4) {
    Node y = floatMaxPool(dequantize(q));
    SmallVector<Node> results{y};
    if (!q.value.getDefiningOp<QuantizeOp>().getThresholds())
      results.push_back(dequantize(quantizeLike(y, q)));
    return finish("pool of codes", results);
  }
  Node y = toFloat(conv2d(q, 1, choose<int64_t>({1, 3, 16, 33, 65})));
  if (kind >= 7) {
    // Products take the signs of channels that fall.
    y = toFloat(
        conv2d(quantizeByConstants(x), 1, choose<int64_t>({3, 16, 33})));
    y = epilogue(floatMaxPool(y));
    q = quantizeByConstants(chance(50) ? epilogue(y) : y);
    return finish("pool between products",
                  {toFloat(conv2d(q, 1, choose<int64_t>({1, 17, 32})))});
  }
  if (chance(50))
    y = epilogue(y);
  y = floatMaxPool(y);
  if (chance(40))
    y = epilogue(y);
  return finish("pool of a product", {dequantize(quantize(y, false, true))});
}

Case Generator::makePooledProduct() {
  // Tiles lie along the columns where these are not fewer; of 1 and 3 channels
  // a product is cheap enough to compute rows again.
  int64_t rows = pick(3, 11);
  Shape shape{pick(1, 2), rows, rows + pick(0, 4), choose<int64_t>({1, 3, 33})};
  Node x = argument(numbers(shape));
  if (chance(70))
    x = quantize(x, /*onePlane=*/chance(60));
  Node y = toFloat(conv2d(x, 1, choose<int64_t>({3, 32, 33})));
  if (chance(50))
    y = epilogue(y);
  y = floatMaxPool(y);
  SmallVector<Node> results;
  if (chance(80))
    results.push_back(y);
  if (results.empty() || chance(50))
    results.push_back(dequantize(quantize(epilogue(y), false, true)));
  return finish("pool of a product", results);
}
