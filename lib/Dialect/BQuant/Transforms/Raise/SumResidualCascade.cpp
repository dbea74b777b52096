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
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

namespace {

/// r_i of x for i = signs.size(), by the operations of the program. Scalars
/// times signs are exact.
float getRemainder(float x, ArrayRef<float> scalars, ArrayRef<bool> fromSum,
                   ArrayRef<float> signs) {
  size_t i = signs.size();
  if (i == 0)
    return x;
  if (!fromSum[i])
    return getRemainder(x, scalars, fromSum, signs.drop_back()) -
           scalars[i - 1] * signs[i - 1];
  float sum = scalars[0] * signs[0];
  for (size_t j = 1; j < i; ++j)
    sum += scalars[j] * signs[j];
  return x - sum;
}

/// The planes of x, plane 1 the highest bit.
int64_t getCode(float x, ArrayRef<float> scalars, ArrayRef<bool> fromSum) {
  SmallVector<float, 4> signs;
  int64_t code = 0;
  for (size_t i = 0; i < scalars.size(); ++i) {
    bool plus = getRemainder(x, scalars, fromSum, signs) >= 0;
    signs.push_back(plus ? 1.0f : -1.0f);
    code = 2 * code + plus;
  }
  return code;
}

/// The thresholds and codes of `getCode`: within what the earlier planes leave,
/// each remainder rises with x.
struct Thresholds {
  SmallVector<float> values;
  SmallVector<int64_t> codes;

  Thresholds(ArrayRef<float> scalars, ArrayRef<bool> fromSum)
      : scalars(scalars), fromSum(fromSum) {
    split(toOrdered(-INFINITY), toOrdered(INFINITY), 0);
  }

private:
  /// Of the ordered floats first..last.
  void split(int64_t first, int64_t last, int64_t code) {
    if (first > last)
      return;
    if (signs.size() == scalars.size()) {
      if (!codes.empty())
        values.push_back(fromOrdered(first));
      codes.push_back(code);
      return;
    }
    int64_t low = first, high = last + 1;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (getRemainder(fromOrdered(middle), scalars, fromSum, signs) >= 0)
        high = middle;
      else
        low = middle + 1;
    }
    signs.push_back(-1.0f);
    split(first, low - 1, 2 * code);
    signs.back() = 1.0f;
    split(low, last, 2 * code + 1);
    signs.pop_back();
  }

  ArrayRef<float> scalars;
  ArrayRef<bool> fromSum;
  SmallVector<float, 4> signs;
};
} // namespace

bool bquant::useRemaindersFromSum(Cascade &cascade, ArrayRef<bool> fromSum,
                                  std::string &reason) {
  SmallVector<float> scalars =
      llvm::to_vector(cascade.scalars.getValues<float>());
  size_t planes = fromSum.size(), width = scalars.size() / planes;
  if (isConstantTensor(cascade.input)) {
    SmallVector<float> values = getConstantFloats(cascade.input);
    size_t size = values.size() / width;
    SmallVector<bool, 4> stepwise(planes, false);
    for (size_t i = 0; i < values.size(); ++i) {
      SmallVector<float, 4> own;
      for (size_t plane = 0; plane < planes; ++plane)
        own.push_back(scalars[plane * width + i / size]);
      if (getCode(values[i], own, fromSum) !=
          getCode(values[i], own, stepwise)) {
        reason = llvm::formatv("remainders are taken from the sum of terms, "
                               "which gives {0} another sign",
                               values[i]);
        return false;
      }
    }
    return !values.empty();
  }
  if (width != 1) {
    reason = "remainders are taken from the sum of terms with scalars of the "
             "first dimension";
    return false;
  }
  Thresholds thresholds(scalars, fromSum);
  auto type =
      RankedTensorType::get({int64_t(thresholds.values.size())},
                            cascade.type.getScalarsType().getElementType());
  cascade.thresholds =
      DenseElementsAttr::get(type, ArrayRef<float>(thresholds.values));
  cascade.codes = thresholds.codes;
  return true;
}
