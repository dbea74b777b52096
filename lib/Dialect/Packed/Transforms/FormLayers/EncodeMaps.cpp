//===- EncodeMaps.cpp - Maps of codes in bytes ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network that quantizes and decodes a map at once, and reads it several
// times, as a block with a shortcut does, would store floats. Its codes take a
// quarter of that; each reader decodes them by the same numbers and ops.
//
// Bytes that are stored as the codes of a product, too, are stored as these
// alone.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/Analysis/FloatBounds.h"
#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "GenericForms.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_ENCODEMAPS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// 128, by which a byte without a sign differs from that with one.
static constexpr int64_t kSigned = 128;

static bool isWholeConstant(Value value) {
  APFloat number(0.0f);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isInteger();
}

/// Whether a float is a whole number by how it is computed.
static bool isWhole(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::MaximumFOp, arith::MinimumFOp, arith::AddFOp,
                      arith::SubFOp>(op))
    return isWhole(op->getOperand(0)) && isWholeConstant(op->getOperand(1));
  return isa_and_present<math::RoundEvenOp, math::RoundOp, arith::SIToFPOp,
                         arith::UIToFPOp>(op);
}

/// Whether it shows in `value`, a whole float or what is computed of one, that
/// this was -0.0, which is no code.
static bool showsNegativeZero(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return false;
  APFloat number(0.0f);
  if (op->getNumOperands() < 2 ||
      !matchPattern(op->getOperand(1), m_ConstantFloat(&number)))
    return true;
  if (number.isNegZero())
    return true;
  // Of -0.0 and 0.0 sum and maximum are 0.0, and the difference is not.
  if (isa<arith::AddFOp>(op) ||
      (isa<arith::MaximumFOp>(op) && !number.isNegative()) ||
      (isa<arith::SubFOp>(op) && !number.isZero()))
    return false;
  return showsNegativeZero(op->getOperand(0));
}

namespace {
/// Whole floats that fit a byte, and what is computed of them by constants.
struct Decoding {
  Value codes;
  bool isUnsigned;
  /// From the last one on.
  SmallVector<Operation *> ops;
};
} // namespace

static std::optional<Decoding> findDecoding(Value value) {
  Decoding found;
  Value decoded = value;
  while (isa_and_present<arith::MulFOp, arith::DivFOp, arith::AddFOp,
                         arith::SubFOp>(value.getDefiningOp())) {
    Operation *op = value.getDefiningOp();
    if (!matchPattern(op->getOperand(1), m_Constant()))
      return std::nullopt;
    found.ops.push_back(op);
    value = op->getOperand(0);
  }
  found.codes = value;
  std::optional<FloatBounds> bounds = FloatBoundsFinder().find(value);
  if (!bounds || !isWhole(value) || bounds->high - bounds->low >= 2 * kSigned)
    return std::nullopt;
  if (showsNegativeZero(decoded))
    return std::nullopt;
  found.isUnsigned = bounds->low >= 0;
  float low = found.isUnsigned ? 0 : -kSigned;
  if (bounds->low < low || bounds->high >= low + 2 * kSigned)
    return std::nullopt;
  return found;
}

/// Whether what a reader computes of `use` can start from something else.
static bool canDecode(OpOperand &use) {
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  return reader && reader.isDpsInput(&use) && isTileable(reader) &&
         !isReduction(reader) && isIdentityUse(use);
}

/// `codes` as a byte.
static Value encode(ImplicitLocOpBuilder &b, const Decoding &decoding) {
  Value codes = decoding.codes;
  if (decoding.isUnsigned)
    codes = arith::SubFOp::create(b, codes, createF32(b, b.getLoc(), kSigned));
  Value byte = arith::FPToSIOp::create(b, b.getI8Type(), codes);
  if (!decoding.isUnsigned)
    return byte;
  Value top = arith::ConstantOp::create(b, b.getI8IntegerAttr(-kSigned));
  return arith::XOrIOp::create(b, byte, top);
}

static Value decode(OpBuilder &b, Location loc, const Decoding &decoding,
                    Value byte) {
  Type f32 = b.getF32Type();
  Value value = decoding.isUnsigned
                    ? arith::UIToFPOp::create(b, loc, f32, byte).getResult()
                    : arith::SIToFPOp::create(b, loc, f32, byte).getResult();
  for (Operation *op : llvm::reverse(decoding.ops)) {
    Operation *constant = b.clone(*op->getOperand(1).getDefiningOp());
    Operation *copy = b.clone(*op);
    copy->setOperands({value, constant->getResult(0)});
    value = copy->getResult(0);
  }
  return value;
}

