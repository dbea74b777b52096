//===- Cascade.cpp - Sign cascades as producers write them ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cascade.h"
#include "Elementwise.h"
#include "SignIdiom.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace bquant;

namespace {

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// v * sign(source), both resolved; no scalar means 1.
struct Term {
  Value scalar;
  Value source;
};

/// The operands of a commutative op in both orders.
template <typename OpTy>
SmallVector<std::pair<Value, Value>, 2> getOperandPairs(Value resolved) {
  auto op = getScalarOp<OpTy>(resolved);
  if (!op)
    return {};
  Value lhs = resolve(op.getLhs()), rhs = resolve(op.getRhs());
  return {{lhs, rhs}, {rhs, lhs}};
}

std::optional<Term> matchTerm(Value resolved) {
  if (Value source = matchSign(resolved))
    return Term{Value(), source};
  for (auto [scalar, sign] : getOperandPairs<arith::MulFOp>(resolved))
    if (Value source = matchSign(sign))
      return Term{scalar, source};
  return std::nullopt;
}

/// The constant behind a resolved scalar or broadcast argument, and the map it
/// is read by; no map for one number.
std::pair<ElementsAttr, AffineMap> getParameter(Value resolved) {
  if (isa<TensorType>(resolved.getType()))
    return {getConstantTensor(resolved), AffineMap()};
  auto argument = dyn_cast<BlockArgument>(resolved);
  auto op =
      argument ? dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp())
               : linalg::GenericOp();
  if (!op)
    return {};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return {getConstantTensor(operand->get()),
          op.getMatchingIndexingMap(operand)};
}

bool isSameParameter(Value a, Value b) {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  std::optional<APFloat> first = getConstantNumber(a),
                         second = getConstantNumber(b);
  if (first && second)
    return first->bitwiseIsEqual(*second);
  auto [attr, map] = getParameter(a);
  return attr && std::pair(attr, map) == getParameter(b);
}

/// Whether `resolved` is what the term leaves of its source.
bool isRemainder(Value resolved, const Term &term) {
  auto subtract = getScalarOp<arith::SubFOp>(resolved);
  if (!subtract || resolve(subtract.getLhs()) != term.source)
    return false;
  std::optional<Term> taken = matchTerm(resolve(subtract.getRhs()));
  return taken && taken->source == term.source &&
         isSameParameter(taken->scalar, term.scalar);
}

/// The terms of v_1 s_1 + v_2 s_2 + ..., summed from the left.
SmallVector<Term> matchTerms(Value resolved) {
  if (std::optional<Term> term = matchTerm(resolved))
    return {*term};
  for (auto [sum, last] : getOperandPairs<arith::AddFOp>(resolved)) {
    std::optional<Term> term = matchTerm(last);
    if (!term)
      continue;
    SmallVector<Term> terms = matchTerms(sum);
    if (!terms.empty() && isRemainder(term->source, terms.back())) {
      terms.push_back(*term);
      return terms;
    }
  }
  return {};
}

/// The v and x of (s_1 + s_2) v.
std::optional<Term> matchTernary(Value resolved) {
  for (auto [sum, scalar] : getOperandPairs<arith::MulFOp>(resolved))
    for (auto [first, second] : getOperandPairs<arith::AddFOp>(sum)) {
      Value x = matchSign(first), remainder = matchSign(second);
      if (x && remainder && isRemainder(remainder, Term{scalar, x}))
        return Term{scalar, x};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// One number, or one for each index of the first dimension. Empty, and a
/// reason, if it is neither.
SmallVector<float> readScalar(Value resolved, int64_t leading,
                              std::string &reason) {
  if (!resolved)
    return {1.0f};
  if (std::optional<APFloat> number = getConstantNumber(resolved))
    return {number->convertToFloat()};
  auto [attr, map] = getParameter(resolved);
  SmallVector<float> values =
      attr ? getFloatValues(attr) : SmallVector<float>();
  if (values.empty()) {
    reason = "a scalar is no constant";
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
    reason = "a scalar varies along a dimension other than the first";
    return {};
  }
  return scalars;
}

} // namespace

/// No dimension is 0, and only the first of several is dynamic.
static bool canBeScaledBinary(ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::enumerate(shape), [&](auto dim) {
    return ShapedType::isDynamic(dim.value())
               ? dim.index() == 0 && shape.size() > 1
               : dim.value() > 0;
  });
}

