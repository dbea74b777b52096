//===- ReportFormats.cpp - The report as text and HTML --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTML.h"
#include "ReportValues.h"
#include "bquant/Compiler/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace bquant;

static std::string orDash(const std::string &text) {
  return text.empty() ? "-" : text;
}

/// "7 x 32"
static std::string formatTile(const LayerFacts::Tile &tile) {
  return llvm::formatv("{0} x {1}", tile.rows, tile.channels);
}

namespace {
/// A column of the HTML or a part of a line of the text; no text where there is
/// nothing to say.
struct Detail {
  /// Of the column.
  const char *name;
  std::string text;
};
} // namespace

/// What the choice of a kernel adds.
static std::array<Detail, 5> getKernelDetails(const LayerFacts &layer) {
  auto share = getLimitShare(layer);
  return {{{"kernel", layer.kernel},
           {"layout", layer.layout},
           {"tile", layer.tile ? formatTile(*layer.tile) : ""},
           {"cycles",
            layer.estimatedCycles ? formatNumber(*layer.estimatedCycles) : ""},
           {"of the limit", share ? formatShare(*share) : ""}}};
}

/// Name and text of each of the totals.
std::vector<std::pair<std::string, std::string>>
Report::describeTotals() const {
  Totals totals = countTotals();
  auto share = getBinaryShare(totals);
  return {{"layers", formatNumber(layers.size()) + ", " +
                         formatNumber(totals.binaryLayers) + " of them binary"},
          {"MAC",
           formatNumber(totals.macs) +
               (share ? ", " + formatShare(*share) + " of them binary" : "")},
          {"weights", formatNumber(totals.weightBytes) + " bytes"},
          {"constants", formatNumber(constantBytes) + " bytes"},
          {"target", orDash(triple) + ", " + orDash(cpu) +
                         (features.empty() ? "" : ", " + features)},
          {"version", "bquant " + version}};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Report::toText() const {
  std::lock_guard<std::mutex> lock(mutex);
  Totals totals = countTotals();
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, value] : describeTotals())
    os << name << ": " << value << "\n";
  os << "each layer"
     << (llvm::any_of(layers,
                      [](const Layer &layer) { return layer.isFloat(); })
             ? " (* float)"
             : "")
     << ":\n";
  for (const Layer &layer : layers) {
    os << (layer.isFloat() ? "* " : "  ") << orDash(layer.location) << ": "
       << layer.operation << ", " << formatArithmetic(layer) << ": "
       << layer.operands << " -> " << layer.result;
    if (auto share = getMacShare(layer, totals))
      os << ", " << formatNumber(layer.macs) << " MAC (" << formatShare(*share)
         << ")";
    if (layer.weightBytes)
      os << ", " << formatNumber(layer.weightBytes) << " bytes of weights";
    auto [kernel, layout, tile, cycles, limit] = getKernelDetails(layer);
    for (const Detail &detail : {kernel, layout, tile})
      if (!detail.text.empty())
        os << ", " << detail.name << " " << detail.text;
    for (const Detail &detail : {cycles, limit})
      if (!detail.text.empty())
        os << ", " << detail.text << " " << detail.name;
    os << "\n";
  }
  os << "remarks: " << notes.size() << "\n";
  for (const Note &note : getOrderedNotes())
    os << "  " << orDash(note.location) << ": " << note.kind << " " << note.name
       << ": " << note.text << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

void Report::printLayers(llvm::raw_ostream &os) const {
  Totals totals = countTotals();
  // The columns of kernels that some layer fills.
  std::array<bool, 5> shown = {};
  for (const Layer &layer : layers)
    for (auto [i, detail] : llvm::enumerate(getKernelDetails(layer)))
      shown[i] |= !detail.text.empty();
  llvm::SmallVector<const char *> names = {
      "where",  "op",  "arithmetic", "operands",
      "result", "MAC", "of all MAC", "weight bytes"};
  for (auto [i, detail] : llvm::enumerate(getKernelDetails(LayerFacts())))
    if (shown[i])
      names.push_back(detail.name);
  printHead(os, names);
  for (const Layer &layer : layers) {
    auto share = getMacShare(layer, totals);
    os << (layer.isFloat() ? "<tr class=\"float\">" : "<tr>");
    printCell(os, layer.location);
    printCell(os, layer.operation);
    printCell(os, formatArithmetic(layer));
    printCell(os, layer.operands);
    printCell(os, layer.result);
    printCell(os, layer.macs ? formatNumber(layer.macs) : "");
    printCell(os, share ? formatShare(*share) : "");
    printCell(os, layer.weightBytes ? formatNumber(layer.weightBytes) : "");
    for (auto [i, detail] : llvm::enumerate(getKernelDetails(layer)))
      if (shown[i])
        printCell(os, detail.text);
    os << "</tr>\n";
  }
}

std::string Report::toBody() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<table>\n";
  for (const auto &[name, value] : describeTotals()) {
    os << "<tr><th>" << name << "</th>";
    printCell(os, value);
    os << "</tr>\n";
  }
  os << "</table>\n<h2>Layers</h2>\n<table>\n";
  printLayers(os);
  os << "</table>\n<h2>Remarks</h2>\n<table>\n";
  printHead(os, {"where", "kind", "what", "remark"});
  for (const Note &note : getOrderedNotes()) {
    os << "<tr class=\"" << note.kind << "\">";
    printCell(os, note.location);
    printCell(os, note.kind);
    printCell(os, note.name);
    printCell(os, note.text);
    os << "</tr>\n";
  }
  os << "</table>\n";
  return text;
}

static constexpr llvm::StringLiteral kTitle = "bquant report";

std::string Report::toHTML() const { return createPage(kTitle, toBody()); }

std::string Reports::toText() const {
  std::string text;
  for (const std::unique_ptr<Report> &report : reports)
    text += (text.empty() ? "" : "\n") + report->toText();
  return text;
}

std::string Reports::toHTML() const {
  std::string body;
  for (const std::unique_ptr<Report> &report : reports)
    body += report->toBody();
  return createPage(kTitle, body);
}
