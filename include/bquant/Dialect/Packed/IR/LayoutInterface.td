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

def Packed_LayoutInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::bquant::packed";
  let description = [{
    How the rows of a plane lie in memory, an encoding of tensors. A row has a bit
    for each channel, an element those of a few consecutive channels; unused bits
    are 0. This is the one definition of a layout: it encodes constants, and writes
    the code that packs and unpacks vectors, and tensors in loops.

    Any attribute that implements it, of any dialect, is a layout. One that is no
    row of bits (`packsPlanes`) needs no more than its elements.
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
    InterfaceMethod<"Whether the or of two elements is the element of the or of their "
      "bits, which a max-pool takes.", "bool", "isBitwise", (ins), "",
      "return true;">,

    InterfaceMethod<"Element `index` of a row whose channels are the bits of `words`, "
      "with zeros after them.", "uint32_t", "encode",
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

#endif // BQUANT_PACKED_LAYOUTINTERFACE_TD
