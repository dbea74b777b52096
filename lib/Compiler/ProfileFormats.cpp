//===- ProfileFormats.cpp - The profile as text, JSON and HTML ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTML.h"
#include "JSON.h"
#include "ReportValues.h"
#include "bquant/Compiler/Profile.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace bquant;
namespace json = llvm::json;

static constexpr int kBarWidth = 20;

static std::string formatMilliseconds(double seconds) {
  return llvm::formatv("{0:F3}", 1e3 * seconds);
}

/// "conv1: quantize, conv_2d"; what is no layer of the report has a place only.
static std::string formatName(const Profile::Layer &layer) {
  std::string place = layer.location.empty() ? "-" : layer.location;
  return layer.operations.empty() ? place : place + ": " + layer.operations;
}

static std::string formatCycles(std::optional<double> cycles) {
  return cycles ? formatNumber(int64_t(*cycles)) : "";
}

std::string Profile::toText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv(
      "{0}: {1} ms a call, with clocks {2} ms; medians of {3} calls at {4:F2} "
      "GHz\n",
      function, formatMilliseconds(plainSeconds),
      formatMilliseconds(clockedSeconds), calls, 1e-9 * clockRate);
  os << "       ms    share  of limit  kernel          "
        "                      layer\n";
  double most = getRest();
  for (const Layer &layer : layers)
    most = std::max(most, layer.seconds);
  auto printRow = [&](double seconds, llvm::StringRef limit,
                      llvm::StringRef kernel, llvm::StringRef name) {
    std::string bar(most == 0 ? 0 : std::lround(kBarWidth * seconds / most),
                    '#');
    os << llvm::formatv("{0,9}  {1,7}  {2,8}  {3,-14}  {4,-20}  {5}\n",
                        formatMilliseconds(seconds),
                        formatShare(getShare(seconds)), limit, kernel, bar,
                        name);
  };
  for (const Layer &layer : layers) {
    auto limit = getLimitShare(layer);
    printRow(layer.seconds, limit ? formatShare(*limit) : "", layer.kernel,
             formatName(layer));
  }
  printRow(getRest(), "", "", "(outside of layers)");
  return text;
}

std::string Profile::toJSON() const {
  json::Array all;
  for (const Layer &layer : layers) {
    json::Object object{{"location", toValue(layer.location)},
                        {"operations", toValue(layer.operations)},
                        {"kernel", toValue(layer.kernel)},
                        {"seconds", layer.seconds},
                        {"share", getShare(layer.seconds)}};
    if (layer.estimatedCycles)
      object["estimated_cycles"] = *layer.estimatedCycles;
    if (layer.limitCycles)
      object["limit_cycles"] = *layer.limitCycles;
    if (auto share = getLimitShare(layer))
      object["limit_share"] = *share;
    all.push_back(std::move(object));
  }
  json::Value value(json::Object{{"function", toValue(function)},
                                 {"calls", calls},
                                 {"seconds", plainSeconds},
                                 {"clocked_seconds", clockedSeconds},
                                 {"rest_seconds", getRest()},
                                 {"clock_rate", clockRate},
                                 {"layers", std::move(all)}});
  return llvm::formatv("{0:2}\n", value).str();
}

std::string Profile::toHTML() const {
  std::string body;
  llvm::raw_string_ostream os(body);
  os << llvm::formatv("<p>{0} ms a call, with clocks {1} ms; medians of {2} "
                      "calls at {3:F2} GHz</p>\n<table>\n",
                      formatMilliseconds(plainSeconds),
                      formatMilliseconds(clockedSeconds), calls,
                      1e-9 * clockRate);
  printHead(os, {"where", "layer", "kernel", "ms", "of all time", "",
                 "estimated cycles", "of the limit"});
  auto printRow = [&](double seconds, llvm::ArrayRef<std::string> before,
                      llvm::ArrayRef<std::string> behind) {
    os << "<tr>";
    for (const std::string &cell : before)
      printCell(os, cell);
    printCell(os, formatMilliseconds(seconds));
    printCell(os, formatShare(getShare(seconds)));
    os << llvm::formatv("<td><div class=\"bar\" style=\"width: {0:F1}em\">"
                        "</div></td>",
                        20 * getShare(seconds));
    for (const std::string &cell : behind)
      printCell(os, cell);
    os << "</tr>\n";
  };
  for (const Layer &layer : layers) {
    auto limit = getLimitShare(layer);
    printRow(layer.seconds, {layer.location, layer.operations, layer.kernel},
             {formatCycles(layer.estimatedCycles),
              limit ? formatShare(*limit) : ""});
  }
  printRow(getRest(), {"", "(outside of layers)", ""}, {"", ""});
  os << "</table>\n";
  return createPage("bquant profile", body);
}
