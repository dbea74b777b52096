//===- BytesChoice.cpp - Where products of bytes are worth it -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BytesChoice.h"
#include "Dialect/Packed/IR/TileSizes.h"
#include "KernelModel.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

static constexpr int64_t kStep = kBytesOfStep;

/// Rows of a tile and registers of its channels: sums, the filter, an element
/// of the input and a product fit 16 registers. Operands of 16 bits are two
/// each.
static constexpr int64_t kRows = 6, kWideRows = 4, kRegisters = 2;

/// Of 512 bits there are 32 registers. More rows read the filter less often,
/// and images whose sides are 7 times a power of 2, or a power, have no rest.
static constexpr int64_t kRowsOf512 = 8;

/// Rows of a tile that takes codes apart in its loop: the filter of all packed
/// steps is in registers beside them.
static constexpr int64_t kRowsOfPacked = 3;

/// The most held steps for which tiles with groups of words are tried.
static constexpr int64_t kMostHeldOfGroups = 4;

/// Rows of a tile, of one register, whose steps take several words: these words
/// and a bias are in registers beside the sums. Of two registers sums would be
/// spilled.
static constexpr int64_t kRowsOfGroups = 8;

/// Rows that share what they interleave of their input.
static constexpr int64_t kRowsOfTaps = 4;

/// Products of bytes that one instruction of a target sums; 0 without any.
static int64_t getMostSummed(const TargetDescription &target) {
  return target.hasByteDotProducts      ? 4
         : target.bytePairBits          ? 2
         : target.multipliesSignedBytes ? 1
                                        : 0;
}

/// The largest magnitude of a filter's byte.
static int64_t getLargestByte(const ProductShape &shape) {
  int64_t most = std::numeric_limits<int8_t>::max();
  return shape.filterLevels <= most ? shape.filterLevels
                                    : (shape.filterLevels + 1) / 2;
}

/// By their values, where these are known.
static WeightsOfLane getWeightsOfLanes(const ProductShape &shape,
                                       int64_t words) {
  if (words <= int64_t(shape.weightsOfLanes.size()))
    return shape.weightsOfLanes[words - 1];
  int64_t most = 2 * words * getLargestByte(shape);
  return {most, most};
}

/// Whether sums of products by a group of words fit 16 bits, started from 0 or
/// from a bias. A bias asks only that their range fits, but the sums of one
/// pair saturate before it is added.
static bool holdsGroup(const ProductShape &shape, int64_t words, bool biased) {
  int64_t most = std::numeric_limits<int16_t>::max();
  auto fits = [&](int64_t words) {
    return shape.inputLevels * getWeightsOfLanes(shape, words).ofSign <= most;
  };
  if (!biased)
    return fits(words);
  return fits(1) && std::numeric_limits<uint8_t>::max() *
                            getWeightsOfLanes(shape, words).magnitudes <=
                        std::numeric_limits<uint16_t>::max();
}

/// Steps whose sums of two products fit 16 bits.
static int64_t countHeld(const ProductShape &shape) {
  int64_t most = std::numeric_limits<int16_t>::max(),
          held = most / (2 * shape.inputLevels * getLargestByte(shape));
  return held > 0 ? held : holdsGroup(shape, /*words=*/1, /*biased=*/false);
}

/// Of registers: no half of one is empty.
static int64_t getBits(const ProductShape &shape,
                       const TargetDescription &target, int64_t summed) {
  int64_t bits = summed == 4 || target.multipliesSignedBytes
                     ? target.vectorBits
                     : target.bytePairBits;
  return bits == 512 && shape.filters <= bits / kWordBits / 2 ? bits / 2 : bits;
}

bool bquant::interleavesBytes(BytesAttr kernel) {
  return kernel.getTaps() &&
         kernel.getChannels() == kernel.getBits() / kByteBits;
}

