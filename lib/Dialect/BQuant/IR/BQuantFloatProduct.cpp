//===- BQuantFloatProduct.cpp - Products with a float side, with tiling ---===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of the loops [o, o + n) reaches, of an operand with the map f, the
// slice [f(o), f(o + n - 1)], and inside it the map is f again:
// f(o + i) - f(o) = f(i). That holds where f is linear, and of blocks
// (floordiv) where tiles are whole ones or lie inside of one.
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

bool FloatProductOp::hasWords() {
  return getElementTypeOrSelf(getFilters().front()).isInteger(32);
}

bool FloatProductOp::isMasked() {
  return getRatios() == ArrayRef<int64_t>{1, 1};
}

SmallVector<AffineMap> FloatProductOp::getMaps() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

unsigned FloatProductOp::getNumParallelLoops() {
  return cast<RankedTensorType>(getInits().front().getType()).getRank();
}

/// Whether index `dim` of operand `number` counts words.
static bool isOfWords(FloatProductOp op, unsigned number, unsigned dim) {
  return number > 0 && op.hasWords() &&
         dim + 1 == op.getMaps()[number].getNumResults();
}

SmallVector<int64_t> FloatProductOp::getLoopSizes() {
  SmallVector<int64_t> sizes(
      cast<RankedTensorType>(getInits().front().getType()).getShape());
  SmallVector<AffineMap> maps = getMaps();
  sizes.resize(maps.front().getNumDims(), ShapedType::kDynamic);
  for (auto [number, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(getOperand(number).getType());
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && !isOfWords(*this, number, dim) &&
          ShapedType::isDynamic(sizes[loop.getPosition()]))
        sizes[loop.getPosition()] = type.getDimSize(dim);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// "[float_product_cN] expected ".
static InFlightDiagnostic expected(FloatProductOp op, int constraint) {
  return op.emitOpError() << "[float_product_c" << constraint << "] expected ";
}

/// Whether `index` is a sum of loops times positive numbers, of blocks of loops
/// and of constants.
static bool growsWithLoops(AffineExpr index) {
  if (isa<AffineDimExpr>(index))
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return false;
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (index.getKind()) {
  case AffineExprKind::Add:
    return growsWithLoops(binary.getLHS()) && growsWithLoops(binary.getRHS());
  case AffineExprKind::Mul:
    return by && by.getValue() > 0 && growsWithLoops(binary.getLHS());
  case AffineExprKind::FloorDiv:
    return by && by.getValue() > 0 && isa<AffineDimExpr>(binary.getLHS());
  default:
    return false;
  }
}

/// Constraints 1 to 3.
static LogicalResult verifyForm(FloatProductOp op) {
  OperandRange filters = op.getFilters(), inits = op.getInits();
  if (filters.empty() || !llvm::all_equal(TypeRange(filters)) ||
      (!op.hasWords() && filters.size() != 1))
    return expected(op, 1) << "a filter of f32, or planes of i32 of one type, "
                              "but got "
                           << filters.getTypes();
  std::optional<ArrayRef<int64_t>> ratios = op.getRatios();
  if (ratios && (!op.hasWords() || ratios->size() != filters.size() ||
                 ratios->size() < 2 ||
                 llvm::any_of(*ratios, [](int64_t m) { return m <= 0; })))
    return expected(op, 2) << "positive ratios of two or more planes, one for "
                              "each, but got ["
                           << *ratios << "] of " << filters.size();
  size_t sums = ratios ? 1 : filters.size();
  if (inits.size() != sums || !llvm::all_equal(TypeRange(inits)))
    return expected(op, 3) << sums << " outs of one type, but got "
                           << inits.getTypes();
  return success();
}

/// Constraints 4 to 6.
static LogicalResult verifyMaps(FloatProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  unsigned operands = 1 + op.getFilters().size();
  if (maps.size() != operands)
    return expected(op, 4) << operands << " maps, but got " << maps.size();
  unsigned parallel = op.getNumParallelLoops();
  unsigned loops = std::max(parallel, maps.front().getNumDims());
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    if (map.getNumDims() != loops || map.getNumSymbols() != 0 ||
        map.getNumResults() != type.getRank())
      return expected(op, 4) << "a map of " << loops << " loops for " << type
                             << ", but got " << AffineMapAttr::get(map);
    if (!llvm::all_of(map.getResults(), growsWithLoops))
      return expected(op, 5)
             << "indices that are sums of loops times positive numbers, or "
                "count blocks of loops, but got "
             << AffineMapAttr::get(map);
    if (i == 0 || !op.hasWords())
      continue;
    AffineExpr channel = getAffineDimExpr(parallel - 1, op.getContext());
    if (parallel == 0 || map.getNumResults() == 0 ||
        map.getResults().back() != channel)
      return expected(op, 6) << "words along the last loop of the results, but "
                                "got "
                             << AffineMapAttr::get(map);
  }
  return success();
}

/// What an operand has to have along an index: the size of a loop that is the
/// index by itself, else more than the index at the last step of all loops.
static LogicalResult verifySize(FloatProductOp op, ArrayRef<int64_t> sizes,
                                unsigned number, unsigned dim,
                                AffineExpr index) {
  auto type = cast<RankedTensorType>(op->getOperand(number).getType());
  int64_t size = type.getDimSize(dim);
  if (ShapedType::isDynamic(size))
    return success();
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (index.isFunctionOfDim(d) && ShapedType::isDynamic(sizes[d]))
      return success();
  auto loop = dyn_cast<AffineDimExpr>(index);
  int64_t least;
  if (loop) {
    least = sizes[loop.getPosition()];
  } else {
    SmallVector<int64_t> last = llvm::map_to_vector(
        sizes, [](int64_t size) { return std::max<int64_t>(size, 1) - 1; });
    least = 1 + AffineMap::get(sizes.size(), 0, index).compose(last)[0];
  }
  if (isOfWords(op, number, dim))
    least = llvm::divideCeil(least, kWordBits);
  if (loop ? size == least : size >= least)
    return success();
  return expected(op, 8) << (loop ? "" : "at least ") << least
                         << " along dimension " << dim << " of operand "
                         << number << ", but got " << type;
}

/// Constraints 7 and 8.
static LogicalResult verifySizes(FloatProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  for (unsigned d = op.getNumParallelLoops(), e = maps.front().getNumDims();
       d < e; ++d)
    if (llvm::none_of(maps, [&](AffineMap map) {
          return llvm::is_contained(map.getResults(),
                                    getAffineDimExpr(d, op.getContext()));
        }))
      return expected(op, 7) << "each reduction to be an index by itself, but "
                                "got none that is d"
                             << d;
  SmallVector<int64_t> sizes = op.getLoopSizes();
  for (auto [number, map] : llvm::enumerate(maps))
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (failed(verifySize(op, sizes, number, dim, index)))
        return failure();
  return success();
}

LogicalResult FloatProductOp::verify() {
  if (failed(verifyForm(*this)) || failed(verifyMaps(*this)))
    return failure();
  return verifySizes(*this);
}

LogicalResult
FloatProductOp::reifyResultShapes(OpBuilder &b,
                                  ReifiedRankedShapedTypeDims &dims) {
  for (Value init : getInits())
    dims.push_back(tensor::getMixedSizes(b, getLoc(), init));
  return success();
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> FloatProductOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> types(getNumParallelLoops(),
                                         utils::IteratorType::parallel);
  types.resize(getMaps().front().getNumDims(), utils::IteratorType::reduction);
  return types;
}

SmallVector<Range> FloatProductOp::getIterationDomain(OpBuilder &b) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, getLoc(), getInits().front());
  sizes.resize(getMaps().front().getNumDims());
  for (auto [number, map] : llvm::enumerate(getMaps()))
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && !sizes[loop.getPosition()])
        sizes[loop.getPosition()] =
            tensor::getMixedSize(b, getLoc(), getOperand(number), dim);
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

