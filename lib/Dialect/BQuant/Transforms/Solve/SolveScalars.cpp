//===- SolveScalars.cpp - Quantized constants to bquant.constant ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %f = arith.constant dense_resource<w> : tensor<64x3x3x64xf32>
//   %q = bquant.quantize %f scheme(<ls, 1>)
// becomes
//   %q = bquant.constant words(dense_resource<bquant_words>) scalars(dense<..>)
//
// All constants are quantized before the first op is rewritten, so that an
// error leaves the program as it was.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/IR/UnusedOps.h"
#include "Support/Counts.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Quant/Quantize.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

namespace bquant {
#define GEN_PASS_DEF_SOLVESCALARS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// What a quantize of a constant becomes.
struct Solved {
  QuantizeOp op;
  SmallVector<float> scalars, offset;
  SmallVector<uint32_t> words;
};
} // namespace

static std::vector<int64_t> toVector(ArrayRef<int64_t> values) {
  return std::vector<int64_t>(values.begin(), values.end());
}

static quant::Planes getPlanes(SBTensorType type) {
  return {type.getPlanes(), toVector(type.getRatios()), type.getHasOffset()};
}

static constexpr llvm::StringLiteral kRemarkName = "solve-scalars";

/// Scheme form, or scalars form.
static LogicalResult solveCascade(Solved &solved, ArrayRef<float> values,
                                  unsigned threads) {
  QuantizeOp op = solved.op;
  SBTensorType type = op.getType();
  quant::Result<quant::Grouping> grouping =
      quant::Grouping::get(toVector(type.getShape()), toVector(type.getAxes()));
  if (!grouping)
    return op.emitOpError() << grouping.error();

  quant::Scheme scheme;
  quant::Parameters given;
  if (op.getScheme()) {
    scheme = op.getScheme()->getScheme();
  } else {
    scheme.rule = quant::Scheme::Rule::Given;
    scheme.planes = getPlanes(type);
    given.scalars.assign(solved.scalars.begin(), solved.scalars.end());
    given.offsets.assign(solved.offset.begin(), solved.offset.end());
  }
  quant::Result<quant::Quantized> quantized =
      quant::quantize(values.data(), *grouping, scheme, threads, given);
  if (!quantized)
    return op.emitOpError() << quantized.error();
  solved.scalars.assign(quantized->parameters.scalars.begin(),
                        quantized->parameters.scalars.end());
  solved.words.assign(quantized->words.begin(), quantized->words.end());

  int64_t zeroGroups = quantized->zeroGroups;
  const quant::Fit *fit = &quantized->fit;
  if (zeroGroups > 0)
    op.emitWarning() << zeroGroups << " of " << grouping->numGroups()
                     << " sets of values that share scalars are all zero: "
                        "their scalars are 0";
  remarks::analysis(op.getLoc(), kRemarkName)
      << remark::add("{0} of {1} of {2}: ",
                     op.getScheme() ? "solved scalars" : "stored scalars",
                     formatCount(grouping->numGroups(), "set"),
                     formatCount(grouping->groupSize(), "value"))
      << remark::metric("error", fit->error)
      << remark::metric("angle", fit->angle);
  return success();
}