LogicalResult bquant::verifyBytesProduct(BytesAttr kernel,
                                         const ProductShape &shape,
                                         const TargetDescription &target,
                                         ExplainFn explain) {
  int64_t summed = kernel.getSummed();
  if (summed == kBytesOfPairs) {
    if (!target.hasByteMatrixProducts)
      return explain("expected a target that multiplies two rows of bytes by "
                     "two others (i8mm)");
    if (shape.batches > 1)
      return explain("expected a filter that all rows share");
    if (shape.rows == 1)
      return explain("expected several rows");
  } else if (kernel.getSignedCodes() != target.multipliesSignedBytes)
    return explain("expected a target that multiplies " +
                   Twine(kernel.getSignedCodes()
                             ? "signed bytes (NEON)"
                             : "bytes by signed ones (x86)"));
  if (summed == 4 && (!target.hasByteDotProducts ||
                      (kernel.getBits() != target.vectorBits &&
                       kernel.getBits() != getBits(shape, target, summed))))
    return explain(
        "expected a target with dot products of bytes in registers of " +
        Twine(kernel.getBits()) + " bits (VNNI, dotprod)");
  if (summed < 4 && !kernel.getSignedCodes() &&
      kernel.getBits() > target.bytePairBits)
    return explain("expected a target that adds pairs of products of "
                   "bytes in registers of " +
                   Twine(kernel.getBits()) + " bits");
  if (!shape.constantFilter)
    return explain("expected a constant filter");
  if (!shape.inputLevels || !shape.filterLevels)
    return explain("expected planes whose scalars are multiples of one");
  if (std::max(shape.inputLevels, shape.filterLevels) >
      std::numeric_limits<uint8_t>::max())
    return explain("expected at most 256 codes");
  if (summed == 2 && kernel.getHeld() > countHeld(shape))
    return explain("expected at most " + Twine(countHeld(shape)) +
                   " steps held in 16 bits, but got " +
                   Twine(kernel.getHeld()));
  if (summed == 2 && !holdsGroup(shape, kernel.getGroup(), kernel.getBiased()))
    return explain("expected weights of whose products 16 bits hold the sums "
                   "of " +
                   Twine(kernel.getGroup()) + " words");
  if (shape.paddedInput)
    return explain("expected an image that is not smaller than the filter");
  if (kernel.getLevels() && kernel.getLevels() != shape.filterLevels)
    return explain("expected a filter whose largest code is " +
                   Twine(kernel.getLevels()) + ", but got " +
                   Twine(shape.filterLevels));
  if (summed == 2 && kernel.getHeld() < kernel.getPacked())
    return explain("expected at least " + Twine(kernel.getPacked()) +
                   " steps held in 16 bits, but got " +
                   Twine(kernel.getHeld()));
  if (kernel.getTaps()) {
    if (!shape.lastTaps)
      return explain("expected codes of a channel for each filter");
    if (interleavesBytes(kernel) && shape.filters % kernel.getChannels() != 0)
      return explain("expected a multiple of " + Twine(kernel.getChannels()) +
                     " filters, but got " + Twine(shape.filters));
    return success();
  }
  int64_t step = kStep * kernel.getPacked() * kernel.getWordsOfStep();
  if (shape.channels % step != 0)
    return explain("expected a multiple of " + Twine(step) +
                   " channels, but got " + Twine(shape.channels));
  return verifyTile(shape, kStep, kernel.getChannels(), explain,
                    /*inOne=*/true);
}

static int64_t getLanes(BytesAttr kernel) {
  return kernel.getBits() / kWordBits;
}

static StepCosts getCosts(BytesAttr kernel, const TargetDescription &target) {
  int64_t summed = kernel.getSummed();
  // A step is of eight bytes; two instructions for two rows: the cost of one
  // for each row.
  if (summed == 4 || summed == kBytesOfPairs)
    return target.costs.byteDots;
  if (summed == 2)
    return target.costs.bytePairs;
  return target.costs.widePairs;
}

/// What a step takes where sums of pairs are added up in 16 bits, of that sum:
/// each word one, and those that bring them to 32 bits.
static double getSumsOfStep(BytesAttr kernel) {
  double flush = 1. / kernel.getHeld(), bias = kernel.getBiased() ? .5 : 0;
  return kernel.getGroup() + flush + bias;
}

double bquant::getBytesCycles(BytesAttr kernel, const ProductShape &shape,
                              const TargetDescription &target) {
  // All planes are one.
  ProductShape codes = shape;
  codes.inputPlanes = codes.filterPlanes = 1;
  StepCosts costs = getCosts(kernel, target);
  int64_t words = kernel.getWordsOfStep(),
          steps = shape.taps * llvm::divideCeil(shape.channels, kStep * words);
  if (kernel.getSummed() == 2)
    costs.step *= getSumsOfStep(kernel);
  costs.perRow *= kernel.getGroup();
  costs.perRegister *= words + kernel.getBiased();
  if (int64_t taps = kernel.getTaps()) {
    steps =
        shape.taps / shape.lastTaps * llvm::divideCeil(shape.lastTaps, taps);
    costs.step += target.otherCosts.depthwise.step;
  }
  if (kernel.getPacked() > 1)
    costs.perRegister += target.otherCosts.unpackCodes;
  double cycles =
      countCycles(codes, kernel, steps, /*sums=*/1, costs, target.otherCosts);
  // Values that are known are linalg's bytes, which are not stored in fewer
  // bits.
  if (shape.weightsOfLanes.empty() && !kernel.getTaps() &&
      kernel.getPacked() == 1 && !kernel.getBiased() &&
      shape.filterLevels <= std::numeric_limits<int8_t>::max())
    cycles += target.otherCosts.unpackCodesBefore * steps * words *
              llvm::divideCeil(shape.filters, getLanes(kernel));
  return cycles;
}

