//===- BufferizableOpInterfaceImpl.cpp - Layers on buffers ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To its function a layer is one operation that reads inputs and writes inits;
// to its body the operands are memory that is there. So that either can be
// bufferized before the other, the arguments of a body are tensors of the
// buffers, and what it yields is materialized in them:
//
//   %y = bquant_packed.layer "l" ins(%i = %x : tensor<8xf32>)
//                                outs(%o = %e : tensor<8xf32>) {
//     %v = linalg.exp ins(%i) outs(%o)
//     bquant_packed.yield %v : tensor<8xf32>
//   }
//
// becomes
//
//   bquant_packed.layer "l" ins(%i = %x : memref<8xf32>)
//                           outs(%o = %y : memref<8xf32>) {
//     %ti = bufferization.to_tensor %i restrict
//     %to = bufferization.to_tensor %o restrict writable
//     %v = linalg.exp ins(%ti) outs(%to)
//     bufferization.materialize_in_destination %v in restrict writable %o
//   }
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/Transforms/BufferizableOpInterfaceImpl.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace bquant::packed;

/// Whether a body reads what `argument` is, or yields it as it is: its result
/// may lie elsewhere.
static bool isRead(Value argument, const AnalysisState &state) {
  SmallVector<OpOperand *> worklist;
  llvm::SmallPtrSet<OpOperand *, 8> seen;
  auto push = [&](Value value) {
    for (OpOperand &use : value.getUses())
      if (seen.insert(&use).second)
        worklist.push_back(&use);
  };
  push(argument);
  while (!worklist.empty()) {
    OpOperand *use = worklist.pop_back_val();
    if (isa<YieldOp>(use->getOwner()) || state.bufferizesToMemoryRead(*use))
      return true;
    // What aliases it is what was written.
    if (state.bufferizesToMemoryWrite(*use))
      continue;
    for (AliasingValue alias : state.getAliasingValues(*use))
      push(alias.value);
  }
  return false;
}

