//===- Libraries.cpp - Damaged libraries ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is read of a library before the loader gets it.
//
//===----------------------------------------------------------------------===//

#include "Compiler/Exports.h"

#include "Unloaded.h"

using namespace bquant;
using namespace bquant::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef file(reinterpret_cast<const char *>(data), size);
  llvm::Expected<Exports> exports = readExports(file);
  if (!exports) {
    checkMessage(llvm::toString(exports.takeError()));
    return 0;
  }
  auto isInside = [&](llvm::StringRef part) {
    return part.empty() ||
           (part.begin() >= file.begin() && part.end() <= file.end());
  };
  Unloaded program;
  bool isTaken = false;
  for (const auto &[name, text] : exports->signatures) {
    check(isInside(text), "a signature within the file", name);
    isTaken |= program.add(text.substr(0, text.find('\0')));
  }
  if (isTaken)
    program.use();
  if (exports->report) {
    check(isInside(*exports->report), "a report within the file");
    readReport(exports->report->substr(0, exports->report->find('\0')));
  }
  return 0;
}
