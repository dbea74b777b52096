//===- Passes.h - Passes on layers ------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_H
#define BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_H

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Support/Options.h"
#include "mlir/Pass/Pass.h"

namespace bquant {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_PASSES_H