/// Whether a tile of a loop consists of whole blocks of `block` steps, lies
/// inside of one, or starts with one. Where it starts is known, or else a
/// multiple of its size, as tilings make it.
static bool fitsBlocks(int64_t block, OpFoldResult offset, OpFoldResult size) {
  std::optional<int64_t> o = getConstantIntValue(offset);
  std::optional<int64_t> n = getConstantIntValue(size);
  if (o)
    return *o % block == 0 || (n && *o % block + *n <= block);
  return n && (*n % block == 0 || block % *n == 0);
}

/// Whether the map and, of words, the place of the channel's bit are the same
/// inside of the tile.
static bool canTile(FloatProductOp op, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  bool fits = true;
  auto check = [&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() != AffineExprKind::FloorDiv)
      return;
    unsigned loop = cast<AffineDimExpr>(binary.getLHS()).getPosition();
    int64_t block = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    fits &= fitsBlocks(block, offsets[loop], sizes[loop]);
  };
  for (AffineMap map : op.getMaps())
    map.walkExprs(check);
  if (!op.hasWords())
    return fits;
  // A tile inside of a word would have to start with the word's first bit.
  unsigned channel = op.getNumParallelLoops() - 1;
  std::optional<int64_t> o = getConstantIntValue(offsets[channel]);
  std::optional<int64_t> n = getConstantIntValue(sizes[channel]);
  return fits && (o ? *o % kWordBits == 0 : n && *n % kWordBits == 0);
}

