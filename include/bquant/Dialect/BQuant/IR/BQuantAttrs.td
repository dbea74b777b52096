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
  // Ternary has two planes.
  let parameters = (ins EnumParameter<BQuant_SchemeKind>:$kind,
      "int64_t":$planes, "bool":$ternary);
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

def BQuant_Layout : I32Enum<"Layout", "how planes lie in memory",
                            [I32EnumCase<"words", 0>,
                             I32EnumCase<"nibbles", 1>,
                             I32EnumCase<"pairs", 2>,
                             I32EnumCase<"bytes", 3>,
                             I32EnumCase<"octets", 4>,
                             I32EnumCase<"codes", 5>]> {
  let cppNamespace = "::bquant";
}
def BQuant_LayoutAttr : EnumAttr<BQuant_Dialect, BQuant_Layout, "layout"> {
  let description = [{
    Along the last dimension; unused bits are 0.

    - `words`: i32 words, channel c is bit c mod 32 of word c div 32.
    - `nibbles`: i8 bytes, channel c is bit 2 + c mod 4 of byte c div 4: four
      channels n as 4 n, which is a quarter of the offset of the table that they
      pick.
    - `pairs`: words w in an even number, of which each second one is stored as
      the difference from the one before: w0, w0 xor w1, w2, w2 xor w3, ...
    - `bytes`: i8 bytes, channel c is byte c, 0 or 1; rows are whole fours.
    - `octets`: i8 bytes, channel c is bit c mod 8 of byte c div 8.
    - `codes`: i8 bytes, of all planes together, whose scalars are multiples m_i
      of one: channel c is byte c, the sum of m_i where the bit of plane i is 1.
      Rows are whole fours. Nothing is packed into codes.
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
