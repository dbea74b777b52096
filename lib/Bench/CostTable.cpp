//===- CostTable.cpp - What the steps of kernels cost here ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bare loop of each kernel runs in tiles of several sizes; three costs are
// fitted to the cycles of their steps.
//
//===----------------------------------------------------------------------===//

#include "CostTable.h"
#include "BareLoop.h"
#include "bquant/Target/ClockRate.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace bquant;
using namespace bquant::bench;
using namespace bquant::packed;

namespace {
/// Cycles of a step of a tile.
struct Sample {
  int64_t rows, registers;
  double cycles;
};

/// A row of what is printed.
struct Fit {
  llvm::StringLiteral name;
  std::vector<Sample> samples;
  StepCosts costs;

  /// The largest share by which a sample differs from the fit.
  double getError() const {
    double error = 0;
    for (const Sample &sample : samples)
      error = std::max(error,
                       std::abs(costs.getCycles(sample.rows, sample.registers) /
                                    sample.cycles -
                                1));
    return error;
  }
};
} // namespace

/// Of each loop: medians of so many runs, of which the least counts.
static constexpr int kRuns = 15, kRounds = 20;

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

namespace {
/// A kernel's way to do a step, as `KernelCosts` has it.
struct Way {
  llvm::StringLiteral name;
  StepCosts KernelCosts::*costs;
  TileFn getTile;
  /// Of a register; 0 on a target that lacks what the step takes.
  int64_t bits;
  /// Registers of a step beside the sums, the filters and a row: what it
  /// computes on the way, constants, for scalars addresses and counters.
  int64_t temporaries;
  /// Sums of which none waits for itself: an addition takes one cycle, of
  /// floats and of products of bytes four on two pipes.
  int64_t least = 4;
};
} // namespace

static llvm::SmallVector<Way> getWays(const TargetDescription &target) {
  int64_t bits = target.vectorBits, permuted = target.lanePermuteBits;
  int64_t ofDots = target.hasByteDotProducts ? bits : 0;
  int64_t ofBF16 = target.hasBF16DotProducts ? bits : 0;
  int64_t ofLanes = target.countsBitsOfLanes ? 1 : 4;
  int64_t ofBytes = target.countsBitsOfBytes ? 1 : 4;
  int64_t ofProducts = target.fusesMultiplyAdd ? 0 : 1;
  // Of bytes in 16 bits: the second filters, inputs and products.
  int64_t ofPairs = 5;
  return {
      {"popcountLanes", &KernelCosts::popcountLanes, getTile<PopcountAttr, 32>,
       bits, ofLanes},
      {"popcountBytes", &KernelCosts::popcountBytes, getTile<PopcountAttr, 8>,
       bits, ofBytes},
      {"table", &KernelCosts::table, getTile<TableAttr>, target.tableBits, 1},
      {"byteDots", &KernelCosts::byteDots, getBytesTile<4>(target), ofDots, 0,
       /*least=*/8},
      {"bytePairs", &KernelCosts::bytePairs,
       getTile<BytesAttr, 2, 1, 0, 0, false, 1, false>, target.bytePairBits, 1},
      {"widePairs", &KernelCosts::widePairs, getBytesTile<1>(target),
       target.multipliesSignedBytes ? bits : target.bytePairBits, ofPairs},
      {"fma", &KernelCosts::fma, getTile<FmaAttr>, bits, ofProducts,
       /*least=*/8},
      {"bf16Dots", &KernelCosts::bf16Dots, getTile<BF16Attr>, ofBF16, 0,
       /*least=*/8},
      {"scalar", &KernelCosts::scalar, getTile<ScalarAttr>, 64, 6,
       /*least=*/2},
      {"sumTable", &KernelCosts::sumTable, getTile<SumTableAttr>, permuted, 1,
       /*least=*/8}};
}

/// Its tiles that fit the registers and have enough sums.
static llvm::SmallVector<KernelAttrInterface>
getTiles(const Way &way, const TargetDescription &target,
         mlir::MLIRContext *context) {
  int64_t most =
      (way.bits == 64 ? 16 : target.vectorRegisters) - way.temporaries - 1;
  llvm::SmallVector<KernelAttrInterface> tiles;
  for (int64_t rows : {1, 2, 3, 4, 6})
    for (int64_t registers : {1, 2, 3, 4}) {
      KernelAttrInterface tile =
          way.getTile(context, rows, registers, way.bits);
      // Blocks of channels follow each other: `scalar` takes one at a time.
      int64_t sums = rows * tile.getBlock() / tile.getLanes();
      if (sums >= way.least && sums + registers <= most)
        tiles.push_back(tile);
    }
  return tiles;
}

