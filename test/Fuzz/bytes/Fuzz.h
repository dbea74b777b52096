//===- Fuzz.h - What all fuzz targets share ---------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_FUZZ_FUZZ_H
#define BQUANT_TEST_FUZZ_FUZZ_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

/// Called for each input; libFuzzer's name of it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace bquant::fuzz {

/// Ends the process, as a fault of the code would, where what has to hold does
/// not.
inline void check(bool holds, std::string_view what,
                  std::string_view values = "") {
  if (holds)
    return;
  std::fprintf(stderr, "expected %.*s, but got %.*s\n", int(what.size()),
               what.data(), int(values.size()), values.data());
  std::abort();
}

/// Where refusals are written to, if anywhere: the file and a line each.
inline const char *verboseFile = nullptr;

/// Every refusal is one line that says something.
inline void checkMessage(std::string_view message) {
  check(!message.empty() && message.find('\n') == message.npos,
        "one line as an error", message);
  if (verboseFile)
    std::printf("%s: %.*s\n", verboseFile, int(message.size()), message.data());
}

/// Reads an input from its beginning; zeros follow its end.
class Bytes {
public:
  Bytes(const uint8_t *data, size_t size)
      : left(reinterpret_cast<const char *>(data), size) {}

  bool empty() const { return left.empty(); }
  template <typename T> T take() {
    T value = {};
    size_t size = std::min(sizeof(T), left.size());
    std::memcpy(&value, left.data(), size);
    left.remove_prefix(size);
    return value;
  }
  /// A number from 0 to limit - 1, at most 255.
  unsigned below(unsigned limit) { return take<uint8_t>() % limit; }
  template <typename T, size_t N> const T &pick(const T (&values)[N]) {
    return values[below(N)];
  }
  /// Up to the next zero.
  std::string takeText() {
    std::string text(left.substr(0, left.find('\0')));
    left.remove_prefix(std::min(text.size() + 1, left.size()));
    return text;
  }
  std::string_view rest() const { return left; }

private:
  std::string_view left;
};

} // namespace bquant::fuzz

#endif // BQUANT_TEST_FUZZ_FUZZ_H
