//===- MatchMoved.cpp - Quantized values on their way to a product --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves elements commutes with what quantizes each of them alike:
//
//   concat(flatten(sign(%x)), sign(%y))  is  sign(concat(flatten(%x), %y))
//
// So the moves between the quantizations and a product are written anew, on
// what is quantized.

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchCascade.h"
#include "MatchLevels.h"
#include "Transposes.h"
#include "bquant/Quant/Cascade.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace bquant;

SmallVector<float> Cascade::getSharedPlanes() const {
  if (!scalars || thresholds || type.getHasOffset() || !type.getAxes().empty())
    return {};
  SmallVector<float> planes = llvm::to_vector(scalars.getValues<float>());
  if (type.getRatios().empty())
    return planes;
  float v = planes.front();
  planes.clear();
  for (int64_t ratio : type.getRatios())
    planes.push_back(v * ratio);
  return planes;
}

bool Cascade::quantizesLike(const Cascade &other) const {
  auto count = [](DenseElementsAttr attr) {
    return attr ? attr.getType().getShape().back() : 0;
  };
  return scalars == other.scalars &&
         count(thresholds) == count(other.thresholds) && codes == other.codes &&
         offset == other.offset && type.getPlanes() == other.type.getPlanes() &&
         type.getRatios() == other.type.getRatios() &&
         type.getAxes() == other.type.getAxes();
}

/// Whether quantizing `x` gives `x`.
static bool keeps(ArrayRef<float> planes, float x) {
  return !planes.empty() &&
         quant::roundTrip(x, planes.data(), planes.size()) == x;
}

SmallVector<OpOperand *, 2> bquant::getMoved(Operation *op) {
  SmallVector<OpOperand *, 2> operands = {&op->getOpOperand(0)};
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (insert && !insert.getDest().getDefiningOp<tensor::EmptyOp>())
    operands.push_back(&insert.getDestMutable());
  return operands;
}

bool bquant::isMove(Operation *op) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
           tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
           linalg::TransposeOp>(op) ||
      op->getNumResults() != 1)
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    return shaped && shaped.hasStaticShape() && shaped.getRank() > 0;
  };
  // Neither sizes nor positions that are known at run time alone.
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         isStatic(op->getResult(0).getType());
}

/// The moves that make the result of `last`, producers first, and the other
/// tensors that they begin with.
static void collect(Operation *last, llvm::SetVector<Operation *> &moves,
                    llvm::SetVector<Value> &begins) {
  if (moves.contains(last))
    return;
  for (OpOperand *operand : getMoved(last)) {
    Operation *before = resolve(operand->get()).getDefiningOp();
    if (before && isMove(before))
      collect(before, moves, begins);
    else
      begins.insert(operand->get());
  }
  moves.insert(last);
}

/// Whether a quantization keeps what an op puts between its elements.
static bool keepsPadding(Operation *op, ArrayRef<float> planes) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  if (!pad)
    return true;
  Value constant = pad.getConstantPaddingValue();
  APFloat fill(0.0f);
  return constant && matchPattern(constant, m_ConstantFloat(&fill)) &&
         keeps(planes, fill.convertToFloat());
}

//===----------------------------------------------------------------------===//
// Thresholds of what is moved
//===----------------------------------------------------------------------===//

/// Visits positions of an array: those of a box in row-major order.
static void visitBox(ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps,
                     int64_t start, function_ref<void(int64_t)> visit) {
  SmallVector<int64_t> index(sizes.size(), 0);
  int64_t count = computeProduct(sizes);
  for (int64_t i = 0; i < count; ++i) {
    visit(start);
    for (int64_t d = sizes.size() - 1; d >= 0; --d) {
      start += steps[d];
      if (++index[d] < sizes[d])
        break;
      start -= steps[d] * sizes[d];
      index[d] = 0;
    }
  }
}

/// Visits the positions of a slice in an array of `shape`.
static void visitSlice(OffsetSizeAndStrideOpInterface op,
                       ArrayRef<int64_t> shape,
                       function_ref<void(int64_t)> visit) {
  SmallVector<int64_t> strides = computeStrides(shape), steps;
  int64_t start = 0;
  for (auto [stride, offset, step] :
       llvm::zip(strides, op.getStaticOffsets(), op.getStaticStrides())) {
    start += stride * offset;
    steps.push_back(stride * step);
  }
  visitBox(op.getStaticSizes(), steps, start, visit);
}

namespace {
/// The rows of thresholds by which elements are quantized: -1 for none.
using Rows = SmallVector<int32_t>;
} // namespace

static Rows moveRows(Operation *op, ArrayRef<Rows> moved) {
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  const Rows &source = moved.front();
  Rows rows;
  auto take = [&](int64_t from) { rows.push_back(source[from]); };
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    ArrayRef<int64_t> perm = transpose.getPermutation();
    visitBox(applyPermutation(shape, perm),
             applyPermutation(computeStrides(shape), perm), 0, take);
  } else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    visitSlice(extract, shape, take);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    ArrayRef<int64_t> whole = insert.getType().getShape();
    rows = moved.size() > 1 ? moved[1] : Rows(computeProduct(whole), -1);
    const int32_t *from = source.begin();
    visitSlice(insert, whole, [&](int64_t to) { rows[to] = *from++; });
  } else {
    rows = source; // Reshaped.
  }
  return rows;
}

