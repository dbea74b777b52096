//===- Npy.cpp - Damaged files of NumPy -----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element type, rank and sizes of the array that is expected, then the file.
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Npy.h"

#include "Fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace bquant;
using namespace bquant::fuzz;

namespace {
/// A file whose name readNpy can open.
class MemoryFile {
public:
  void write(std::string_view bytes) {
    check(ftruncate(descriptor, 0) == 0 &&
              pwrite(descriptor, bytes.data(), bytes.size(), 0) ==
                  ssize_t(bytes.size()),
          "a file in memory");
  }
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor = memfd_create("npy", 0);
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static MemoryFile file;
  static const char *const types[] = {
      "float32", "bool",  "int8",   "uint8",   "float16", "bfloat16", "int16",
      "uint16",  "int32", "uint32", "float64", "int64",   "uint64"};
  Bytes bytes(data, size);
  ArrayInfo info{"x", bytes.pick(types), {}};
  unsigned rank = bytes.below(5);
  bool hasBatch = bytes.below(2);
  for (unsigned i = 0; i < rank; ++i)
    info.shape.push_back(i == 0 && hasBatch ? ArrayInfo::anyBatch
                                            : 1 + bytes.below(5));

  file.write(bytes.rest());
  llvm::Expected<NpyArray> array = readNpy(file.path(), info);
  if (!array) {
    checkMessage(llvm::toString(array.takeError()));
    return 0;
  }
  check(array->info.numBytes() == int64_t(array->data.size()),
        "as many bytes as elements have", std::to_string(array->data.size()));
  llvm::ArrayRef<int64_t> asked = info.shape, found = array->info.shape;
  check(asked.size() == found.size() &&
            (info.hasBatch() ? asked.drop_front() == found.drop_front()
                             : asked == found),
        "the shape that was asked for");

  // What is written again is read as the same.
  std::string text;
  llvm::raw_string_ostream os(text);
  writeNpy(os, array->info, array->data.data());
  std::string values = array->data.str();
  file.write(text);
  llvm::Expected<NpyArray> again = readNpy(file.path(), info);
  check(bool(again), "a file of ours to be read",
        again ? "" : llvm::toString(again.takeError()));
  check(again->data == values && again->info.shape == found, "the same array");
  return 0;
}
