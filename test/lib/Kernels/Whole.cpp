//===- Whole.cpp - A whole tile at once -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over all that a tile has, results in tensors, the channels of a block
// interleaved: nothing of a step, of registers or of the channels' order is
// left to the vectorizer.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Kernels/KernelModel.h"
#include "Dialect/Packed/Kernels/WordMeaning.h"
#include "TestKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

namespace {
class WholeTile {
public:
  WholeTile(ImplicitLocOpBuilder &b, ProductOp op)
      : b(b), op(op), kernel(op.getKernelInterface()), form(op.getForm()),
        maps(op.getMaps()), sizes(op.getLoopSizes()) {}

  SmallVector<Value> emit() { return emitLoops(op.getInits()); }

private:
  Value getConstant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  SmallVector<Value> emitLoops(ValueRange results) {
    if (at.size() == sizes.size())
      return emitStep(results);
    auto loop =
        scf::ForOp::create(b, getConstant(0), getConstant(sizes[at.size()]),
                           getConstant(1), results);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
    scf::YieldOp::create(b, emitLoops(loop.getRegionIterArgs()));
    at.pop_back();
    return loop.getResults();
  }

  Value read(unsigned number) {
    Value operand = op->getOperand(number);
    AffineMap map = maps[number];
    unsigned channel = op.getNumParallelLoops() - 1;
    if (int64_t(map.getNumResults()) <
        cast<RankedTensorType>(operand.getType()).getRank())
      map =
          map.insertResult(kernel.getFilterLayout().getLane(
                               b.getAffineDimExpr(channel) % kernel.getBlock()),
                           map.getNumResults());
    SmallVector<Value> indices;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      indices.push_back(affine::AffineApplyOp::create(b, map.getSubMap(i), at));
    return tensor::ExtractOp::create(b, operand, indices);
  }

  SmallVector<Value> emitStep(ValueRange results) {
    unsigned inputs = op.getInputs().size(), filters = op.getFilters().size();
    unsigned inputParts = form.maskedInput ? 2 : 1,
             filterParts = form.maskedFilter ? 2 : 1;
    SmallVector<Value> operands, next(results);
    for (unsigned i = 0; i < inputs + filters; ++i)
      operands.push_back(read(i));
    ArrayRef<Value> place = ArrayRef(at).take_front(op.getNumParallelLoops());
    size_t pair = 0, pairs = op.getNumInputPlanes() * op.getNumFilterPlanes();
    for (unsigned i = 0; i < inputs; i += inputParts)
      for (unsigned j = 0; j < filters; j += filterParts, ++pair)
        for (auto [k, count] : llvm::enumerate(kernel.emitMeaning(
                 b, form, ArrayRef(operands).slice(i, inputParts),
                 ArrayRef(operands).slice(inputs + j, filterParts)))) {
          Value &result = next[k * pairs + pair];
          Value sum = tensor::ExtractOp::create(b, result, place);
          result = tensor::InsertOp::create(
              b, arith::AddIOp::create(b, sum, count), result, place);
        }
    return next;
  }

  ImplicitLocOpBuilder &b;
  ProductOp op;
  KernelAttrInterface kernel;
  ProductForm form;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  SmallVector<Value> at;
};

struct Selection : SelectionModel<Selection, WholeAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &,
                              ExplainFn explain) const {
    return verifyTile(shape, kWordBits, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute, const ProductShape &shape,
                   const TargetDescription &) const {
    return shape.getMacs();
  }

  double getLimitCycles(Attribute, const ProductShape &shape,
                        const TargetDescription &) const {
    return shape.getMacs();
  }
};

struct InnerTile : InnerTileModel<InnerTile, WholeAttr> {
  int64_t getLanes(Attribute attr) const { return get(attr).getChannels(); }

  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr, getLayout(attr),
                     /*parts=*/get(attr).getChannels() % 2 == 0 ? 2 : 1);
  }
  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &form, ValueRange input,
                                 ValueRange filter) const {
    return emitWordCounts(b, form, input, filter);
  }

  FailureOr<SmallVector<Value>> emitTile(Attribute, ImplicitLocOpBuilder &b,
                                         Operation *op) const {
    return WholeTile(b, cast<ProductOp>(op)).emit();
  }
};
} // namespace

void bquant::test::attachWhole(MLIRContext *context) {
  WholeAttr::attachInterface<Selection, InnerTile>(*context);
}
