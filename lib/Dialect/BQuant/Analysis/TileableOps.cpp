//===- TileableOps.cpp - Which ops can be in a layer, and how -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileableOps.h"

#include "Support/Transpositions.h"

using namespace mlir;
using namespace bquant;

static bool hasStaticTensors(Operation *op) {
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (isa<RankedTensorType>(type) && shaped.hasStaticShape() &&
                       shaped.getNumElements() > 0);
  };
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic) && op->getNumResults();
}

/// Whether an element has as many bits in a vector as in memory; of bits both
/// can be made of the other.
static bool isVectorElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth());
  return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
      type);
}

bool bquant::hasVectorElements(Operation *op) {
  auto isElement = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return isVectorElement(getElementTypeOrSelf(type)) &&
           (!tensor || !tensor.getEncoding() ||
            packed::isLayout(tensor.getEncoding()));
  };
  return llvm::all_of(op->getOperandTypes(), isElement) &&
         llvm::all_of(op->getResultTypes(), isElement);
}

ArrayRef<int64_t> bquant::getDomain(Operation *op) {
  Value elements =
      isa<packed::PackOp>(op) ? op->getOperand(0) : op->getResult(0);
  return cast<RankedTensorType>(elements.getType()).getShape();
}

/// Whether what a tile reads at `index` is a slice that begins where the tile
/// does and is read in the same way: the index rises with each of the first
/// `rank` loops, in equal steps but for whole blocks of channels.
static bool isTileableIndex(AffineExpr index, unsigned rank, int64_t block) {
  bool isTiled = false;
  for (unsigned d = 0; d < rank; ++d)
    isTiled |= index.isFunctionOfDim(d);
  if (!isTiled || isa<AffineDimExpr>(index))
    return true;
  auto binary = cast<AffineBinaryOpExpr>(index);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  auto by = dyn_cast<AffineConstantExpr>(rhs);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return isTileableIndex(lhs, rank, block) &&
           isTileableIndex(rhs, rank, block);
  case AffineExprKind::Mul:
    return by && by.getValue() >= 0 && isTileableIndex(lhs, rank, block);
  case AffineExprKind::FloorDiv:
    return by && by.getValue() == block &&
           lhs == getAffineDimExpr(rank - 1, index.getContext());
  default:
    return false;
  }
}

static bool isTileableGeneric(linalg::GenericOp op) {
  if (isTransposition(op))
    return false; // --bquant-lower-transpositions
  unsigned rank = getDomain(op).size();
  if (rank == 0 || rank > op.getNumLoops())
    return false;
  for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((i < rank) != (type == utils::IteratorType::parallel))
      return false;
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
          .getMajorSubMap(rank);
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != identity)
      return false;
  int64_t block = getChannelBlock(op).value_or(0);
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr index) {
      return isTileableIndex(index, rank, block);
    });
  });
}

bool bquant::isTileable(Operation *op) {
  if (!isa<linalg::GenericOp, linalg::FillOp, packed::PackOp, packed::UnpackOp,
           ProductOp>(op) ||
      !hasStaticTensors(op) || !hasVectorElements(op) ||
      !isMemoryEffectFree(op))
    return false;
  // What no kernel computes has no tile.
  if (auto product = dyn_cast<ProductOp>(op))
    return product.getKernelInterface() && product.isLaidOut();
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return isTileableGeneric(generic);
  return !getDomain(op).empty();
}

bool bquant::countsBits(Operation *op) {
  auto product = dyn_cast<ProductOp>(op);
  return product && !product.sumsFloats();
}

bool bquant::isReduction(Operation *op) {
  if (isa<ProductOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() > 0;
}

Value bquant::getMaximized(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isReduction(op) || generic.getNumResults() != 1)
    return {};
  Operation *yield = generic.getBody()->getTerminator();
  auto maximum = yield->getOperand(0).getDefiningOp<arith::MaximumFOp>();
  using arith::FastMathFlags;
  FastMathFlags ordered = FastMathFlags::nnan | FastMathFlags::nsz;
  if (!maximum || !maximum.getType().isF32() ||
      maximum->getBlock() != generic.getBody() ||
      bitEnumContainsAll(maximum.getFastmath(), ordered))
    return {};
  Value sum = generic.getRegionOutputArgs()[0];
  Value value = maximum.getLhs() == sum ? maximum.getRhs() : maximum.getLhs();
  bool updates = maximum.getLhs() == sum || maximum.getRhs() == sum;
  return updates && llvm::is_contained(generic.getRegionInputArgs(), value)
             ? value
             : Value();
}

bool bquant::isIdentityUse(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto pack = dyn_cast<packed::PackOp>(op))
    return pack.isDpsInput(&operand);
  if (isa<ProductOp>(op))
    return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return false;
  unsigned rank = getDomain(op).size();
  return generic.getMatchingIndexingMap(&operand) ==
         AffineMap::getMultiDimIdentityMap(generic.getNumLoops(),
                                           op->getContext())
             .getMajorSubMap(rank);
}

std::optional<int64_t> bquant::getBlock(AffineMap map, unsigned dim) {
  if (!map.isFunctionOfDim(dim))
    return 0;
  AffineExpr channelDim = getAffineDimExpr(dim, map.getContext());
  AffineExpr zero = getAffineConstantExpr(0, map.getContext());
  int64_t block = 0;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() != AffineExprKind::FloorDiv ||
        binary.getLHS() != channelDim)
      return;
    if (auto by = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      block = by.getValue();
  });
  if (block == 0 ||
      map.replace(channelDim.floorDiv(block), zero, map.getNumDims(), 0)
          .isFunctionOfDim(dim))
    return std::nullopt;
  return block;
}

bool bquant::readsLanes(AffineMap map, unsigned dim) {
  return map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(dim, map.getContext()) &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr index) {
           return index.isFunctionOfDim(dim);
         });
}

std::optional<int64_t> bquant::getChannelBlock(Operation *op) {
  if (auto product = dyn_cast<ProductOp>(op))
    return product.getKernelInterface().getChannels();
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return std::nullopt;
  unsigned channelDim = getDomain(op).size() - 1;
  for (AffineMap map : generic.getIndexingMapsArray())
    if (int64_t block = getBlock(map, channelDim).value_or(0))
      return block;
  return std::nullopt;
}

int64_t bquant::getPackedChannels(ArrayRef<Operation *> ops) {
  int64_t channels = 1;
  for (Operation *op : ops) {
    if (isa<packed::PackOp, packed::UnpackOp>(op))
      channels = std::max(channels, kWordBits);
    if (auto pack = dyn_cast<packed::PackOp>(op))
      for (LayoutAttrInterface layout : pack.getLayouts())
        channels = std::max(channels, layout.getUnitChannels());
  }
  return channels;
}

bool bquant::hasChannelVectors(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return true;
  unsigned channelDim = getDomain(op).size() - 1;
  for (OpOperand *operand : generic.getDpsInputOperands()) {
    AffineMap map = generic.getMatchingIndexingMap(operand);
    if (!getBlock(map, channelDim) && !readsLanes(map, channelDim))
      return false;
  }
  return true;
}
