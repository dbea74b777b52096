//===- Replay.cpp - A main without libFuzzer ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the files that it is given, and those in directories that it is given,
// once each; with --verbose it prints what they are refused for. libFuzzer's
// options are passed over.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

static int count = 0;
static bool isVerbose = false;

static void run(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    std::fprintf(stderr, "cannot open '%s'\n", path.c_str()), std::exit(1);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  // No byte more than the input's, so that a sanitizer sees the end.
  std::vector<uint8_t> bytes(text.begin(), text.end());
  std::fprintf(stderr, "%s\n", path.c_str()); // should it be the last
  if (isVerbose)
    bquant::fuzz::verboseFile = path.c_str();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  ++count;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') {
      isVerbose |= std::strcmp(argv[i], "--verbose") == 0;
      continue;
    }
    if (!std::filesystem::is_directory(argv[i])) {
      run(argv[i]);
      continue;
    }
    for (const auto &entry : std::filesystem::directory_iterator(argv[i]))
      run(entry.path());
  }
  std::fprintf(stderr, "%d inputs\n", count);
  return count == 0;
}