/// The thresholds of what `moves` make of `begins`, one row or one for each
/// index of the last dimension; null if they vary along others.
static DenseElementsAttr
moveThresholds(ArrayRef<Operation *> moves,
               ArrayRef<std::pair<Value, Cascade>> begins) {
  constexpr int64_t kMostElements = 1 << 22;
  DenseMap<Value, Rows> known;
  SmallVector<float> table;
  DenseElementsAttr first = begins.front().second.thresholds;
  int64_t count = first.getType().getShape().back();
  for (const auto &[begin, cascade] : begins) {
    auto type = cast<RankedTensorType>(begin.getType());
    int64_t base = table.size() / count,
            own = cascade.thresholds.getNumElements() / count;
    llvm::append_range(table, cascade.thresholds.getValues<float>());
    if (type.getNumElements() > kMostElements)
      return {};
    Rows &rows = known[resolve(begin)];
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      rows.push_back(base + i % own);
  }
  for (Operation *op : moves) {
    SmallVector<Rows> moved;
    for (OpOperand *operand : getMoved(op))
      moved.push_back(known.lookup(resolve(operand->get())));
    Rows rows = moveRows(op, moved);
    known[op->getResult(0)] = std::move(rows);
  }
  Value last = moves.back()->getResult(0);
  int64_t channels = cast<RankedTensorType>(last.getType()).getShape().back();
  auto rowOf = [&](int64_t row) {
    return ArrayRef(table).slice(std::max<int64_t>(row, 0) * count, count);
  };
  Rows own(channels, -1);
  for (auto [i, row] : llvm::enumerate(known[last])) {
    int32_t &kept = own[i % channels];
    if (kept < 0)
      kept = row;
    else if (row >= 0 && rowOf(row) != rowOf(kept))
      return {};
  }
  auto isFirst = [&](int32_t row) { return rowOf(row) == rowOf(own.front()); };
  SmallVector<int64_t> shape = {channels, count};
  if (llvm::all_of(own, isFirst)) {
    own.resize(1);
    shape = {count};
  }
  SmallVector<float> thresholds;
  for (int32_t row : own)
    llvm::append_range(thresholds, rowOf(row));
  return DenseElementsAttr::get(first.getType().clone(shape),
                                ArrayRef(thresholds));
}

std::optional<Cascade> bquant::matchMoved(Operation *move,
                                          const RaiseAssumptions &assumptions,
                                          ExplainFn explain) {
  llvm::SetVector<Operation *> moves;
  llvm::SetVector<Value> begins;
  collect(move, moves, begins);
  std::optional<Cascade> result;
  SmallVector<std::pair<Value, Cascade>> parts;
  for (Value begin : begins) {
    std::optional<Cascade> cascade = matchCascade(begin, assumptions, explain);
    // What is quantized already is so again, moved.
    if (cascade && cascade->source) {
      Value resolved = resolve(begin);
      std::optional<Cascade> recoded =
          matchRecoded(resolved, cascade->type.getShape());
      cascade = recoded ? recoded : matchDecoded(*cascade, resolved);
    }
    // A constant moves at compile time.
    if (!cascade || isConstantTensor(cascade->input))
      return std::nullopt;
    if (!cascade->type.getAxes().empty()) {
      (void)explain("its elements are moved, and its scalars vary");
      return std::nullopt;
    }
    if (!result)
      result = cascade;
    if (!cascade->quantizesLike(*result))
      return std::nullopt;
    result->moved.push_back({resolve(begin), cascade->input});
    parts.push_back({begin, *cascade});
  }
  SmallVector<float> planes = result->getSharedPlanes();
  for (Operation *op : moves)
    if (!keepsPadding(op, planes))
      return std::nullopt;
  llvm::append_range(result->moves, moves);
  if (result->thresholds) {
    DenseElementsAttr thresholds = moveThresholds(moves.getArrayRef(), parts);
    if (!thresholds) {
      // They vary along other dimensions than the last: by their values.
      std::optional<Cascade> decoded = matchDecoded(*result, result->input);
      if (!decoded)
        return std::nullopt;
      thresholds = decoded->thresholds;
      result->codes = decoded->codes;
      for (auto &[begin, input] : result->moved)
        input = begin;
      result->input = result->moved.front().first;
    }
    result->thresholds = thresholds;
  }
  auto shape = cast<RankedTensorType>(move->getResult(0).getType()).getShape();
  SBTensorType type = result->type;
  result->type =
      SBTensorType::get(type.getContext(), shape, type.getPlanes(),
                        type.getRatios(), type.getAxes(), type.getHasOffset());
  return result;
}

Value bquant::cloneMove(RewriterBase &rewriter, Operation *op,
                        ArrayRef<Value> moved, std::optional<float> fill) {
  Location loc = op->getLoc();
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return createTranspose(rewriter, loc, moved.front(),
                           transpose.getPermutation());
  auto type = cast<RankedTensorType>(op->getResult(0).getType())
                  .clone(getElementTypeOrSelf(moved.front()));
  if (fill) {
    auto pad = cast<tensor::PadOp>(op);
    Value number = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getF32FloatAttr(*fill));
    return tensor::PadOp::create(rewriter, loc, type, moved.front(),
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 number, pad.getNofold());
  }
  IRMapping mapping;
  for (auto [operand, value] : llvm::zip(getMoved(op), moved))
    mapping.map(operand->get(), value);
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (insert && type != insert.getType() && moved.size() == 1)
    mapping.map(insert.getDest(),
                tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType()));
  Operation *copy = rewriter.clone(*op, mapping);
  copy->getResult(0).setType(type);
  return copy->getResult(0);
}

Value bquant::buildMoved(RewriterBase &rewriter, const Cascade &cascade) {
  OpBuilder::InsertionGuard guard(rewriter);
  DenseMap<Value, Value> built;
  for (auto [begin, input] : cascade.moved)
    built[begin] = materialize(rewriter, input);
  Value last;
  for (Operation *op : cascade.moves) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> moved;
    for (OpOperand *operand : getMoved(op))
      moved.push_back(built.at(resolve(operand->get())));
    last = built[op->getResult(0)] = cloneMove(rewriter, op, moved);
  }
  return last;
}
