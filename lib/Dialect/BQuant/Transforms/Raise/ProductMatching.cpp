//===- ProductMatching.cpp - What convolutions and matrix products share --===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductMatching.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "MatchCascade.h"
#include "MatchLevelFilter.h"
#include "MatchSpelledOutFilter.h"
#include "Support/Locations.h"
#include "Support/Remarks.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace bquant;

Init Init::get(Value init) {
  Value value = init;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs().front();
  if (auto broadcast = init.getDefiningOp<linalg::BroadcastOp>()) {
    SmallVector<unsigned> dims;
    for (unsigned d = 0, e = broadcast.getInit().getType().getRank(); d < e;
         ++d)
      if (!llvm::is_contained(broadcast.getDimensions(), d))
        dims.push_back(d);
    return {broadcast.getInput(), AffineMap::getMultiDimMapWithTargets(
                                      broadcast.getInit().getType().getRank(),
                                      dims, init.getContext())};
  }
  auto generic = init.getDefiningOp<linalg::GenericOp>();
  if (generic && isPointwise(generic)) {
    unsigned number = cast<OpResult>(init).getResultNumber();
    value = generic.getBlock()->getTerminator()->getOperand(number);
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == generic.getBlock()) {
      OpOperand *operand = generic.getMatchingOpOperand(argument);
      if (isa<RankedTensorType>(operand->get().getType()))
        return {operand->get(), generic.getMatchingIndexingMap(operand)};
    }
  }
  // Sums of floats start at either zero.
  if (matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()))
    return {};
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  return {init, AffineMap::getMultiDimIdentityMap(rank, init.getContext())};
}

Value Init::addTo(RewriterBase &rewriter, Location loc, Value product) const {
  if (isZero())
    return product;
  ImplicitLocOpBuilder b(loc, rewriter);
  Inputs inputs(product);
  inputs.add(value, map);
  return createElementwise(
      b, tensor::getMixedSizes(b, loc, product), getElementTypeOrSelf(product),
      inputs, [](OpBuilder &b, Location loc, ValueRange in) -> Value {
        if (isa<FloatType>(in[0].getType()))
          return arith::AddFOp::create(b, loc, in[0], in[1]);
        return arith::AddIOp::create(b, loc, in[0], in[1]);
      });
}

Value bquant::createZeros(RewriterBase &rewriter, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  Value init = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, like),
      type.getElementType());
  return linalg::FillOp::create(rewriter, loc, zero, init).getResult(0);
}

bool bquant::canMultiply(SBTensorType lhs, SBTensorType rhs) {
  auto leadingOnly = [](SBTensorType type) {
    return type.getAxes().empty() || type.getAxes() == ArrayRef<int64_t>{0};
  };
  return leadingOnly(rhs) && (!lhs || leadingOnly(lhs));
}

void bquant::remarkRaised(Value product) {
  Operation *op = product.getDefiningOp();
  auto remark = remarks::passed(op->getLoc(), "raise-product");
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " of " << op->getOperand(0).getType() << " by "
     << op->getOperand(1).getType();
  remark << text;
}

LogicalResult bquant::addBiasAfter(linalg::LinalgOp op,
                                   PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics() ||
      !getElementTypeOrSelf(op->getResult(0)).isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "not on tensors of numbers");
  OpOperand &operand = op.getDpsInitsMutable()[0];
  Init init = Init::get(operand.get());
  if (!init.isBroadcast())
    return rewriter.notifyMatchFailure(op, "no bias");
  Value zeros = createZeros(rewriter, op.getLoc(), operand.get());
  rewriter.modifyOpInPlace(op, [&] { operand.set(zeros); });
  rewriter.setInsertionPointAfter(op);
  Value product = op->getResult(0);
  Value sum = init.addTo(rewriter, op.getLoc(), product);
  rewriter.replaceAllUsesExcept(product, sum, sum.getDefiningOp());
  return success();
}

