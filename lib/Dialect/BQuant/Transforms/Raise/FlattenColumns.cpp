//===- FlattenColumns.cpp - Flattened images, channels-last ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flattened image has its columns in the order of NCHW. The transpose that
// this takes moves down through elementwise ops to the matrix product, where
// the columns of the constant matrix are permuted instead.
//
//   %t = linalg.transpose ins(%x) permutation = [0, 3, 1, 2]   // NxHxWxC
//   %f = tensor.collapse_shape %t [[0], [1, 2, 3]]
//   %y = linalg.matmul ... ins(%f, %w)
//
// becomes
//
//   %f = tensor.collapse_shape %x [[0], [1, 2, 3]]
//   %y = linalg.matmul ... ins(%f, %permuted)

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "ProductMatching.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace bquant {
#define GEN_PASS_DEF_FLATTENCOLUMNS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

const SmallVector<ReassociationIndices> kFlat = {{0}, {1, 2, 3}};

/// An image NxHxWxC whose columns, flattened, are to be in the order of CxHxW.
struct Flattened {
  Value image;

  static std::optional<Flattened> match(Value value) {
    auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
    auto transpose =
        collapse && llvm::equal(collapse.getReassociationIndices(), kFlat)
            ? collapse.getSrc().getDefiningOp<linalg::TransposeOp>()
            : linalg::TransposeOp();
    if (!transpose || !transpose.hasPureTensorSemantics() ||
        transpose.getPermutation() != ArrayRef<int64_t>(kToFirst) ||
        transpose.getInput().getType().getRank() != 4 ||
        !transpose.getInput().getType().hasStaticShape())
      return std::nullopt;
    return Flattened{transpose.getInput()};
  }

  RankedTensorType type() const {
    return cast<RankedTensorType>(image.getType());
  }
  /// Sizes of N x C x H x W for a constant of `rows` rows.
  SmallVector<int64_t> getFirst(int64_t rows) const {
    ArrayRef<int64_t> shape = type().getShape();
    return {rows, shape[3], shape[1], shape[2]};
  }
  /// The columns in the order of the image.
  Value flat(OpBuilder &b, Location loc) const {
    return tensor::CollapseShapeOp::create(b, loc, image, kFlat);
  }
  /// As the program has it, of a flat value in the order of the image.
  Value restore(RewriterBase &b, Location loc, Value flat) const {
    auto element = getElementTypeOrSelf(flat.getType());
    Value expanded = tensor::ExpandShapeOp::create(
        b, loc, type().clone(element), flat, kFlat);
    Value first = createTranspose(b, loc, expanded, kToFirst);
    return tensor::CollapseShapeOp::create(b, loc, first, kFlat);
  }
};

ElementsAttr reshape(ElementsAttr attr, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, attr.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.reshape(type);
  return DenseResourceElementsAttr::get(
      type, cast<DenseResourceElementsAttr>(attr).getRawHandle());
}

/// The packed matrix that `value` is decoded from, if its columns share their
/// scalars.
ConstantOp getPackedMatrix(Value value) {
  auto dequantize = value.getDefiningOp<DequantizeOp>();
  auto op = dequantize ? dequantize.getInput().getDefiningOp<ConstantOp>()
                       : ConstantOp();
  if (!op || op.getType().getRank() != 2 ||
      llvm::is_contained(op.getType().getAxes(), 1))
    return ConstantOp();
  return op;
}

/// Whether `map` of the indices of a matrix has its column last: (d0, d1) or
/// (d1).
bool isOfColumns(AffineMap map) {
  return map.isIdentity() ||
         (map.getNumResults() == 1 &&
          map.getResult(0) == getAffineDimExpr(1, map.getContext()));
}

/// Whether the columns of `value` (its only dimension, or its last of two) can
/// be permuted at compile time.
bool canPermuteColumns(Value value) {
  if (getPackedMatrix(value))
    return true;
  if (ElementsAttr attr = getConstantTensor(value))
    return getRawBytes(attr).has_value();
  if (auto sign = value.getDefiningOp<SignOp>())
    return canPermuteColumns(sign.getInput());
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && isPointwise(op) && op.getNumLoops() == 2 &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return !map.isFunctionOfDim(1) ||
                  (isOfColumns(map) && canPermuteColumns(input->get()));
         });
}

Value permuteColumns(RewriterBase &rewriter, Value value,
                     const Flattened &order);

/// A pointwise op on permuted columns; `permuted` holds new inputs where they
/// are known already.
linalg::GenericOp permuteGeneric(RewriterBase &rewriter, linalg::GenericOp op,
                                 const Flattened &order,
                                 MutableArrayRef<Value> permuted) {
  SmallVector<Value> inputs;
  for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands())) {
    bool alongColumns = op.getMatchingIndexingMap(input).isFunctionOfDim(1);
    inputs.push_back(permuted[i] ? permuted[i]
                     : alongColumns
                         ? permuteColumns(rewriter, input->get(), order)
                         : input->get());
  }
  SmallVector<Value> inits;
  for (Value init : op.getDpsInits())
    inits.push_back(createEmptyLike(rewriter, op.getLoc(), init, {0, 1}));
  auto copy = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, inits,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), copy.getRegion(),
                             copy.getRegion().begin());
  return copy;
}

