//===- Passes.td - Passes on bquant ops --------------------*- tablegen -*-===//
// In the order of the route.

#ifndef BQUANT_TRANSFORMS_PASSES_TD
#define BQUANT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SolveScalars : Pass<"bquant-solve-scalars"> {
  let summary = "quantized constants to bquant.constant";
  let description = [{
    A `bquant.quantize` of a constant is done at compile time: scalars by the
    scheme's solver (or as stored), planes by the f32 cascade that these scalars
    define, packed into words. The constant is an `arith.constant` of dense
    elements or a dense resource of f32, also behind reshapes and
    `linalg.transpose`. Sets of values that share scalars are solved in
    parallel, on the context's threads; results do not depend on their number.

    ```mlir
    %f = arith.constant dense<[[0.5, -1.5, 1.0], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
    %q = bquant.quantize %f scheme(<ls, 1>)
        : tensor<2x3xf32> -> !bquant.tensor<2x3, 1, axes = [0]>
    ```
    becomes
    ```mlir
    %q = bquant.constant words(dense<[[[5], [3]]]> : tensor<1x2x1xi32>)
        scalars(dense<[[1.0, 2.0]]> : tensor<1x2xf32>)
        : !bquant.tensor<2x3, 1, axes = [0]>
    ```

    An analysis remark states the relative squared error and the angle in
    degrees between the values and what the planes decode to. NaN, Inf and
    missing data are errors at the op; then nothing is changed. Data that is all
    zero gives scalars 0 and a warning.
  }];
  let dependentDialects = ["::bquant::BQuantDialect"];
}

#endif // BQUANT_TRANSFORMS_PASSES_TD
