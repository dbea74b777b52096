//===- ChannelsLast.cpp - From NCHW to NHWC -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Channels-first convolutions and poolings ask for a channels-last counterpart
// of their operands and results, and ops that do not care (elementwise ops,
// padding, slices, concatenations, fills, quantizations) hand the wish on to
// all they connect. Then one walk builds the counterparts; where a value comes
// from or goes to an op that knows no layout, there is a transpose.
//
//   %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] ...
//   %y = linalg.conv_2d_nchw_fchw ins(%p, %filter) outs(%zero)
//   %z = linalg.generic ... ins(%y)
//
// becomes
//
//   %t = linalg.transpose ins(%x) permutation = [0, 2, 3, 1]
//   %p = tensor.pad %t low[0, 1, 1, 0] high[0, 1, 1, 0] ...
//   %y = linalg.conv_2d_nhwc_fhwc ins(%p, %permuted_filter) outs(%zero)
//   %z = linalg.generic ... ins(%y)
//   %b = linalg.transpose ins(%z) permutation = [0, 3, 1, 2]
//
// Upstream has no pass for it: linalg::transposeConv2D turns filters of NHWC
// convolutions only, and populateDataLayoutPropagationPatterns moves
// linalg.pack and unpack, mostly through generics: each convolution and pooling
// would first have to be wrapped in them, our ops and slices taught to them,
// and packs without tiles turned to transposes behind.

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "ReshapedTransposes.h"
#include "Transposes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace bquant {
#define GEN_PASS_DEF_CHANNELSLAST
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {

/// The most channels of an image.
constexpr int64_t kImageChannels = 4;

/// The type of a channels-last counterpart.
ShapedType permuteType(ShapedType type) {
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), kToLast);
  if (auto binary = dyn_cast<SBTensorType>(type))
    return SBTensorType::get(type.getContext(), shape, binary.getPlanes(),
                             binary.getRatios(), binary.getAxes(),
                             binary.getHasOffset());
  return type.clone(shape);
}

/// A quantization whose scalars and thresholds do not depend on where the
/// channels are, and whose value goes back to float only.
bool canPermute(QuantizeOp op) {
  return (!op.getThresholds() || op.getThresholds().getType().getRank() == 1) &&
         (op.getType().getAxes().empty() ||
          op.getType().getAxes() == ArrayRef<int64_t>{0}) &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<DequantizeOp>);
}

/// Offsets, sizes or pads in the order of a channels-last counterpart.
SmallVector<OpFoldResult> permute(ArrayRef<OpFoldResult> values) {
  return applyPermutation(values, kToLast);
}

class LayoutChange {
public:
  LayoutChange(Operation *root) : root(root), rewriter(root->getContext()) {}

  void run() {
    root->walk([&](Operation *op) {
      if (isSource(op))
        enqueue(op);
    });
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (Operation *op = value.getDefiningOp())
        enqueue(op);
      for (Operation *user : value.getUsers())
        enqueue(user);
    }
    // Chosen before the first one changes: a transpose that moves nothing would
    // link what reads it to what it reads.
    SmallVector<Operation *> linkedOps;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::any_of(getLinked(op),
                       [&](Value value) { return enqueued.contains(value); }))
        linkedOps.push_back(op);
    });
    for (Operation *op : linkedOps)
      convert(op);
    for (Operation *op : llvm::reverse(converted))
      finish(op);
  }

