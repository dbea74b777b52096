//===- Passes.h - Passes on bquant ops --------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H

#include "bquant/Support/Options.h"
#include "mlir/Pass/Pass.h"

namespace bquant {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H
