//===- HTML.cpp - Pages that are shown alone or in a notebook -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTML.h"
#include "llvm/ADT/StringExtras.h"

using namespace bquant;

static constexpr llvm::StringLiteral style =
    ".bquant-report { font-family: sans-serif; margin: 2em; }\n"
    ".bquant-report table { border-collapse: collapse; margin-bottom: 2em; }\n"
    ".bquant-report td, .bquant-report th { border: 1px solid #ccc; "
    "padding: .3em .6em; text-align: left; color: #000; }\n"
    ".bquant-report .missed td, .bquant-report .failure td "
    "{ background: #fde8e8; }\n"
    ".bquant-report .float td { background: #fff4dd; }\n"
    ".bquant-report .passed td { background: #e9f7ec; }\n"
    ".bquant-report .bar { background: #4878a8; height: 1em; }\n";

std::string bquant::createPage(llvm::StringRef title, llvm::StringRef body) {
  return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n<title>" +
          title +
          "</title>\n</head>\n<body>\n<div "
          "class=\"bquant-report\">\n<style>\n" +
          style + "</style>\n<h1>" + title + "</h1>\n" + body +
          "</div>\n</body>\n</html>\n")
      .str();
}

void bquant::printCell(llvm::raw_ostream &os, llvm::StringRef content) {
  os << "<td>";
  llvm::printHTMLEscaped(content, os);
  os << "</td>";
}

void bquant::printHead(llvm::raw_ostream &os,
                       llvm::ArrayRef<const char *> names) {
  os << "<tr>";
  for (const char *name : names)
    os << "<th>" << name << "</th>";
  os << "</tr>\n";
}