double bquant::getBytesLimitCycles(BytesAttr kernel, const ProductShape &shape,
                                   const TargetDescription &target) {
  double sums = kernel.getSummed() == 2
                    ? getSumsOfStep(kernel) / double(kernel.getGroup())
                    : 1;
  if (kernel.getSummed() == kBytesOfPairs)
    sums /= 2;
  return shape.getMacs() / (shape.inputPlanes * shape.filterPlanes) / kStep /
         getLanes(kernel) * getCosts(kernel, target).step * sums;
}

/// Of a depthwise convolution. The taps of the last loop are in equal steps.
/// What rows make of their input they share: most registers are sums, or one
/// row is finished after the other.
static Attribute getTileOfTaps(MLIRContext *context, const ProductShape &shape,
                               const TargetDescription &target, int64_t summed,
                               int64_t held) {
  int64_t taps =
      llvm::divideCeil(shape.lastTaps, llvm::divideCeil(shape.lastTaps, kStep));
  int64_t bits = getBits(shape, target, summed), lanes = bits / kWordBits;
  if (shape.filters % (bits / kByteBits) == 0)
    return BytesAttr::get(context, kRowsOfTaps, bits / kByteBits, bits, summed,
                          held, /*levels=*/0, taps,
                          target.multipliesSignedBytes);
  int64_t registers = std::min<int64_t>(kRegisters,
                                        llvm::divideCeil(shape.filters, lanes)),
          rows = countRegistersOfSums(target.vectorRegisters) / registers;
  // A register of channels has two of sums where it is multiplied by halves.
  if (target.multipliesSignedBytes && summed == 1)
    rows /= 2;
  return BytesAttr::get(context, rows, registers * lanes, bits, summed, held,
                        /*levels=*/0, taps, target.multipliesSignedBytes);
}

/// Of up to `most`. A register has one element of the input: no channels of two
/// groups.
static int64_t chooseChannels(const ProductShape &shape, int64_t most) {
  int64_t sharing = getSharingFilters(shape, kStep);
  return sharing < most && sharing != shape.filters
             ? sharing
             : fitChannels(shape, kStep, most);
}

/// Tiles that widen the sum of a group of words within the step, where few
/// steps can be held in 16 bits. Not for one row, whose time goes into loading
/// the filter: biases make that larger.
static SmallVector<Attribute>
getTilesOfGroups(MLIRContext *context, const ProductShape &shape,
                 const TargetDescription &target) {
  SmallVector<Attribute> tiles;
  int64_t bits = getBits(shape, target, /*summed=*/2),
          channels = chooseChannels(shape, bits / kWordBits);
  for (int64_t group : {2, 3, 4}) {
    bool biased = !holdsGroup(shape, group, /*biased=*/false);
    tiles.push_back(BytesAttr::get(
        context, kRowsOfGroups, channels, bits, /*summed=*/2, /*held=*/1,
        /*levels=*/0, /*taps=*/0, /*signedCodes=*/false, group, biased));
  }
  return tiles;
}

SmallVector<Attribute> bquant::getBytesTiles(MLIRContext *context,
                                             const ProductShape &shape,
                                             const TargetDescription &target) {
  int64_t summed = getMostSummed(target);
  if (!summed)
    summed = 4; // What it would expect is said of this.
  int64_t held = 1;
  if (summed == 2 && shape.inputLevels && shape.filterLevels)
    held = countHeld(shape);
  if (held == 0) {
    held = 1;
    summed = 1;
  }
  int64_t bits = getBits(shape, target, summed);
  // Of NEON's 32 registers 24 are sums, two of each channel where their
  // products are summed by halves.
  bool isSigned = target.multipliesSignedBytes;
  int64_t registers = isSigned && summed == 4 ? 2 * kRegisters : kRegisters,
          most = registers * bits / kWordBits;
  if (shape.lastTaps)
    return {getTileOfTaps(context, shape, target, summed, held)};
  int64_t channels = chooseChannels(shape, most);
  int64_t rows = summed == 1 && !isSigned ? kWideRows
                 : bits == 512            ? kRowsOf512
                                          : kRows;
  if (shape.filters <= bits / kWordBits)
    rows *= kRegisters;
  auto getTile = [&](int64_t rows, int64_t levels) {
    return BytesAttr::get(context, rows, channels, bits, summed, held, levels,
                          /*taps=*/0, isSigned);
  };
  SmallVector<Attribute> tiles{getTile(rows, 0)};
  if (target.hasByteMatrixProducts)
    tiles.push_back(
        BytesAttr::get(context, rows, channels, bits, kBytesOfPairs));
  if (summed == 2 && held <= kMostHeldOfGroups && shape.rows > 1)
    llvm::append_range(tiles, getTilesOfGroups(context, shape, target));
  if (shape.filterLevels && countCodesOfByte(shape.filterLevels))
    tiles.push_back(
        getTile(std::min(shape.rows, kRowsOfPacked), shape.filterLevels));
  return tiles;
}
