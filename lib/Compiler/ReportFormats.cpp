//===- ReportFormats.cpp - The report as text, JSON and HTML --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace bquant;

static std::string orDash(const std::string &text) {
  return text.empty() ? "-" : text;
}

/// With thousands apart: 1,843,200.
static std::string formatNumber(int64_t number) {
  return llvm::formatv("{0:N}", number);
}

std::string Report::toText() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "layers: " << layers.size() << "\n";
  for (const Layer &layer : layers) {
    os << "  " << orDash(layer.location) << ": " << layer.op << ", "
       << layer.arithmetic << ": " << layer.operands << " -> " << layer.result;
    if (layer.macs)
      os << ", " << formatNumber(layer.macs) << " MAC";
    if (layer.weightBytes)
      os << ", " << formatNumber(layer.weightBytes) << " bytes of weights";
    os << "\n";
  }
  os << "constants: " << formatNumber(constantBytes) << " bytes\n";
  os << "remarks: " << notes.size() << "\n";
  for (const Note &note : getOrderedNotes())
    os << "  " << orDash(note.location) << ": " << note.kind << " " << note.name
       << ": " << note.text << "\n";
  return text;
}

std::string Report::toJSON() const {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::json::Array allLayers, allNotes;
  for (const Layer &layer : layers)
    allLayers.push_back(
        llvm::json::Object{{"function", layer.function},
                           {"location", layer.location},
                           {"op", layer.op},
                           {"arithmetic", layer.arithmetic},
                           {"operands", layer.operands},
                           {"result", layer.result},
                           {"macs", layer.macs},
                           {"weight_bytes", layer.weightBytes}});
  for (const Note &note : getOrderedNotes())
    allNotes.push_back(llvm::json::Object{{"kind", note.kind},
                                          {"name", note.name},
                                          {"function", note.function},
                                          {"location", note.location},
                                          {"text", note.text}});
  llvm::json::Value value(llvm::json::Object{{"layers", std::move(allLayers)},
                                             {"constant_bytes", constantBytes},
                                             {"remarks", std::move(allNotes)}});
  return llvm::formatv("{0:2}\n", value).str();
}

std::string Report::toHTML() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto cell = [&](const std::string &content) {
    os << "<td>";
    llvm::printHTMLEscaped(content, os);
    os << "</td>";
  };
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n<title>bquant report</title>\n"
        "</head>\n<body>\n<div class=\"bquant-report\">\n<style>\n"
        // A notebook shows the body in its own page: no other element's style.
        ".bquant-report { font-family: sans-serif; margin: 2em; }\n"
        ".bquant-report table { border-collapse: collapse; "
        "margin-bottom: 2em; }\n"
        ".bquant-report td, .bquant-report th { border: 1px solid #ccc; "
        "padding: .3em .6em; text-align: left; color: #000; }\n"
        ".bquant-report .missed td, .bquant-report .failure td "
        "{ background: #fde8e8; }\n"
        ".bquant-report .passed td { background: #e9f7ec; }\n"
        "</style>\n<h1>bquant report</h1>\n"
        "<h2>Layers</h2>\n<table>\n<tr><th>where</th><th>op</th>"
        "<th>arithmetic</th><th>operands</th><th>result</th><th>MAC</th>"
        "<th>weight bytes</th></tr>\n";
  for (const Layer &layer : layers) {
    os << "<tr>";
    cell(layer.location);
    cell(layer.op);
    cell(layer.arithmetic);
    cell(layer.operands);
    cell(layer.result);
    cell(layer.macs ? formatNumber(layer.macs) : "");
    cell(layer.weightBytes ? formatNumber(layer.weightBytes) : "");
    os << "</tr>\n";
  }
  os << "</table>\n<p>" << formatNumber(constantBytes)
     << " bytes of constants in all</p>\n";
  os << "<h2>Remarks</h2>\n<table>\n<tr><th>where</th><th>kind</th>"
        "<th>what</th><th>remark</th></tr>\n";
  for (const Note &note : getOrderedNotes()) {
    os << "<tr class=\"" << note.kind << "\">";
    cell(note.location);
    cell(note.kind);
    cell(note.name);
    cell(note.text);
    os << "</tr>\n";
  }
  os << "</table>\n</div>\n</body>\n</html>\n";
  return text;
}
