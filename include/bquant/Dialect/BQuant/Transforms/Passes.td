//===- Passes.td - Passes on bquant ops --------------------*- tablegen -*-===//
// In the order of the route.

#ifndef BQUANT_TRANSFORMS_PASSES_TD
#define BQUANT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // BQUANT_TRANSFORMS_PASSES_TD
