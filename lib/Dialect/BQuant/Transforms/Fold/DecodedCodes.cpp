//===- DecodedCodes.cpp - quantize(dequantize(x)) is x --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codes.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/SwitchPoints.h"
#include "ScaledProducts.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// The f32 that a code decodes to, in the order of the op's description.
static float decode(unsigned code, SBTensorType type, ArrayRef<float> scalars,
                    std::optional<float> offset) {
  int64_t k = type.getPlanes(), multiple = 0;
  std::optional<float> sum = offset;
  auto add = [&](float term) { sum = sum ? *sum + term : term; };
  for (int64_t i = 0; i < k; ++i) {
    bool up = code >> (k - 1 - i) & 1;
    if (type.hasRatios())
      multiple += up ? type.getRatios()[i] : -type.getRatios()[i];
    else
      add(up ? scalars[i] : -scalars[i]);
  }
  if (type.hasRatios())
    add(scalars[0] * float(multiple));
  return *sum;
}

std::vector<SmallVector<float>> chains::decodeCodes(Value value) {
  auto type = cast<SBTensorType>(value.getType());
  SmallVector<float> all = getConstantScalars(value);
  SmallVector<float> offset = getConstantOffset(value);
  if (all.empty() || offset.empty())
    return {};
  size_t groups = all.size() / type.getNumScalars();
  std::vector<SmallVector<float>> result(groups);
  for (size_t g = 0; g < groups; ++g) {
    SmallVector<float> scalars;
    for (int64_t i = 0; i < type.getNumScalars(); ++i)
      scalars.push_back(all[i * groups + g]);
    for (unsigned code = 0; code < 1u << type.getPlanes(); ++code)
      result[g].push_back(decode(code, type, scalars,
                                 type.getHasOffset() ? std::optional(offset[g])
                                                     : std::nullopt));
  }
  return result;
}

static bool haveEqualBits(ArrayRef<float> a, ArrayRef<float> b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// The codes that a quantize gives to the values of a group.
static SmallVector<unsigned> codesOf(QuantizeOp op, ArrayRef<float> scalars,
                                     ArrayRef<float> thresholds,
                                     ArrayRef<float> values) {
  SBTensorType type = op.getType();
  Coder coder;
  for (int64_t i = 0; i < type.getPlanes(); ++i)
    coder.factors.push_back(type.hasRatios()
                                ? float(type.getRatios()[i]) * scalars[0]
                                : scalars[i]);
  SmallVector<unsigned> codes;
  for (float x : values) {
    if (!op.getThresholds()) {
      codes.push_back(coder.code(x));
      continue;
    }
    int64_t rank = llvm::count_if(thresholds, [&](float t) { return t <= x; });
    codes.push_back(unsigned((*op.getCodes())[rank]));
  }
  return codes;
}

Value chains::getReturnedCodes(QuantizeOp op) {
  auto dequantize = op.getInput().getDefiningOp<DequantizeOp>();
  if (!dequantize || op.getScheme())
    return {};
  Value source = dequantize.getInput();
  auto type = cast<SBTensorType>(source.getType());
  SmallVector<float> scalars = getConstantScalars(source);
  if (type != op.getType() || scalars.empty() ||
      !haveEqualBits(scalars, getConstantFloats(op.getScalars())) ||
      !haveEqualBits(getConstantOffset(source),
                     getConstantOffset(op.getResult())))
    return {};
  // One row of thresholds, or one for each index of the last dimension.
  SmallVector<float> thresholds;
  int64_t each = 0, rows = 1, channels = type.getShape().back();
  if (op.getThresholds()) {
    thresholds = getConstantFloats(op.getThresholds());
    if (thresholds.empty())
      return {};
    each = op.getThresholds().getType().getShape().back();
    rows = int64_t(thresholds.size()) / each;
  }
  bool alongChannels =
      !type.getAxes().empty() && type.getAxes().back() == type.getRank() - 1;

  std::vector<SmallVector<float>> decoded = decodeCodes(source);
  size_t groups = decoded.size();
  for (size_t g = 0; g < groups; ++g) {
    SmallVector<float> own;
    for (int64_t i = 0; i < type.getNumScalars(); ++i)
      own.push_back(scalars[i * groups + g]);
    for (int64_t row = 0; row < rows; ++row) {
      if (rows > 1 && alongChannels && int64_t(g) % channels != row)
        continue; // Never together.
      SmallVector<unsigned> codes = codesOf(
          op, own, ArrayRef(thresholds).slice(row * each, each), decoded[g]);
      for (auto [code, returned] : llvm::enumerate(codes))
        if (returned != code)
          return {};
    }
  }
  return source;
}