/// The costs of least squared relative error, none below a hundredth of a
/// cycle: coordinate descent on a convex function.
static StepCosts fitCosts(llvm::ArrayRef<Sample> samples) {
  constexpr double least = 0.01;
  std::array<double, 3> costs{least, least, least};
  auto getTerm = [](const Sample &sample, int k) {
    double count = k == 0   ? sample.rows * sample.registers
                   : k == 1 ? sample.rows
                            : sample.registers;
    return count / sample.cycles;
  };
  for (int sweep = 0; sweep < 20000; ++sweep)
    for (int k = 0; k < 3; ++k) {
      double along = 0, square = 0;
      for (const Sample &sample : samples) {
        double rest = 1;
        for (int other = 0; other < 3; ++other)
          rest -= costs[other] * getTerm(sample, other);
        along += rest * getTerm(sample, k);
        square += getTerm(sample, k) * getTerm(sample, k);
      }
      costs[k] = std::max(least, costs[k] + along / square);
    }
  return {costs[0], costs[1], costs[2]};
}

static llvm::Expected<Fit> fit(const Way &way, const Target &target,
                               mlir::MLIRContext *context) {
  std::vector<std::unique_ptr<BareLoop>> loops;
  std::vector<Sample> samples;
  for (KernelAttrInterface tile :
       getTiles(way, TargetDescription(target), context)) {
    auto loop = BareLoop::create(tile, target);
    if (!loop)
      return loop.takeError();
    loops.push_back(std::move(*loop));
    samples.push_back({tile.getRows(), tile.getChannels() / tile.getLanes(),
                       std::numeric_limits<double>::max()});
  }
  // Whatever else runs beside a loop makes it slower, never faster; it makes
  // the clock seem slower, too.
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::vector<double>> cycles(loops.size());
    for (int run = 0; run < kRuns; ++run)
      for (auto [loop, values] : llvm::zip_equal(loops, cycles)) {
        double before = measureClockRate();
        double seconds = loop->measure();
        values.push_back(seconds * std::max(before, measureClockRate()));
      }
    for (auto [sample, values] : llvm::zip_equal(samples, cycles))
      sample.cycles = std::min(sample.cycles, getMedian(std::move(values)));
  }
  StepCosts costs = fitCosts(samples);
  return Fit{way.name, std::move(samples), costs};
}

static void printJSON(llvm::ArrayRef<Fit> fits, const Target &target,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  auto print = [&](double value) {
    json.rawValue(
        [&](llvm::raw_ostream &os) { os << llvm::format("%.3f", value); });
  };
  auto printAttribute = [&](llvm::StringRef name, double value) {
    json.attributeBegin(name);
    print(value);
    json.attributeEnd();
  };
  json.object([&] {
    json.attribute("cpu", target.cpu);
    json.attribute("bits", TargetDescription(target).vectorBits);
    for (const Fit &fit : fits)
      json.attributeObject(fit.name, [&] {
        printAttribute("step", fit.costs.step);
        printAttribute("perRow", fit.costs.perRow);
        printAttribute("perRegister", fit.costs.perRegister);
        printAttribute("error", fit.getError());
        json.attributeArray("samples", [&] {
          for (const Sample &sample : fit.samples)
            json.array([&] {
              json.value(sample.rows);
              json.value(sample.registers);
              print(sample.cycles);
            });
        });
      });
  });
}

llvm::Error bench::printCostTable(const Target &target,
                                  mlir::MLIRContext *context,
                                  llvm::raw_ostream &os) {
  TargetDescription description(target);
  KernelCosts estimated = estimateKernelCosts(description);
  std::vector<Fit> fits;
  for (const Way &way : getWays(description)) {
    if (way.bits == 0) {
      fits.push_back({way.name, {}, estimated.*way.costs});
      continue;
    }
    llvm::Expected<Fit> result = fit(way, target, context);
    if (!result)
      return result.takeError();
    fits.push_back(std::move(*result));
  }

  printJSON(fits, target, os);
  os << "\n\nstatic constexpr KernelCosts costs = {\n    /*bits=*/"
     << description.vectorBits;
  for (const Fit &fit : fits)
    os << ",\n    /*" << fit.name << "=*/"
       << llvm::format("{%.2f, %.2f, %.2f}", fit.costs.step, fit.costs.perRow,
                       fit.costs.perRegister);
  os << "};\n";
  return llvm::Error::success();
}
