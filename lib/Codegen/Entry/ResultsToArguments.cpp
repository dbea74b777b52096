//===- ResultsToArguments.cpp - Results where the caller says -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { ... return %y }
//
// becomes
//
//   func.func @f(%x: tensor<4xf32>, %out: memref<4xf32>) {
//     %place = bufferization.to_tensor %out restrict writable
//     ...
//     %placed = tensor.insert_slice %y into %place[0] [4] [1]
//     bufferization.materialize_in_destination %placed in restrict writable
//     %out return
//   }
//
// Bufferization's analysis sees that the slice is written, but not that the
// materialization writes. The latter copies nothing, unless the slice had to be
// elsewhere.
//
// Upstream's --buffer-results-to-out-params does so after bufferization, when a
// result already has a buffer of its own: with hoist-static-allocs it saves the
// copy where that is an allocation of the function, not where it is a view of
// one or an argument. It keeps no signature in tensors either, which the C
// interface is made of.
//
//===----------------------------------------------------------------------===//

#include "Support/Remarks.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace bquant {
#define GEN_PASS_DEF_RESULTSTOARGUMENTS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

namespace {
/// What can cross the C interface: a dense tensor of a size known now, of whole
/// bytes (i1 is one byte).
bool isExternal(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  // A layout is known to who calls; others may change what the bytes are.
  if (tensor.getEncoding() && !packed::isLayout(tensor.getEncoding()))
    return false;
  Type element = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    return llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth());
  return element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64();
}

/// Whether there are elements, and an i64 can count their bytes.
bool hasAddresses(RankedTensorType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return llvm::none_of(type.getShape(), [&](int64_t size) {
    return size == 0 || llvm::MulOverflow(bytes, size, bytes);
  });
}

