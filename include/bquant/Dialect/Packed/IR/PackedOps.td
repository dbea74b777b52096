//===- PackedOps.td - Packed values and layers -------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_OPS_TD
#define BQUANT_PACKED_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "bquant/Dialect/Packed/IR/PackedDialect.td"

class Packed_Op<string mnemonic, list<Trait> traits = []>
    : Op<Packed_Dialect, mnemonic, traits>;

def Packed_Dest : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def Packed_LayerOp : Packed_Op<"layer", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    ParentOneOf<["::mlir::func::FuncOp", "GroupOp"]>,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    RecursiveMemoryEffects]> {
  let summary = "a product, what is fused around it, and the packs that follow";
  let description = [{
    What is computed as one: a loop nest, a function, a row of the report, what
    threads share. It stands in a function, not inside of a loop. The body has an argument for each operand, in their order. It
    is isolated: constants and views that it needs are inside of it, but a
    constant tensor that the layer's code does not depend on is an operand, so
    that layers that differ in such constants have one body.

    On tensors an init is a destination; the body yields what is written there, a
    value for each init, and the layer has a result for each:
    ```mlir
    %y = bquant_packed.layer "conv1"
        ins(%in = %x : tensor<1x56x56x2xi32>, %w = %f : tensor<2x3x3x2x32xi32>)
        outs(%out = %e : tensor<1x56x56x2xi32>) {
      ...
      bquant_packed.yield %packed : tensor<1x56x56x2xi32>
    }
    ```
    On buffers (`--bquant-bufferize-layers`) the body writes the inits; there are
    no results, and nothing is yielded:
    ```mlir
    bquant_packed.layer "conv1"
        ins(%in = %x : memref<1x56x56x2xi32>, %w = %f : memref<2x3x3x2x32xi32>)
        outs(%out = %y : memref<1x56x56x2xi32>) {
      ...
    }
    ```
    On buffers an init shares no memory with another operand. Memory effects are
    those on the operands, and what else the body does.

    1. `layer_c1`: there is an init; inits are all tensors or all buffers, and so
       are, scalars apart, all operands; a buffer that is an init is no other operand.
    2. `layer_c2`: results are of the types of the inits if these are tensors; on
       buffers there are none.
    3. `layer_c3`: the body has an argument of the type of each operand.
    4. `layer_c4`: the body yields values of the types of the results.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       Variadic<Packed_Dest>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::StringAttr":$name, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$inits)>
  ];
  let extraClassDeclaration = [{
    /// The argument of the body that stands for `operand`, and the operand that
    /// `argument` stands for.
    ::mlir::BlockArgument getArgument(::mlir::OpOperand &operand) {
      return getBody()->getArgument(operand.getOperandNumber());
    }
    ::mlir::OpOperand &getOperandOf(::mlir::BlockArgument argument) {
      return getOperation()->getOpOperand(argument.getArgNumber());
    }
    ::mlir::Block::BlockArgListType getInitArguments() {
      return getBody()->getArguments().drop_front(getInputs().size());
    }
    YieldOp getYield();
  }];
}

def Packed_YieldOp : Packed_Op<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"LayerOp">]> {
  let summary = "what a layer writes to its inits";
  let description = [{
    On tensors a value for each init of the layer, on buffers nothing.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins)>];
}

def Packed_GroupOp : Packed_Op<"group", [
    NoTerminator, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "layers that threads compute at the same time";
  let description = [{
    Layers on buffers none of which writes what another one reads or writes
    (`--bquant-verify-tiles`): one operation for whatever places buffers, and one
    claim of tiles after another for the threads, with nothing to wait for in
    between.

    ```mlir
    bquant_packed.group {
      bquant_packed.layer "conv1" ins(...) outs(...) { ... }
      bquant_packed.layer "shortcut" ins(...) outs(...) { ... }
    }
    ```

    1. `group_c1`: the body has no arguments and consists of layers on buffers.
  }];
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "attr-dict-with-keyword $region";
  let hasRegionVerifier = 1;
}

include "bquant/Dialect/Packed/IR/PackOps.td"
include "bquant/Dialect/Packed/IR/ProductOp.td"

#endif // BQUANT_PACKED_OPS_TD
