//===- SumResidualCascade.cpp - Cascades with r = x - sum of terms --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// r_{i+1} = x - (v_1 s_1 + ... + v_i s_i) rounds otherwise than r_i - v_i s_i.
// Each remainder still rises with x within what the earlier signs leave, so
// that thresholds of x, found by bisection over the floats, decide the planes.
//
//===----------------------------------------------------------------------===//

#include "SumResidualCascade.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/MonotoneIntervals.h"
#include "bquant/Quant/Cascade.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

namespace {

/// r_{i+1} of x behind the first i planes of `code`, by the operations of the
/// program. Bit j of a code is 1 where plane j is +1, as of a cascade.
float getRemainder(float x, ArrayRef<float> scalars, ArrayRef<bool> fromSum,
                   unsigned code, size_t i) {
  if (i == 0)
    return x;
  if (fromSum[i])
    return x - quant::decodeIndependent(code, scalars.data(), i);
  float before = getRemainder(x, scalars, fromSum, code, i - 1);
  return (code >> (i - 1)) & 1 ? before - scalars[i - 1]
                               : before + scalars[i - 1];
}

unsigned getCode(float x, ArrayRef<float> scalars, ArrayRef<bool> fromSum) {
  unsigned code = 0;
  for (size_t i = 0; i < scalars.size(); ++i)
    code |= unsigned(getRemainder(x, scalars, fromSum, code, i) >= 0) << i;
  return code;
}

/// The thresholds and codes of `getCode`: within what the earlier planes leave,
/// each remainder rises with x.
struct Thresholds {
  SmallVector<float> values;
  SmallVector<int64_t> codes; // Plane 1 is the highest bit.

  Thresholds(ArrayRef<float> scalars, ArrayRef<bool> fromSum)
      : scalars(scalars), fromSum(fromSum) {
    split(toOrdered(-INFINITY), toOrdered(INFINITY), 0, 0);
  }

private:
  /// Of the ordered floats first..last, which have the first `plane` planes of
  /// `code`.
  void split(int64_t first, int64_t last, unsigned code, size_t plane) {
    if (first > last)
      return;
    if (plane == scalars.size()) {
      if (!codes.empty())
        values.push_back(fromOrdered(first));
      codes.push_back(quant::planesOfCode(code, plane));
      return;
    }
    int64_t low = first, high = last + 1;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (getRemainder(fromOrdered(middle), scalars, fromSum, code, plane) >= 0)
        high = middle;
      else
        low = middle + 1;
    }
    split(first, low - 1, code, plane + 1);
    split(low, last, code | 1u << plane, plane + 1);
  }

  ArrayRef<float> scalars;
  ArrayRef<bool> fromSum;
};
} // namespace

LogicalResult bquant::useSumResiduals(Cascade &cascade, ArrayRef<bool> fromSum,
                                      ExplainFn explain) {
  SmallVector<float> scalars =
      llvm::to_vector(cascade.scalars.getValues<float>());
  size_t planes = fromSum.size(), width = scalars.size() / planes;
  if (isConstantTensor(cascade.input)) {
    SmallVector<float> values = getConstantFloats(cascade.input);
    size_t size = values.size() / width;
    for (size_t i = 0; i < values.size(); ++i) {
      SmallVector<float, 4> own;
      for (size_t plane = 0; plane < planes; ++plane)
        own.push_back(scalars[plane * width + i / size]);
      if (getCode(values[i], own, fromSum) !=
          quant::cascadeCode(values[i], own.data(), planes)) {
        return explain(
            llvm::formatv("remainders are taken from the sum of terms, "
                          "which gives {0} another sign",
                          values[i]));
      }
    }
    return success(!values.empty());
  }
  if (width != 1) {
    return explain(
        "remainders are taken from the sum of terms with scalars of the "
        "first dimension");
  }
  Thresholds thresholds(scalars, fromSum);
  auto type =
      RankedTensorType::get({int64_t(thresholds.values.size())},
                            cascade.type.getScalarsType().getElementType());
  cascade.thresholds =
      DenseElementsAttr::get(type, ArrayRef<float>(thresholds.values));
  cascade.codes = thresholds.codes;
  return success();
}
