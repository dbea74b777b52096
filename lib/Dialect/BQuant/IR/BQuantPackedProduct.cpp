//===- BQuantPackedProduct.cpp - Products of packed planes ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// "[packed_product_cN] expected ".
static InFlightDiagnostic expected(PackedProductOp op, int constraint) {
  return op->emitOpError() << "[packed_product_c" << constraint
                           << "] expected ";
}

KernelAttrInterface PackedProductOp::getKernelInterface() {
  return dyn_cast<KernelAttrInterface>(getKernel());
}

SmallVector<AffineMap> PackedProductOp::getMaps() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

int64_t PackedProductOp::getNumInputPlanes() {
  return getInputs().size() / (getMaskedInputs() ? 2 : 1);
}

int64_t PackedProductOp::getNumFilterPlanes() {
  return getFilters().size() / (getMaskedFilters() ? 2 : 1);
}

ProductForm PackedProductOp::getForm() {
  ProductForm form;
  form.maskedInput = getMaskedInputs();
  form.maskedFilter = getMaskedFilters();
  form.countsMasks =
      int64_t(getNumResults()) > getNumInputPlanes() * getNumFilterPlanes();
  return form;
}

unsigned PackedProductOp::getNumParallelLoops() {
  return cast<RankedTensorType>(getInits().front().getType()).getRank();
}

SmallVector<int64_t> PackedProductOp::getLoopSizes() {
  auto result = cast<RankedTensorType>(getInits().front().getType());
  SmallVector<int64_t> sizes(result.getShape());
  SmallVector<AffineMap> maps = getMaps();
  sizes.resize(maps.front().getNumDims(), ShapedType::kDynamic);
  for (auto [operand, map] :
       llvm::zip(getFilters(), ArrayRef(maps).drop_front(getInputs().size())))
    for (auto [expr, size] :
         llvm::zip(map.getResults(),
                   cast<RankedTensorType>(operand.getType()).getShape()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        sizes[dim.getPosition()] = size;
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult PackedProductOp::verify() {
  int64_t inputs = getInputs().size(), filters = getFilters().size();
  bool oddInputs = getMaskedInputs() && inputs % 2,
       oddFilters = getMaskedFilters() && filters % 2;
  if (inputs == 0 || filters == 0 || oddInputs || oddFilters)
    return expected(*this, 1)
           << "planes on both sides, with a mask for each sign of a masked "
              "one, but got "
           << inputs << " by " << filters;
  int64_t pairs = getNumInputPlanes() * getNumFilterPlanes();
  int64_t inits = getInits().size();
  if (inits != pairs && !(inits == 2 * pairs && getMaskedInputs()))
    return expected(*this, 2)
           << pairs << " outs, one for each pair of planes"
           << (getMaskedInputs() ? ", or one more for each mask" : "")
           << ", but got " << inits;
  for (Value init : getInits())
    if (init.getType() != getInits().front().getType())
      return expected(*this, 2)
             << "outs of one type, but got " << getInits().front().getType()
             << " and " << init.getType();
  if (TypeRange(getInits()) != getResultTypes())
    return expected(*this, 3) << "results of the types of outs";

  SmallVector<AffineMap> maps = getMaps();
  if (int64_t(maps.size()) != inputs + filters)
    return expected(*this, 4) << "a map for each input and filter, but got "
                              << maps.size() << " for " << inputs + filters;
  unsigned loops = maps.front().getNumDims(), parallel = getNumParallelLoops();
  for (auto [i, map] : llvm::enumerate(maps)) {
    Value operand = getOperand(i);
    auto type = cast<RankedTensorType>(operand.getType());
    bool isFilter = int64_t(i) >= inputs;
    if (map.getNumDims() != loops || loops < parallel ||
        map.getNumSymbols() != 0 ||
        int64_t(map.getNumResults()) > type.getRank() - isFilter)
      return expected(*this, 5)
             << "maps from " << std::max(loops, parallel)
             << " loops to the leading dimensions of an input, of a filter to "
                "fewer than it has, but got "
             << AffineMapAttr::get(map) << " for " << type;
  }
  SmallVector<int64_t> sizes = getLoopSizes();
  for (auto [d, size] : llvm::enumerate(sizes))
    if (d >= parallel && ShapedType::isDynamic(size))
      return expected(*this, 6) << "a filter that is indexed by loop " << d
                                << " alone, which gives it its size";
  KernelAttrInterface kernel = getKernelInterface();
  if (int64_t step = kernel ? kernel.getStepSize() : 1; sizes.back() % step)
    return expected(*this, 8) << "a last loop of steps of " << step
                              << " elements, but got " << sizes.back();
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return success();
  SmallVector<int64_t> last =
      llvm::map_to_vector(sizes, [](int64_t size) { return size - 1; });
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(getOperand(i).getType());
    if (!type.hasStaticShape())
      continue;
    for (auto [index, size] : llvm::zip(map.compose(last), type.getShape()))
      if (index >= size)
        return expected(*this, 7)
               << "maps that stay inside their operands, but got "
               << AffineMapAttr::get(map) << " for " << type;
  }
  return success();
}

LogicalResult
PackedProductOp::reifyResultShapes(OpBuilder &b,
                                   ReifiedRankedShapedTypeDims &dims) {
  for (Value init : getInits())
    dims.push_back(tensor::getMixedSizes(b, getLoc(), init));
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> PackedProductOp::getLoopIteratorTypes() {
  unsigned loops = getMaps().front().getNumDims();
  SmallVector<utils::IteratorType> types(loops, utils::IteratorType::reduction);
  std::fill_n(types.begin(), getNumParallelLoops(),
              utils::IteratorType::parallel);
  return types;
}

SmallVector<Range> PackedProductOp::getIterationDomain(OpBuilder &b) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, getLoc(), getInits().front());
  for (int64_t size : ArrayRef(getLoopSizes()).drop_front(sizes.size()))
    sizes.push_back(b.getIndexAttr(size));
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
  });
}

