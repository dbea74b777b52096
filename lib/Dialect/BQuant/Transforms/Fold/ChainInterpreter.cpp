//===- ChainInterpreter.cpp - Elements of tensors, by software ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainInterpreter.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;
using llvm::APFloat;

using R = std::optional<Number>;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static constexpr auto kNearest = APFloat::rmNearestTiesToEven;

static APFloat add(APFloat x, const APFloat &y) {
  x.add(y, kNearest);
  return x;
}

static APFloat subtract(APFloat x, const APFloat &y) {
  x.subtract(y, kNearest);
  return x;
}

static APFloat multiply(APFloat x, const APFloat &y) {
  x.multiply(y, kNearest);
  return x;
}

static APFloat divide(APFloat x, const APFloat &y) {
  x.divide(y, kNearest);
  return x;
}

/// 53 bits are enough to round a root to 24 bits rightly.
static APFloat squareRoot(const APFloat &x) {
  return APFloat(float(std::sqrt(double(x.convertToFloat()))));
}

static APFloat round(APFloat x, APFloat::roundingMode mode) {
  x.roundToIntegral(mode);
  return x;
}

static bool isPositive(const APFloat &x) {
  return arith::applyCmpPredicate(arith::CmpFPredicate::OGE, x, APFloat(0.0f));
}

static APFloat toFloat(int64_t i) {
  APFloat x(0.0f);
  x.convertFromAPInt(llvm::APInt(64, uint64_t(i), /*isSigned=*/true),
                     /*IsSigned=*/true, kNearest);
  return x;
}

std::optional<Number> Interpreter::compute(Operation *op,
                                           ArrayRef<Number> operands) {
  auto f = [&](size_t k) -> const APFloat & { return operands[k].f; };
  auto of = [](APFloat x) { return R(Number(std::move(x))); };
  return llvm::TypeSwitch<Operation *, R>(op)
      .Case([&](arith::AddFOp) { return of(add(f(0), f(1))); })
      .Case([&](arith::SubFOp) { return of(subtract(f(0), f(1))); })
      .Case([&](arith::MulFOp) { return of(multiply(f(0), f(1))); })
      .Case([&](arith::DivFOp) { return of(divide(f(0), f(1))); })
      .Case([&](arith::NegFOp) { return of(-f(0)); })
      .Case([&](arith::MaximumFOp) { return of(maximum(f(0), f(1))); })
      .Case([&](arith::MinimumFOp) { return of(minimum(f(0), f(1))); })
      .Case([&](arith::MaxNumFOp) { return of(maxnum(f(0), f(1))); })
      .Case([&](arith::MinNumFOp) { return of(minnum(f(0), f(1))); })
      .Case([&](arith::CmpFOp compare) {
        return Number(int64_t(
            arith::applyCmpPredicate(compare.getPredicate(), f(0), f(1))));
      })
      .Case([&](arith::SelectOp) { return operands[operands[0].i ? 1 : 2]; })
      .Case(
          [&](arith::AndIOp) { return Number(operands[0].i & operands[1].i); })
      .Case([&](arith::OrIOp) { return Number(operands[0].i | operands[1].i); })
      .Case(
          [&](arith::XOrIOp) { return Number(operands[0].i ^ operands[1].i); })
      .Case(
          [&](arith::AddIOp) { return Number(operands[0].i + operands[1].i); })
      .Case([&](arith::SIToFPOp) { return of(toFloat(operands[0].i)); })
      .Case([&](arith::UIToFPOp) { return of(toFloat(operands[0].i)); })
      .Case([&](math::FmaOp) {
        APFloat x = f(0);
        x.fusedMultiplyAdd(f(1), f(2), kNearest);
        return of(x);
      })
      .Case([&](math::AbsFOp) { return of(abs(f(0))); })
      .Case([&](math::SqrtOp) { return of(squareRoot(f(0))); })
      .Case([&](math::RsqrtOp) {
        return of(divide(APFloat(1.0f), squareRoot(f(0))));
      })
      .Case([&](math::FloorOp) {
        return of(round(f(0), APFloat::rmTowardNegative));
      })
      .Case([&](math::CeilOp) {
        return of(round(f(0), APFloat::rmTowardPositive));
      })
      .Case(
          [&](math::TruncOp) { return of(round(f(0), APFloat::rmTowardZero)); })
      .Case([&](math::RoundEvenOp) { return of(round(f(0), kNearest)); })
      .Case([&](math::RoundOp) {
        return of(round(f(0), APFloat::rmNearestTiesToAway));
      })
      .Case(
          [&](SignOp) { return of(APFloat(isPositive(f(0)) ? 1.0f : -1.0f)); })
      .Default([&](Operation *) { return fail(op); });
}

