//===- Layout.h - The layout of packed planes in memory ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_LAYOUTS_LAYOUT_H
#define BQUANT_DIALECT_PACKED_LAYOUTS_LAYOUT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {
/// Channels in a word.
inline constexpr int64_t kWordBits = 32;
} // namespace bquant

namespace bquant::packed {

/// The layout of the rows of a plane in memory. A row has a bit for each
/// channel, and an element holds those of a few consecutive channels; unused
/// bits are 0. This is the one definition of a layout: it encodes constants,
/// and writes the code that packs vectors, and tensors in loops.
class LayoutModel {
public:
  virtual ~LayoutModel() = default;

  /// Channels in an element.
  int64_t getChannels() const { return channels; }
  mlir::IntegerType getElementType(mlir::MLIRContext *context) const;
  /// Elements that are written together: rows have a multiple of them.
  int64_t getUnit() const { return unit; }
  int64_t getUnitChannels() const { return unit * channels; }
  /// Elements of a row of `channels`.
  int64_t countElements(int64_t channels) const;

  /// Element `index` of a row whose channels are the bits of `words`, with
  /// zeros after them.
  virtual uint32_t encode(llvm::ArrayRef<uint32_t> words, int64_t index) const;

  /// The elements of a row of `channels`, i1 vectors (RowPieces.h) that are
  /// also the bits of the i32 scalars `words`: scalars if an element is a word,
  /// else vectors.
  virtual llvm::SmallVector<mlir::Value>
  packVectors(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange bits,
              mlir::ValueRange words, int64_t channels) const = 0;

  /// A tensor of i1, whose rows fill their elements, in a loop nest that writes
  /// to the tensor of elements `init`.
  virtual mlir::Value packTensor(mlir::ImplicitLocOpBuilder &b,
                                 mlir::Value bits, mlir::Value init) const;

  /// Whether the bits of channels can be had from elements.
  virtual bool canUnpack() const { return false; }

  /// The bits of a row of `channels`, vectors of i1, whose `elements` are
  /// scalars.
  virtual llvm::SmallVector<mlir::Value>
  unpackVectors(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange elements,
                int64_t channels) const;

  /// A tensor of elements, in a loop nest that writes to the tensor of i1
  /// `init`.
  virtual mlir::Value unpackTensor(mlir::ImplicitLocOpBuilder &b,
                                   mlir::Value elements,
                                   mlir::Value init) const;

protected:
  /// `firstBit`: of an element, where the bits of its channels begin.
  LayoutModel(int64_t channels, unsigned width, int64_t unit = 1,
              unsigned firstBit = 0)
      : channels(channels), unit(unit), width(width), firstBit(firstBit) {}

private:
  int64_t channels, unit;
  unsigned width, firstBit;
};

/// A file each in lib/Dialect/Packed/Layouts.
const LayoutModel &getWordsLayout();
const LayoutModel &getPairsLayout();
const LayoutModel &getNibblesLayout();
const LayoutModel &getOctetsLayout();
const LayoutModel &getBytesLayout();
const LayoutModel &getCodesLayout();

} // namespace bquant::packed

#endif // BQUANT_DIALECT_PACKED_LAYOUTS_LAYOUT_H