/// The slice of operand `number` that a tile of the loops reaches.
static Value extractTile(FloatProductOp op, OpBuilder &b, unsigned number,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  AffineMap map = op.getMaps()[number];
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<OpFoldResult> last =
      llvm::map_to_vector(sizes, [&](OpFoldResult size) {
        return affine::makeComposedFoldedAffineApply(b, loc, s0 - 1, {size});
      });
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> loops) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(map.getNumDims(), 0, expr), loops);
  };
  SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    // Words of a tile that starts at one: a difference of steps rounds down.
    AffineExpr expr =
        isOfWords(op, number, dim) ? index.floorDiv(kWordBits) : index;
    sliceOffsets.push_back(apply(expr, offsets));
    sliceSizes.push_back(apply(expr + 1, last));
  }
  SmallVector<OpFoldResult> strides(map.getNumResults(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, op->getOperand(number),
                                        sliceOffsets, sliceSizes, strides);
}

FailureOr<TilingResult>
FloatProductOp::getTiledImplementation(OpBuilder &b,
                                       ArrayRef<OpFoldResult> offsets,
                                       ArrayRef<OpFoldResult> sizes) {
  if (!canTile(*this, offsets, sizes))
    return failure();
  SmallVector<Value> operands;
  for (unsigned number = 0; number < getMaps().size(); ++number)
    operands.push_back(extractTile(*this, b, number, offsets, sizes));
  unsigned rank = getNumParallelLoops();
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  SmallVector<Type> types;
  for (Value init : getInits()) {
    operands.push_back(tensor::ExtractSliceOp::create(
        b, getLoc(), init, offsets.take_front(rank), sizes.take_front(rank),
        strides));
    types.push_back(operands.back().getType());
  }
  Operation *tiled = mlir::clone(b, *this, types, operands);
  TilingResult result{{tiled}, SmallVector<Value>(tiled->getResults()), {}};
  for (Value operand : operands)
    result.generatedSlices.push_back(operand.getDefiningOp());
  return result;
}

LogicalResult FloatProductOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  unsigned rank = getNumParallelLoops();
  llvm::append_range(resultOffsets, offsets.take_front(rank));
  llvm::append_range(resultSizes, sizes.take_front(rank));
  return success();
}

LogicalResult FloatProductOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> resultOffsets,
    ArrayRef<OpFoldResult> resultSizes, SmallVectorImpl<OpFoldResult> &offsets,
    SmallVectorImpl<OpFoldResult> &sizes) {
  llvm::append_range(offsets, resultOffsets);
  llvm::append_range(sizes, resultSizes);
  SmallVector<Range> domain = getIterationDomain(b);
  for (const Range &range : ArrayRef(domain).drop_front(resultOffsets.size())) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  return success();
}

FailureOr<TilingResult>
FloatProductOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> loopOffsets, loopSizes;
  if (failed(getIterationDomainTileFromResultTile(
          b, resultNumber, offsets, sizes, loopOffsets, loopSizes)))
    return failure();
  FailureOr<TilingResult> tiled =
      getTiledImplementation(b, loopOffsets, loopSizes);
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[resultNumber]};
  return tiled;
}
