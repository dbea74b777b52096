//===- Passes.h - Passes on bquant ops --------------------------*- C++ -*-===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace bquant {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_PASSES_H
