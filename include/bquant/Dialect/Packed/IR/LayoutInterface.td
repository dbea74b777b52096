//===- LayoutInterface.td - What a layout does -------------*- tablegen -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_PACKED_LAYOUTINTERFACE_TD
#define BQUANT_PACKED_LAYOUTINTERFACE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/TensorEncoding.td"

/// The encoding of tensors with its elements. Sizes are held by operations: a slice
/// of a tensor has the encoding of the whole.
class Packed_Encoding<string name>
    : AttrInterface<name, [VerifiableTensorEncoding]> {
  let cppNamespace = "::bquant::packed";
  let extraTraitClassDeclaration = [{
    ::llvm::LogicalResult verifyEncoding(
        ::llvm::ArrayRef<int64_t>, ::mlir::Type elementType,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const {
      return ::bquant::packed::verifyElementType($_attr.getElementType(),
                                                 elementType, emitError);
    }
  }];
}

def Packed_LayoutInterface : Packed_Encoding<"LayoutAttrInterface"> {
  let description = [{
    How the rows of a plane lie in memory, an encoding of tensors. A row has a bit
    for each channel, an element those of a few consecutive channels; unused bits
    are 0. This is the one definition of a layout: it encodes constants, and writes
    the code that packs and unpacks vectors, and tensors in loops.

    Any attribute that implements it, of any dialect, is a layout; a tensor whose
    encoding it is has its elements (`layout_c7`). One that is no
    row of bits (`packsPlanes`) needs no more than its elements; of such, `words`
    are what its channels are made of, codes or numbers.
  }];
  let methods = [
    InterfaceMethod<"Channels in an element.", "int64_t", "getChannels">,
    InterfaceMethod<"The type of an element.", "::mlir::Type",
      "getElementType">,
    InterfaceMethod<"Elements that are written together: rows have a multiple of "
      "them.", "int64_t", "getUnit", (ins), "", "return 1;">,
    InterfaceMethod<"Of an element, where the bits of its channels begin.", "int64_t",
      "getFirstBit", (ins), "", "return 0;">,
    InterfaceMethod<"Whether each plane lies by itself, a bit a channel; else all of a "
      "value's planes lie together, and nothing is packed.", "bool", "packsPlanes",
      (ins), "", "return true;">,
    InterfaceMethod<"Whether bits can be packed into it: it has `packVectors`.", "bool",
      "canPack", (ins), "", [{
        return ::llvm::cast<::bquant::packed::LayoutAttrInterface>($_attr)
            .packsPlanes();
      }]>,
    InterfaceMethod<"Whether the or of two elements is the element of the or of their "
      "bits, which a max-pool takes.", "bool", "isBitwise", (ins), "",
      "return true;">,

    InterfaceMethod<"Words of an element, which `encode` counts one by one.",
      "int64_t", "getWords", (ins), "", "return 1;">,
    InterfaceMethod<"Whether words of an element lie side by side, where rows lie in "
      "lanes.", "bool", "interleavesWords", (ins), "", "return false;">,
    InterfaceMethod<"Word `index` of a row whose channels are the bits of `words`, with "
      "zeros after them: word w of element e is `e * getWords() + w`.",
      "uint32_t", "encode",
      (ins "::llvm::ArrayRef<uint32_t>":$words, "int64_t":$index), "", [{
        return ::bquant::packed::encodeBits($_attr, words, index);
      }]>,
    InterfaceMethod<"The elements of a row of `channels`, i1 vectors that are also the "
      "bits of the i32 scalars `words`: scalars if an element is a word, else "
      "vectors, of powers of two elements, the longest first.",
      "::llvm::SmallVector<::mlir::Value>", "packVectors",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::ValueRange":$bits,
           "::mlir::ValueRange":$words, "int64_t":$channels), "", [{
        llvm_unreachable("a layout that nothing is packed into");
      }]>,
    InterfaceMethod<"A tensor of i1, whose rows fill their elements, in a loop nest that "
      "writes to the tensor of elements `init`.", "::mlir::Value", "packTensor",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::Value":$bits,
           "::mlir::Value":$init), "", [{
        return ::bquant::packed::packBits($_attr, b, bits, init);
      }]>,

    InterfaceMethod<"Whether elements are made of the bits of words at run time: it has "
      "`emitElement`.", "bool", "canEmit", (ins), "", [{
        return ::llvm::cast<::bquant::packed::LayoutAttrInterface>($_attr).canPack();
      }]>,
    InterfaceMethod<"The element of the channels from bit `first` of `word` on, two i32, in "
      "the body of a loop nest.",
      "::mlir::Value", "emitElement",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc, "::mlir::Value":$word,
           "::mlir::Value":$first), "",
      "return ::bquant::packed::emitBits($_attr, b, loc, word, first);">,

    InterfaceMethod<"Whether the bits of channels can be had from elements.", "bool",
      "canUnpack", (ins), "", "return false;">,
    InterfaceMethod<"The bits of a row of `channels`, vectors of i1, whose `elements` are "
      "scalars.", "::llvm::SmallVector<::mlir::Value>", "unpackVectors",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::ValueRange":$elements,
           "int64_t":$channels), "", [{
        llvm_unreachable("a layout that is not unpacked");
      }]>,
    InterfaceMethod<"A tensor of elements, in a loop nest that writes to the tensor of i1 "
      "`init`.", "::mlir::Value", "unpackTensor",
      (ins "::mlir::ImplicitLocOpBuilder &":$b, "::mlir::Value":$elements,
           "::mlir::Value":$init), "", [{
        llvm_unreachable("a layout that is not unpacked");
      }]>
  ];
  let extraSharedClassDeclaration = [{
    /// Channels that are written together.
    int64_t getUnitChannels() const {
      return $_attr.getUnit() * $_attr.getChannels();
    }
    /// Elements of a row of `channels`.
    int64_t countElements(int64_t channels) const {
      return ::llvm::alignTo(::llvm::divideCeil(channels, $_attr.getChannels()),
                             $_attr.getUnit());
    }
  }];
  let extraClassDeclaration = [{
    /// As remarks and reports name it: the last part of its mnemonic.
    ::llvm::StringRef getName() const {
      return getAbstractAttribute().getName().rsplit('.').second;
    }
  }];
}

