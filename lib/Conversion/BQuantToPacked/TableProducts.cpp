//===- TableProducts.cpp - Floats by tables of their sums -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableProducts.h"
#include "Conversion/Common/GroupedTerms.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "FilterLayout.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// +1 or -1 of channel `term` in each entry of a table.
static Value createSigns(ImplicitLocOpBuilder &b, int64_t entries,
                         int64_t term) {
  SmallVector<float> signs;
  for (int64_t entry = 0; entry < entries; ++entry)
    signs.push_back(entry >> term & 1 ? 1 : -1);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get(entries, b.getF32Type()),
                                ArrayRef<float>(signs)));
}

Value bquant::createTables(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                           Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  int64_t rank = type.getRank(), terms = kernel.getInputChannels();
  int64_t tables =
      kernel.getFilterLayout().countElements(type.getShape().back()) *
      kernel.getStepSize();
  int64_t entries = int64_t(1) << terms;
  Value groups = groupTerms(b, input, tables, terms, b.getF32FloatAttr(0));
  Inputs inputs;
  // Outer loops and tables; entries.
  for (int64_t term = 0; term < terms; ++term) {
    AffineMap map = b.getMultiDimIdentityMap(rank + 1);
    inputs.add(groups, getMapOfTerm(map.getMajorSubMap(rank), term));
    inputs.add(createSigns(b, entries, term),
               getLoopMap(b.getContext(), rank + 1, {rank}));
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  sizes.back() = b.getIndexAttr(tables);
  sizes.push_back(b.getIndexAttr(entries));
  return createElementwise(b, sizes, b.getF32Type(), inputs,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             return sumTerms(b, loc, args.drop_back());
                           });
}

SmallVector<Value> bquant::createTableFilters(ImplicitLocOpBuilder &b,
                                              KernelAttrInterface kernel,
                                              const LoweredValue &filter,
                                              unsigned outputs) {
  return llvm::map_to_vector<2>(getPlaneOperands(b, filter, /*masked=*/false),
                                [&](const PlaneOperand &plane) {
                                  return layOutFilter(b, kernel, plane.sign,
                                                      filter.type.getShape(),
                                                      outputs);
                                });
}

SmallVector<Value>
bquant::createTableDots(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
                        ArrayRef<OpFoldResult> sizes, Value tables,
                        AffineMap lhs, SBTensorType type,
                        ArrayRef<Value> filters, AffineMap rhs) {
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  SmallVector<Value> inits;
  for (size_t i = 0; i < filters.size(); ++i) {
    Value empty = tensor::EmptyOp::create(b, sizes, b.getF32Type());
    inits.push_back(linalg::FillOp::create(b, zero, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(1 + filters.size(), rhs);
  maps.front() = lhs;
  auto product = ProductOp::create(b, kernel, tables, filters, inits, maps);
  if (!type.hasRatios())
    return SmallVector<Value>(product.getResults());
  return {combineSums(b, sizes, product.getResults(), type.getRatios())};
}
