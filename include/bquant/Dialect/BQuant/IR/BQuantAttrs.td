//===- BQuantAttrs.td - Schemes and layouts ----------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_ATTRS_TD
#define BQUANT_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "bquant/Dialect/BQuant/IR/BQuantDialect.td"

def BQuant_SchemeKind : I32Enum<"SchemeKind", "how scalars are found", [
    I32EnumCase<"ls", 0>, I32EnumCase<"gf", 1>, I32EnumCase<"twn", 2>]> {
  let cppNamespace = "::bquant";
}

def BQuant_SchemeAttr : AttrDef<BQuant_Dialect, "Scheme"> {
  let mnemonic = "scheme";
  let summary = "the rule that finds the scalars from the data";
  let description = [{
    - `<ls, k>`: the k planes of least squared error. `<ls, 1>` is v = mean |x|.
      For up to two planes they are the sign cascade of the scalars; for more,
      those of the nearest of the 2^k values `+-v_1 +- v_2 ..`.
    - `<ls, T>`: ternary, v1 = v2 = v, values -2v, 0, 2v.
    - `<gf, k>`: greedy foldable, v_i = mean |r_i| of the i-th residue.
    - `<twn>`: ternary with a threshold of 0.7 mean |x|, 2v the mean of the |x|
      above it. Its planes are ranks among -threshold, 0 and threshold.

    ```mlir
    #bquant.scheme<ls, 2>
    #bquant.scheme<ls, T>
    #bquant.scheme<gf, 3>
    #bquant.scheme<twn>
    ```
  }];
  let parameters = (ins EnumParameter<BQuant_SchemeKind>:$kind,
      AttrParameter<"int64_t", "planes, two of ternary">:$planes,
      AttrParameter<"bool", "whether it is ternary">:$ternary);
  let assemblyFormat = [{
    `<` custom<Scheme>($kind, $planes, $ternary) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// As the solvers know it.
    ::bquant::quant::Scheme getScheme() const;
    /// Whether all scalars are means of |x|, residues or parts of it: ls of one
    /// plane, gf and twn.
    bool isOfMeans() const;
  }];
}

def BQuant_SolveStep
    : I32Enum<"SolveStep", "a step of a search that threads share",
              [I32EnumCase<"begin", 0>, I32EnumCase<"count", 1>,
               I32EnumCase<"choose", 2>, I32EnumCase<"keep", 3>,
               I32EnumCase<"finish", 4>]> {
  let cppNamespace = "::bquant";
}
def BQuant_SolveStepAttr
    : EnumAttr<BQuant_Dialect, BQuant_SolveStep, "step"> {
  let description = [{
    Of a search for the best split of the sorted magnitudes, in this order:

    - `begin`: guesses from some of the values where it is;
    - `count`: counts and sums the values of a part under thresholds around it;
    - `choose`: between which two of these the split must be, from all parts;
    - `keep`: copies what a part has there;
    - `finish`: goes on with what was copied, few of the values, to the scalars.
  }];
}

#endif // BQUANT_ATTRS_TD
