//===- ModuleTarget.h - The target that the IR names ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `llvm.target = #llvm.target<triple = ..., chip = ..., features = ...>` on the
// module is the one place where a pass learns of the machine.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_MODULETARGET_H
#define BQUANT_TARGET_MODULETARGET_H

#include "bquant/Target/TargetDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace bquant {

/// Puts the target on the module. Loads the LLVM dialect.
void setModuleTarget(mlir::ModuleOp module, const Target &target);

/// The target of the nearest module around `op` that has one; none if no module
/// has. An error at the module if LLVM does not know it.
mlir::FailureOr<std::optional<Target>> getModuleTarget(mlir::Operation *op);

/// What is known of it; of no target nothing.
mlir::FailureOr<TargetDescription> getModuleDescription(mlir::Operation *op);

} // namespace bquant

#endif // BQUANT_TARGET_MODULETARGET_H