def Packed_FilterLayoutInterface : Packed_Encoding<"FilterLayoutAttrInterface"> {
  let description = [{
    How a kernel's filters lie in memory: in blocks of output channels, which lie in
    lanes. A filter has output channels along one dimension, those of the input along
    the last one, taps and batches along others:

        [batches..][outputs][taps..][channels]
        -> [batches..][blocks][taps..][elements][lanes of a block]

    Of elements of several words all lanes have the first one, then the second one,
    and so on, in the last dimension, or each lane has its words side by side. Lanes of
    no channel hold 0. Constants are encoded at compile time, other values laid out
    before the layer. A tensor whose encoding it is has its elements (`layout_c7`).
  }];
  let methods = [
    InterfaceMethod<"Output channels of a block: tiles start with one.", "int64_t",
      "getBlock">,
    InterfaceMethod<"Lanes of a block, in whole registers.", "int64_t",
      "getBlockLanes">,
    InterfaceMethod<"Where channel `c` of a block lies among its lanes.",
      "::mlir::AffineExpr", "getLane", (ins "::mlir::AffineExpr":$c), "",
      "return c;">,
    InterfaceMethod<"Channels of the input in an element.", "int64_t",
      "getChannels">,
    InterfaceMethod<"Elements of `channels` channels at one tap.", "int64_t",
      "countElements", (ins "int64_t":$channels)>,
    InterfaceMethod<"The type of an element, or of each of its words.", "::mlir::Type",
      "getElementType">,
    InterfaceMethod<"Words of an element, which `encode` counts one by one.",
      "int64_t", "getWords">,
    InterfaceMethod<"Whether a lane's words lie side by side.", "bool",
      "interleavesWords", (ins), "", "return false;">,
    InterfaceMethod<"Word `index`, of those of all elements, at one tap of an output "
      "channel: the first channels of the input are the bits of `words`, or numbers in "
      "them.",
      "uint32_t", "encode",
      (ins "::llvm::ArrayRef<uint32_t>":$words, "int64_t":$index)>
  ];
  let extraClassDeclaration = [{
    /// The tensor of a filter of `shape`, whose dimension `outputs` has the output
    /// channels.
    ::mlir::RankedTensorType getType(::llvm::ArrayRef<int64_t> shape,
                                     unsigned outputs) const;
    /// The last dimension: the lanes of all words of an element.
    int64_t countLanes() const { return getWords() * getBlockLanes(); }
    /// Where a word of a lane is there.
    ::mlir::AffineExpr getPlace(::mlir::AffineExpr lane, int64_t word) const {
      return interleavesWords() ? lane * getWords() + word
                                : lane + word * getBlockLanes();
    }
  }];
}

#endif // BQUANT_PACKED_LAYOUTINTERFACE_TD
