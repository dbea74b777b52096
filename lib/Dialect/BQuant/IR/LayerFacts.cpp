//===- LayerFacts.cpp - What passes publish of a layer --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace bquant;

StringRef bquant::stringifyLayerArithmetic(LayerArithmetic arithmetic) {
  switch (arithmetic) {
  case LayerArithmetic::Binary:
    return "binary";
  case LayerArithmetic::FloatByBinary:
    return "float by binary";
  case LayerArithmetic::Float:
    return "float";
  case LayerArithmetic::Integer:
    return "integer";
  case LayerArithmetic::Reference:
    return "reference";
  }
  llvm_unreachable("all kinds are covered");
}

std::optional<LayerArithmetic>
bquant::symbolizeLayerArithmetic(StringRef text) {
  return llvm::StringSwitch<std::optional<LayerArithmetic>>(text)
      .Case("binary", LayerArithmetic::Binary)
      .Case("float by binary", LayerArithmetic::FloatByBinary)
      .Case("float", LayerArithmetic::Float)
      .Case("integer", LayerArithmetic::Integer)
      .Case("reference", LayerArithmetic::Reference)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// LayerFactsInterface
//===----------------------------------------------------------------------===//

LayerFactsInterface *LayerFactsInterface::get(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<BQuantDialect>();
  return dialect ? dialect->getRegisteredInterface<LayerFactsInterface>()
                 : nullptr;
}

bool LayerFactsInterface::hasListener() const {
  std::lock_guard<std::mutex> lock(mutex);
  return bool(listener);
}

void LayerFactsInterface::publish(Location loc, const LayerFacts &facts) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (listener)
    listener(loc, facts);
}

LayerListener LayerFactsInterface::setListener(LayerListener next) {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(listener, std::move(next));
}

//===----------------------------------------------------------------------===//
// ScopedLayerListener
//===----------------------------------------------------------------------===//

ScopedLayerListener::ScopedLayerListener(MLIRContext *context,
                                         LayerListener listener) {
  context->loadDialect<BQuantDialect>();
  facts = LayerFactsInterface::get(context);
  previous = facts->setListener(std::move(listener));
}

ScopedLayerListener::~ScopedLayerListener() {
  facts->setListener(std::move(previous));
}
