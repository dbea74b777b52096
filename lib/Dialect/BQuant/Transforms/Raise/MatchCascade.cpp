//===- MatchCascade.cpp - Sign cascades as producers write them -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchCascade.h"
#include "CascadeTerms.h"
#include "Dialect/BQuant/Analysis/AbstractScalar.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "Dialect/BQuant/Analysis/Shapes.h"
#include "MatchLevels.h"
#include "MatchSign.h"
#include "SumResidualCascade.h"
#include "Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

namespace {

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// One number, or one for each index of the first dimension. Empty if it is
/// neither.
SmallVector<float> readScalar(Value resolved, int64_t leading,
                              ExplainFn explain) {
  if (!resolved)
    return {1.0f};
  if (std::optional<APFloat> number = getConstantNumber(resolved))
    return {number->convertToFloat()};
  auto [attr, map] = getParameter(resolved);
  SmallVector<float> values =
      attr ? getFloatValues(attr) : SmallVector<float>();
  if (values.empty()) {
    (void)explain("a scalar is no constant");
    return {};
  }
  if (llvm::all_equal(values))
    return {values.front()};
  // Which dimension of the constant follows the first dimension of the value?
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  int64_t outer = 1, inner = 1, position = -1;
  for (auto [i, size] : llvm::enumerate(shape)) {
    AffineExpr expr = map ? map.getResult(i) : AffineExpr();
    auto dim = dyn_cast_or_null<AffineDimExpr>(expr);
    bool first = map ? dim && dim.getPosition() == 0 : i == 0;
    if (first)
      position = i;
    (position < 0 ? outer : inner) *= first ? 1 : size;
  }
  SmallVector<float> scalars;
  if (position >= 0 && shape[position] == leading)
    for (int64_t i = 0; i < leading; ++i)
      scalars.push_back(values[i * inner]);
  auto varies = [&](int64_t i) {
    return values[i] != scalars[i / inner % leading];
  };
  if (scalars.empty() ||
      llvm::any_of(llvm::seq<int64_t>(0, values.size()), varies)) {
    (void)explain("a scalar varies along a dimension other than the first");
    return {};
  }
  return scalars;
}

} // namespace

//===----------------------------------------------------------------------===//
// Cascades
//===----------------------------------------------------------------------===//

/// The type and scalars of a cascade of `shape`.
static std::optional<Cascade> describe(Value input, ArrayRef<Value> parameters,
                                       bool ternary, ArrayRef<int64_t> shape,
                                       ExplainFn explain) {
  SmallVector<SmallVector<float>> rows;
  size_t width = 1;
  for (Value parameter : parameters) {
    rows.push_back(readScalar(parameter, shape.front(), explain));
    if (rows.back().empty())
      return std::nullopt;
    width = std::max(width, rows.back().size());
  }
  SmallVector<float> scalars;
  for (ArrayRef<float> row : rows)
    for (size_t i = 0; i < width; ++i) {
      float v = row[row.size() == 1 ? 0 : i];
      if (!(v >= 0 && std::isfinite(v))) {
        (void)explain(llvm::formatv("expected scalars >= 0, but got {0}", v));
        return std::nullopt;
      }
      scalars.push_back(v);
    }
  MLIRContext *context = input.getContext();
  SmallVector<int64_t> axes, ratios;
  if (width > 1)
    axes = {0};
  // v s_1 + v s_2 is (s_1 + s_2) v in every bit.
  if (!ternary && rows.size() == 2 &&
      ArrayRef(scalars).take_front(width) ==
          ArrayRef(scalars).take_back(width)) {
    ternary = true;
    scalars.truncate(width);
  }
  if (ternary)
    ratios = {1, 1};
  auto type =
      SBTensorType::get(context, shape, ternary ? 2 : int64_t(rows.size()),
                        ratios, axes, /*hasOffset=*/false);
  Cascade cascade;
  cascade.input = input;
  cascade.scalars =
      DenseElementsAttr::get(type.getScalarsType(), ArrayRef<float>(scalars));
  cascade.type = type;
  return cascade;
}

