//===- TargetDescription.h - What code is tuned for -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that passes know of machines, as data: which instructions there are
// follows from the features, what they are worth and how large the caches are
// from a table with a row for each CPU family. A strategy never asks for a CPU
// by its name.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_TARGETDESCRIPTION_H
#define BQUANT_TARGET_TARGETDESCRIPTION_H

#include "bquant/Support/Options.h"
#include "bquant/Target/KernelCosts.h"
#include "bquant/Target/TargetMachine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace bquant {

/// A row of the table: what the features do not say.
struct CPUFamily {
  /// Of the row, as LLVM calls its typical member.
  llvm::StringLiteral name;
  llvm::Triple::ArchType arch;
  /// The others that LLVM knows, as -mcpu.
  llvm::ArrayRef<llvm::StringLiteral> members;
  /// Bytes of the data cache of a core, and of the cache behind it that one
  /// core may fill.
  int64_t l1Bytes, l2Bytes;
  /// What kernels cost; null where nobody has measured.
  const KernelCosts *costs = nullptr;
  /// Bits of the widest register in which shuffles by tables from memory are
  /// known to gain.
  int64_t tableBits = safeTableBits;
  /// Where nothing is known of the machine: on some (Zen 4) registers of 512
  /// bits are slower than these.
  static constexpr int64_t safeTableBits = 256;
};

/// The rows, by architecture and age.
llvm::ArrayRef<CPUFamily> getCPUFamilies();

struct TargetDescription {
  /// The table's row; null for a CPU that is not in it.
  const CPUFamily *family = nullptr;
  /// Of the widest vector registers worth using.
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  /// One instruction multiplies and adds floats, rounding once.
  bool fusesMultiplyAdd = false;
  /// One instruction is the maximum of floats that keeps NaN and takes +0 for
  /// more than -0.
  bool maximumKeepsNaN = false;
  /// One instruction counts the bits of each 32-bit lane of a register, or of
  /// each byte.
  bool countsBitsOfLanes = false, countsBitsOfBytes = false;
  /// One instruction counts the bits of a general register.
  bool countsBitsOfScalars = false;
  /// Bits of the widest register whose bytes one instruction looks up in tables
  /// of 16; 0 without any.
  int64_t byteShuffleBits = 0;
  /// The same, of those that are worth filling with a table for a shuffle or
  /// two: 512 bits only where the family says so.
  int64_t tableBits = 0;
  /// Bits of the widest register whose 32-bit lanes one instruction picks by
  /// the indices in another; 0 without any.
  int64_t lanePermuteBits = 0;
  /// Bits of the widest register in which one instruction adds the products of
  /// two bytes, or of two numbers of 16 bits; 0 without any.
  int64_t bytePairBits = 0;
  /// One instruction multiplies signed bytes, to 16 bits each; no other ones.
  bool multipliesSignedBytes = false;
  /// One instruction adds products of four bytes to each 32-bit lane.
  bool hasByteDotProducts = false;
  /// One instruction adds products of eight bytes, with a sign and without, of
  /// two rows and two columns.
  bool hasByteMatrixProducts = false;
  /// One instruction adds products of two numbers of bf16 to each f32 lane.
  bool hasBF16DotProducts = false;
  /// A comparison of lanes gives a mask that is no vector: choosing by bits is
  /// one instruction.
  bool comparesToMasks = false;
  /// There is a unit that multiplies tiles of bytes.
  bool hasByteTiles = false;
  /// As of the family; of an unknown CPU what all of the table have.
  int64_t l1Bytes = 32 << 10, l2Bytes = 256 << 10;
  /// Of kernels in registers of `vectorBits`: the family's, or estimated from
  /// all of the above.
  KernelCosts costs = estimateKernelCosts(*this);
  OtherCosts otherCosts;

  /// A machine of which nothing is known: any that LLVM compiles for.
  TargetDescription() = default;
  explicit TargetDescription(const Target &target);

  int64_t getLanes(int64_t bits) const { return vectorBits / bits; }

  /// The kernels that can be asked for on this machine.
  llvm::SmallVector<Strategy> getStrategies() const;
};

} // namespace bquant

#endif // BQUANT_TARGET_TARGETDESCRIPTION_H