namespace {
struct LayerOpInterface
    : BufferizableOpInterface::ExternalModel<LayerOpInterface, LayerOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &state) const {
    return isRead(cast<LayerOp>(op).getArgument(operand), state);
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return cast<LayerOp>(op).isDpsInit(&operand);
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    auto layer = cast<LayerOp>(op);
    if (!layer.isDpsInit(&operand) || layer.getNumResults() == 0)
      return {};
    return {{layer.getTiedOpResult(&operand), BufferRelation::Equivalent}};
  }

  // Of an argument of the body: nothing. What the operand is to it the layer's
  // own reads and writes say.
  AliasingOpOperandList getAliasingOpOperands(Operation *op, Value value,
                                              const AnalysisState &) const {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return {};
    return {{cast<LayerOp>(op).getTiedOpOperand(result),
             BufferRelation::Equivalent}};
  }

  bool isWritable(Operation *op, Value value, const AnalysisState &) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return !argument ||
           llvm::is_contained(cast<LayerOp>(op).getInitArguments(), argument);
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto layer = cast<LayerOp>(op);
    auto argument = dyn_cast<BlockArgument>(value);
    Value operand = argument
                        ? layer.getOperandOf(argument).get()
                        : layer.getTiedOpOperand(cast<OpResult>(value))->get();
    if (auto type = dyn_cast<BufferLikeType>(operand.getType()))
      return type;
    return bufferization::getBufferType(operand, options, state,
                                        invocationStack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto layer = cast<LayerOp>(op);
    SmallVector<Value> buffers;
    for (Value operand : layer->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    size_t inputs = layer.getInputs().size();
    auto inits = ArrayRef(buffers).drop_front(inputs);
    auto made = LayerOp::create(rewriter, op->getLoc(), layer.getNameAttr(),
                                ArrayRef(buffers).take_front(inputs), inits);
    made->setDiscardableAttrs(layer->getDiscardableAttrDictionary());
    rewriter.mergeBlocks(layer.getBody(), made.getBody(),
                         getTensors(rewriter, made, layer));
    finishBody(rewriter, made);
    rewriter.setInsertionPointAfter(made);
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }

private:
  /// What the body of `layer` has for arguments, in that of `made`.
  static SmallVector<Value> getTensors(RewriterBase &rewriter, LayerOp made,
                                       LayerOp layer) {
    rewriter.setInsertionPointToStart(made.getBody());
    SmallVector<Value> values;
    for (auto [argument, old] : llvm::zip_equal(
             made.getBody()->getArguments(), layer.getBody()->getArguments())) {
      if (argument.getType() == old.getType()) {
        values.push_back(argument);
        continue;
      }
      bool writable = llvm::is_contained(made.getInitArguments(), argument);
      values.push_back(ToTensorOp::create(rewriter, made.getLoc(),
                                          old.getType(), argument,
                                          /*restrict=*/true, writable));
    }
    return values;
  }

  /// The inits of `layer` whose buffer `value` may be in. What `state` does not
  /// know may be in that of any operand.
  static DenseSet<Value> findPlaces(Value value, LayerOp layer,
                                    const AnalysisState &state) {
    SmallVector<Value> worklist{value};
    DenseSet<Value> seen, places;
    while (!worklist.empty()) {
      Value next = worklist.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (auto origin = next.getDefiningOp<ToTensorOp>()) {
        if (llvm::is_contained(layer.getInitArguments(), origin.getBuffer()))
          places.insert(origin.getBuffer());
        continue;
      }
      if (auto dps = next.getDefiningOp<DestinationStyleOpInterface>()) {
        worklist.push_back(dps.getTiedOpOperand(cast<OpResult>(next))->get());
        continue;
      }
      for (AliasingOpOperand alias : state.getAliasingOpOperands(next))
        worklist.push_back(alias.opOperand->get());
    }
    return places;
  }

  /// Whether the body reads what is in `place`.
  static bool readsPlace(Value place, const AnalysisState &state) {
    return llvm::any_of(place.getUsers(), [&](Operation *user) {
      auto tensor = dyn_cast<ToTensorOp>(user);
      return tensor && isRead(tensor.getResult(), state);
    });
  }

  static void finishBody(RewriterBase &rewriter, LayerOp made) {
    YieldOp yield = made.getYield();
    rewriter.setInsertionPoint(yield);
    // Of all ops: the layer's own options may leave its body out.
    BufferizationOptions allOps;
    AnalysisState state(allOps);
    SmallVector<Value> placed;
    for (auto [value, place] :
         llvm::zip_equal(yield.getValues(), made.getInitArguments())) {
      Value result = value;
      if (auto inner = result.getDefiningOp<MaterializeInDestinationOp>())
        result = inner.getSource();
      // What an init holds is read before that one is written.
      DenseSet<Value> places = findPlaces(result, made, state);
      bool isInPlace = places.erase(place);
      if (!places.empty() || (!isInPlace && readsPlace(place, state)))
        result = AllocTensorOp::create(rewriter, made.getLoc(),
                                       cast<RankedTensorType>(result.getType()),
                                       /*dynamicSizes=*/ValueRange(),
                                       /*copy=*/result);
      placed.push_back(result);
    }
    for (auto [result, place] :
         llvm::zip_equal(placed, made.getInitArguments())) {
      MaterializeInDestinationOp::create(rewriter, made.getLoc(), TypeRange(),
                                         result, place, /*restrict=*/true,
                                         /*writable=*/true);
    }
    rewriter.replaceOpWithNewOp<YieldOp>(yield);
  }
};

/// What is in a layer is bufferized before or after it, not with it.
struct YieldOpInterface
    : BufferizableOpInterface::ExternalModel<YieldOpInterface, YieldOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    return op->emitOpError("expected layers to be bufferized by "
                           "--bquant-bufferize-layers, or to be inlined before "
                           "(--bquant-inline-layers)");
  }
};

/// What an analysis asks, so that a product is written where its result goes;
/// it has no form on buffers.
struct ProductOpInterface
    : DstBufferizableOpInterfaceExternalModel<ProductOpInterface, ProductOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    return op->emitOpError("expected to be decomposed before bufferization "
                           "(--bquant-decompose-packed)");
  }
};
} // namespace

void bquant::packed::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PackedDialect *) {
    LayerOp::attachInterface<LayerOpInterface>(*context);
    ProductOp::attachInterface<ProductOpInterface>(*context);
    YieldOp::attachInterface<YieldOpInterface>(*context);
  });
}