private:
  /// Ops that start it all: they have a layout of their own.
  static bool isSource(Operation *op) {
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
      return transpose.hasPureTensorSemantics() &&
             (transpose.getPermutation() == ArrayRef<int64_t>(kToLast) ||
              transpose.getPermutation() == ArrayRef<int64_t>(kToFirst));
    return isa<linalg::Conv2DNchwFchwOp, linalg::PoolingNchwMaxOp,
               linalg::PoolingNchwSumOp>(op) &&
           cast<linalg::LinalgOp>(op).hasPureTensorSemantics();
  }

  /// More channels of an image: planes are copied in one go, pixels are not.
  static bool addsToImage(tensor::PadOp pad) {
    ArrayRef<int64_t> shape = pad.getResultType().getShape();
    return shape.size() == 4 && shape[1] <= kImageChannels &&
           shape[1] != pad.getSourceType().getDimSize(1);
  }

  /// The values of an op that are channels-last together; none for ops that
  /// know no layout.
  static SmallVector<Value> getLinked(Operation *op) {
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      if (!isSource(op))
        return {};
      if (transpose.getPermutation() == ArrayRef<int64_t>(kToLast))
        return {transpose.getInput()};
      return {transpose->getResult(0)};
    }
    if (isa<linalg::Conv2DNchwFchwOp>(op) && isSource(op))
      return {op->getOperand(0), op->getOperand(1), op->getOperand(2),
              op->getResult(0)};
    if (isSource(op)) // Pooling; its window has no channels.
      return {op->getOperand(0), op->getOperand(2), op->getResult(0)};
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      if (!pad.getConstantPaddingValue() || addsToImage(pad))
        return {};
      return {pad.getSource(), pad.getResult()};
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getSourceType().getRank() != slice.getType().getRank())
        return {};
      return {slice.getSource(), slice.getResult()};
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (insert.getSourceType().getRank() != insert.getType().getRank())
        return {};
      return {insert.getSource(), insert.getDest(), insert.getResult()};
    }
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      if (!fill.hasPureTensorSemantics())
        return {};
      return {fill.getResult(0)};
    }
    if (isa<SignOp>(op))
      return {op->getOperand(0), op->getResult(0)};
    if (auto quantize = dyn_cast<QuantizeOp>(op)) {
      if (!canPermute(quantize))
        return {};
      return {quantize.getInput(), quantize.getResult()};
    }
    if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
      auto quantize = dequantize.getInput().getDefiningOp<QuantizeOp>();
      if (!quantize || !canPermute(quantize))
        return {};
      return {dequantize.getInput(), dequantize.getResult()};
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !isPointwise(generic) || generic.getNumLoops() != 4)
      return {};
    SmallVector<Value> linked(generic.getResults());
    for (OpOperand *input : generic.getDpsInputOperands())
      if (generic.getMatchingIndexingMap(input).isIdentity())
        linked.push_back(input->get());
    return linked;
  }

  void enqueue(Operation *op) {
    for (Value value : getLinked(op)) {
      auto type = dyn_cast<ShapedType>(value.getType());
      if (type && type.hasRank() && type.getRank() == 4 &&
          enqueued.insert(value).second)
        worklist.push_back(value);
    }
  }

  /// Reuses a counterpart, or transposes what an op that knows no layout has
  /// made.
  Value getCounterpart(Value value) {
    Value &counterpart = counterparts[value];
    if (!counterpart) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointAfterValue(value);
      counterpart = createTranspose(rewriter, value.getLoc(), value, kToLast);
    }
    return counterpart;
  }

  void convert(Operation *op);
  void convertPad(tensor::PadOp op);
  void convertSlice(tensor::ExtractSliceOp op);
  void convertInsert(tensor::InsertSliceOp op);
  template <typename To> void convertWindowed(Operation *op, Value second);
  void finish(Operation *op);
  bool readPermuted(OpOperand &use, Value counterpart);

  Operation *root;
  IRRewriter rewriter;
  DenseSet<Value> enqueued;
  SmallVector<Value> worklist;
  DenseMap<Value, Value> counterparts;
  SmallVector<Operation *> converted;
};

void LayoutChange::convertPad(tensor::PadOp op) {
  counterparts[op.getResult()] = tensor::PadOp::create(
      rewriter, op.getLoc(), permuteType(op.getResultType()),
      getCounterpart(op.getSource()), permute(op.getMixedLowPad()),
      permute(op.getMixedHighPad()), op.getConstantPaddingValue(),
      op.getNofold());
}

void LayoutChange::convertSlice(tensor::ExtractSliceOp op) {
  counterparts[op.getResult()] = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(), cast<RankedTensorType>(permuteType(op.getType())),
      getCounterpart(op.getSource()), permute(op.getMixedOffsets()),
      permute(op.getMixedSizes()), permute(op.getMixedStrides()));
}

void LayoutChange::convertInsert(tensor::InsertSliceOp op) {
  counterparts[op.getResult()] = tensor::InsertSliceOp::create(
      rewriter, op.getLoc(), getCounterpart(op.getSource()),
      getCounterpart(op.getDest()), permute(op.getMixedOffsets()),
      permute(op.getMixedSizes()), permute(op.getMixedStrides()));
}

/// A convolution or pooling whose second operand is `second` already.
template <typename To>
void LayoutChange::convertWindowed(Operation *op, Value second) {
  Value first = getCounterpart(op->getOperand(0)),
        init = getCounterpart(op->getOperand(2));
  auto strides = op->getAttrOfType<DenseIntElementsAttr>("strides");
  auto dilations = op->getAttrOfType<DenseIntElementsAttr>("dilations");
  counterparts[op->getResult(0)] =
      To::create(rewriter, op->getLoc(), init.getType(),
                 ValueRange{first, second}, ValueRange{init}, strides,
                 dilations)
          ->getResult(0);
}

