//===- KernelAttrs.td - How products are computed ----------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_KERNELATTRS_TD
#define BQUANT_PACKED_KERNELATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "bquant/Dialect/Packed/IR/KernelInterface.td"
include "bquant/Dialect/Packed/IR/PackedDialect.td"

/// Any attribute that has or promises the interface.
def Packed_KernelAttr : ConfinedAttr<AnyAttr,
    [PromisedAttrInterface<Packed_KernelAttrInterface>]> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Packed_Rows : AttrParameter<"int64_t", "most rows of a tile">;
def Packed_Channels : AttrParameter<"int64_t", "channels of a tile">;
def Packed_RegisterBits : AttrParameter<"int64_t", "bits of a register">;

/// `registers`: the bits that a register may have.
class Packed_KernelBase<string name, string kernelMnemonic,
                        list<int> registers> : AttrDef<Packed_Dialect, name> {
  let mnemonic = kernelMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  string tileVerifier = [{
    /// Constraints 1 and 2 of all kernels.
    static ::llvm::LogicalResult verifyTile(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        int64_t rows, int64_t channels, int64_t bits) {
      return ::bquant::packed::verifyKernelTile(
          emitError, rows, channels, bits, {}] # !interleave(registers, ", ") # [{});
    }
  }];
  let extraClassDeclaration = tileVerifier;
}

/// A kernel that its tile and its registers describe.
class Packed_Kernel<string name, string mnemonic, list<int> registers>
    : Packed_KernelBase<name, mnemonic, registers> {
  let parameters = (ins Packed_Rows:$rows, Packed_Channels:$channels,
                        Packed_RegisterBits:$bits);
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        int64_t rows, int64_t channels, int64_t bits) {
      return verifyTile(emitError, rows, channels, bits);
    }
  }];
}

def Packed_PopcountAttr : Packed_KernelBase<"Popcount", "popcount",
    [128, 256, 512]> {
  let summary = "xor, popcount and add of 32-bit lanes";
  let description = [{
    For registers of `bits` bits in which one instruction counts the bits of each
    field of `counted`: 32, a lane, or 8, a byte. The input's word is broadcast.
    Counts of bytes are added as bytes, at most 31 of them, then to the lanes.

    Selected is what the target has an instruction for. By hand `counted = 8` may
    be given for any: LLVM counts the bits of bytes with others, too.

    ```mlir
    #bquant_packed.popcount<rows = 7, channels = 32, bits = 512>
    #bquant_packed.popcount<rows = 3, channels = 32, bits = 128, counted = 8>
    ```
  }];
  let parameters = (ins Packed_Rows:$rows, Packed_Channels:$channels,
      Packed_RegisterBits:$bits,
      DefaultValuedParameter<"int64_t", "32",
          "bits of a field whose bits one instruction counts">:$counted);
}

def Packed_TableAttr : Packed_Kernel<"Table", "table",
    [128, 256, 512]> {
  let summary = "a shuffle of bytes for four bits of each channel";
  let description = [{
    For registers of `bits` bits whose bytes one instruction looks up in tables
    of 16. Four channels of the input pick one of 16 tables, those of the filter,
    a byte for each output channel, index it: the bits in which they differ. With
    a ternary input mask and sign pick one of 256 tables of dots.

    ```mlir
    #bquant_packed.table<rows = 4, channels = 64, bits = 256>
    ```
  }];
}

def Packed_BytesAttr : Packed_KernelBase<"Bytes", "bytes",
    [128, 256, 512]> {
  let summary = "products of bytes, of all planes at once";
  let description = [{
    Of values whose scalars are multiples of one: a byte of the input is a code,
    unsigned, a byte of the filter a signed one, four of each channel side by
    side. One instruction on registers of `bits` bits adds up `summed` products
    of bytes: 4, into lanes of 32 bits; 2, into lanes of 16 bits, which hold the
    sums of `held` steps; or 1, even and odd bytes widened to 16 bits.

    With `summed` = 8 one instruction multiplies two rows by two channels: eight
    codes (two words) of each, in registers of 128 bits.

    With `signedCodes` it multiplies signed bytes alone, as NEON does, in registers
    of 128 bits: a code is taken less 128, and sums start from what that leaves
    out. `summed` is 4 or 1, each product in 16 bits then.

    With `levels` a byte of the filter holds codes of 1, 2 or 4 bits of several
    steps, of which the largest is `levels`: they are taken apart in the loop,
    for products of few rows. Without, whoever makes the filter does it.

    With `group` n a step takes n words of the filter, whose products a lane of 16
    bits sums. Where it is `biased`, these sums start from what a word behind them
    says, so that they fit: results are that much larger, and their start is less.

    With `taps` each channel has an input of its own (a depthwise convolution): a
    step takes that many elements of each, such as a column of a window, and a
    byte of the filter for each, and brings a channel's bytes side by side.

    ```mlir
    #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>
    #bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, held = 72, levels = 15>
    #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, group = 2, biased = true>
    #bquant_packed.bytes<rows = 6, channels = 32, bits = 512, summed = 4>
    #bquant_packed.bytes<rows = 6, channels = 16, bits = 128, summed = 8>
    #bquant_packed.bytes<rows = 8, channels = 32, bits = 512, summed = 4, taps = 3>
    #bquant_packed.bytes<rows = 4, channels = 8, bits = 128, summed = 1, signedCodes = true>
    ```
  }];
  let parameters = (ins Packed_Rows:$rows, Packed_Channels:$channels,
      Packed_RegisterBits:$bits,
      AttrParameter<"int64_t",
          "products of bytes that one instruction adds up">:$summed,
      DefaultValuedParameter<"int64_t", "1",
          "steps whose sums a lane of 16 bits holds">:$held,
      DefaultValuedParameter<"int64_t", "0",
          "the largest of several codes in a byte of the filter, 0 with one "
          "in each">:$levels,
      DefaultValuedParameter<"int64_t", "0",
          "elements of each channel in a step of a depthwise convolution, 0 of "
          "another product">:$taps,
      DefaultValuedParameter<"bool", "false",
          "whether codes are multiplied less 128, as signed bytes">:$signedCodes,
      DefaultValuedParameter<"int64_t", "1",
          "words of the filter in a step, summed in 16 bits">:$group,
      DefaultValuedParameter<"bool", "false",
          "whether a word of the filter says what these sums start from">:$biased);
  let builders = [AttrBuilder<(ins "int64_t":$rows, "int64_t":$channels,
      "int64_t":$bits, "int64_t":$summed, CArg<"int64_t", "1">:$held,
      CArg<"int64_t", "0">:$levels, CArg<"int64_t", "0">:$taps,
      CArg<"bool", "false">:$signedCodes, CArg<"int64_t", "1">:$group,
      CArg<"bool", "false">:$biased), [{
    return $_get($_ctxt, rows, channels, bits, summed, held, levels, taps,
                 signedCodes, group, biased);
  }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = tileVerifier # [{
    /// Steps whose codes a byte of the filter holds.
    int64_t getPacked() const;
    /// Words of each channel that a step takes.
    int64_t getWordsOfStep() const { return getSummed() == 8 ? 2 : getGroup(); }
  }];
}

