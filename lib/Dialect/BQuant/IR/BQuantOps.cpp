//===- BQuantOps.cpp - Values: verifiers and folders ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers check one numbered constraint at a time; test/Dialect/BQuant/IR/
// invalid.mlir has a case for each number.
//
//===----------------------------------------------------------------------===//

#include "RawElements.h"
#include "Support/Constraints.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

// `type($x)` constrained to one TypeDef would print `<8x64, 2>`.
static ParseResult parseSBTensor(OpAsmParser &parser, Type &type) {
  return parser.parseType(type); // Its kind is checked with the op.
}
static void printSBTensor(OpAsmPrinter &printer, Operation *, Type type) {
  printer << type;
}

#define GET_OP_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantOps.cpp.inc"

/// The sizes of `source` are those of the only result.
static LogicalResult reifyFrom(OpBuilder &b, Operation *op, Value source,
                               ReifiedRankedShapedTypeDims &dims) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  SmallVector<OpFoldResult> &sizes = dims.emplace_back();
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isDynamic(size)
                        ? tensor::getMixedSize(b, op->getLoc(), source, i)
                        : OpFoldResult(b.getIndexAttr(size)));
  return success();
}

//===----------------------------------------------------------------------===//
// SignOp
//===----------------------------------------------------------------------===//

