//===- ModuleTarget.cpp - The target that the IR names --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace bquant;

static StringRef getTargetName() {
  return LLVM::LLVMDialect::getTargetAttrName();
}

void bquant::setModuleTarget(ModuleOp module, const Target &target) {
  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect>();
  LLVM::TargetFeaturesAttr features;
  if (!target.features.empty())
    features = LLVM::TargetFeaturesAttr::get(context, target.features);
  module->setAttr(getTargetName(),
                  LLVM::TargetAttr::get(
                      context, StringAttr::get(context, target.triple.str()),
                      StringAttr::get(context, target.cpu), features));
}

FailureOr<std::optional<Target>> bquant::getModuleTarget(Operation *op) {
  while (op && !(isa<ModuleOp>(op) && op->hasAttr(getTargetName())))
    op = op->getParentOp();
  if (!op)
    return std::optional<Target>();
  auto attr = op->getAttrOfType<LLVM::TargetAttr>(getTargetName());
  if (!attr)
    return op->emitError("expected '")
           << getTargetName() << "' to be an #llvm.target, but got "
           << op->getAttr(getTargetName());
  TargetOptions options;
  options.triple = attr.getTriple().str();
  options.cpu = attr.getChip().str();
  if (attr.getFeatures())
    options.features = attr.getFeatures().getFeaturesString();
  llvm::Expected<Target> target = resolveTarget(options);
  if (!target)
    return op->emitError(llvm::toString(target.takeError()));
  return std::optional(std::move(*target));
}

FailureOr<TargetDescription> bquant::getModuleDescription(Operation *op) {
  FailureOr<std::optional<Target>> target = getModuleTarget(op);
  if (failed(target))
    return failure();
  return *target ? TargetDescription(**target) : TargetDescription();
}
