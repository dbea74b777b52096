//===- Transposes.cpp - Permuted values -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transposes.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Copies row-major elements of `width` bytes into the permuted order.
static void permuteElements(ArrayRef<char> from, MutableArrayRef<char> to,
                            ArrayRef<int64_t> shape, ArrayRef<int64_t> perm,
                            int64_t width) {
  SmallVector<int64_t> strides = computeStrides(shape), sizes, steps;
  for (int64_t d : perm) {
    sizes.push_back(shape[d]);
    steps.push_back(strides[d] * width);
  }
  SmallVector<int64_t> index(perm.size(), 0);
  const char *source = from.data();
  for (char *out = to.data(); out != to.data() + to.size(); out += width) {
    std::memcpy(out, source, width);
    for (int64_t d = perm.size() - 1; d >= 0; --d) {
      source += steps[d];
      if (++index[d] < sizes[d])
        break;
      source -= steps[d] * sizes[d];
      index[d] = 0;
    }
  }
}

/// Whether there are elements to read.
static bool canPermuteConstant(ElementsAttr attr) {
  return attr.getNumElements() > 0 && getRawBytes(attr);
}

/// Bits that lie eight to a byte.
static DenseElementsAttr permuteBits(DenseElementsAttr attr,
                                     RankedTensorType result,
                                     ArrayRef<int64_t> perm) {
  SmallVector<char> from = llvm::map_to_vector(
                        attr.getValues<bool>(),
                        [](bool bit) -> char { return bit; }),
                    to(from.size());
  permuteElements(from, to, attr.getType().getShape(), perm, /*width=*/1);
  SmallVector<bool> bits(to.begin(), to.end());
  return DenseElementsAttr::get(result, ArrayRef<bool>(bits));
}

/// As `canPermuteConstant` allows.
static ElementsAttr permuteConstant(ElementsAttr attr, ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(attr.getShapedType());
  RankedTensorType result = type.clone(applyPermutation(type.getShape(), perm));
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (dense && dense.isSplat())
    return dense.reshape(result);
  if (dense && type.getElementType().isInteger(1))
    return permuteBits(dense, result, perm);
  std::optional<ArrayRef<char>> raw = getRawBytes(attr);
  int64_t width = raw->size() / attr.getNumElements();
  AsmResourceBlob blob =
      HeapAsmResourceBlob::allocate(raw->size(), /*align=*/64);
  permuteElements(*raw, blob.getMutableData(), type.getShape(), perm, width);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(
        result, resource.getRawHandle().getKey(), std::move(blob));
  return DenseElementsAttr::getFromRawBuffer(result, blob.getData());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isInverse(linalg::TransposeOp transpose, ArrayRef<int64_t> perm) {
  return isIdentityPermutation(
      applyPermutation(transpose.getPermutation(), perm));
}

/// An earlier value or a new constant that is `value` permuted, or null.
static Value foldDirectly(RewriterBase &rewriter, Value value,
                          ArrayRef<int64_t> perm) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    if (isInverse(transpose, perm))
      return transpose.getInput();
  if (value.getDefiningOp<tensor::EmptyOp>())
    return createEmptyLike(rewriter, value.getLoc(), value, perm);
  ElementsAttr attr = getConstantTensor(value);
  if (!attr || !canPermuteConstant(attr))
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  return arith::ConstantOp::create(
      rewriter, value.getLoc(), cast<TypedAttr>(permuteConstant(attr, perm)));
}

/// A reshape if only dimensions of size 1 move, or null.
static Value reshapeInstead(RewriterBase &rewriter, Location loc, Value value,
                            ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape())
    return {};
  auto isUnit = [&](int64_t d) { return type.getDimSize(d) == 1; };
  SmallVector<int64_t> order;
  llvm::copy_if(perm, std::back_inserter(order),
                [&](int64_t d) { return !isUnit(d); });
  if (!llvm::is_sorted(order))
    return {};
  if (applyPermutation(type.getShape(), perm) == type.getShape())
    return value;
  if (order.empty())
    order.push_back(0);
  // A group for each dimension that stays, units joining the one before them.
  auto groups = [&](ArrayRef<int64_t> dims) {
    SmallVector<ReassociationIndices> result(1);
    bool started = false;
    for (auto [i, d] : llvm::enumerate(dims)) {
      bool stays = llvm::is_contained(order, d);
      if (stays && started)
        result.emplace_back();
      started |= stays;
      result.back().push_back(i);
    }
    return result;
  };
  SmallVector<int64_t> identity =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  RankedTensorType result = type.clone(applyPermutation(type.getShape(), perm));
  SmallVector<ReassociationIndices> from = groups(identity), to = groups(perm);
  Value flat = tensor::CollapseShapeOp::create(rewriter, loc, value, from);
  return tensor::ExpandShapeOp::create(rewriter, loc, result, flat, to);
}