/// The type and scalars of a cascade of `shape`, or a reason.
static std::optional<Cascade> describe(Value input, ArrayRef<Value> parameters,
                                       bool ternary, ArrayRef<int64_t> shape,
                                       std::string &reason) {
  SmallVector<SmallVector<float>> rows;
  size_t width = 1;
  for (Value parameter : parameters) {
    rows.push_back(readScalar(parameter, shape.front(), reason));
    if (rows.back().empty())
      return std::nullopt;
    width = std::max(width, rows.back().size());
  }
  SmallVector<float> scalars;
  for (ArrayRef<float> row : rows)
    for (size_t i = 0; i < width; ++i) {
      float v = row[row.size() == 1 ? 0 : i];
      if (!(v >= 0 && std::isfinite(v))) {
        reason = llvm::formatv("expected scalars >= 0, but got {0}", v);
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
  return Cascade{
      Value(), input,
      DenseElementsAttr::get(type.getScalarsType(), ArrayRef<float>(scalars)),
      type};
}

std::optional<Cascade> bquant::matchCascade(Value tensor, std::string &reason) {
  auto tensorType = dyn_cast<RankedTensorType>(tensor.getType());
  if (!tensorType || !tensorType.getElementType().isF32() ||
      tensorType.getRank() == 0)
    return std::nullopt;
  Value resolved = resolve(tensor);
  if (auto dequantize = resolved.getDefiningOp<DequantizeOp>())
    return Cascade{
        dequantize.getInput(), Value(), {}, dequantize.getInput().getType()};
  ArrayRef<int64_t> shape = tensorType.getShape();
  if (!canBeScaledBinary(shape))
    return std::nullopt;
  if (std::optional<Term> ternary = matchTernary(resolved))
    return describe(ternary->source, {ternary->scalar}, true, shape, reason);
  SmallVector<Term> terms = matchTerms(resolved);
  if (terms.empty())
    return std::nullopt;
  SmallVector<Value> parameters;
  for (const Term &term : terms)
    parameters.push_back(term.scalar);
  return describe(terms.front().source, parameters, false, shape, reason);
}

std::optional<Cascade> bquant::matchLevels(Value tensor) {
  ElementsAttr attr = getConstantTensor(tensor);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!attr || !type || type.getRank() < 2 ||
      !canBeScaledBinary(type.getShape()))
    return std::nullopt;
  SmallVector<float> values = getFloatValues(attr), scalars;
  if (values.empty())
    return std::nullopt;
  int64_t leading = type.getDimSize(0), size = values.size() / leading;
  for (int64_t i = 0; i < leading; ++i) {
    float v = std::fabs(values[i * size]);
    if (!std::isfinite(v) ||
        llvm::any_of(ArrayRef(values).slice(i * size, size),
                     [&](float value) { return std::fabs(value) != v; }))
      return std::nullopt;
    scalars.push_back(v);
  }
  auto quantized =
      SBTensorType::get(tensor.getContext(), type.getShape(), /*planes=*/1,
                        /*ratios=*/{}, /*axes=*/{0}, /*hasOffset=*/false);
  return Cascade{Value(), tensor,
                 DenseElementsAttr::get(quantized.getScalarsType(),
                                        ArrayRef<float>(scalars)),
                 quantized};
}

Value Cascade::build(RewriterBase &rewriter, Location loc) const {
  if (source)
    return source;
  Value tensor = materialize(rewriter, input);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(tensor);
  Value values = arith::ConstantOp::create(rewriter, loc, scalars);
  return QuantizeOp::create(rewriter, loc, type, tensor, values);
}
