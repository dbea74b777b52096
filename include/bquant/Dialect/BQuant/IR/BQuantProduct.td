//===- BQuantProduct.td - What products share --------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PRODUCT_TD
#define BQUANT_PRODUCT_TD

/// A product of laid out operands: what a tile of it reads follows from maps.
class BQuant_Product<string mnemonic> : BQuant_Op<mnemonic,
    [Pure, AttrSizedOperandSegments, DestinationStyleOpInterface, BQuant_Reify,
     DeclareOpInterfaceMethods<BQuant_ProductOpInterface>,
     DeclareOpInterfaceMethods<TilingInterface,
         ["getIterationDomain", "getLoopIteratorTypes",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue", "getIterationDomainTileFromResultTile"]>]> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::AffineMap> $cppClass::getMaps() {
      return ::llvm::to_vector(
          getIndexingMaps().getAsValueRange<::mlir::AffineMapAttr>());
    }
    unsigned $cppClass::getNumFilters() {
      return getIndexingMaps().size() - getNumInputs();
    }
    unsigned $cppClass::getNumParallelLoops() {
      return ::llvm::cast<::mlir::RankedTensorType>(
          getInits().front().getType()).getRank();
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &dims) {
      for (::mlir::Value init : getInits())
        dims.push_back(::mlir::tensor::getMixedSizes(b, getLoc(), init));
      return ::mlir::success();
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return getProductIteratorTypes(*this);
    }
    ::llvm::SmallVector<::mlir::Range>
    $cppClass::getIterationDomain(::mlir::OpBuilder &b) {
      return getProductDomain(b, *this);
    }
    ::llvm::FailureOr<::mlir::TilingResult>
    $cppClass::getTiledImplementation(::mlir::OpBuilder &b,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return tileProduct(b, *this, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getResultTilePosition(
        ::mlir::OpBuilder &, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultOffsets,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultSizes) {
      unsigned rank = getNumParallelLoops();
      resultOffsets.assign(offsets.begin(), offsets.begin() + rank);
      resultSizes.assign(sizes.begin(), sizes.begin() + rank);
      return ::mlir::success();
    }
    ::llvm::LogicalResult $cppClass::getIterationDomainTileFromResultTile(
        ::mlir::OpBuilder &b, unsigned,
        ::llvm::ArrayRef<::mlir::OpFoldResult> resultOffsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> resultSizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &offsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &sizes) {
      getProductTile(b, *this, resultOffsets, resultSizes, offsets, sizes);
      return ::mlir::success();
    }
    ::llvm::FailureOr<::mlir::TilingResult> $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned resultNumber,
        ::llvm::ArrayRef<::mlir::OpFoldResult> resultOffsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> resultSizes) {
      ::llvm::SmallVector<::mlir::OpFoldResult> offsets, sizes;
      getProductTile(b, *this, resultOffsets, resultSizes, offsets, sizes);
      auto tiled = tileProduct(b, *this, offsets, sizes);
      if (::mlir::succeeded(tiled))
        tiled->tiledValues = {tiled->tiledValues[resultNumber]};
      return tiled;
    }
  }];
}

#endif // BQUANT_PRODUCT_TD