Value bquant::createEmptyLike(RewriterBase &rewriter, Location loc, Value value,
                              ArrayRef<int64_t> perm) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  return tensor::EmptyOp::create(rewriter, loc, applyPermutation(sizes, perm),
                                 getElementTypeOrSelf(value.getType()));
}

Value bquant::createTranspose(RewriterBase &rewriter, Location loc, Value value,
                              ArrayRef<int64_t> perm) {
  if (isIdentityPermutation(perm))
    return value;
  if (Value folded = foldDirectly(rewriter, value, perm))
    return folded;
  if (Value reshaped = reshapeInstead(rewriter, loc, value, perm))
    return reshaped;
  Value init = createEmptyLike(rewriter, loc, value, perm);
  return linalg::TransposeOp::create(rewriter, loc, value, init, perm)
      ->getResult(0);
}

linalg::GenericOp bquant::permutePointwise(RewriterBase &rewriter,
                                           linalg::GenericOp op,
                                           ArrayRef<int64_t> perm,
                                           ValueRange inputs) {
  // Old loop perm[i] is new loop i.
  SmallVector<AffineExpr> loops(perm.size());
  for (auto [i, d] : llvm::enumerate(perm))
    loops[d] = rewriter.getAffineDimExpr(i);
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands, inits;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isIdentity()) {
      operands.push_back(inputs[input->getOperandNumber()]);
      maps.push_back(map);
      continue;
    }
    operands.push_back(input->get());
    maps.push_back(map.replaceDimsAndSymbols(loops, {}, perm.size(), 0));
  }
  SmallVector<Type> types;
  for (Value init : op.getDpsInits()) {
    inits.push_back(createEmptyLike(rewriter, op.getLoc(), init, perm));
    types.push_back(inits.back().getType());
    maps.push_back(rewriter.getMultiDimIdentityMap(perm.size()));
  }
  auto result =
      linalg::GenericOp::create(rewriter, op.getLoc(), types, operands, inits,
                                maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), result.getRegion(),
                             result.getRegion().begin());
  return result;
}

/// Whether everything behind `value` is a constant or transposed already.
static bool canFoldTranspose(Value value, ArrayRef<int64_t> perm) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    return isInverse(transpose, perm);
  if (ElementsAttr attr = getConstantTensor(value))
    return canPermuteConstant(attr);
  if (auto sign = value.getDefiningOp<SignOp>())
    return canFoldTranspose(sign.getInput(), perm);
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && isPointwise(op) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return !op.getMatchingIndexingMap(input).isIdentity() ||
                  canFoldTranspose(input->get(), perm);
         });
}

/// As `foldTranspose`, after `canFoldTranspose`.
static Value transposeFolded(RewriterBase &rewriter, Value value,
                             ArrayRef<int64_t> perm) {
  if (Value folded = foldDirectly(rewriter, value, perm))
    return folded;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  if (auto sign = value.getDefiningOp<SignOp>()) {
    Value input = transposeFolded(rewriter, sign.getInput(), perm);
    return SignOp::create(rewriter, sign.getLoc(), input);
  }
  auto op = cast<linalg::GenericOp>(value.getDefiningOp());
  SmallVector<Value> inputs(op.getNumDpsInputs());
  for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands()))
    if (op.getMatchingIndexingMap(input).isIdentity())
      inputs[i] = transposeFolded(rewriter, input->get(), perm);
  unsigned number = cast<OpResult>(value).getResultNumber();
  return permutePointwise(rewriter, op, perm, inputs).getResult(number);
}

Value bquant::foldTranspose(RewriterBase &rewriter, Value value,
                            ArrayRef<int64_t> perm) {
  return canFoldTranspose(value, perm) ? transposeFolded(rewriter, value, perm)
                                       : Value();
}
