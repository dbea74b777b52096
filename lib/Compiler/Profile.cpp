//===- Profile.cpp - Where the time of a call goes ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Profile.h"
#include "bquant/Target/ClockRate.h"
#include <chrono>

using namespace bquant;

/// Calls before those that count.
static constexpr int64_t kWarmUps = 3;

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

/// What `report` has at the layer's place.
static void describe(Profile::Layer &layer, llvm::StringRef function,
                     const Report &report, int64_t batch) {
  for (const Report::Layer &facts : report.getLayers()) {
    if (facts.function != function || facts.location != layer.location)
      continue;
    layer.operations +=
        (layer.operations.empty() ? "" : ", ") + facts.operation;
    if (!facts.kernel.empty())
      layer.kernel = llvm::StringRef(facts.kernel).split('<').first.str();
    auto add = [&](std::optional<double> &sum, std::optional<int64_t> cycles) {
      if (cycles)
        sum = sum.value_or(0) + double(*cycles) * double(batch);
    };
    add(layer.estimatedCycles, facts.estimatedCycles);
    add(layer.limitCycles, facts.limitCycles);
  }
}

llvm::Expected<Profile>
Profile::measure(const Program &plain, const Program &clocked,
                 llvm::StringRef function, const Report &report, int64_t batch,
                 int64_t calls,
                 llvm::function_ref<int32_t(const FunctionInfo &)> call) {
  if (calls < 1)
    return llvm::createStringError("expected at least 1 call, but got " +
                                   llvm::Twine(calls));
  if (clocked.getClockedLayers().empty())
    return llvm::createStringError("expected a program that clocks its layers, "
                                   "but got one without clocks");
  const FunctionInfo *functions[2];
  for (auto [program, info] :
       llvm::zip(std::array<const Program *, 2>{&plain, &clocked}, functions)) {
    llvm::Expected<const FunctionInfo *> found = program->find(function);
    if (!found)
      return found.takeError();
    info = *found;
  }

  std::vector<ClockedLayer> layers;
  for (const ClockedLayer &layer : clocked.getClockedLayers())
    if (layer.function == functions[1]->name)
      layers.push_back(layer);
  std::vector<std::vector<double>> layerSeconds(layers.size());
  std::vector<double> seconds[2], rates;
  std::vector<int64_t> before(layers.size());
  for (int64_t i = 0; i < kWarmUps + calls; ++i) {
    for (auto [l, layer] : llvm::enumerate(layers))
      before[l] = *layer.nanoseconds;
    for (int which : {0, 1}) {
      auto start = std::chrono::steady_clock::now();
      if (int32_t code = call(*functions[which]))
        return llvm::createStringError(explainCode(code));
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      if (i >= kWarmUps)
        seconds[which].push_back(time.count());
    }
    rates.push_back(measureClockRate());
    if (i >= kWarmUps)
      for (auto [l, layer] : llvm::enumerate(layers))
        layerSeconds[l].push_back(1e-9 *
                                  double(*layer.nanoseconds - before[l]));
  }

  Profile profile;
  profile.function = functions[0]->name;
  profile.calls = calls;
  profile.plainSeconds = getMedian(seconds[0]);
  profile.clockedSeconds = getMedian(seconds[1]);
  profile.clockRate = getMedian(rates);
  for (auto [layer, times] : llvm::zip_equal(layers, layerSeconds)) {
    Layer &result = profile.layers.emplace_back();
    result.location = layer.location;
    result.seconds = getMedian(times);
    describe(result, profile.function, report, batch);
  }
  return profile;
}

double Profile::getRest() const {
  double rest = clockedSeconds;
  for (const Layer &layer : layers)
    rest -= layer.seconds;
  return std::max(rest, 0.0);
}

std::optional<double> Profile::getLimitShare(const Layer &layer) const {
  if (!layer.limitCycles || layer.seconds == 0)
    return std::nullopt;
  return *layer.limitCycles / (layer.seconds * clockRate);
}
