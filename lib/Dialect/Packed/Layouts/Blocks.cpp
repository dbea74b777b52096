//===- Blocks.cpp - Output channels in lanes ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

int64_t BlocksAttr::getBlockLanes() const {
  return llvm::alignTo(getBlock(), getLanes());
}

AffineExpr BlocksAttr::getLane(AffineExpr c) const {
  int64_t parts = getParts(), together = getTogether();
  if (parts == 1)
    return c;
  int64_t lanes = getLanes(), each = lanes / parts;
  AffineExpr part = (c % lanes).floorDiv(each),
             group = (c % each).floorDiv(together) * parts + part;
  return c.floorDiv(lanes) * lanes + group * together + c % together;
}

int64_t BlocksAttr::getChannels() const { return getRows().getChannels(); }

int64_t BlocksAttr::countElements(int64_t channels) const {
  return getRows().countElements(channels);
}

Type BlocksAttr::getElementType() const { return getRows().getElementType(); }

int64_t BlocksAttr::getWords() const { return getRows().getWords(); }

bool BlocksAttr::interleavesWords() const {
  return getRows().interleavesWords();
}

uint32_t BlocksAttr::encode(ArrayRef<uint32_t> words, int64_t index) const {
  return getRows().encode(words, index);
}

RankedTensorType FilterLayoutAttrInterface::getType(ArrayRef<int64_t> shape,
                                                    unsigned outputs) const {
  SmallVector<int64_t> laidOut(shape);
  laidOut[outputs] = llvm::divideCeil(shape[outputs], getBlock());
  if (outputs + 1 < shape.size())
    laidOut.back() = countElements(shape.back());
  laidOut.push_back(countLanes());
  return RankedTensorType::get(laidOut, getElementType(), *this);
}

/// Most of each, far beyond what kernels have: lanes are written one by one.
static constexpr int64_t kMost = 4096;

LogicalResult BlocksAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 LayoutAttrInterface rows, int64_t block,
                                 int64_t lanes, int64_t parts,
                                 int64_t together) {
  if (!rows)
    return emitError() << "[layout_c4] expected a layout of rows";
  if (std::min({block, lanes, parts, together}) < 1 ||
      std::max({block, lanes, parts, together}) > kMost ||
      lanes % (parts * together) != 0)
    return emitError()
           << "[layout_c5] expected block, lanes, parts and channels together "
              "from 1 to "
           << kMost << ", parts of these that divide the lanes, but got "
           << block << ", " << lanes << ", " << parts << " and " << together;
  return success();
}
