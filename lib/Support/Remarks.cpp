//===- Remarks.cpp - Remarks of the category "bquant" ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace bquant;

static remark::RemarkOpts getOptions(StringRef name) {
  return remark::RemarkOpts::name(name).category("bquant");
}

remarks::Remark remarks::passed(Location loc, StringRef name) {
  return remark::passed(loc, getOptions(name));
}

remarks::Remark remarks::missed(Location loc, StringRef name) {
  return remark::missed(loc, getOptions(name));
}

remarks::Remark remarks::analysis(Location loc, StringRef name) {
  return remark::analysis(loc, getOptions(name));
}

void remarks::missed(Operation *op, StringRef name, const Twine &reason) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  remark::missed(op->getLoc(), getOptions(name).function(
                                   function ? function.getName() : StringRef()))
      << remark::reason("{0}",
                        (op->getName().getStringRef() + ": " + reason).str());
}
