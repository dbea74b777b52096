//===- GeneratorResidual.cpp - Random residual blocks ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is the sum of what its branches and its shortcut make of one value,
// which others may read, too. The readers stand in any order, since passes look
// for the first and the last one.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
/// A square window of 1 to 3 taps, by which an image keeps its size, or half of
/// its even one.
struct Window {
  int64_t taps[2];
  Geometry g;

  Window(int64_t size, int64_t stride) : taps{size, size} {
    for (int64_t &pad : g.pads)
      pad = (size - 1) / 2;
    g.strides[0] = g.strides[1] = stride;
  }
};
} // namespace

Node Generator::branch(const Node &x, int64_t filters, int64_t stride) {
  if (chance(20))
    return branch(branch(x, choose({filters, x.array.shape[3]}), stride),
                  filters, /*stride=*/1);
  Node y = chance(30) ? epilogue(x) : x;
  bool onePlane = chance(50);
  y = quantize(y, onePlane, /*offset=*/chance(20));
  Window window(choose<int64_t>({1, 3, 3}), stride);
  y = toFloat(conv2d(y, filters, window.taps, window.g));
  while (chance(50))
    y = epilogue(y);
  return y;
}

Node Generator::shortcut(const Node &x, int64_t filters, int64_t stride) {
  Node y = x;
  if (stride > 1 || chance(25)) {
    Window window(stride > 1 && chance(60) ? 2 : 3, stride);
    y = chance(50) ? floatMaxPool(y, window.taps, window.g)
                   : floatSumPool(y, window.taps, window.g);
  }
  return filters != y.array.shape[3] || chance(20) ? pointwise(y, filters) : y;
}

Node Generator::pointwise(const Node &x, int64_t filters) {
  const Shape &in = x.array.shape;
  // A product of matrices: the one by the filters transposed. An argument,
  // since a constant may turn out to be signs.
  Array w = numbers({filters, 1, 1, in[3]});
  Array columns{{in[3], filters}, false, {}, {}};
  for (int64_t c = 0; c < in[3]; ++c)
    for (int64_t f = 0; f < filters; ++f)
      columns.floats.push_back(w.floats[f * in[3] + c]);
  Array rows = x.array;
  rows.shape = {in[0] * in[1] * in[2], in[3]};
  Node y{Value(), test::matmul(rows, columns, target.fusesMultiplyAdd), {}};
  y.array.shape = {in[0], in[1], in[2], filters};

  Value filter = argument(w).value;
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Value init = tensor::EmptyOp::create(b, y.array.shape, b.getF32Type());
  init = linalg::FillOp::create(b, zero, init).getResult(0);
  y.value = linalg::Conv2DNhwcFhwcOp::create(b, init.getType(),
                                             ValueRange{x.value, filter}, init)
                .getResult(0);
  return y;
}

Node Generator::residualBlock(const Node &x, int64_t filters, int64_t stride,
                              SmallVectorImpl<Node> &results) {
  enum Reader { Branch, Shortcut, Pool, Quantize };
  SmallVector<Reader> readers = {Branch, Shortcut};
  while (readers.size() < 4 && chance(35))
    readers.push_back(choose({Branch, Pool, Quantize}));
  for (int64_t n = readers.size() - 1; n > 0; --n)
    std::swap(readers[n], readers[pick(0, n)]);

  std::optional<Node> sum;
  for (Reader reader : readers) {
    if (reader == Pool)
      results.push_back(floatMaxPool(x));
    else if (reader == Quantize)
      results.push_back(dequantize(quantize(x)));
    else {
      Node y = reader == Branch ? branch(x, filters, stride)
                                : shortcut(x, filters, stride);
      sum = sum ? add(*sum, y) : y;
    }
  }
  return chance(50) ? epilogue(*sum) : *sum;
}

Case Generator::makeResidualNetwork() {
  int64_t channels = choose<int64_t>({3, 8, 32, 33});
  Node x =
      argument(numbers({pick(1, 2), 2 * pick(2, 4), 2 * pick(2, 4), channels}));
  SmallVector<Node> results;
  for (int64_t blocks = pick(2, 3); blocks > 0; --blocks) {
    const Shape &in = x.array.shape;
    bool halves = in[1] % 2 == 0 && in[2] % 2 == 0 && chance(50);
    int64_t filters = choose({in[3], in[3], 2 * in[3], int64_t(16)});
    x = residualBlock(x, filters, halves ? 2 : 1, results);
  }
  results.push_back(x);
  return finish("residual network", results);
}