ConstantOp permuteBits(RewriterBase &rewriter, ConstantOp op,
                       const Flattened &order) {
  SBTensorType type = op.getType();
  ArrayRef<int64_t> image = order.type().getShape();
  int64_t pixels = image[1] * image[2], channels = image[3];
  SmallVector<uint32_t> words = op.getWordValues(), out(words.size());
  size_t row = type.getPlaneType().getShape().back();
  for (size_t first = 0; first < words.size(); first += row)
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = 0; c < channels; ++c) {
        int64_t from = c * pixels + p, to = p * channels + c;
        uint32_t bit = words[first + from / kWordBits] >> (from % kWordBits);
        out[first + to / kWordBits] |= (bit & 1) << (to % kWordBits);
      }
  return ConstantOp::create(rewriter, op.getLoc(), type,
                            getWordsAttr(type.getWordsType(), out),
                            op.getScalars(), op.getOffsetAttr());
}

/// As `canPermuteColumns` allows.
Value permuteColumns(RewriterBase &rewriter, Value value,
                     const Flattened &order) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  if (ConstantOp matrix = getPackedMatrix(value))
    return DequantizeOp::create(rewriter, loc, value.getType(),
                                permuteBits(rewriter, matrix, order));
  if (ElementsAttr attr = getConstantTensor(value)) {
    ArrayRef<int64_t> shape = attr.getShapedType().getShape();
    int64_t rows = shape.size() == 2 ? shape[0] : 1;
    Value expanded = arith::ConstantOp::create(
        rewriter, loc, reshape(attr, order.getFirst(rows)));
    // Of a constant: another constant, or the same where nothing moves.
    Value permuted = createTranspose(rewriter, loc, expanded, kToLast);
    return arith::ConstantOp::create(
        rewriter, loc, reshape(getConstantTensor(permuted), shape));
  }
  if (auto sign = value.getDefiningOp<SignOp>())
    return SignOp::create(rewriter, loc,
                          permuteColumns(rewriter, sign.getInput(), order));
  auto op = value.getDefiningOp<linalg::GenericOp>();
  SmallVector<Value> none(op.getNumDpsInputs());
  return permuteGeneric(rewriter, op, order, none)
      .getResult(cast<OpResult>(value).getResultNumber());
}

/// The transpose moves behind elementwise ops.
struct SinkThroughGeneric : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op) || op.getNumLoops() != 2)
      return rewriter.notifyMatchFailure(op, "not pointwise on matrices");
    std::optional<Flattened> order;
    SmallVector<std::optional<Flattened>> images(op.getNumDpsInputs());
    for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands())) {
      if (!op.getMatchingIndexingMap(input).isIdentity())
        continue;
      images[i] = Flattened::match(input->get());
      if (images[i] && order &&
          images[i]->type().getShape() != order->type().getShape())
        return rewriter.notifyMatchFailure(op, "images of different shapes");
      if (images[i])
        order = images[i];
    }
    if (!order)
      return rewriter.notifyMatchFailure(op, "no flattened image");
    for (auto [i, input] : llvm::enumerate(op.getDpsInputOperands())) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (map.isFunctionOfDim(1) && !images[i] &&
          (!isOfColumns(map) || !canPermuteColumns(input->get())))
        return rewriter.notifyMatchFailure(op, "an input has other columns");
    }
    SmallVector<Value> permuted;
    for (std::optional<Flattened> &image : images)
      permuted.push_back(image ? image->flat(rewriter, op.getLoc()) : Value());
    linalg::GenericOp copy = permuteGeneric(rewriter, op, *order, permuted);
    SmallVector<Value> results;
    for (Value result : copy.getResults())
      results.push_back(order->restore(rewriter, op.getLoc(), result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct SinkThroughSign : OpRewritePattern<SignOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SignOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Flattened> order = Flattened::match(op.getInput());
    if (!order)
      return rewriter.notifyMatchFailure(op, "no flattened image");
    Value sign = SignOp::create(rewriter, op.getLoc(),
                                order->flat(rewriter, op.getLoc()));
    rewriter.replaceOp(op, order->restore(rewriter, op.getLoc(), sign));
    return success();
  }
};

/// A product by a constant takes the columns in the order of the image.
struct PermuteMatrix : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNaturalMatmul(op))
      return rewriter.notifyMatchFailure(op, "no M x K by N x K");
    std::optional<Flattened> order = Flattened::match(op.getDpsInputs()[0]);
    Value matrix = op.getDpsInputs()[1];
    if (!order || !canPermuteColumns(matrix))
      return rewriter.notifyMatchFailure(op, "no image by a constant");
    Value flat = order->flat(rewriter, op.getLoc());
    Value permuted = permuteColumns(rewriter, matrix, *order);
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(0, flat);
      op->setOperand(1, permuted);
    });
    return success();
  }
};

struct FlattenColumnsPass
    : bquant::impl::FlattenColumnsBase<FlattenColumnsPass> {
  using FlattenColumnsBase::FlattenColumnsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateNaturalMatmulPatterns(patterns);
    populateFlattenPatterns(patterns);
    if (failed(applyRaising(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void bquant::populateFlattenPatterns(RewritePatternSet &patterns) {
  patterns.add<SinkThroughGeneric, SinkThroughSign, PermuteMatrix>(
      patterns.getContext());
}