static Number toNumber(const llvm::APInt &i) {
  return Number(i.getBitWidth() == 1 ? int64_t(i.getZExtValue())
                                     : i.getSExtValue());
}

std::optional<Number> Interpreter::readConstant(Value tensor, int64_t at) {
  auto constant = tensor.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return fail(tensor.getDefiningOp());
  auto attr = dyn_cast<ElementsAttr>(constant.getValue());
  if (attr && attr.getElementType().isF32()) {
    SmallVector<float> &floats = constants[tensor];
    if (floats.empty())
      floats = getFloatValues(attr);
    if (at < int64_t(floats.size()))
      return Number(APFloat(floats[at]));
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (dense && dense.getElementType().isInteger())
    return toNumber(dense.getValues<llvm::APInt>()[at]);
  return fail(constant);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

struct Interpreter::Iteration {
  linalg::LinalgOp op;
  Index loops;
};

/// Row-major; the leading dimension may be dynamic.
static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t at = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    at = at * size + i;
  return at;
}

static SmallVector<int64_t, 4> delinearize(int64_t at,
                                           ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> index(shape.size());
  for (size_t d = shape.size(); d-- > 1;) {
    index[d] = at % shape[d];
    at /= shape[d];
  }
  if (!index.empty())
    index[0] = at;
  return index;
}

const Number *Interpreter::getSource(Value value) const {
  const auto *it = llvm::find(sources, value);
  return it == sources.end() ? nullptr : &values[it - sources.begin()];
}

std::optional<Number>
Interpreter::remember(Value value, const Index &at,
                      llvm::function_ref<std::optional<Number>()> compute) {
  if (const Number *number = getSource(value))
    return *number;
  auto it = known.find(value);
  if (it != known.end() && it->second.first == at)
    return it->second.second;
  R result = compute();
  if (result)
    known.insert_or_assign(value, std::pair(at, *result));
  return result;
}

std::optional<Number> Interpreter::readTensor(Value tensor,
                                              const Index &index) {
  return remember(tensor, index, [&] { return computeTensor(tensor, index); });
}

std::optional<Number> Interpreter::readScalar(Value scalar,
                                              const Iteration *at) {
  return remember(scalar, at ? at->loops : Index(),
                  [&] { return computeScalar(scalar, at); });
}

std::optional<Number> Interpreter::computeTensor(Value tensor,
                                                 const Index &index) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return fail(tensor.getParentBlock()->getParentOp());
  auto shapeOf = [](Value v) {
    return cast<ShapedType>(v.getType()).getShape();
  };
  if (isa<arith::ConstantOp>(op))
    return readConstant(tensor, linearize(index, shapeOf(tensor)));
  // Reshapes keep the order of memory.
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return readTensor(op->getOperand(0),
                      delinearize(linearize(index, shapeOf(tensor)),
                                  shapeOf(op->getOperand(0))));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    Index from;
    size_t d = 0;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [i, offset, stride] :
         llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides())) {
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(stride))
        return fail(op);
      from.push_back(offset + (dropped.test(i) ? 0 : index[d++] * stride));
    }
    return readTensor(slice.getSource(), from);
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    auto result = cast<OpResult>(tensor);
    AffineMap out = linalgOp.getIndexingMapMatchingResult(result);
    if (!out.isPermutation() ||
        linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
      return fail(op);
    Iteration iteration{linalgOp, Index(linalgOp.getNumLoops())};
    for (auto [i, expr] : llvm::enumerate(out.getResults()))
      iteration.loops[cast<AffineDimExpr>(expr).getPosition()] = index[i];
    return readScalar(linalgOp.getBlock()->getTerminator()->getOperand(
                          result.getResultNumber()),
                      &iteration);
  }
  SmallVector<Number> operands;
  for (Value operand : op->getOperands()) {
    R number = isa<ShapedType>(operand.getType())
                   ? readTensor(operand, index)
                   : readScalar(operand, nullptr);
    if (!number)
      return number;
    operands.push_back(*number);
  }
  return compute(op, operands);
}