/// Makes the result `r` of `op` bytes. Returns the op in its place, or none.
static linalg::GenericOp encodeResult(RewriterBase &rewriter,
                                      linalg::GenericOp op, unsigned r) {
  Operation *yield = op.getBlock()->getTerminator();
  Value result = op.getResult(r);
  if (!getElementTypeOrSelf(result.getType()).isF32() || result.hasOneUse() ||
      !llvm::all_of(result.getUses(), canDecode))
    return {};
  std::optional<Decoding> decoding = findDecoding(yield->getOperand(r));
  if (!decoding)
    return {};

  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  b.setInsertionPoint(op);
  Type i8 = b.getI8Type();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, op.getLoc(), op.getDpsInits()[r]);
  SmallVector<Value> inits(op.getDpsInits());
  SmallVector<Type> types(op->getResultTypes());
  inits[r] = tensor::EmptyOp::create(b, sizes, i8);
  types[r] = inits[r].getType();
  auto encoded = linalg::GenericOp::create(b, types, op.getDpsInputs(), inits,
                                           op.getIndexingMapsArray(),
                                           op.getIteratorTypesArray());
  // Readers are given what decodes the bytes before the ops that do are gone.
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    b.setInsertionPoint(use.getOwner());
    use.set(createElementwise(b, b.getF32Type(), encoded.getResult(r),
                              [&](OpBuilder &b, Location loc, ValueRange args) {
                                return decode(b, loc, *decoding, args.front());
                              }));
  }
  encoded.getRegion().takeBody(op.getRegion());
  encoded.getRegionOutputArgs()[r].setType(i8);
  b.setInsertionPoint(yield);
  yield->setOperand(r, encode(b, *decoding));
  for (Operation *dead : decoding->ops)
    if (isOpTriviallyDead(dead))
      rewriter.eraseOp(dead);
  rewriter.replaceOp(op, encoded.getResults());
  return encoded;
}

/// Has all readers of the bytes that `turn` makes codes of read these, where
/// they can turn them back.
static bool shareCodes(RewriterBase &rewriter, linalg::GenericOp turn) {
  Value bytes = turn.getInputs().front(), codes = turn->getResult(0);
  Operation *source = bytes.getDefiningOp();
  if (!source || bytes.hasOneUse() ||
      !isa_and_present<CodesLayoutAttr>(
          cast<RankedTensorType>(codes.getType()).getEncoding()) ||
      !llvm::all_of(bytes.getUses(), canDecode))
    return false;

  ImplicitLocOpBuilder b(turn.getLoc(), rewriter);
  b.setInsertionPointAfter(source);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, turn.getLoc(), bytes);
  auto type = cast<RankedTensorType>(codes.getType());
  Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType(),
                                        type.getEncoding());
  turn.getDpsInitsMutable()[0].set(empty);
  rewriter.moveOpAfter(turn, empty.getDefiningOp());
  bool shares = false;
  for (OpOperand &use : llvm::make_early_inc_range(bytes.getUses())) {
    auto reader = cast<linalg::GenericOp>(use.getOwner());
    if (turnsBytes(reader))
      continue;
    b.setInsertionPoint(reader);
    use.set(createTurnedBytes(b, b.getI8Type(), codes));
    shares = true;
  }
  return shares;
}

namespace {
struct EncodeMaps : bquant::impl::EncodeMapsBase<EncodeMaps> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLayerFusionPatterns(patterns);
    FrozenRewritePatternSet fusion(std::move(patterns));
    // What is computed of a map that is codes now may be codes, too: it is seen
    // where the readers decode.
    while (encodeAll())
      if (failed(applyPatternsGreedily(getOperation(), fusion)))
        return signalPassFailure();
    if (shareAll() && failed(applyPatternsGreedily(getOperation(), fusion)))
      return signalPassFailure();
  }

  bool shareAll() {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (turnsBytes(op))
        ops.push_back(op);
    });
    bool shares = false;
    for (linalg::GenericOp op : ops)
      shares |= shareCodes(rewriter, op);
    return shares;
  }

  bool encodeAll() {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (isPointwise(op) && isTileable(op))
        ops.push_back(op);
    });
    bool encodes = false;
    for (linalg::GenericOp op : ops)
      for (unsigned r = 0; r < op.getNumResults(); ++r)
        if (linalg::GenericOp encoded = encodeResult(rewriter, op, r)) {
          op = encoded;
          encodes = true;
        }
    return encodes;
  }
};
} // namespace