/// Scalars times a function of the sign of x that is no sign but has values of
/// few planes all the same: where(x > 0, 1, -1) is its own sign, and a sign
/// that is 0 at 0 is (s_1 + s_2) / 2.
static std::optional<Cascade>
matchFunctionOfSigns(Value resolved, ArrayRef<int64_t> shape,
                     const RaiseAssumptions &assumptions, ExplainFn explain) {
  auto factors = getFactors(resolved);
  factors.push_back({Value(), resolved});
  for (auto [scalar, value] : factors) {
    if (scalar && !getConstantNumber(scalar) && !getParameter(scalar).first)
      continue;
    std::optional<FunctionOfSign> function =
        matchFunctionOfSign(value, assumptions);
    if (!function || isConstantTensor(function->x) ||
        !function->isAmong({-1, 0, 1}) ||
        function->values[Positive] * function->values[Negative] != -1)
      continue;
    bool ternary = !function->isAmong({-1, 1});
    // v - v / 2 >= 0, but 1 - v / 2 is that only up to v = 2.
    std::optional<Cascade> cascade =
        describe(ternary ? resolved : value, {scalar}, ternary, shape, explain);
    if (!cascade || !ternary)
      return cascade;
    SmallVector<float> halves;
    for (float v : cascade->scalars.getValues<float>()) {
      halves.push_back(v / 2);
      if (halves.back() * 2 != v) {
        (void)explain("a scalar is too small to be halved");
        return std::nullopt;
      }
    }
    cascade->scalars =
        DenseElementsAttr::get(cascade->scalars.getType(), ArrayRef(halves));
    return cascade;
  }
  return std::nullopt;
}

/// The cascade of a resolved value at the indices of a tensor of `shape`.
static std::optional<Cascade> matchResolved(Value resolved,
                                            ArrayRef<int64_t> shape,
                                            const RaiseAssumptions &assumptions,
                                            ExplainFn explain) {
  CascadeTerms terms = matchTerms(resolved, assumptions);
  if (!terms.empty()) {
    SmallVector<Value> parameters;
    for (const CascadeTerm &term : terms.terms)
      parameters.push_back(term.scalar);
    std::optional<Cascade> cascade =
        describe(terms.x(), parameters, terms.ternary, shape, explain);
    if (cascade && terms.anyFromSum() &&
        failed(useSumResiduals(*cascade, terms.fromSum, explain)))
      return std::nullopt;
    return cascade;
  }
  if (std::optional<Cascade> cascade =
          matchFunctionOfSigns(resolved, shape, assumptions, explain))
    return cascade;
  auto residue = getResidue(resolved);
  if (!residue)
    return matchLevels(resolved, shape, assumptions, explain);
  std::optional<Cascade> cascade =
      matchResolved(resolve(residue->first), shape, assumptions, explain);
  if (cascade && !assumptions.exactResidues) {
    (void)explain(
        "a straight-through residue (q - c) + c is not q in every bit "
        "(assume-exact-residues takes it for q)");
    return std::nullopt;
  }
  if (cascade && cascade->remarkText.empty())
    cascade->remarkText =
        "a straight-through residue (q - c) + c is taken for q";
  return cascade;
}

//===----------------------------------------------------------------------===//
// Quantized values
//===----------------------------------------------------------------------===//

/// The cascade of a scaled-binary value, with its scalars if they are known: of
/// a quantization and of max-pools of one.
static Cascade describeQuantized(Value source) {
  Cascade cascade;
  cascade.source = source;
  cascade.type = cast<SBTensorType>(source.getType());
  while (auto pool = source.getDefiningOp<MaxPool2DOp>())
    source = pool.getInput();
  auto quantize = source.getDefiningOp<QuantizeOp>();
  if (!quantize || quantize.getScheme())
    return cascade;
  matchPattern(quantize.getScalars(), m_Constant(&cascade.scalars));
  if (quantize.getOffset() &&
      !matchPattern(quantize.getOffset(), m_Constant(&cascade.offset)))
    cascade.scalars = {};
  return cascade;
}