static bool isMatrix(Value filter) {
  return cast<RankedTensorType>(filter.getType()).getRank() == 2;
}

/// Whether reading a matrix in floats takes longer than two products by its
/// bits: whatever the rows are, which a batch may come in.
static bool isLargeMatrix(Value filter) {
  constexpr int64_t kLarge = 1 << 20;
  auto type = cast<RankedTensorType>(filter.getType());
  return isMatrix(filter) && type.hasStaticShape() &&
         type.getNumElements() >= kLarge;
}

/// A filter that floats are multiplied by and that is quantized already.
static std::optional<Cascade> matchFilterOfFloats(Value filter) {
  if (!isDenseFilter(filter))
    return std::nullopt;
  // For each position of a convolution a sum for each scalar takes longer than
  // one of numbers.
  if (std::optional<Cascade> w = matchSpelledOutFilter(filter, /*strict=*/true))
    return w->type.hasOneScalar() || isMatrix(filter) ? w : std::nullopt;
  return isLargeMatrix(filter) ? matchSkewedFilter(filter, /*strict=*/true)
                               : std::nullopt;
}

/// A filter that is quantized already, in the fewest planes; `lhs` is what it
/// is multiplied by: levels with an offset take two products of these, and a
/// sum.
static std::optional<Cascade>
matchConstantFilter(Value filter, SBTensorType lhs,
                    const RaiseAssumptions &assumptions) {
  std::optional<Cascade> w = matchSpelledOutFilter(filter, /*strict=*/false);
  if (w && w->type.hasOneScalar())
    return w;
  if (std::optional<Cascade> skewed =
          matchSkewedFilter(filter, /*strict=*/false))
    return skewed;
  if (!w && lhs.hasOneScalar())
    w = matchUniformFilter(filter, lhs, /*strict=*/!assumptions.exactResidues);
  // What residues have rounded may look like more signs.
  return w || !assumptions.exactResidues ? w : matchSignSumFilter(filter);
}

/// Whether a product of so many planes is faster in floats: products of bytes,
/// which take all planes at once, want a multiple of 4 channels, and a count of
/// bits takes each pair of planes by itself. Asked here, and of the operands
/// alone, since the two round differently: no later stage may choose again.
static bool isFasterInFloats(SBTensorType lhs, SBTensorType rhs) {
  constexpr int64_t kMostPairs = 8, kStep = 4, kWordBits = 32, kOpsOfWord = 3;
  int64_t pairs = lhs.getPlanes() * rhs.getPlanes();
  int64_t channels = rhs.getShape().back();
  return pairs > kMostPairs && channels % kStep != 0 &&
         kOpsOfWord * pairs * llvm::divideCeilSigned(channels, kWordBits) >
             channels;
}

FailureOr<ProductOperands>
bquant::matchOperands(Value input, Value filter,
                      const RaiseAssumptions &assumptions, ExplainFn explain) {
  bool explained = false;
  auto explainAs = [&](const Twine &message) {
    explained = true;
    return explain(message);
  };
  std::optional<Cascade> w =
      matchCascade(filter, assumptions, [&](const Twine &message) {
        return explainAs("filter: " + message);
      });
  std::optional<Cascade> x;
  if (!explained)
    x = matchCascade(input, assumptions, [&](const Twine &message) {
      return explainAs("input: " + message);
    });
  if (explained)
    return failure();
  if (!w)
    w = x ? matchConstantFilter(filter, x->type, assumptions)
          : matchFilterOfFloats(filter);
  if (!w)
    return x ? explain("the input is quantized, but the filter is float")
             : failure();
  if (!canMultiply(x ? x->type : SBTensorType(), w->type))
    return explain("scalars vary along the reduction");
  if (x && isFasterInFloats(x->type, w->type))
    return explain(llvm::formatv(
        "{0} by {1} planes of {2} channels, which are no "
        "multiple of 4 as products of bytes have, are faster "
        "in floats",
        x->type.getPlanes(), w->type.getPlanes(), w->type.getShape().back()));
  return ProductOperands{x, *w};
}