class ResultsToArguments
    : public bquant::impl::ResultsToArgumentsBase<ResultsToArguments> {
  void runOnOperation() override {
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(convert(func)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp func) {
    if (func.isExternal())
      return success();
    WalkResult result = func.walk([](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op)) {
        call.emitError("expected a call that can be inlined, but got one of '")
            << call.getCallee() << "'";
        return WalkResult::interrupt();
      }
      if (auto constant = dyn_cast<func::ConstantOp>(op)) {
        constant.emitError("expected functions to be called, but got '")
            << constant.getValue() << "' as a value";
        return WalkResult::interrupt();
      }
      for (Type type : op->getResultTypes())
        if (Type element = getElementTypeOrSelf(type);
            isa<FloatType>(element) &&
            !LLVM::isCompatibleFloatingPointType(element)) {
          op->emitError("expected floats that LLVM computes with, but got ")
              << element;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    // Nobody calls it, nobody can.
    if (func.isPrivate()) {
      func.erase();
      return success();
    }
    if (!func.getBody().hasOneBlock())
      return func.emitError("expected a body of one block, but got ")
             << func.getBody().getBlocks().size();
    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                              func.getResultTypes()))
      if (!isExternal(type))
        return func.emitError("expected arguments and results of public "
                              "function '")
               << func.getName()
               << "' to be tensors of static shape and of f16, bf16, f32, f64, "
                  "i1, i8, i16, i32 or i64, but got "
               << type;

    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                              func.getResultTypes()))
      if (!hasAddresses(cast<RankedTensorType>(type)))
        return func.emitError("expected arguments and results of 1 to "
                              "2^63 - 1 bytes, but got ")
               << type;

    addSignature(func);
    dropSignedness(func);
    // Lowering math ops calls the C library by name: that name must be free.
    std::string inner = (bquant::kInnerPrefix + func.getName()).str();
    if (SymbolTable::lookupSymbolIn(getOperation(), inner))
      return func.emitError("expected no other symbol '") << inner << "'";
    func.setName(inner);
    Builder attrs(func.getContext());
    for (BlockArgument argument : func.getArguments()) {
      func.setArgAttr(argument.getArgNumber(), "bufferization.writable",
                      attrs.getBoolAttr(false));
      func.setArgAttr(argument.getArgNumber(),
                      LLVM::LLVMDialect::getNoAliasAttrName(),
                      attrs.getUnitAttr());
    }

    Block &body = func.getBody().front();
    Operation *end = body.getTerminator();
    OpBuilder start = OpBuilder::atBlockBegin(&body), builder(end);
    NamedAttribute noalias(LLVM::LLVMDialect::getNoAliasAttrName(),
                           attrs.getUnitAttr());
    SmallVector<std::pair<Value, Value>> stores;
    for (Value result : end->getOperands()) {
      auto tensor = cast<RankedTensorType>(result.getType());
      unsigned index = func.getNumArguments();
      if (failed(func.insertArgument(
              index,
              MemRefType::get(tensor.getShape(), tensor.getElementType()),
              attrs.getDictionaryAttr(noalias), result.getLoc())))
        return failure();
      Value out = func.getArgument(index);
      Value place = bufferization::ToTensorOp::create(
          start, result.getLoc(), tensor, out, /*restrict=*/true,
          /*writable=*/true);
      SmallVector<OpFoldResult> zeros(tensor.getRank(), attrs.getIndexAttr(0)),
          ones(tensor.getRank(), attrs.getIndexAttr(1));
      Value placed = tensor::InsertSliceOp::create(
          builder, result.getLoc(), result, place, zeros,
          getAsIndexOpFoldResult(func.getContext(), tensor.getShape()), ones);
      stores.emplace_back(placed, out);
    }
    // Behind all slices, which are read no more then.
    for (auto [placed, out] : stores) {
      auto store = bufferization::MaterializeInDestinationOp::create(
          builder, placed.getLoc(), /*result=*/Type(), placed, out);
      store.setRestrict(true);
      store.setWritable(true);
    }
    end->setOperands({});
    if (failed(func.eraseResults(BitVector(func.getNumResults(), true))))
      return failure();
    return success();
  }

  /// Arguments of unsigned integers that are only read as signless ones, by
  /// tensor.bitcast, become these, and so do results that are made of them so:
  /// bufferization knows no such cast. The signature keeps the type.
  void dropSignedness(func::FuncOp func) {
    for (BlockArgument argument : func.getArguments()) {
      auto type = cast<RankedTensorType>(argument.getType());
      auto integer = dyn_cast<IntegerType>(type.getElementType());
      if (!integer || integer.isSignless())
        continue;
      Type signless =
          type.clone(IntegerType::get(func.getContext(), integer.getWidth()));
      auto casts = llvm::to_vector(argument.getUsers());
      if (!llvm::all_of(casts, [&](Operation *user) {
            return isa<tensor::BitcastOp>(user) &&
                   user->getResult(0).getType() == signless;
          }))
        continue;
      argument.setType(signless);
      for (Operation *cast : casts) {
        cast->getResult(0).replaceAllUsesWith(argument);
        cast->erase();
      }
    }
    Operation *end = func.getBody().front().getTerminator();
    for (OpOperand &result : end->getOpOperands()) {
      auto cast = result.get().getDefiningOp<tensor::BitcastOp>();
      if (!cast || getElementTypeOrSelf(cast.getType()).isSignlessInteger() ||
          !getElementTypeOrSelf(cast.getSource().getType()).isSignlessInteger())
        continue;
      result.set(cast.getSource());
      if (cast->use_empty())
        cast->erase();
    }
    func.setFunctionType(FunctionType::get(func.getContext(),
                                           func.getBody().getArgumentTypes(),
                                           end->getOperandTypes()));
  }

  /// bquant.signature = {inputs = [{name = "x", type = tensor<..>}], outputs =
  /// ..}; what has a batch has a dynamic leading dimension there, and state
  /// says its `initial` value and what it `updates`.
  void addSignature(func::FuncOp func) {
    Builder b(func.getContext());
    auto entry = [&](DictionaryAttr given, const char *fallback, size_t index,
                     Type type) -> Attribute {
      if (given && given.contains(bquant::kBatchName)) {
        auto tensor = cast<RankedTensorType>(type);
        SmallVector<int64_t> shape(tensor.getShape());
        shape.front() = ShapedType::kDynamic;
        type = tensor.clone(shape);
      }
      StringAttr name;
      if (given)
        name = given.getAs<StringAttr>(bquant::kArrayName);
      if (!name)
        name = b.getStringAttr(fallback + Twine(index));
      NamedAttrList attrs;
      attrs.append("name", name);
      attrs.append("type", TypeAttr::get(type));
      if (Attribute initial = given ? given.get(bquant::kInitialName) : nullptr)
        attrs.append("initial", initial);
      if (Attribute updated = given ? given.get(bquant::kUpdatesName) : nullptr)
        attrs.append("updates", updated);
      return attrs.getDictionary(b.getContext());
    };
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (auto updated =
              func.getResultAttrOfType<IntegerAttr>(i, bquant::kUpdatesName))
        bquant::remarks::analysis(func.getLoc(), "state")
            << llvm::formatv("input {0} is state of {1}, and output {2} its "
                             "next value",
                             updated.getInt(), type, i)
                   .str();
    SmallVector<Attribute> inputs, outputs;
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
      inputs.push_back(entry(func.getArgAttrDict(i), "input", i, type));
      func.removeArgAttr(i, bquant::kArrayName);
      func.removeArgAttr(i, bquant::kBatchName);
      func.removeArgAttr(i, bquant::kInitialName);
    }
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      outputs.push_back(entry(func.getResultAttrDict(i), "output", i, type));
    func->setAttr(bquant::kSignatureName,
                  b.getDictionaryAttr(
                      {b.getNamedAttr("inputs", b.getArrayAttr(inputs)),
                       b.getNamedAttr("name", func.getSymNameAttr()),
                       b.getNamedAttr("outputs", b.getArrayAttr(outputs))}));
  }
};
} // namespace