std::optional<Number> Interpreter::computeScalar(Value scalar,
                                                 const Iteration *at) {
  if (auto arg = dyn_cast<BlockArgument>(scalar)) {
    Operation *owner = arg.getOwner()->getParentOp();
    auto op = dyn_cast<linalg::LinalgOp>(owner);
    if (!at || !op || at->op != op)
      return fail(owner);
    OpOperand *operand = op.getMatchingOpOperand(arg);
    if (!isa<ShapedType>(operand->get().getType()))
      return readScalar(operand->get(), nullptr);
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<int64_t> index = map.compose(at->loops);
    return readTensor(operand->get(), Index(index.begin(), index.end()));
  }
  Operation *op = scalar.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      return Number(number.getValue());
    if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
      return toNumber(number.getValue());
    return fail(op);
  }
  SmallVector<Number> operands;
  for (Value operand : op->getOperands()) {
    R number = readScalar(operand, at);
    if (!number)
      return number;
    operands.push_back(*number);
  }
  return compute(op, operands);
}

//===----------------------------------------------------------------------===//
// The quantize
//===----------------------------------------------------------------------===//

std::optional<unsigned> Interpreter::getCode(QuantizeOp op,
                                             ArrayRef<int64_t> index,
                                             ArrayRef<Number> given) {
  values = given;
  known.clear();
  R input = readTensor(op.getInput(), Index(index.begin(), index.end()));
  if (!input)
    return std::nullopt;
  if (op.getThresholds()) {
    RankedTensorType type = op.getThresholds().getType();
    int64_t n = type.getShape().back(), rank = 0;
    int64_t row = type.getRank() == 2 ? index.back() * n : 0;
    for (int64_t i = 0; i < n; ++i) {
      R threshold = readConstant(op.getThresholds(), row + i);
      if (!threshold)
        return std::nullopt;
      rank += type.getElementType().isF32()
                  ? arith::applyCmpPredicate(arith::CmpFPredicate::OLE,
                                             threshold->f, input->f)
                  : threshold->i <= input->i;
    }
    return unsigned((*op.getCodes())[rank]);
  }
  SBTensorType type = op.getType();
  int64_t at = 0, groups = 1;
  for (int64_t axis : type.getAxes()) {
    at = at * type.getDimSize(axis) + index[axis];
    groups *= type.getDimSize(axis);
  }
  unsigned code = 0;
  APFloat rest = input->f;
  for (int64_t i = 0; i < type.getPlanes(); ++i) {
    int64_t row = type.hasRatios() ? 0 : i;
    R scalar = readConstant(op.getScalars(), row * groups + at);
    if (!scalar)
      return std::nullopt;
    APFloat v = scalar->f;
    if (type.hasRatios())
      v = multiply(toFloat(type.getRatios()[i]), v);
    bool positive = isPositive(rest);
    code = code << 1 | unsigned(positive);
    rest = subtract(rest, positive ? v : -v);
  }
  return code;
}
