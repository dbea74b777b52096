//===- Passes.td - Conversions from bquant -----------------*- tablegen -*-===//

#ifndef BQUANT_CONVERSION_PASSES_TD
#define BQUANT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // BQUANT_CONVERSION_PASSES_TD