void bquant::visitFloatProducts(Operation *root,
                                function_ref<void(linalg::LinalgOp)> visit) {
  root->walk([&](linalg::LinalgOp op) {
    // The window of a pool is no filter.
    if (op->getName().stripDialect().starts_with("pooling_"))
      return;
    bool product = isa<linalg::ConvolutionOpInterface>(op.getOperation()) ||
                   linalg::isaContractionOpInterface(op);
    if (product && op.getNumDpsInputs() == 2 && op->getNumResults() == 1 &&
        isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
      visit(op);
  });
}

/// Whether a filter has few values, as quantized ones have, and no chance.
static bool hasFewValues(Value filter) {
  constexpr size_t kMost = 256;
  ElementsAttr attr = getConstantTensor(filter);
  if (!attr || attr.getNumElements() < 64)
    return false;
  llvm::DenseSet<uint32_t> found;
  for (float value : getFloatValues(attr)) {
    found.insert(llvm::bit_cast<uint32_t>(value));
    if (found.size() > kMost ||
        int64_t(found.size()) * 4 > attr.getNumElements())
      return false;
  }
  return found.size() > 1;
}

std::string bquant::describeFloat(Value tensor) {
  Operation *op = resolve(tensor).getDefiningOp();
  while (op && isMove(op))
    op = resolve(op->getOperand(0)).getDefiningOp();
  if (!op)
    return "is given in floats";
  std::string text =
      "is what '" + op->getName().getStringRef().str() + "' computes in floats";
  std::string place = formatLocation(op->getLoc());
  return place.empty() ? text : text + " at " + place;
}

LogicalResult bquant::verifyFloatProduct(linalg::LinalgOp op,
                                         const RaiseAssumptions &assumptions,
                                         ExplainFn explain) {
  Value input = op.getDpsInputs()[0], filter = op.getDpsInputs()[1];
  if (auto pad = input.getDefiningOp<tensor::PadOp>())
    input = pad.getSource();
  bool explained = false;
  auto fail = [&](const Twine &message) {
    explained = true;
    return explain(op->getName().getStringRef() + " stays float: " + message);
  };
  if (succeeded(matchOperands(input, filter, assumptions, fail)))
    return fail("no bquant op has this form of product");
  if (explained)
    return failure();
  if (matchSkewedFilter(filter, /*strict=*/true) ||
      matchSpelledOutFilter(filter, /*strict=*/true))
    return fail(
        (isDenseFilter(filter)
             ? "the filter takes a sum of floats for each scalar or offset, "
               "which pays only in a large matrix or with a quantized input"
             : "the filter is mostly zeros, of which planes take a small sum "
               "as the difference of large ones") +
        (", but the input " + describeFloat(input)));
  if (hasFewValues(filter))
    return fail(
        "the filter has few values, but they are not those of one to three "
        "planes in every bit");
  return success();
}

void bquant::keepReason(Operation *from, Operation *to) {
  if (Attribute reason = from->getDiscardableAttr(kStaysFloat))
    to->setDiscardableAttr(kStaysFloat, reason);
}

LogicalResult bquant::applyRaising(Operation *root,
                                   RewritePatternSet patterns) {
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return root->emitError("expected raising to end");
  return success();
}

Value bquant::createClamp(OpBuilder &builder, Location loc, Value x, float low,
                          float high) {
  ImplicitLocOpBuilder b(loc, builder);
  return createElementwise(
      b, b.getF32Type(), x, [&](OpBuilder &b, Location loc, ValueRange in) {
        Value least = createF32(b, loc, low), most = createF32(b, loc, high);
        Value below = arith::MinimumFOp::create(b, loc, in[0], most);
        return arith::MaximumFOp::create(b, loc, below, least);
      });
}