void LayoutChange::convert(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    if (transpose.getPermutation() == ArrayRef<int64_t>(kToFirst))
      counterparts[transpose->getResult(0)] = transpose.getInput();
    else
      rewriter.replaceAllUsesWith(transpose->getResult(0),
                                  getCounterpart(transpose.getInput()));
  } else if (isa<linalg::Conv2DNchwFchwOp>(op)) {
    convertWindowed<linalg::Conv2DNhwcFhwcOp>(
        op, getCounterpart(op->getOperand(1)));
  } else if (isa<linalg::PoolingNchwMaxOp>(op)) {
    convertWindowed<linalg::PoolingNhwcMaxOp>(op, op->getOperand(1));
  } else if (isa<linalg::PoolingNchwSumOp>(op)) {
    convertWindowed<linalg::PoolingNhwcSumOp>(op, op->getOperand(1));
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    convertPad(pad);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    convertSlice(slice);
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    convertInsert(insert);
  } else if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Value init = createEmptyLike(rewriter, op->getLoc(),
                                 fill.getDpsInits().front(), kToLast);
    counterparts[fill.getResult(0)] =
        linalg::FillOp::create(rewriter, op->getLoc(), fill.getInputs(), init)
            .getResult(0);
  } else if (isa<SignOp, QuantizeOp, DequantizeOp>(op)) {
    Value result = op->getResult(0);
    Operation *copy = rewriter.clone(*op);
    copy->setOperand(0, getCounterpart(op->getOperand(0)));
    copy->getResult(0).setType(permuteType(cast<ShapedType>(result.getType())));
    counterparts[result] = copy->getResult(0);
  } else {
    auto generic = cast<linalg::GenericOp>(op);
    SmallVector<Value> inputs(generic.getNumDpsInputs());
    for (auto [i, input] : llvm::enumerate(generic.getDpsInputOperands()))
      if (generic.getMatchingIndexingMap(input).isIdentity())
        inputs[i] = getCounterpart(input->get());
    linalg::GenericOp copy =
        permutePointwise(rewriter, generic, kToLast, inputs);
    for (auto [result, counterpart] :
         llvm::zip(generic.getResults(), copy.getResults()))
      counterparts[result] = counterpart;
  }
  converted.push_back(op);
}

/// Lets a generic op that is not elementwise read the counterpart, e.g. a mean
/// over the image; its loops become channels-last where that keeps the order of
/// what it sums.
bool LayoutChange::readPermuted(OpOperand &use, Value counterpart) {
  auto op = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!op || !op.isDpsInput(&use) || op.hasIndexSemantics())
    return false;
  AffineMap map = op.getMatchingIndexingMap(&use);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> results(map.getResults());
  maps[use.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, applyPermutation(results, kToLast),
                     map.getContext());
  rewriter.modifyOpInPlace(op, [&] {
    use.set(counterpart);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  if (map.isIdentity() &&
      op.getIteratorTypesArray()[1] == utils::IteratorType::parallel) {
    rewriter.setInsertionPoint(op);
    unsigned order[] = {0, 2, 3, 1};
    (void)linalg::interchangeGenericOp(rewriter, op, order);
  }
  return true;
}

/// Erases the channels-first op; who still uses it gets the counterpart
/// transposed.
void LayoutChange::finish(Operation *op) {
  for (Value result : op->getResults()) {
    Value counterpart = counterparts.lookup(result);
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
      if (counterpart && isa<RankedTensorType>(counterpart.getType()))
        readPermuted(use, counterpart);
    if (result.use_empty())
      continue;
    rewriter.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(
        result, createTranspose(rewriter, op->getLoc(), counterpart, kToFirst));
  }
  rewriter.eraseOp(op);
}

struct ChannelsLastPass : bquant::impl::ChannelsLastBase<ChannelsLastPass> {
  using ChannelsLastBase::ChannelsLastBase;

  void runOnOperation() override { convertToChannelsLast(getOperation()); }
};

} // namespace

void bquant::convertToChannelsLast(Operation *root) {
  LayoutChange(root).run();
  // What is moved by ops between that know no layout moves once.
  RewritePatternSet patterns(root->getContext());
  populateReshapedTransposePatterns(patterns);
  walkAndApplyPatterns(root, std::move(patterns));
}