std::optional<Cascade> bquant::matchDecoded(const Cascade &known, Value input) {
  Cascade cascade;
  cascade.input = input;
  cascade.type = known.type;
  cascade.scalars = known.scalars;
  cascade.offset = known.offset;
  SmallVector<float> values = known.decode();
  SmallVector<int64_t> codes =
      llvm::to_vector(llvm::seq<int64_t>(0, values.size()));
  llvm::sort(codes, [&](int64_t a, int64_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  // Of codes with one value the last: of a ternary 0 it is 10.
  SmallVector<int64_t> distinct;
  for (int64_t code : codes) {
    if (!std::isfinite(values[code]))
      return std::nullopt;
    if (!distinct.empty() && values[distinct.back()] == values[code])
      distinct.pop_back();
    distinct.push_back(code);
  }
  if (distinct.size() < 2)
    return std::nullopt;
  if (values.size() == 2 && values[0] == -values[1] && values[1] > 0 &&
      !cascade.type.getHasOffset())
    return cascade; // By the sign.
  // In the middle: a written value may be a little beside its planes' sum.
  SmallVector<float> thresholds;
  for (auto [below, above] :
       llvm::zip(distinct, ArrayRef(distinct).drop_front())) {
    float a = values[below], b = values[above], middle = a / 2 + b / 2;
    thresholds.push_back(middle > a ? middle : b);
  }
  cascade.thresholds = DenseElementsAttr::get(
      RankedTensorType::get({int64_t(thresholds.size())},
                            Float32Type::get(input.getContext())),
      ArrayRef<float>(thresholds));
  cascade.codes.assign(distinct.begin(), distinct.end());
  return cascade;
}

SmallVector<float> Cascade::decode() const {
  if (!scalars || !type.getAxes().empty() || (type.getHasOffset() && !offset))
    return {};
  auto factors = llvm::to_vector(scalars.getValues<float>());
  ArrayRef<int64_t> ratios = type.getRatios();
  int64_t planes = type.getPlanes();
  SmallVector<float> values;
  for (int64_t code = 0; code < int64_t(1) << planes; ++code) {
    SmallVector<float, 4> terms;
    if (offset)
      terms.push_back(*offset.getValues<float>().begin());
    int64_t multiple = 0;
    for (int64_t i = 0; i < planes; ++i) {
      bool plus = code >> (planes - 1 - i) & 1;
      if (ratios.empty())
        terms.push_back(plus ? factors[i] : -factors[i]);
      else
        multiple += plus ? ratios[i] : -ratios[i];
    }
    if (!ratios.empty())
      terms.push_back(factors.front() * float(multiple));
    float sum = terms.front();
    for (float term : ArrayRef(terms).drop_front())
      sum += term;
    values.push_back(sum);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::optional<Cascade> bquant::matchCascade(Value tensor,
                                            const RaiseAssumptions &assumptions,
                                            ExplainFn explain) {
  auto tensorType = dyn_cast<RankedTensorType>(tensor.getType());
  if (!tensorType || !tensorType.getElementType().isF32() ||
      tensorType.getRank() == 0)
    return std::nullopt;
  Value resolved = resolve(tensor);
  if (auto dequantize = resolved.getDefiningOp<DequantizeOp>())
    return describeQuantized(dequantize.getInput());
  if (!canBeScaledBinary(tensorType.getShape()))
    return std::nullopt;
  Operation *op = resolved.getDefiningOp();
  std::optional<Cascade> cascade =
      op && isMove(op) ? matchMoved(op, assumptions, explain)
                       : matchResolved(resolved, tensorType.getShape(),
                                       assumptions, explain);
  auto isTensor = [](std::pair<Value, Value> moved) {
    return canMaterialize(moved.second);
  };
  if (cascade && !cascade->source &&
      !(cascade->moves.empty() ? canMaterialize(cascade->input)
                               : llvm::all_of(cascade->moved, isTensor)))
    return std::nullopt;
  return cascade;
}

Value Cascade::build(RewriterBase &rewriter, Location loc) const {
  if (source)
    return source;
  OpBuilder::InsertionGuard guard(rewriter);
  Value tensor = moves.empty() ? materialize(rewriter, input)
                               : buildMoved(rewriter, *this);
  if (ranks) {
    rewriter.setInsertionPointAfterValue(tensor);
    tensor = arith::ConstantOp::create(rewriter, tensor.getLoc(), ranks);
  }
  rewriter.setInsertionPointAfterValue(tensor);
  if (!remarkText.empty())
    remarks::analysis(tensor.getLoc(), "raise-product") << remarkText;
  Value values = arith::ConstantOp::create(rewriter, loc, scalars);
  if (!thresholds)
    return QuantizeOp::create(rewriter, loc, type, tensor, values);
  Value limits = arith::ConstantOp::create(rewriter, loc, thresholds);
  Value constant;
  if (offset)
    constant = arith::ConstantOp::create(rewriter, loc, offset);
  return QuantizeOp::create(rewriter, loc, type, tensor, limits, codes, values,
                            constant);
}
