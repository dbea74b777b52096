//===- KernelInterface.td - What a kernel can do ------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_KERNELINTERFACE_TD
#define BQUANT_PACKED_KERNELINTERFACE_TD

include "mlir/IR/OpBase.td"

def Packed_SelectionInterface : AttrInterface<"SelectionAttrInterface"> {
  let cppNamespace = "::bquant::packed";
  let description = [{
    What a kernel is selected by: what it can compute on a target, and what that
    costs there. A query that may be refused fails by an `ExplainFn`
    (`bquant/Support/Explain.h`), which takes a whole message, `expected ..., but got
    ...`. The caller emits it at the operation, as an error or a remark; `silently`
    only asks, and no text is made.
  }];
  let methods = [
    InterfaceMethod<"Fails if it cannot compute a product on a target.",
      "::llvm::LogicalResult", "verifyProduct",
      (ins "const ::bquant::packed::ProductShape &":$shape,
           "const ::bquant::TargetDescription &":$target,
           "::bquant::ExplainFn":$explain)>,
    InterfaceMethod<"Estimated cycles of a product.", "double", "getCycles",
      (ins "const ::bquant::packed::ProductShape &":$shape,
           "const ::bquant::TargetDescription &":$target)>,
    InterfaceMethod<"Cycles of its steps alone, all lanes and bits in use.",
      "double", "getLimitCycles",
      (ins "const ::bquant::packed::ProductShape &":$shape,
           "const ::bquant::TargetDescription &":$target)>
  ];
}