/// Thresholds form: ranks among constant thresholds.
static LogicalResult rankConstant(Solved &solved, ArrayRef<float> values) {
  QuantizeOp op = solved.op;
  SBTensorType type = op.getType();
  SmallVector<float> thresholds = getConstantFloats(op.getThresholds());
  ArrayRef<int64_t> codes = *op.getCodes();
  int64_t n = codes.size() - 1, k = type.getPlanes();
  bool perChannel = op.getThresholds().getType().getRank() == 2;
  int64_t channels = type.getShape().back();
  int64_t rowWords = type.getPlaneType().getShape().back();
  int64_t planeWords = type.getPlaneType().getNumElements();
  for (float v : solved.scalars)
    if (!(v >= 0) || std::isinf(v))
      return op.emitOpError()
             << "expected scalars that are finite and not negative, but got "
             << v;
  for (float c : solved.offset)
    if (!std::isfinite(c))
      return op.emitOpError() << "expected finite offsets, but got " << c;
  solved.words.assign(type.getWordsType().getNumElements(), 0);
  for (auto [i, x] : llvm::enumerate(values)) {
    if (!std::isfinite(x))
      return op.emitOpError() << "expected finite values, but got " << x;
    int64_t row = i / channels, c = i % channels;
    ArrayRef<float> t =
        ArrayRef(thresholds).slice(perChannel ? c * n : 0, size_t(n));
    float value = x;
    int64_t code =
        codes[llvm::count_if(t, [&](float t) { return t <= value; })];
    for (int64_t plane = 0; plane < k; ++plane)
      if (code >> (k - 1 - plane) & 1)
        solved.words[plane * planeWords + row * rowWords + c / kWordBits] |=
            1u << (c % kWordBits);
  }
  return success();
}

/// Fails with an error if the constant is bad. std::nullopt: leave the op.
static FailureOr<std::optional<Solved>> solve(QuantizeOp op, unsigned threads) {
  if (!isConstantTensor(op.getInput()) ||
      !op.getInput().getType().getElementType().isF32())
    return std::optional<Solved>();
  Solved solved;
  solved.op = op;
  for (auto [operand, values] :
       {std::pair<Value, SmallVector<float> *>(op.getScalars(),
                                               &solved.scalars),
        std::pair<Value, SmallVector<float> *>(op.getOffset(), &solved.offset),
        std::pair<Value, SmallVector<float> *>(op.getThresholds(), nullptr)}) {
    if (operand && !isConstantTensor(operand)) {
      remarks::missed(op.getLoc(), kRemarkName)
          << "a constant is quantized at run time: its scalars, offset or "
             "thresholds are not constant";
      return std::optional<Solved>();
    }
    if (!operand)
      continue;
    SmallVector<float> data = getConstantFloats(operand);
    if (data.empty() &&
        cast<RankedTensorType>(operand.getType()).getNumElements() != 0)
      return op.emitOpError()
             << "expected a constant operand of type " << operand.getType()
             << ", but got a resource without data of that size";
    if (values)
      *values = data;
  }
  SmallVector<float> values = getConstantFloats(op.getInput());
  if (values.empty())
    return op.emitOpError()
           << "expected constant data of type " << op.getInput().getType()
           << ", but got a resource without data of that size";
  if (failed(op.getThresholds() ? rankConstant(solved, values)
                                : solveCascade(solved, values, threads)))
    return failure();
  return std::optional<Solved>(std::move(solved));
}

namespace {
struct SolveScalars : bquant::impl::SolveScalarsBase<SolveScalars> {
  void runOnOperation() override {
    SmallVector<Solved> all;
    bool bad = false;
    // Every bad constant is reported, not only the first.
    getOperation()->walk([&](QuantizeOp op) {
      FailureOr<std::optional<Solved>> solved =
          solve(op, getContext().getNumThreads());
      if (failed(solved))
        bad = true;
      else if (*solved)
        all.push_back(std::move(**solved));
    });
    if (bad)
      return signalPassFailure();

    IRRewriter rewriter(&getContext());
    for (Solved &solved : all) {
      QuantizeOp op = solved.op;
      SBTensorType type = op.getType();
      rewriter.setInsertionPoint(op);
      ElementsAttr offset;
      if (type.getHasOffset())
        offset = getFloatsAttr(type.getOffsetType(), solved.offset);
      SmallVector<Value> operands = op->getOperands();
      rewriter.replaceOpWithNewOp<ConstantOp>(
          op, type, getWordsAttr(type.getWordsType(), solved.words),
          getFloatsAttr(type.getScalarsType(), solved.scalars), offset);
      // Float filters do not stay in the program.
      eraseUnused(rewriter, operands);
    }
  }
};
} // namespace
