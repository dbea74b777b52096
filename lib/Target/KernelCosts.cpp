//===- KernelCosts.cpp - What the steps of kernels cost -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/KernelCosts.h"
#include "bquant/Target/TargetDescription.h"

using namespace bquant;

/// Vector operations a cycle that every core here does, wide or not.
static constexpr double kVectorPipes = 2;
/// Beside vector operations most of a load's time is hidden; a table needs two
/// in a row, its number and the table.
static constexpr double kLoad = 0.1;
/// Scalar operations a cycle.
static constexpr double kScalarPipes = 3;

KernelCosts bquant::estimateKernelCosts(const TargetDescription &target) {
  auto get = [](double operations, double loadsOfARow = 1) {
    return StepCosts{operations / kVectorPipes, kLoad * loadsOfARow, kLoad};
  };
  // Without the instruction: two nibbles looked up in a table, or sums of
  // neighbouring fields in the register, for 32-bit lanes with more of them.
  bool shuffles = target.byteShuffleBits != 0;
  double countBytes = target.countsBitsOfBytes ? 1 : shuffles ? 6 : 11;
  double countLanes = target.countsBitsOfLanes ? 1 : countBytes + 3;

  KernelCosts costs;
  costs.bits = target.vectorBits;
  costs.popcountLanes = get(2 + countLanes);
  costs.popcountBytes = get(2 + countBytes);
  // Many cores shuffle on one pipe only. Where none does, it is a load for each
  // byte.
  costs.table = get(shuffles ? 2 : double(target.vectorBits) / 8,
                    /*loadsOfARow=*/2);
  costs.byteDots = get(1);
  costs.bytePairs = get(2);
  // Two for the input and three for the filter take them apart; signed bytes
  // stay together.
  costs.widePairs = get(4);
  if (!target.multipliesSignedBytes) {
    costs.widePairs.perRow += get(2).step;
    costs.widePairs.perRegister += get(3).step;
  }
  costs.fma = get(target.fusesMultiplyAdd ? 1 : 2);
  // 5 of 30 positions are an index of registers of 512 bits, 3 one of others;
  // each takes three operations, its table a load.
  double indices = target.lanePermuteBits == 512 ? 6 : 10;
  costs.sumTable = get(3 * indices, /*loadsOfARow=*/indices);
  // Two cycles on one pipe, or a micro-op for each of the two products.
  costs.bf16Dots = get(2);
  costs.scalar = {(2 + (target.countsBitsOfScalars ? 1 : 12)) / kScalarPipes,
                  kLoad, kLoad};
  return costs;
}
