//===- WorkEstimate.cpp - How long a loop nest takes, roughly -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkEstimate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// Of any machine: two operations a cycle at some 3 GHz.
static constexpr double kNanosecondsOfOperation = .16;
static constexpr int64_t kRegisterBits = 256;

static int64_t countRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  Type element = vector.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(bits * vector.getNumElements(), kRegisterBits);
}

/// Of a loop, in all its dimensions; 1 where nobody knows.
static double countTrips(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || !loop.getLoopLowerBounds())
    return 1;
  double trips = 1;
  for (auto [start, end, step] :
       llvm::zip(*loop.getLoopLowerBounds(), *loop.getLoopUpperBounds(),
                 *loop.getLoopSteps()))
    if (std::optional<APInt> count =
            constantTripCount(start, end, step, /*isSigned=*/true,
                              [](Value, Value, bool) { return std::nullopt; }))
      trips *= count->getZExtValue();
  return trips;
}

/// Operations on registers. What works on whole buffers counts their elements.
static double countOperations(Operation *op) {
  if (op->getNumRegions() != 0) {
    double inside = 0;
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        inside += countOperations(&nested);
    return inside * countTrips(op);
  }
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ViewLikeOpInterface>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return 0;
  int64_t registers = 1;
  bool touchesElements = false;
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      registers = std::max(registers, countRegisters(type));
      // An index may say which part of a buffer: a large one in any case.
      touchesElements |= !isa<MemRefType, IndexType>(type);
    }
  if (!touchesElements) // a copy, a solver
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<MemRefType>(operand.getType());
          type && type.hasStaticShape())
        registers = std::max(registers, type.getNumElements());
  return registers;
}

double bquant::estimateNanoseconds(Operation *op) {
  return countOperations(op) * kNanosecondsOfOperation;
}