/// The slice of `value` that a tile of the loops reaches through `map`, and all
/// of the dimensions behind. The maps hold for tiles, too.
static Value extractTile(OpBuilder &b, Location loc, Value value, AffineMap map,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(map.getNumDims(), 0, expr), operands);
  };
  SmallVector<OpFoldResult> last = llvm::map_to_vector(sizes, [&](auto size) {
    return affine::makeComposedFoldedAffineApply(b, loc, s0 - 1, {size});
  });
  SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
  for (AffineExpr expr : map.getResults()) {
    sliceOffsets.push_back(apply(expr, offsets));
    sliceSizes.push_back(apply(expr + 1, last));
  }
  auto type = cast<RankedTensorType>(value.getType());
  for (int64_t d = map.getNumResults(); d < type.getRank(); ++d) {
    sliceOffsets.push_back(b.getIndexAttr(0));
    sliceSizes.push_back(b.getIndexAttr(type.getDimSize(d)));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, value, sliceOffsets, sliceSizes,
                                        strides);
}

FailureOr<TilingResult>
PackedProductOp::getTiledImplementation(OpBuilder &b,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  SmallVector<AffineMap> maps = getMaps();
  maps.append(getInits().size(),
              AffineMap::getMultiDimIdentityMap(offsets.size(), getContext())
                  .getMajorSubMap(getNumParallelLoops()));
  TilingResult result;
  SmallVector<Value> operands;
  for (auto [operand, map] : llvm::zip_equal(getOperands(), maps)) {
    operands.push_back(extractTile(b, getLoc(), operand, map, offsets, sizes));
    result.generatedSlices.push_back(operands.back().getDefiningOp());
  }
  ValueRange inits = ValueRange(operands).take_back(getInits().size());
  Operation *tiled = mlir::clone(b, *this, TypeRange(inits), operands);
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

LogicalResult PackedProductOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  unsigned parallel = getNumParallelLoops();
  resultOffsets.assign(offsets.begin(), offsets.begin() + parallel);
  resultSizes.assign(sizes.begin(), sizes.begin() + parallel);
  return success();
}

LogicalResult PackedProductOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> resultOffsets,
    ArrayRef<OpFoldResult> resultSizes, SmallVectorImpl<OpFoldResult> &offsets,
    SmallVectorImpl<OpFoldResult> &sizes) {
  offsets.assign(resultOffsets.begin(), resultOffsets.end());
  sizes.assign(resultSizes.begin(), resultSizes.end());
  for (const Range &range :
       ArrayRef(getIterationDomain(b)).drop_front(offsets.size())) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  return success();
}

FailureOr<TilingResult>
PackedProductOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                         ArrayRef<OpFoldResult> resultOffsets,
                                         ArrayRef<OpFoldResult> resultSizes) {
  SmallVector<OpFoldResult> offsets, sizes;
  if (failed(getIterationDomainTileFromResultTile(
          b, resultNumber, resultOffsets, resultSizes, offsets, sizes)))
    return failure();
  FailureOr<TilingResult> tiled = getTiledImplementation(b, offsets, sizes);
  if (succeeded(tiled))
    tiled->tiledValues = {tiled->tiledValues[resultNumber]};
  return tiled;
}
