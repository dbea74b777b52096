//===- Generator.h - Random layers and networks -----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a function of bquant ops and, beside each value, what the oracle says
// that it holds.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_GENERATOR_H
#define BQUANT_TEST_PROPERTY_GENERATOR_H

#include "Oracle.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <random>

namespace bquant::test {

/// A function with arguments to call it with and the results to expect.
struct Case {
  std::string name;
  uint32_t seed;
  std::vector<Array> inputs, outputs;
};

/// A value of the program and what it holds: numbers, or codes.
struct Node {
  mlir::Value value;
  Array array;
  Codes codes;
};

class Generator {
public:
  /// Appends a function to `module`. Everything follows from `seed`, but how
  /// products of floats are added, which depends on the target.
  Generator(mlir::ModuleOp module, uint32_t seed,
            const TargetDescription &target = {});

  /// One product or pooling, with what may come before and after it.
  Case makeLayer();
  /// A product of floats, by floats or by signs.
  Case makeFloatProduct();
  /// A max-pool of floats before a quantize or of decoded values.
  Case makePool();
  /// A max-pool of what a product gives, of more rows than a window has.
  Case makePooledProduct();
  /// A convolution of groups of any size, also where the filter is larger than
  /// the image.
  Case makeGroupedLayer();
  Case makeFewChannels();
  /// A product of values of one scalar on both sides, some of 8 bits.
  Case makeUniformLayer();
  /// Scalars solved at run time: one layer, or several.
  Case makeOnline();
  /// Several layers with residual sums.
  Case makeNetwork();
  /// Residual blocks, of which two to four readers take one value.
  Case makeResidualNetwork();

protected:
  // Random choices; not the distributions of the standard library, which
  // differ between implementations.
  int64_t pick(int64_t low, int64_t high); // Both included.
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <typename T> T choose(std::initializer_list<T> values) {
    return values.begin()[pick(0, values.size() - 1)];
  }
  float number();
  float scalar();
  int64_t channels() {
    return choose<int64_t>({1, 2, 3, 5, 31, 32, 33, 64, 65});
  }
  Array numbers(const Shape &shape, bool special = false);

  // Values.
  mlir::RankedTensorType typeOf(const Shape &shape, bool isInt = false);
  SBTensorType typeOf(const Codes &codes);
  mlir::Value constant(const Array &array);
  Node argument(Array array);
  /// A constant, or an argument that the compiler cannot see through.
  mlir::Value known(const Array &array);
  Codes randomType(Shape shape, int maxPlanes, bool axisAllowed,
                   bool offsetAllowed = false);
  /// Ratios of planes of one scalar; none: one plane.
  std::vector<int64_t> evenRatios();

  /// The window and the rest of a pool whose windows all hold an element.
  Geometry makeWindow(const Shape &in, int64_t window[2]);

  // Ops.
  /// Thresholds that cut the numbers between two of `x` into equal steps.
  std::vector<double> makeEvenThresholds(const Array &x, int64_t size);
  Node quantize(const Node &x, bool onePlane = false, bool offset = false);
  /// `type` gives all but the codes; `offset` is null without one.
  Node quantizeByScalars(const Node &x, const Codes &type, mlir::Value scalars,
                         mlir::Value offset);
  Node quantizeByThresholds(const Node &x, const Codes &type,
                            mlir::Value scalars, mlir::Value offset,
                            const Node &thresholds,
                            const std::vector<int64_t> &table);
  /// By a scheme. `anyAxes`: also such as no product takes.
  Node quantizeOnline(const Node &x, bool anyAxes = false);
  Node filter(const Shape &shape, bool offset);
  Node filter(const Codes &codes);
  Node dequantize(const Node &q);
  Node conv2d(const Node &x, int64_t groups, int64_t filters);
  Node conv2d(const Node &x, int64_t filters, const int64_t taps[2],
              Geometry g);
  Node conv2d(const Node &x, const Node &filter, const Geometry &g, bool isInt);
  Node matmul(const Node &x, int64_t columns);
  Node matmul(const Node &x, const Node &rhs, bool isInt);
  /// By a matrix of floats.
  Node floatMatmul(const Node &x, int64_t columns);
  Node maxPool(const Node &q);
  Node floatMaxPool(const Node &x);
  Node floatMaxPool(const Node &x, const int64_t window[2], const Geometry &g);
  Node floatSumPool(const Node &x, const int64_t window[2], const Geometry &g);
  /// Quantizes as `q` was, by its scalars.
  Node quantizeLike(const Node &x, const Node &q);
  /// By one set of scalars that the compiler sees.
  Node quantizeByConstants(const Node &x);
  Node sign(const Node &x);
  /// Scale, bias or PReLU for each channel; what goes in is f32.
  Node epilogue(const Node &x);
  Node toFloat(const Node &x);
  Node add(const Node &x, const Node &y);
  Node flatten(const Node &x);

  // Parts of residual blocks; all keep the size of the image or halve it.
  /// Quantize, product and epilogue, once or twice.
  Node branch(const Node &x, int64_t filters, int64_t stride);
  /// The value itself, pooled, or by a 1 x 1 convolution of floats.
  Node shortcut(const Node &x, int64_t filters, int64_t stride);
  Node pointwise(const Node &x, int64_t filters);
  /// The sum of what branches and a shortcut make of `x`. Others may read it,
  /// too, and add to `results`.
  Node residualBlock(const Node &x, int64_t filters, int64_t stride,
                     llvm::SmallVectorImpl<Node> &results);

  /// Gives a product of floats by signs a kernel, in whose order the expected
  /// result is added.
  SumOrder drawKernel(mlir::Operation *product);

  /// The results of a layer: its own and those of what may follow it.
  llvm::SmallVector<Node> after(Node y);
  Case finish(const char *kind, llvm::ArrayRef<Node> results);

  std::mt19937 random;
  uint32_t seed;
  TargetDescription target;
  bool even = false; // All values have one scalar.
  mlir::ModuleOp module;
  mlir::func::FuncOp function;
  mlir::ImplicitLocOpBuilder b;
  std::vector<Array> inputs;
};

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_GENERATOR_H
