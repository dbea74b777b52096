//===- WordMeaning.cpp - Counts of words ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordMeaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

SmallVector<Value> bquant::emitDifferences(ImplicitLocOpBuilder &b,
                                           const ProductForm &form,
                                           ValueRange input,
                                           ValueRange filter) {
  Value word = arith::XOrIOp::create(b, input[0], filter[0]);
  Value mask;
  if (form.maskedInput)
    mask = input[1];
  if (form.maskedFilter)
    mask = mask ? arith::AndIOp::create(b, mask, filter[1]).getResult()
                : filter[1];
  if (mask)
    word = arith::AndIOp::create(b, word, mask);
  SmallVector<Value> results{word};
  if (form.countsMasks)
    results.push_back(mask);
  return results;
}

SmallVector<Value> bquant::emitWordCounts(ImplicitLocOpBuilder &b,
                                          const ProductForm &form,
                                          ValueRange input, ValueRange filter) {
  SmallVector<Value> counts = emitDifferences(b, form, input, filter);
  for (Value &count : counts)
    count = math::CtPopOp::create(b, count);
  return counts;
}

SmallVector<Value> bquant::emitBroadcasts(ImplicitLocOpBuilder &b,
                                          VectorType type,
                                          ValueRange elements) {
  return llvm::map_to_vector(elements, [&](Value element) -> Value {
    return vector::BroadcastOp::create(b, type, element);
  });
}

SmallVector<Value> bquant::emitSums(ImplicitLocOpBuilder &b, ValueRange lhs,
                                    ValueRange rhs) {
  SmallVector<Value> sums;
  for (auto [x, y] : llvm::zip_equal(lhs, rhs))
    sums.push_back(arith::AddIOp::create(b, x, y));
  return sums;
}

SmallVector<Value> bquant::emitWideSums(ImplicitLocOpBuilder &b,
                                        ValueRange accumulators,
                                        ValueRange bytes) {
  SmallVector<Value> wide;
  for (auto [accumulator, sum] : llvm::zip_equal(accumulators, bytes))
    wide.push_back(arith::ExtUIOp::create(b, accumulator.getType(), sum));
  return emitSums(b, accumulators, wide);
}

SmallVector<Value> bquant::emitBytesIfFit(ImplicitLocOpBuilder &b,
                                          ValueRange sums, int64_t most) {
  if (most > std::numeric_limits<int8_t>::max())
    return SmallVector<Value>(sums);
  return llvm::map_to_vector(sums, [&](Value sum) -> Value {
    auto type = cast<VectorType>(sum.getType()).clone(b.getI8Type());
    return arith::TruncIOp::create(b, type, sum);
  });
}
