//===- Result.h - A value or the reason why there is none -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solvers are linked by a compiler, a C library and compiled networks, so
// they neither throw nor exit nor know LLVM's error types: what can fail
// returns a Result.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_RESULT_H
#define BQUANT_QUANT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace bquant::quant {

/// Why there is no value. Messages are one lower-case line:
/// `expected ..., but got ...`.
struct Failure {
  std::string message;
};

/// A value of type T or a Failure.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Failure failure) : message(std::move(failure.message)) {}

  explicit operator bool() const { return value.has_value(); }
  const T &operator*() const {
    assert(value && "no value");
    return *value;
  }
  T &operator*() {
    assert(value && "no value");
    return *value;
  }
  const T *operator->() const { return &**this; }
  T *operator->() { return &**this; }

  /// The reason; empty if there is a value.
  const std::string &error() const { return message; }
  Failure failure() const { return Failure{message}; }

private:
  std::optional<T> value;
  std::string message;
};

} // namespace bquant::quant

#endif // BQUANT_QUANT_RESULT_H