OpFoldResult SignOp::fold(FoldAdaptor) {
  // sign(sign x) = sign x.
  if (getInput().getDefiningOp<SignOp>())
    return getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// QuantizeOp
//===----------------------------------------------------------------------===//

void QuantizeOp::build(OpBuilder &b, OperationState &state, Type result,
                       Value input, Value scalars) {
  build(b, state, result, input, SchemeAttr(), Value(), DenseI64ArrayAttr(),
        scalars, Value());
}

void QuantizeOp::build(OpBuilder &b, OperationState &state, Type result,
                       Value input, SchemeAttr scheme) {
  build(b, state, result, input, scheme, Value(), DenseI64ArrayAttr(), Value(),
        Value());
}

void QuantizeOp::build(OpBuilder &b, OperationState &state, Type result,
                       Value input, Value thresholds, ArrayRef<int64_t> codes,
                       Value scalars, Value offset) {
  build(b, state, result, input, SchemeAttr(), thresholds,
        b.getDenseI64ArrayAttr(codes), scalars, offset);
}

LogicalResult QuantizeOp::verify() {
  SBTensorType type = getType();
  int forms = bool(getScheme()) + bool(getThresholds());
  if (forms > 1 || (forms == 0 && !getScalars()) ||
      (getScheme() && getScalars()))
    return expected(*this, "quantize_c1")
           << "exactly one of scheme, scalars alone, or thresholds with "
              "scalars";
  if (bool(getThresholds()) != bool(getCodes()))
    return expected(*this, "quantize_c2")
           << "thresholds together with codes, but got one without the other";
  if (getInput().getType().getShape() != type.getShape())
    return expected(*this, "quantize_c3")
           << "a result of shape [" << getInput().getType().getShape()
           << "], but got " << type;
  if (std::optional<SchemeAttr> scheme = getScheme()) {
    if (scheme->getPlanes() != type.getPlanes() || type.getHasOffset() ||
        (scheme->getTernary() ? !type.isTernary() : type.hasRatios()))
      return expected(*this, "quantize_c4")
             << "the planes of " << *scheme << ", but got " << type;
  } else if (!getScalars() || getScalars().getType() != type.getScalarsType()) {
    InFlightDiagnostic diag = expected(*this, "quantize_c5")
                              << "scalars of type " << type.getScalarsType()
                              << ", but got ";
    return getScalars() ? diag << getScalars().getType() : diag << "none";
  }
  if (bool(getOffset()) != type.getHasOffset() ||
      (getOffset() && getOffset().getType() != type.getOffsetType()))
    return expected(*this, "quantize_c6")
           << (type.getHasOffset() ? "an offset of the result's offset type"
                                   : "no offset")
           << " for " << type;

  TypedValue<RankedTensorType> thresholds = getThresholds();
  if (!thresholds) {
    if (!getInput().getType().getElementType().isF32())
      return expected(*this, "quantize_c7")
             << "an input of f32 without thresholds, but got "
             << getInput().getType();
    return success();
  }
  // N thresholds, or C x N.
  RankedTensorType t = thresholds.getType();
  if (!t.hasStaticShape() || t.getRank() < 1 || t.getRank() > 2 ||
      (t.getRank() == 2 && t.getDimSize(0) != type.getShape().back()) ||
      t.getElementType() != getInput().getType().getElementType())
    return expected(*this, "quantize_c8")
           << "thresholds of shape N or " << type.getShape().back()
           << " x N and the input's element type, but got " << t;
  ArrayRef<int64_t> codes = *getCodes();
  if (int64_t(codes.size()) != t.getShape().back() + 1)
    return expected(*this, "quantize_c9")
           << t.getShape().back() + 1 << " codes, but got " << codes.size();
  for (int64_t code : codes)
    if (code < 0 || code >= int64_t(1) << type.getPlanes())
      return expected(*this, "quantize_c10")
             << "codes of " << type.getPlanes() << " bits, but got " << code;
  return success();
}

LogicalResult QuantizeOp::reifyResultShapes(OpBuilder &b,
                                            ReifiedRankedShapedTypeDims &dims) {
  return reifyFrom(b, *this, getInput(), dims);
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

SmallVector<uint32_t> ConstantOp::getWordValues() {
  return getBits(getWords()).value_or(SmallVector<uint32_t>());
}

SmallVector<float> ConstantOp::getScalarValues() {
  return getFloatValues(getScalars());
}

LogicalResult ConstantOp::verify() {
  SBTensorType type = getType();
  if (!type.hasStaticShape())
    return expected(*this, "constant_c1") << "a static shape, but got " << type;
  if (getWords().getShapedType() != type.getWordsType())
    return expected(*this, "constant_c2")
           << "words of type " << type.getWordsType() << ", but got "
           << getWords().getShapedType();
  if (getScalars().getShapedType() != type.getScalarsType())
    return expected(*this, "constant_c3")
           << "scalars of type " << type.getScalarsType() << ", but got "
           << getScalars().getShapedType();
  if (getOffset().has_value() != type.getHasOffset() ||
      (getOffset() && getOffset()->getShapedType() != type.getOffsetType()))
    return expected(*this, "constant_c4")
           << (type.getHasOffset() ? "an offset of the result's offset type"
                                   : "no offset")
           << " for " << type;
  std::optional<ArrayRef<char>> raw = getRawBytes(getWords());
  if (!raw)
    return expected(*this, "constant_c5")
           << "dense words or a resource of "
           << getWords().getNumElements() * int64_t(sizeof(uint32_t))
           << " bytes, aligned to 4";
  SmallVector<float> scalars = getScalarValues();
  if (scalars.empty())
    return expected(*this, "constant_c6")
           << "dense scalars or a resource of their size, aligned to 4";
  for (float v : scalars)
    if (!(v >= 0 && std::isfinite(v)))
      return expected(*this, "constant_c7")
             << "finite scalars >= 0, but got " << v;
  if (getOffset()) {
    SmallVector<float> offset = getFloatValues(*getOffset());
    if (offset.empty() ||
        !llvm::all_of(offset, [](float c) { return std::isfinite(c); }))
      return expected(*this, "constant_c8") << "a finite offset";
  }

  if (getWords().getNumElements() > kMostValues)
    return expected(*this, "constant_c10")
           << "at most " << kMostValues << " words, but got "
           << getWords().getNumElements();

  // Unused bits are 0.
  int64_t used = type.getShape().back() % kWordBits;
  if (used == 0)
    return success();
  ArrayRef<uint32_t> words(reinterpret_cast<const uint32_t *>(raw->data()),
                           raw->size() / sizeof(uint32_t));
  size_t row = words.size() == 1 ? 1 : type.getPlaneType().getShape().back();
  for (size_t last = row - 1; last < words.size(); last += row)
    if (words[last] >> used)
      return expected(*this, "constant_c9")
             << "bits " << used << " to 31 of a row's last word to be 0, but "
             << "got 0x" << llvm::utohexstr(words[last]);
  return success();
}

//===----------------------------------------------------------------------===//
// DequantizeOp
//===----------------------------------------------------------------------===//

LogicalResult DequantizeOp::verify() {
  if (getInput().getType().getShape() != getType().getShape())
    return expected(*this, "dequantize_c1")
           << "a result of shape [" << getInput().getType().getShape()
           << "], but got " << getType();
  return success();
}

LogicalResult
DequantizeOp::reifyResultShapes(OpBuilder &b,
                                ReifiedRankedShapedTypeDims &dims) {
  // Only the first dimension can be dynamic; tensor.dim takes no bquant type.
  if (!getType().hasStaticShape())
    return failure();
  return reifyFrom(b, *this, Value(), dims);
}
