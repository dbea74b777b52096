//===- BQuantProductInterface.td - Products by kernels -----*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PRODUCTINTERFACE_TD
#define BQUANT_PRODUCTINTERFACE_TD

include "mlir/IR/OpBase.td"

def BQuant_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let cppNamespace = "::bquant";
  let description = [{
    Sums over pairs of elements of inputs and filters, by a kernel. The leading
    loops are those of the results, in their order and the channels last; the
    others are reductions. Each operand but the inits has a map from the loops to
    its leading dimensions. Behind these a filter that lies as its kernel wants
    it has one for the lanes of its block of channels.
  }];
  let methods = [
    InterfaceMethod<"The kernel; null without one, or where nothing implements "
      "it.", "::bquant::KernelAttrInterface", "getKernelInterface">,
    InterfaceMethod<"Of the inputs, then of the filters.",
      "::llvm::SmallVector<::mlir::AffineMap>", "getMaps">,
    InterfaceMethod<"How many operands, the leading ones, are inputs.", "unsigned",
      "getNumInputs">,
    InterfaceMethod<"The operands behind the inputs.", "unsigned",
      "getNumFilters">,
    InterfaceMethod<"What the operands of a step are.", "::bquant::ProductForm",
      "getForm">,
    InterfaceMethod<"The size of each loop; kDynamic where it is not known.",
      "::llvm::SmallVector<int64_t>", "getLoopSizes">,
    InterfaceMethod<"How many loops, the leading ones, are those of the results.",
      "unsigned", "getNumParallelLoops">,
    InterfaceMethod<"Whether the filters lie as the kernel wants them.", "bool",
      "isLaidOut">,
    InterfaceMethod<"Whether an index of an operand counts words of 32 steps of "
      "the last loop of the results.", "bool", "countsWords",
      (ins "unsigned":$operand, "unsigned":$dim)>
  ];
  let extraSharedClassDeclaration = [{
    /// The results' type.
    ::mlir::RankedTensorType getResultTensor() {
      return ::llvm::cast<::mlir::RankedTensorType>(
          $_op->getResult(0).getType());
    }
  }];
}

#endif // BQUANT_PRODUCTINTERFACE_TD
