//===- GuardedBuffer.h - Memory between pages of nobody ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_GUARDEDBUFFER_H
#define BQUANT_TEST_PROPERTY_GUARDEDBUFFER_H

#include <cstddef>
#include <cstdint>

namespace bquant::test {

/// Bytes next to a page that may not be touched, after them or before: code
/// that reads or writes there ends the process.
class GuardedBuffer {
public:
  enum class Guard { Before, After };

  /// The address is a multiple of `alignment`; what that leaves between the
  /// bytes and the page is painted, as the bytes are.
  GuardedBuffer(size_t bytes, size_t alignment, Guard guard);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(const GuardedBuffer &) = delete;

  unsigned char *data() { return begin; }
  /// Whether nothing was written between the bytes and the pages.
  bool isIntact() const;

private:
  static constexpr unsigned char kPaint = 0xa5;

  size_t mappedBytes, bytes;
  unsigned char *mapped, *begin;
};

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_GUARDEDBUFFER_H
