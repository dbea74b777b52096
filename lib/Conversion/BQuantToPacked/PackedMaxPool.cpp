//===- PackedMaxPool.cpp - The maximum of codes, of planes or bytes -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each border class the planes of all taps, as strided slices, go into one
// elementwise generic. It works on the bits of elements of any layout of single
// planes, and keeps those zero that are not used; of codes on their bytes.
//
//===----------------------------------------------------------------------===//

#include "BorderRegions.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "PackedWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// The lexicographic maximum of as many pairs of codes as an element has bits.
static void emitMax(OpBuilder &b, Location loc, MutableArrayRef<Value> best,
                    ArrayRef<Value> next) {
  if (best.size() == 1) {
    best[0] = arith::OrIOp::create(b, loc, best[0], next[0]);
    return;
  }
  // The first plane in which the codes differ decides:
  // greater = equal so far & next & ~best.
  Value ones = arith::ConstantOp::create(
            b, loc, b.getIntegerAttr(best[0].getType(), -1)),
        equal = ones, greater;
  for (auto [p, q] : llvm::zip_equal(best, next)) {
    Value differ = arith::XOrIOp::create(b, loc, p, q);
    Value more = arith::AndIOp::create(b, loc, differ, q);
    more = arith::AndIOp::create(b, loc, more, equal);
    greater = greater ? arith::OrIOp::create(b, loc, greater, more).getResult()
                      : more;
    Value same = arith::XOrIOp::create(b, loc, differ, ones);
    equal = arith::AndIOp::create(b, loc, equal, same);
  }
  for (auto [p, q] : llvm::zip_equal(best, next)) {
    Value differ = arith::XOrIOp::create(b, loc, p, q);
    Value change = arith::AndIOp::create(b, loc, differ, greater);
    p = arith::XOrIOp::create(b, loc, p, change);
  }
}

/// The planes of the maximum over `taps`, each of them all planes.
static SmallVector<Value> emitMaxOf(OpBuilder &b, Location loc,
                                    ArrayRef<SmallVector<Value>> taps,
                                    bool masked) {
  SmallVector<Value> best(taps.front());
  if (!masked) {
    for (const SmallVector<Value> &tap : taps.drop_front())
      emitMax(b, loc, best, tap);
    return best;
  }
  // Of mask and sign: +1 where any is (the sign lies in the mask), -1 where all
  // are, so the codes 01 and 10, both 0, need not be told apart.
  Value positive, negative;
  for (const SmallVector<Value> &tap : taps) {
    Value below = arith::XOrIOp::create(b, loc, tap[0], tap[1]);
    if (!positive) {
      positive = tap[1];
      negative = below;
      continue;
    }
    positive = arith::OrIOp::create(b, loc, positive, tap[1]);
    negative = arith::AndIOp::create(b, loc, negative, below);
  }
  return {arith::OrIOp::create(b, loc, positive, negative), positive};
}

LoweredValue bquant::createMaxPool2DOfPlanes(ImplicitLocOpBuilder &b,
                                             MaxPool2DOp op,
                                             const LoweredValue &input,
                                             LayoutAttrInterface layout) {
  LoweredValue result = input;
  result.type = op.getType();
  ArrayRef<int64_t> shape = op.getType().getShape();
  std::array<Window, 2> windows;
  std::array<SmallVector<BorderClass>, 2> classes;
  for (int d = 0; d < 2; ++d) {
    windows[d] = {input.type.getDimSize(d + 1), op.getWindow()[d],
                  op.getStrides()[d], op.getDilations()[d],
                  op.getPads()[2 * d]};
    classes[d] = getBorderClasses(windows[d], shape[d + 1]);
  }
  auto plane = cast<RankedTensorType>(input.planes.front().getType());
  int64_t width = plane.getDimSize(3);
  size_t planes = input.planes.size();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), input.planes.front());
  for (int d = 1; d <= 2; ++d)
    sizes[d] = b.getIndexAttr(shape[d]);
  SmallVector<Type> elements(planes, plane);

  auto createBorderRegion = [&](const BorderClass &h, const BorderClass &w) {
    Inputs inputs;
    for (int64_t i = h.tapBegin; i < h.tapEnd; ++i)
      for (int64_t j = w.tapBegin; j < w.tapEnd; ++j)
        for (Value bits : input.planes)
          inputs.add(createSlice(b, bits,
                                 {0, h.getPosition(windows[0], i),
                                  w.getPosition(windows[1], j), 0},
                                 {plane.getDimSize(0), h.getOutputs(),
                                  w.getOutputs(), width},
                                 {1, windows[0].stride, windows[1].stride, 1}),
                     b.getMultiDimIdentityMap(4));
    return createElementwise(
        b, getBorderRegionSizes(b, sizes, h, w), elements, inputs,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          if (isa<CodesLayoutAttr>(layout)) {
            Value best = args.front();
            for (Value code : args.drop_front().drop_back())
              best = arith::MaxUIOp::create(b, loc, best, code);
            return SmallVector<Value>{best};
          }
          SmallVector<SmallVector<Value>> taps;
          for (size_t n = 0; n + planes < args.size(); n += planes)
            taps.emplace_back(args.slice(n, planes));
          return emitMaxOf(b, loc, taps, isMasked(input.type));
        });
  };

  result.planes = assembleBorderRegions(b, sizes, classes[0], classes[1],
                                        createBorderRegion);
  return result;
}