def Packed_ScalarAttr : Packed_Kernel<"Scalar", "scalar",
    [64]> {
  let summary = "popcounts of 64-bit integers, one channel after the other";
  let description = [{
    For any machine: `bits` is 64, what one popcount takes.

    ```mlir
    #bquant_packed.scalar<rows = 4, channels = 32, bits = 64>
    ```
  }];
}

def Packed_FmaAttr : Packed_Kernel<"Fma", "fma",
    [128, 256, 512]> {
  let summary = "a multiplication and addition of float lanes";
  let description = [{
    For float inputs, on registers of `bits` bits. The input is broadcast, or of a
    depthwise convolution read by lanes; signs of a filter become +1 and -1 in the
    lanes. A sum has one register from the first step to the last.

    ```mlir
    #bquant_packed.fma<rows = 3, channels = 32, bits = 256>
    ```
  }];
}

def Packed_SumTableAttr : Packed_Kernel<"SumTable", "sum_table",
    [256, 512]> {
  let summary = "sums of a few inputs, looked up by the signs of a filter";
  let description = [{
    For float inputs by signs, on registers of `bits` bits of which one
    instruction picks lanes by the indices in another: 3 inputs have 8 sums with
    signs, a register of 256 bits, and 5 have 32, two registers of 512. The input
    becomes tables of these, the filter indices, as many as fit a word.

    A sum is added up in another order than by other kernels: of `getTerms()`
    channels at a time, (x0 s0 + x1 s1) + x2 s2, which is added to what was before.
    Where channels are no multiple, 0 stands for those that are missing. Planes
    of ratios m have sums of their own, S: m0 S0 + m1 S1 + ..

    ```mlir
    #bquant_packed.sum_table<rows = 1, channels = 64, bits = 256>
    ```
  }];
  let extraClassDeclaration = tileVerifier # [{
    /// Inputs of a sum in a table.
    int64_t getTerms() const { return getBits() == 512 ? 5 : 3; }
    /// Sums in a table.
    int64_t getEntries() const { return int64_t(1) << getTerms(); }
    /// Indices in a word of the filter.
    int64_t getIndices() const { return 32 / getTerms(); }
  }];
}

def Packed_BF16Attr : Packed_Kernel<"BF16", "bf16",
    [128, 512]> {
  let summary = "dot products of pairs of bf16, summed in f32";
  let description = [{
    For inputs and filters of bf16, on registers of `bits` bits: one instruction
    (`vdpbf16ps`, `bfdot`) adds to each f32 the products of two elements, which lie
    side by side in the input and in the filter's lane. In which order it adds the
    two, how it rounds and that it takes denormal numbers for 0 is the machine's:
    sums are not those of `fma` in every bit, nor those of another machine.

    ```mlir
    #bquant_packed.bf16<rows = 6, channels = 64, bits = 512>
    ```
  }];
}

def Packed_DepthwiseAttr : Packed_Kernel<"Depthwise", "depthwise",
    [128, 256, 512]> {
  let summary = "xor and add of bytes, a channel in each";
  let description = [{
    For convolutions whose filters see one channel each, on registers of `bits`
    bits: input and filter are unpacked, a bit to a byte.

    ```mlir
    #bquant_packed.depthwise<rows = 4, channels = 64, bits = 512>
    ```
  }];
}

def Packed_OctetsAttr : Packed_KernelBase<"Octets", "octets",
    [128, 256, 512]> {
  let summary = "xor, popcount and add of bytes, a filter in each";
  let description = [{
    For convolutions of groups of few channels, on registers of `bits` bits. The
    lanes of a register are filters of one or several groups, which read the octets
    of their group; a step takes all of these, `step` of them, at a tap. Groups of
    less than 8 channels share an octet, under a mask.

    ```mlir
    #bquant_packed.octets<rows = 8, channels = 64, bits = 512>
    #bquant_packed.octets<rows = 8, channels = 32, bits = 256, step = 2>
    ```
  }];
  let parameters = (ins Packed_Rows:$rows, Packed_Channels:$channels,
      Packed_RegisterBits:$bits,
      DefaultValuedParameter<"int64_t", "1",
          "octets that a step takes">:$step);
}

#endif // BQUANT_PACKED_KERNELATTRS_TD
