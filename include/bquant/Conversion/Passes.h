//===- Passes.h - Conversions from bquant -----------------------*- C++ -*-===//

#ifndef BQUANT_CONVERSION_PASSES_H
#define BQUANT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace bquant {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "bquant/Conversion/Passes.h.inc"
} // namespace bquant

#endif // BQUANT_CONVERSION_PASSES_H
