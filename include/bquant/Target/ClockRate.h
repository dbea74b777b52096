//===- ClockRate.h - How fast this core runs --------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_CLOCKRATE_H
#define BQUANT_TARGET_CLOCKRATE_H

namespace bquant {

/// Cycles a second, now, by additions of which each waits for the one before
/// it; takes some microseconds. An interrupt makes it less: take the most of a
/// few.
double measureClockRate();

} // namespace bquant

#endif // BQUANT_TARGET_CLOCKRATE_H
