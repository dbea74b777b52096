//===- BatchToSample.cpp - From a batch of any size to one sample ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%x: tensor<?x8xf32>) -> tensor<?x4xf32>
//
// becomes, where every operation treats each sample by itself,
//
//   func.func @f(%x: tensor<1x8xf32> {bquant.batch})
//       -> (tensor<1x4xf32> {bquant.batch})
//
// Where most of the work is in dense layers, a second function takes a block of
// samples, so that a filter is loaded for all of them.
//
// One walk from the arguments to the return: each operation says where the
// batch is in its results, and gets static types. A dimension may hold several
// entries for each sample (the rows of a sequence), in the order of the
// samples.
//
//===----------------------------------------------------------------------===//

#include "DenseWork.h"
#include "SampleRewriter.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Support/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace bquant {
#define GEN_PASS_DEF_BATCHTOSAMPLE
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
}

/// Whether the op or its regions read the batch or its size.
bool SampleRewriter::touchesBatch(Operation *op) const {
  auto reads = [&](Value value) {
    return batches.contains(value) || sizes.contains(value);
  };
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(op->getRegions(), above);
  return llvm::any_of(op->getOperands(), reads) || llvm::any_of(above, reads);
}

LogicalResult SampleRewriter::run() {
  if (!func.getBody().hasOneBlock())
    return func.emitError("[batch_to_sample_c1] expected a body of one block, "
                          "but got ")
           << func.getBody().getBlocks().size();
  if (failed(convertArguments()))
    return failure();
  for (Operation &op :
       llvm::make_early_inc_range(func.getBody().front().without_terminator()))
    if (failed(convert(&op)))
      return failure();
  auto end = dyn_cast<func::ReturnOp>(func.getBody().front().getTerminator());
  return end ? convertResults(end) : success();
}

LogicalResult SampleRewriter::convertArguments() {
  for (BlockArgument argument : func.getArguments()) {
    if (!isDynamic(argument.getType()))
      continue;
    std::optional<int64_t> dim = getDynamicDim(argument.getType());
    if (dim != 0 || !isa<RankedTensorType>(argument.getType()))
      return func.emitError("[batch_to_sample_c1] expected the leading "
                            "dimension alone to be dynamic in argument ")
             << argument.getArgNumber() << " of '" << func.getName()
             << "', but got " << argument.getType();
    setBatch(argument, {0, samples});
    func.setArgAttr(argument.getArgNumber(), kBatchName, builder.getUnitAttr());
  }
  return success();
}

LogicalResult SampleRewriter::convertResults(func::ReturnOp op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    const Batch *batch = find(value);
    if (!batch || batch->dim != 0 || batch->rows != samples)
      return op.emitOpError("[batch_to_sample_c3] expected the batch to be the "
                            "leading dimension of result ")
             << index << ", but got " << func.getResultTypes()[index];
    func.setResultAttr(index, kBatchName, builder.getUnitAttr());
  }
  func.setFunctionType(
      builder.getFunctionType(func.getBody().front().getArgumentTypes(),
                              llvm::to_vector(op.getOperandTypes())));
  return success();
}

LogicalResult SampleRewriter::convert(Operation *op) {
  if (!touchesBatch(op)) {
    if (!llvm::any_of(op->getResultTypes(), isDynamic))
      return success();
    return reject(op, "has a dynamic dimension that is not the batch's");
  }
  builder.setInsertionPoint(op);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::DimOp op) { return convertDim(op); })
      .Case<arith::MulIOp, arith::DivSIOp, arith::DivUIOp>(
          [&](auto op) { return convertSize(op); })
      .Case([&](tensor::EmptyOp op) { return convertEmpty(op); })
      .Case([&](linalg::LinalgOp op) { return convertLinalg(op); })
      .Case([&](tensor::PadOp op) { return convertPad(op); })
      .Case([&](tensor::CollapseShapeOp op) { return convertCollapse(op); })
      .Case([&](tensor::ExpandShapeOp op) { return convertExpand(op); })
      .Case([&](tensor::ExtractSliceOp op) { return convertExtract(op); })
      .Case([&](tensor::InsertSliceOp op) { return convertInsert(op); })
      .Case([&](tensor::ConcatOp op) { return convertConcat(op); })
      .Case([&](tensor::CastOp op) { return convertCast(op); })
      .Case<QuantizeOp, DequantizeOp, Conv2DOp, MatmulOp, MaxPool2DOp,
            UnrealizedConversionCastOp>(
          [&](auto op) { return convertBQuant(op); })
      .Default([&](Operation *op) {
        if (OpTrait::hasElementwiseMappableTraits(op) ||
            isa<SignOp, tensor::BitcastOp>(op))
          return convertElementwise(op);
        return reject(op, "is not known to");
      });
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

LogicalResult SampleRewriter::convertDim(tensor::DimOp op) {
  const Batch *batch = find(op.getSource());
  std::optional<int64_t> dim = op.getConstantIndex();
  if (!batch || !dim)
    return reject(op, "chooses a dimension at run time");
  if (*dim == batch->dim)
    sizes[op.getResult()] = batch->rows;
  return success();
}

LogicalResult SampleRewriter::convertSize(Operation *op) {
  auto constantOf = [](Value value) -> std::optional<int64_t> {
    APInt constant;
    if (value.getType().isIndex() &&
        matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    return std::nullopt;
  };
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<arith::MulIOp>(op) && sizes.contains(rhs))
    std::swap(lhs, rhs);
  auto size = sizes.find(lhs);
  std::optional<int64_t> factor = constantOf(rhs);
  if (size == sizes.end() || !factor || *factor < 1)
    return reject(op, "computes with the size of the batch");
  int64_t rows = size->second;
  if (isa<arith::MulIOp>(op) ? llvm::MulOverflow(rows, *factor, rows)
                             : rows % *factor != 0)
    return reject(op, "computes with the size of the batch");
  if (!isa<arith::MulIOp>(op))
    rows /= *factor;
  sizes[op->getResult(0)] = rows;
  return success();
}

