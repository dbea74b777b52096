//===- TargetDescription.h - What differs between machines ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures that the passes from packing to vectors decide by, found from the
// CPU's features alone. Passes get them through their options.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_TARGETDESCRIPTION_H
#define BQUANT_TARGET_TARGETDESCRIPTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace bquant {

struct TargetDescription {
  /// Of the widest vector registers worth using.
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  /// One instruction multiplies and adds floats, rounding once.
  bool fusesMultiplyAdd = false;
  /// One instruction counts the bits of each 32-bit lane.
  bool countsBitsOfLanes = false;

  /// `features` as LLVM writes them: "+avx2,-avx512f,...".
  static TargetDescription get(llvm::StringRef features);

  /// The strategy that `requested` means here: `auto` is the best one; an error
  /// if it is unknown or this machine lacks what it takes.
  llvm::Expected<std::string> chooseStrategy(llvm::StringRef requested) const;
};

} // namespace bquant

#endif // BQUANT_TARGET_TARGETDESCRIPTION_H
