//===- FoldPrograms.h - Random chains before a quantize ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random function as MLIR text: a product, a float, a sum or a pool as the
// source; steps of all kinds, fused or not, with constants for each channel;
// transposes, reshapes and slices between them; one quantize or two at the end
// of a fork.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_FOLDPROGRAMS_H
#define BQUANT_TEST_PROPERTY_FOLDPROGRAMS_H

#include "Oracle.h"
#include <random>
#include <string>

namespace bquant::test {

class FoldProgram {
public:
  explicit FoldProgram(uint32_t seed);

  /// `func.func @f<seed>(%x, %y)` and the shapes of its results.
  const std::string &getText() const { return function; }
  std::string getName() const { return "f" + std::to_string(seed); }
  const std::vector<Shape> &getResults() const { return results; }

  /// Values for x (a product's left operand) and y, floats of every class.
  std::vector<Array> makeInputs();

  uint32_t seed;

private:
  /// A tensor of f32 whose constants go along `channelDim`.
  struct Value {
    std::string name;
    Shape shape;
    int64_t channelDim = 1;
    int64_t channels() const { return shape[channelDim]; }
  };
  struct Operand {
    std::string name, type, map;
  };

  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  float number();
  std::string makeName() { return "%v" + std::to_string(next++); }
  std::string makeConstant(int64_t count, bool positive = false);
  /// A generic over the elements of a shape; `body` computes %r from %a0, ...
  std::string makeGeneric(const std::vector<Operand> &ins, const Shape &shape,
                          const std::string &body,
                          const std::string &element = "f32");
  Operand whole(const Value &x) const;
  Operand row(const Value &x, const std::string &name) const;
  /// `body` on x and `constants` rows of constants.
  Value makeStep(const Value &x, const std::string &body, int64_t constants = 0,
                 bool positive = false);

  /// `again`: with the scalars of the product before.
  Value makeProduct(const Value &y, bool again = false);
  Value makeSource();
  Value makePool(const Value &x);
  Value makeStep(const Value &x);
  Value makeRound(const Value &x);
  Value makeView(const Value &x);
  Value transpose(const Value &x);
  void addResult(const Value &value);
  void addQuantize(const Value &x);

  /// Of the product made last: which planes, and their scalars.
  struct Scalars {
    int64_t planes, filterPlanes;
    std::string input, filter;
  };

  std::mt19937 random;
  int64_t channels, taps;
  Scalars scalarsBefore;
  std::string text, function, returned, types;
  std::vector<Shape> results;
  int next = 0;
};

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_FOLDPROGRAMS_H
