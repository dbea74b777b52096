//===- Case.h - One convolution to measure ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_CASE_H
#define BQUANT_LIB_BENCH_CASE_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bquant::bench {

/// What an operand's values are made of.
struct Planes {
  int64_t count = 1;
  bool ternary = false;
  /// Each plane counts twice what the next one does.
  bool uniform = false;

  /// Factors of the planes; v alone for ternary and uniform.
  std::vector<float> getScalars() const;
  bool hasOneScalar() const { return ternary || uniform || count == 1; }
  /// Of [1, 1] for ternary; empty where the planes have scalars of their own.
  llvm::SmallVector<int64_t> getRatios() const;
  /// The tensors that hold the planes in a layout.
  int64_t countTensors(LayoutAttrInterface layout) const {
    return !layout.packsPlanes() ? 1 : ternary ? 2 : count;
  }
  std::string getName() const;
};

enum class Epilogue { I32, F32, Threshold, Shortcut };

/// A convolution of NHWC words by OHWI words.
struct Case {
  std::array<int64_t, 4> input{}, filter{};
  std::array<int64_t, 4> pads{0, 0, 0, 0};
  std::array<int64_t, 2> strides{1, 1}, dilations{1, 1};
  int64_t groups = 1, padValue = 0;
  Planes activations, weights;
  Epilogue epilogue = Epilogue::I32;

  llvm::Error verify() const;
  std::string getName() const;
  std::array<int64_t, 4> getOutput() const;
  /// Pairs of planes, ternary one.
  double getPairs() const;
  /// Multiplications that the definition asks for, padding included; a pair of
  /// planes counts as one each.
  double getMacs() const;
  /// The share of a step's work that is not on unused lanes and positions: of
  /// `lanes` filters (of several groups where one has fewer) by `positions`
  /// channels of a group.
  double getUsefulShare(int64_t lanes, int64_t positions) const;
};

/// Names of a case's function and of its arrays, in the order of the signature.
inline constexpr llvm::StringLiteral kFunction = "bench";

/// The case as a program. With a `layout` the input and a quantized output are
/// planes that lie so (mask and sign for ternary), one tensor each; else the
/// f32 values that they stand for. Parameters are the same constants in both. A
/// `kernel` is given by hand.
mlir::OwningOpRef<mlir::ModuleOp> buildCase(const Case &c,
                                            mlir::MLIRContext *context,
                                            LayoutAttrInterface layout,
                                            mlir::Attribute kernel = {});

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_CASE_H