def Packed_KernelAttrInterface
    : AttrInterface<"KernelAttrInterface", [Packed_SelectionInterface]> {
  let cppNamespace = "::bquant::packed";
  let description = [{
    A way to compute `bquant_packed.product`: its counts, or its sums of floats.
    Attributes are the dialect's, what they do is attached by
    lib/Dialect/Packed/Kernels, in three parts: what they are selected by
    (`SelectionAttrInterface`), how filters lie (`FilterLayoutAttrInterface`), and
    the inner tile, which is this interface.

    A tile is at most `getRows()` rows (positions of the input) by
    `getChannels()` output channels. Channels lie in the lanes of registers. A
    step takes `getStepSize()` elements of the input's layout for each row and,
    for each register, the elements of the filter that go with them; it adds to a
    partial sum of each row and register. After at most `getMaxSteps()` steps a
    flush adds the partial sums to accumulators, and behind all steps the
    accumulators are finished to counts, i32 in the order of `getOrder()`, which
    are added to what `getStart` says of the channel's filter. Sums of floats are
    rounded in their order: they have one partial sum, which starts from what the
    product starts from and is the result.

    Elements of a step come as those of the sign, in their order, then those of
    the mask.
  }];
  let methods = [
    InterfaceMethod<"Most rows of a tile.", "int64_t", "getRows">,
    InterfaceMethod<"Channels of a tile.", "int64_t", "getChannels">,
    InterfaceMethod<"Lanes of a register, a channel each.", "int64_t",
      "getLanes">,
    InterfaceMethod<"The channel of a register that each of its lanes has, in sums "
      "and what they start from; nothing: lane by lane.",
      "::llvm::SmallVector<int64_t>", "getOrder", (ins), "", "return {};">,

    InterfaceMethod<"Whether the sums of a row take so many registers that what "
      "follows is computed for it before the next row begins.", "bool",
      "finishesRows", (ins), "", "return false;">,

    InterfaceMethod<"Rows that a step takes together: a partial sum and an accumulator "
      "hold the sums of all of them. `emitInput` gets the elements of the first row, "
      "then of the next one, and `emitFinish` gives results in that order.",
      "int64_t", "getRowsOfStep", (ins), "", "return 1;">,

    // Layouts.
    InterfaceMethod<"How the planes of the input lie; null where it is of floats.",
      "::bquant::packed::LayoutAttrInterface", "getLayout", (ins), "",
      "return ::bquant::packed::WordsLayoutAttr::get($_attr.getContext());">,
    InterfaceMethod<"Channels of the input in an element; of floats more than 1 where "
      "it is tables, whose entries are sums of as many channels with their signs.",
      "int64_t", "getInputChannels", (ins), "",
      [{
        return ::llvm::cast<::bquant::packed::KernelAttrInterface>($_attr)
            .getLayout()
            .getChannels();
      }]>,
    InterfaceMethod<"Whether an input's element is a byte of a channel, which "
      "lies in the channel's lane.", "bool", "isDepthwise", (ins), "",
      "return false;">,
    InterfaceMethod<"Elements, side by side, that a step takes. Rows of the "
      "layout have a multiple of them.", "int64_t", "getStepSize", (ins), "",
      "return 1;">,
    InterfaceMethod<"How filters lie. A step takes the elements that have the channels "
      "of its elements of the input.",
      "::bquant::packed::FilterLayoutAttrInterface", "getFilterLayout">,

    // Meaning.
    InterfaceMethod<"What a step adds to each result of a pair of planes, i32, "
      "from elements of input and filter.",
      "::llvm::SmallVector<::mlir::Value>", "emitMeaning",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form, "::mlir::ValueRange":$input,
           "::mlir::ValueRange":$filter), "", "return {};">,
    InterfaceMethod<"What the results of a product of planes are, by the masks of its "
      "form; nothing if it takes no such masks. Filters whose masks it does not "
      "take have two planes instead.",
      "::std::optional<::bquant::packed::ProductResult>", "getResult",
      (ins "const ::bquant::packed::ProductForm &":$form), "",
      "return ::bquant::packed::ProductResult::Counts;">,
    InterfaceMethod<"What a channel's sum starts from; nothing: 0. `words` are the "
      "filter's words (bits, or four codes each) at the taps of its window, tap by "
      "tap: filters are constant planes without masks then. Whether there is a start does not depend on them.",
      "::std::optional<int64_t>", "getStart",
      (ins "const ::bquant::packed::ProductForm &":$form,
           "::llvm::ArrayRef<uint32_t>":$words), "", "return ::std::nullopt;">,
    InterfaceMethod<"The least and the largest value after `steps` steps of a result that "
      "`emitFinish` gives in 8 or 16 bits.",
      "::std::pair<int64_t, int64_t>", "getRange",
      (ins "const ::bquant::packed::ProductForm &":$form, "int64_t":$steps)>,

    // Code.
    InterfaceMethod<"A whole tile of the product in place of `op`: its results. Fails "
      "for a kernel whose tiles are loops over the steps that follow.",
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "emitTile",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "::mlir::Operation *":$op), "", "return ::mlir::failure();">,
    InterfaceMethod<"The vectors of a partial sum.",
      "::llvm::SmallVector<::mlir::VectorType>", "getPartialTypes",
      (ins "const ::bquant::packed::ProductForm &":$form), "", "return {};">,
    InterfaceMethod<"The vectors of an accumulator.",
      "::llvm::SmallVector<::mlir::VectorType>", "getAccumulatorTypes",
      (ins "const ::bquant::packed::ProductForm &":$form), "", "return {};">,
    InterfaceMethod<"Steps that a partial sum holds: at least 1 of a kernel without "
      "`emitTile`.", "int64_t", "getMaxSteps",
      (ins "const ::bquant::packed::ProductForm &":$form), "", "return 0;">,
    InterfaceMethod<"What all channels of a row share in a step.",
      "::llvm::SmallVector<::mlir::Value>", "emitInput",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form,
           "::mlir::ValueRange":$elements), "", "return {};">,
    InterfaceMethod<"What all rows share in a step, of the elements of a filter: "
      "vectors, or of a bit filter words whose bit `first` is that of lane 0.",
      "::llvm::SmallVector<::mlir::Value>", "emitFilter",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form,
           "::mlir::ValueRange":$elements, "int64_t":$first), "",
      "return ::llvm::SmallVector<::mlir::Value>(elements);">,
    InterfaceMethod<"The partial sum after a step.",
      "::llvm::SmallVector<::mlir::Value>", "emitStep",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form, "::mlir::ValueRange":$partial,
           "::mlir::ValueRange":$input, "::mlir::ValueRange":$filter), "", "return {};">,
    InterfaceMethod<"The accumulators after a flush.",
      "::llvm::SmallVector<::mlir::Value>", "emitFlush",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form,
           "::mlir::ValueRange":$accumulators, "::mlir::ValueRange":$partial), "", "return {};">,
    InterfaceMethod<[{The results of a register behind `steps` steps: of 32 bits, or as signed
      integers of 16 or 8 where these hold whatever so many steps count.}],
      "::llvm::SmallVector<::mlir::Value>", "emitFinish",
      (ins "::mlir::ImplicitLocOpBuilder &":$b,
           "const ::bquant::packed::ProductForm &":$form,
           "::mlir::ValueRange":$accumulators, "int64_t":$steps), "", "return {};">
  ];
  let extraClassDeclaration = [{
    /// Output channels of a block of the filter.
    int64_t getBlock() const { return getFilterLayout().getBlock(); }
    /// Whether it computes products of float inputs.
    bool sumsFloats() const { return !getLayout(); }
    /// Whether these are tables of sums.
    bool readsTables() const { return sumsFloats() && getInputChannels() > 1; }
    /// Whether filters may come as mask and sign.
    bool takesMaskedFilters() const;
    /// Elements of the input that go with an element of the filter.
    int64_t getStepOfElement() const;
    /// Elements of the filter that go with a step.
    int64_t getFilterStepSize() const;
  }];
}

#endif // BQUANT_PACKED_KERNELINTERFACE_TD
