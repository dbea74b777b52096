//===- ProductStep.cpp - The inner step of a product's tile ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductStep.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

ProductStep::ProductStep(ImplicitLocOpBuilder &b, ProductOp op,
                         KernelAttrInterface kernel)
    : ProductOperands(b, op, kernel),
      filterPlanes((maps.size() - inputs) / form.getFilterParts()),
      pairs(inputs / form.getInputParts() * filterPlanes),
      rowShape(ArrayRef(sizes).take_front(channelLoop)),
      rows(computeProduct(rowShape)), rowsOfStep(kernel.getRowsOfStep()),
      sets(llvm::divideCeil(rows, rowsOfStep)) {}

void ProductStep::appendZeros(ArrayRef<VectorType> types,
                              SmallVectorImpl<Value> &values) {
  for (VectorType type : types)
    values.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
}

SmallVector<Value> ProductStep::createPartials() {
  SmallVector<Value> partials;
  for (int64_t i = 0; i < sets * registers * pairs; ++i)
    appendZeros(kernel.getPartialTypes(form), partials);
  return partials;
}

SmallVector<Value> ProductStep::emitStep(ArrayRef<Value> point,
                                         ValueRange partials) {
  SmallVector<int64_t> strides = computeStrides(rowShape);
  bool ofRows = hasFiltersOfRows();
  int64_t block = getInputBlock();
  int64_t m = kernel.getPartialTypes(form).size();
  SmallVector<SmallVector<Value>> filters; // planes of all registers
  SmallVector<SmallVector<SmallVector<Value>>> shared(sets);
  SmallVector<Value> sums(sets * registers * pairs * m);
  auto add = [&](int64_t set, int64_t r) {
    if (!readsAsBefore(r, block)) {
      SmallVector<SmallVector<int64_t>> places;
      for (int64_t i = 0; i < rowsOfStep; ++i)
        places.push_back(
            delinearize(std::min(set * rowsOfStep + i, rows - 1), strides));
      shared[set] = emitInputs(point, places, r, block);
    }
    int64_t state = (set * registers + r) * pairs;
    for (const SmallVector<Value> &input : shared[set])
      for (int64_t j = 0; j < filterPlanes; ++j, ++state)
        llvm::copy(kernel.emitStep(b, form, partials.slice(state * m, m), input,
                                   filters[r * filterPlanes + j]),
                   sums.begin() + state * m);
  };
  // What there is less of stays in registers: the rows, or the filter's.
  if (sets < registers && !ofRows) {
    SmallVector<int64_t> first(channelLoop, 0);
    for (int64_t r = 0; r < registers; ++r) {
      readFilters(point, first, r, filters);
      for (int64_t set = 0; set < sets; ++set)
        add(set, r);
    }
    return sums;
  }
  for (int64_t set = 0; set < sets; ++set) {
    // Each register of the filter once, where all rows share it.
    if (ofRows || set == 0) {
      filters.clear();
      for (int64_t r = 0; r < registers; ++r)
        readFilters(point, delinearize(set * rowsOfStep, strides), r, filters);
    }
    for (int64_t r = 0; r < registers; ++r)
      add(set, r);
  }
  return sums;
}

/// Channels that read one element of the input; of filters of groups of their
/// own each channel reads its own.
int64_t ProductStep::getInputBlock() {
  return getBlock(maps.front(), channelLoop).value_or(1);
}

SmallVector<Value> ProductStep::emitStepOf(ArrayRef<Value> point, int64_t row,
                                           int64_t r, ValueRange partials) {
  SmallVector<int64_t> place = delinearize(row, computeStrides(rowShape));
  SmallVector<SmallVector<Value>> filters;
  readFilters(point, place, r, filters);
  int64_t m = kernel.getPartialTypes(form).size();
  SmallVector<Value> sums;
  for (const SmallVector<Value> &input :
       emitInputs(point, {place}, r, getInputBlock()))
    for (const SmallVector<Value> &filter : filters)
      llvm::append_range(sums, kernel.emitStep(b, form,
                                               partials.slice(sums.size(), m),
                                               input, filter));
  return sums;
}
