//===- GuardedBuffer.cpp - Memory between pages of nobody -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedBuffer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

using namespace bquant::test;

static size_t getPageSize() {
  static const auto size = size_t(sysconf(_SC_PAGESIZE));
  return size;
}

GuardedBuffer::GuardedBuffer(size_t bytes, size_t alignment, Guard guard)
    : bytes(bytes) {
  size_t page = getPageSize();
  size_t inner = llvm::alignTo(std::max<size_t>(bytes, 1), page);
  mappedBytes = inner + 2 * page;
  void *memory =
      mmap(nullptr, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::report_fatal_error("expected memory for an array, but got none");
  mapped = static_cast<unsigned char *>(memory);
  if (mprotect(mapped + page, inner, PROT_READ | PROT_WRITE) != 0)
    llvm::report_fatal_error("expected memory to write to, but got none");
  std::fill_n(mapped + page, inner, kPaint);
  size_t before =
      guard == Guard::Before ? 0 : llvm::alignDown(inner - bytes, alignment);
  begin = mapped + page + before;
}

GuardedBuffer::~GuardedBuffer() { munmap(mapped, mappedBytes); }

bool GuardedBuffer::isIntact() const {
  auto isPaint = [](unsigned char byte) { return byte == kPaint; };
  size_t page = getPageSize();
  return std::all_of(mapped + page, begin, isPaint) &&
         std::all_of(begin + bytes, mapped + mappedBytes - page, isPaint);
}