LogicalResult SampleRewriter::convertEmpty(tensor::EmptyOp op) {
  std::optional<int64_t> dim = getDynamicDim(op.getType());
  if (!dim)
    return reject(op, "has more than one dynamic dimension");
  Batch batch{*dim, sizes.lookup(op.getDynamicSizes().front())};
  Type type = getSampleType(op.getType(), batch);
  replace(op,
          tensor::EmptyOp::create(builder, op.getLoc(), type, ValueRange())
              .getResult(),
          batch);
  return success();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LogicalResult SampleRewriter::convertLinalg(linalg::LinalgOp op) {
  // Its loops, and what the body reads besides.
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(op->getRegions(), above);
  if (llvm::any_of(above, [&](Value value) {
        return batches.contains(value) || sizes.contains(value);
      }))
    return reject(op, "reads the batch or its size in its body");

  std::optional<unsigned> loop;
  int64_t rows = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    const Batch *batch = find(operand.get());
    if (!batch)
      continue;
    auto expr = dyn_cast<AffineDimExpr>(
        op.getMatchingIndexingMap(&operand).getResult(batch->dim));
    if (!expr)
      return reject(op, "reads several samples at once");
    if (loop && (*loop != expr.getPosition() || rows != batch->rows))
      return reject(op, "combines different samples");
    loop = expr.getPosition();
    rows = batch->rows;
  }
  if (!loop)
    return reject(op, "uses the size of the batch");
  for (OpOperand &operand : op->getOpOperands()) {
    const Batch *batch = find(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(*loop) &&
          !(batch && batch->dim == static_cast<int64_t>(dim)))
        return reject(op, "combines the samples with another dimension");
  }
  if (op.getIteratorTypesArray()[*loop] != utils::IteratorType::parallel)
    return reject(op, "reduces over the batch");
  WalkResult indices = op->walk([&](linalg::IndexOp index) {
    return index.getDim() == *loop ? WalkResult::interrupt()
                                   : WalkResult::advance();
  });
  if (indices.wasInterrupted())
    return reject(op, "depends on the place of a sample in the batch");
  for (OpOperand &init : op.getDpsInitsMutable()) {
    const Batch *batch = find(init.get());
    if (!batch)
      return reject(op, "gives one result for the whole batch");
    if (op.hasPureTensorSemantics())
      setBatch(op.getTiedOpResult(&init), *batch);
  }
  return success();
}

LogicalResult SampleRewriter::convertElementwise(Operation *op) {
  const Batch *batch = nullptr;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    const Batch *other = find(operand);
    if (!other ||
        (batch && (batch->dim != other->dim || batch->rows != other->rows)))
      return reject(op, "combines different samples");
    batch = other;
  }
  if (!batch)
    return reject(op, "uses the size of the batch");
  for (Value result : op->getResults())
    setBatch(result, *batch);
  return success();
}

/// The verifiers let nothing but leading dimensions be dynamic, and in scalars
/// those that stand for them.
LogicalResult SampleRewriter::convertBQuant(Operation *op) {
  std::optional<int64_t> rows;
  for (Value operand : op->getOperands()) {
    const Batch *batch = find(operand);
    if (batch && rows && *rows != batch->rows)
      return reject(op, "combines different samples");
    if (batch)
      rows = batch->rows;
  }
  if (!rows)
    return reject(op, "uses the size of the batch");
  if (auto quantize = dyn_cast<QuantizeOp>(op)) {
    if (quantize.getScheme() &&
        !llvm::is_contained(quantize.getType().getAxes(), 0))
      return reject(op, "solves one set of scalars for the whole batch");
    if (quantize.getThresholds() && find(quantize.getThresholds()))
      return reject(op, "has thresholds for each sample");
  }
  if (auto matmul = dyn_cast<MatmulOp>(op);
      matmul && matmul.getRhs().getType().getRank() == 2 &&
      find(matmul.getRhs()))
    return reject(op, "combines different samples");
  for (Value result : op->getResults()) {
    std::optional<int64_t> dim = getDynamicDim(result.getType());
    if (!dim)
      return reject(op, "gives one result for the whole batch");
    setBatch(result, {*dim, *rows});
  }
  return success();
}

namespace {
struct BatchToSamplePass : bquant::impl::BatchToSampleBase<BatchToSamplePass> {
  using BatchToSampleBase::BatchToSampleBase;

  void runOnOperation() override {
    if (block < 1) {
      getOperation().emitError(
          "expected at least 1 sample in a block, but got ")
          << block.getValue();
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> funcs(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp func : funcs)
      if (!func.isExternal() && !func.isPrivate() &&
          llvm::any_of(func.getArgumentTypes(), isDynamic) &&
          failed(convert(func)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp func) {
    OwningOpRef<func::FuncOp> copy = func.clone();
    if (failed(SampleRewriter(func, 1).run()))
      return failure();
    if (block == 1 || !isMostlyDense(func))
      return success();
    Builder b(&getContext());
    func::FuncOp blocks = *copy;
    blocks.setName((func.getName() + "_block").str());
    blocks->setAttr(
        kBlockName,
        b.getDictionaryAttr(
            {b.getNamedAttr("of", func.getSymNameAttr()),
             b.getNamedAttr("samples", b.getI64IntegerAttr(block))}));
    SymbolTable(getOperation())
        .insert(copy.release(), std::next(func->getIterator()));
    return SampleRewriter(blocks, block).run();
  }
};
} // namespace
