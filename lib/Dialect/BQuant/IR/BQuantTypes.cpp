//===- BQuantTypes.cpp - The scaled-binary tensor type --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace bquant;

#define GET_TYPEDEF_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantTypes.cpp.inc"

void BQuantDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "bquant/Dialect/BQuant/IR/BQuantTypes.cpp.inc"
      >();
}

Type SBTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, ratios, axes;
  int64_t planes = 0;
  bool hasOffset = false;
  auto parseInto = [&](SmallVectorImpl<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    });
  };

  // Without the trailing x, or `64, 2` would ask for one.
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                /*withTrailingX=*/false) ||
      parser.parseComma())
    return {};
  SMLoc planesLoc = parser.getCurrentLocation();
  OptionalParseResult integer = parser.parseOptionalInteger(planes);
  if (integer.has_value()) {
    if (failed(*integer))
      return {};
  } else {
    if (parseInto(ratios))
      return {};
    // Else `[]` would be taken for independent scalars.
    if (ratios.empty())
      return parser.emitError(planesLoc, "expected at least one ratio"), Type();
    planes = ratios.size();
  }

  if (succeeded(parser.parseOptionalComma())) {
    bool hasAxes = succeeded(parser.parseOptionalKeyword("axes"));
    if (hasAxes && (parser.parseEqual() || parseInto(axes)))
      return {};
    if (!hasAxes || succeeded(parser.parseOptionalComma())) {
      if (parser.parseKeyword("offset", hasAxes ? "" : " or 'axes'"))
        return {};
      hasOffset = true;
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SBTensorType>(loc, parser.getContext(), shape,
                                         planes, ratios, axes, hasOffset);
}

void SBTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << ", ";
  if (hasRatios())
    printer << '[' << getRatios() << ']';
  else
    printer << getPlanes();
  if (!getAxes().empty())
    printer << ", axes = [" << getAxes() << ']';
  if (getHasOffset())
    printer << ", offset";
  printer << '>';
}

LogicalResult SBTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, int64_t planes,
                                   ArrayRef<int64_t> ratios,
                                   ArrayRef<int64_t> axes, bool hasOffset) {
  if (shape.empty())
    return emitError() << "[tensor_c1] expected rank >= 1, but got rank 0";
  int64_t count = 8; // So that the planes together can be counted.
  for (auto [i, dim] : llvm::enumerate(shape)) {
    // Words lie along the last dimension.
    if (ShapedType::isDynamic(dim) && (i != 0 || shape.size() == 1))
      return emitError() << "[tensor_c2] expected only the first of several "
                            "dimensions to be dynamic, but got ? at "
                         << i;
    if (ShapedType::isDynamic(dim))
      continue;
    if (dim <= 0 || llvm::MulOverflow(count, dim, count))
      return emitError() << "[tensor_c3] expected positive sizes whose product "
                            "fits 60 bits, but got ["
                         << shape << "]";
  }
  if (planes < 1 || planes > 8)
    return emitError() << "[tensor_c4] expected 1 to 8 planes, but got "
                       << planes;
  // One ratio is one plane, [2, 2] is [1, 1]: no type has two spellings.
  if (!ratios.empty()) {
    if (int64_t(ratios.size()) != planes || planes < 2 ||
        llvm::any_of(
            ratios, [](int64_t m) { return m < 1 || m > 128; }) ||
        std::reduce(ratios.begin(), ratios.end(), int64_t(0),
                    std::gcd<int64_t, int64_t>) != 1)
      return emitError() << "[tensor_c5] expected 2 to 8 ratios from 1 to 128 "
                            "without a common divisor, but got ["
                         << ratios << "]";
  }
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis < 0 || axis >= int64_t(shape.size()) || (i && axis <= axes[i - 1]))
      return emitError() << "[tensor_c6] expected ascending axes in [0, "
                         << shape.size() << "), but got [" << axes << "]";
  return success();
}

Type SBTensorType::getElementType() const {
  return Float32Type::get(getContext());
}

ShapedType SBTensorType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                   Type elementType) const {
  ArrayRef<int64_t> dims = shape.value_or(getShape());
  if (!elementType.isF32())
    return RankedTensorType::get(dims, elementType);
  return SBTensorType::get(getContext(), dims, getPlanes(), getRatios(),
                           getAxes(), getHasOffset());
}

int64_t SBTensorType::getLargestMultiple() const {
  if (!hasRatios())
    return getPlanes();
  return std::accumulate(getRatios().begin(), getRatios().end(), int64_t(0));
}

RankedTensorType SBTensorType::getPlaneType() const {
  SmallVector<int64_t> shape(getShape());
  shape.back() = llvm::divideCeil(shape.back(), kWordBits);
  return RankedTensorType::get(shape, IntegerType::get(getContext(), 32));
}

RankedTensorType SBTensorType::getWordsType() const {
  RankedTensorType plane = getPlaneType();
  SmallVector<int64_t> shape{getPlanes()};
  llvm::append_range(shape, plane.getShape());
  return plane.clone(shape);
}

RankedTensorType SBTensorType::getScalarsType() const {
  SmallVector<int64_t> shape{getNumScalars()};
  for (int64_t axis : getAxes())
    shape.push_back(getDimSize(axis));
  return RankedTensorType::get(shape, getElementType());
}

RankedTensorType SBTensorType::getOffsetType() const {
  return RankedTensorType::get(getScalarsType().getShape().drop_front(),
                               getElementType());
}
