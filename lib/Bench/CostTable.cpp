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

/// Registers of a step beside the sums, the filters and a row: what it computes
/// on the way, constants, for scalars addresses and counters.
static int64_t getNumTemporaries(StepKind kind,
                                 const TargetDescription &target) {
  switch (kind) {
  case StepKind::PopcountLanes:
    return target.countsBitsOfLanes ? 1 : 4;
  case StepKind::PopcountBytes:
    return target.countsBitsOfBytes ? 1 : 4;
  case StepKind::Table:
  case StepKind::BytePairs:
  case StepKind::Depthwise:
  case StepKind::SumTable:
    return 1;
  case StepKind::WidePairs: // The second filters, inputs and products.
    return 5;
  case StepKind::ByteDots:
  case StepKind::BF16Dots:
    return 0;
  case StepKind::Fma:
    return target.fusesMultiplyAdd ? 0 : 1;
  case StepKind::Scalar:
    return 6;
  }
  llvm_unreachable("unknown kind of step");
}

/// The tiles of a kernel that fit the registers and have enough sums that none
/// waits for itself: an addition takes one cycle, of floats and of products of
/// bytes four on two pipes.
static llvm::SmallVector<Block> getBlocks(StepKind kind,
                                          const TargetDescription &target) {
  bool scalar = kind == StepKind::Scalar;
  bool pairs = kind == StepKind::BytePairs || kind == StepKind::WidePairs;
  int64_t bits = scalar                       ? 64
                 : kind == StepKind::Table    ? target.tableBits
                 : kind == StepKind::SumTable ? target.lanePermuteBits
                 : pairs                      ? target.bytePairBits
                                              : target.vectorBits;
  int64_t most = (scalar ? 16 : target.vectorRegisters) -
                 getNumTemporaries(kind, target) - 1;
  bool adds = kind == StepKind::Fma || kind == StepKind::ByteDots ||
              kind == StepKind::BF16Dots || kind == StepKind::SumTable;
  int64_t least = adds ? 8 : scalar ? 2 : 4;
  llvm::SmallVector<Block> blocks;
  for (int64_t rows : {1, 2, 3, 4, 6})
    for (int64_t registers : {1, 2, 3, 4})
      if (rows * registers >= least && rows * registers + registers <= most)
        blocks.push_back({kind, rows, registers, bits});
  return blocks;
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

static llvm::Expected<Fit> fit(llvm::StringLiteral name, StepKind kind,
                               const Target &target,
                               mlir::MLIRContext *context) {
  std::vector<std::unique_ptr<BareLoop>> loops;
  for (const Block &block : getBlocks(kind, TargetDescription(target))) {
    auto loop = BareLoop::create(block, target, context);
    if (!loop)
      return loop.takeError();
    loops.push_back(std::move(*loop));
  }
  std::vector<Sample> samples;
  samples.reserve(loops.size());
  for (const auto &loop : loops)
    samples.push_back({loop->getBlock().rows, loop->getBlock().registers,
                       std::numeric_limits<double>::max()});
  // Whatever else runs beside a loop makes it slower, never faster; it makes
  // the clock seem slower, too.
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::vector<double>> cycles(loops.size());
    for (int run = 0; run < kRuns; ++run)
      for (auto [loop, values] : llvm::zip_equal(loops, cycles)) {
        double before = measureClockRate();
        double seconds = loop->measure(/*steps=*/5000);
        values.push_back(seconds * std::max(before, measureClockRate()));
      }
    for (auto [sample, values] : llvm::zip_equal(samples, cycles))
      sample.cycles = std::min(sample.cycles, getMedian(std::move(values)));
  }
  StepCosts costs = fitCosts(samples);
  return Fit{name, std::move(samples), costs};
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
  struct Kernel {
    llvm::StringLiteral name;
    StepKind kind;
    /// Of what this machine cannot run.
    StepCosts estimated;
  };
  KernelCosts estimated = estimateKernelCosts(description);
  const Kernel kernels[] = {
      {"popcountLanes", StepKind::PopcountLanes, estimated.popcountLanes},
      {"popcountBytes", StepKind::PopcountBytes, estimated.popcountBytes},
      {"table", StepKind::Table, estimated.table},
      {"byteDots", StepKind::ByteDots, estimated.byteDots},
      {"bytePairs", StepKind::BytePairs, estimated.bytePairs},
      {"widePairs", StepKind::WidePairs, estimated.widePairs},
      {"fma", StepKind::Fma, estimated.fma},
      {"bf16Dots", StepKind::BF16Dots, estimated.bf16Dots},
      {"scalar", StepKind::Scalar, estimated.scalar},
      {"sumTable", StepKind::SumTable, estimated.sumTable}};
  std::vector<Fit> fits;
  for (const Kernel &kernel : kernels) {
    if (!BareLoop::canRun(kernel.kind, target)) {
      fits.push_back({kernel.name, {}, kernel.estimated});
      continue;
    }
    llvm::Expected<Fit> result = fit(kernel.name, kernel.kind, target, context);
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
