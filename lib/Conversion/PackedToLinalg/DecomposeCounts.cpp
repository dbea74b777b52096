//===- DecomposeCounts.cpp - Counts to linalg -----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One generic whose body is what the kernel says that a step means, for each
// pair of planes. Channels are found in the blocks of the filter by the maps;
// of a step of several elements each is an operand, the last loop goes over
// steps, which a filter has as a dimension, so that some map names the loop:
//
//   x[..., i], step of 2   ->   x[..., 2 * i], x[..., 2 * i + 1]
//   w[..., i], step of 2   ->   w[..., i, 0], w[..., i, 1]
//
//===----------------------------------------------------------------------===//

#include "DecomposeProducts.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace bquant;

/// The dimension of operand `number` that the last loop goes along, where steps
/// are whole ones of `step` elements side by side; nothing where they are not.
static std::optional<unsigned> findSteps(ProductOp op, unsigned number,
                                         int64_t step) {
  AffineMap map = op.getMaps()[number];
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getOperand(number).getType()).getShape();
  unsigned last = map.getNumDims() - 1;
  std::optional<unsigned> found;
  for (auto [d, index] : llvm::enumerate(map.getResults())) {
    if (!index.isFunctionOfDim(last))
      continue;
    AffineExpr start = simplifyAffineExpr(
        index - getAffineDimExpr(last, op.getContext()), last + 1, 0);
    bool isOfSteps = !start.isFunctionOfDim(last) && start.isMultipleOf(step) &&
                     (ShapedType::isDynamic(shape[d]) || shape[d] % step == 0);
    if (found || !isOfSteps)
      return std::nullopt;
    found = d;
  }
  return found;
}

/// `map`, whose result `d` is an element, to element `k` of a step, the last
/// loop over steps.
static AffineMap getMapOfSteps(AffineMap map, unsigned d, int64_t step,
                               int64_t k) {
  MLIRContext *context = map.getContext();
  unsigned last = map.getNumDims() - 1;
  AffineExpr loop = getAffineDimExpr(last, context);
  AffineExpr element = map.getResult(d).replace(loop, loop * step);
  SmallVector<AffineExpr> results(map.getResults());
  results[d] = simplifyAffineExpr(element.floorDiv(step), last + 1, 0);
  results.insert(results.begin() + d + 1, getAffineConstantExpr(k, context));
  return AffineMap::get(last + 1, 0, results, context);
}

/// `map` to element `k` of each step, the last loop over steps of `step`.
static AffineMap getMapOfElements(AffineMap map, int64_t step, int64_t k) {
  if (step == 1)
    return map;
  unsigned last = map.getNumDims() - 1;
  AffineExpr loop = getAffineDimExpr(last, map.getContext());
  return simplifyAffineMap(
      map.replace(loop, loop * step + k, map.getNumDims(), 0));
}

/// `map`, whose last result is a lane, to word `k` of an element.
static AffineMap getMapOfWord(AffineMap map,
                              packed::FilterLayoutAttrInterface layout,
                              int64_t k) {
  SmallVector<AffineExpr> results(map.getResults());
  results.back() = layout.getPlace(results.back(), k);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

LogicalResult bquant::decomposeCounts(RewriterBase &rewriter, ProductOp op,
                                      ArrayRef<AffineMap> all) {
  KernelAttrInterface kernel = op.getKernelInterface();
  ProductForm form = op.getForm();
  packed::FilterLayoutAttrInterface layout = kernel.getFilterLayout();
  int64_t step = kernel.getStepSize(), words = layout.getWords();
  size_t inputs = op.getInputs().size(), filters = op.getFilters().size();
  SmallVector<std::optional<unsigned>> stepDims(inputs + filters);
  for (size_t i = inputs; i < stepDims.size(); ++i) {
    if (kernel.getFilterStepSize() == 1)
      continue;
    stepDims[i] = findSteps(op, i, step);
    if (!stepDims[i])
      return failure();
  }
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (auto [i, dim] : llvm::enumerate(stepDims)) {
    int64_t each = i < inputs ? step : kernel.getFilterStepSize();
    Value operand = op->getOperand(i);
    if (i >= inputs && words > 1) {
      for (int64_t k = 0; k < words; ++k) {
        maps.push_back(
            getMapOfElements(getMapOfWord(all[i], layout, k), step, 0));
        operands.push_back(operand);
      }
      continue;
    }
    if (!dim) {
      for (int64_t k = 0; k < each; ++k) {
        maps.push_back(getMapOfElements(all[i], step, k));
        operands.push_back(operand);
      }
      continue;
    }
    int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(*dim);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value split = splitDimension(
        b, operand, *dim,
        {ShapedType::isDynamic(size) ? size : size / step, step});
    for (int64_t k = 0; k < step; ++k) {
      maps.push_back(getMapOfSteps(all[i], *dim, step, k));
      operands.push_back(split);
    }
  }
  llvm::append_range(maps, all.take_back(op.getInits().size()));
  inputs *= step;
  int64_t ofFilter = kernel.getFilterStepSize() * words;
  filters *= ofFilter;
  size_t inputParts = step * (form.maskedInput ? 2 : 1),
         filterParts = ofFilter * (form.maskedFilter ? 2 : 1);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), operands, op.getInits(), maps,
      op.getLoopIteratorTypes(),
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder b(loc, builder);
        SmallVector<Value> sums(args.drop_front(inputs + filters));
        size_t pair = 0, pairs = sums.size() / form.getNumResults();
        for (size_t i = 0; i < inputs; i += inputParts)
          for (size_t j = 0; j < filters; j += filterParts, ++pair)
            for (auto [k, value] : llvm::enumerate(
                     kernel.emitMeaning(b, form, args.slice(i, inputParts),
                                        args.slice(inputs + j, filterParts)))) {
              Value &sum = sums[k * pairs + pair];
              sum = arith::AddIOp::create(b, sum, value);
            }
        linalg::YieldOp::create(b, sums);
      });
  return success();
}
