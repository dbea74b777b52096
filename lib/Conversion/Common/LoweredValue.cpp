//===- LoweredValue.cpp - Where converted values meet others --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoweredValue.h"
#include "Dialect/BQuant/IR/ScaledBinaryUses.h"
#include "Support/Remarks.h"
#include "bquant/Conversion/Passes.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace bquant;

LogicalResult bquant::checkUses(Operation *root, StringRef constraint) {
  auto fail = [&](Location loc, const Twine &what) -> WalkResult {
    return emitError(loc) << "[" << constraint
                          << "] expected scaled-binary values to stay between "
                             "bquant ops, but got "
                          << what;
  };
  WalkResult result =
      root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto function = dyn_cast<FunctionOpInterface>(op))
          if (llvm::any_of(function.getArgumentTypes(), isScaledBinary) ||
              llvm::any_of(function.getResultTypes(), isScaledBinary))
            return fail(op->getLoc(),
                        "one in the signature of '" + function.getName() + "'");
        if (auto arguments = getScaledBinaryArguments(op); !arguments.empty())
          return fail(arguments.front().getLoc(), "a block argument");
        if (misusesScaledBinary(op))
          return fail(op->getLoc(),
                      "one on '" + op->getName().getStringRef() + "'");
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

LoweredValue bquant::getLoweredValue(SBTensorType type, ValueRange values) {
  LoweredValue lowered{type,
                       llvm::to_vector(values.take_front(type.getPlanes())),
                       values[type.getPlanes()], Value()};
  if (type.getHasOffset())
    lowered.offset = values.back();
  return lowered;
}

SmallVector<Value> bquant::flatten(const LoweredValue &lowered) {
  SmallVector<Value> values(lowered.planes);
  values.push_back(lowered.scalars);
  if (lowered.offset)
    values.push_back(lowered.offset);
  return values;
}

void bquant::addLoweredValueConversion(
    TypeConverter &converter, std::function<Type(SBTensorType)> getPlaneType) {
  converter.addConversion([](Type type) { return type; });
  // std::nullopt would mean: not mine, ask the next one.
  converter.addConversion(
      [getPlaneType](SBTensorType type, SmallVectorImpl<Type> &out)
          -> std::optional<LogicalResult> {
        out.append(type.getPlanes(), getPlaneType(type));
        out.push_back(type.getScalarsType());
        if (type.getHasOffset())
          out.push_back(type.getOffsetType());
        return success();
      });
  addLoweredValueMaterializations(converter);
}

void bquant::addLoweredValueMaterializations(TypeConverter &converter) {
  converter.addSourceMaterialization([](OpBuilder &b, Type type, ValueRange in,
                                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(b, loc, type, in).getResult(0);
  });
  converter.addTargetMaterialization([](OpBuilder &b, TypeRange types,
                                        ValueRange in, Location loc,
                                        Type) -> SmallVector<Value> {
    return SmallVector<Value>(
        UnrealizedConversionCastOp::create(b, loc, types, in).getResults());
  });
}

LogicalResult bquant::convertBQuantOps(
    Operation *root, const TypeConverter &converter,
    RewritePatternSet &&patterns,
    function_ref<LogicalResult(Operation *, ExplainFn)> verify,
    ConversionConfig config) {
  // Only our ops are converted: checkUses has seen that no other op has a value
  // to convert.
  DenseSet<Operation *> staying;
  root->walk([&](Operation *op) {
    if (!isa_and_nonnull<BQuantDialect>(op->getDialect()))
      return;
    auto explain = [&](const Twine &message) {
      remarks::missed(op, "not-converted", message);
      return failure();
    };
    if (failed(verifySolvable(op, explain)) ||
        (verify && failed(verify(op, explain))))
      staying.insert(op);
  });
  ConversionTarget target(*root->getContext());
  target.addDynamicallyLegalDialect<BQuantDialect>(
      [&](Operation *op) { return isa<SolveOp>(op) || staying.contains(op); });
  target.addLegalOp<SolveOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(root, target, std::move(patterns), config);
}
