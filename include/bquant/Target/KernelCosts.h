//===- KernelCosts.h - What the steps of kernels cost -----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes a tile of a product in steps of the reduction: in each it
// takes one element of the input for every row, one register of the filter for
// every register of channels, and adds to a sum for every pair of them. What a
// step takes is a sum of what these three take, in cycles of the core.
// `bquant-bench --cost-table` measures it.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TARGET_KERNELCOSTS_H
#define BQUANT_TARGET_KERNELCOSTS_H

#include <cstdint>

namespace bquant {

struct TargetDescription;

/// Cycles of a kernel's inner step, none of which is 0.
struct StepCosts {
  /// Of one register of one row: e.g. xor, popcount and add.
  double step;
  /// Of what is done for each row: an element of the input is loaded to all
  /// lanes, or its table.
  double perRow;
  /// Of what is done for each register: the filter is loaded.
  double perRegister;

  /// Of a step of a tile of `rows` by `registers`.
  constexpr double getCycles(int64_t rows, int64_t registers) const {
    return step * double(rows * registers) + perRow * double(rows) +
           perRegister * double(registers);
  }
};

/// Cycles spent outside of inner steps, and those of `depthwise`, an estimate.
/// The others were measured once, on an AVX2 or AVX-512 machine of AMD, and are
/// taken for all.
struct OtherCosts {
  /// Depthwise, a tap a step, two operations a cycle: xor, add, and the load of
  /// both operands.
  StepCosts depthwise = {/*step=*/1, /*perRow=*/0, /*perRegister=*/1};
  /// To put the dots of a pair of planes together with those of the others.
  double combinePlanes = 0.75;
  /// To lay out an element of a filter at run time (Zen 3).
  double layOutElement = 0.4;
  /// To write an element of a layout that nothing else wants.
  double packElement = 0.5;
  /// To count a step of `scalar`: a channel is too little to hide it behind.
  double countScalarStep = 0.7;
  /// Of `table`, to flush a register of sums, which do not all have
  /// accumulators in registers.
  double flushTableSums = 3;
  /// Of `sum_table`, to write an entry.
  double writeTableEntry = 0.25;
  /// Of `octets`, to shuffle a register, and to mask groups that share an
  /// octet.
  double shuffleOctets = 0.5, maskOctets = 0.25;
  /// Of `fma`, until the signs of a register are numbers, where a comparison
  /// makes no mask (Zen 3).
  double expandSigns = 1.5;
  /// Of `bytes`, to take the codes of a register apart: in the loop, and in
  /// front of it, where they are stored and loaded again.
  double unpackCodes = 1.25, unpackCodesBefore = 2.2;
  /// To write a byte to the cache that cores share and to read it again: .08
  /// alone, .2 beside a busy neighbour.
  double passByte = 0.1;
  /// Of a step of any product in one register, at least.
  double leastStep = 0.5;
};

/// The costs of a machine's kernels.
struct KernelCosts {
  /// Bits of the registers that these are steps of.
  int64_t bits;
  /// Popcount in 32-bit lanes: 32 positions of the reduction a step.
  StepCosts popcountLanes;
  /// Popcount in bytes, 8 positions a step; what adds the bytes up from time to
  /// time comes on top, as it does for tables.
  StepCosts popcountBytes;
  /// A byte shuffle in 16 bytes and an add, 4 positions a step, in the widest
  /// registers worth filling with a table.
  StepCosts table;
  /// Products of bytes, 4 positions a step: all of them added to 32-bit lanes;
  /// two, to 16-bit lanes, in the widest registers that do it; and the same of
  /// bytes widened to 16 bits, in two steps for the even and the odd ones.
  StepCosts byteDots;
  StepCosts bytePairs;
  StepCosts widePairs;
  /// A multiplication and addition of f32, one position a step.
  StepCosts fma;
  /// Products of two numbers of bf16 added to f32, two positions a step.
  StepCosts bf16Dots;
  /// Popcount of general registers: 64 positions of one channel a step.
  StepCosts scalar;
  /// A word of the filter, the indices of 30 positions: each is shifted into
  /// place, looked up among the lanes of a register, or two of 512 bits, and
  /// added. The default is for machines that cannot.
  StepCosts sumTable = {60, 1, 1};
};

/// What the features of a machine let expect where nobody has measured:
/// instructions a step over those that a core of its kind does in a cycle.
KernelCosts estimateKernelCosts(const TargetDescription &target);

} // namespace bquant

#endif // BQUANT_TARGET_KERNELCOSTS_H
