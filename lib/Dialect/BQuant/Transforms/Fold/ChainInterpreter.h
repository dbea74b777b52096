//===- ChainInterpreter.h - Elements of tensors, by software ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says what one element of a tensor is, given the values of others: the IR
// itself is interpreted, with LLVM's software floats. It shares no code with
// Chain and ChainEvaluator, which it is there to check.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_CHAININTERPRETER_H
#define BQUANT_LIB_TRANSFORMS_FOLD_CHAININTERPRETER_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "llvm/ADT/APFloat.h"
#include <optional>

namespace bquant::chains {

/// A float, or an integer (a bit is 0 or 1).
struct Number {
  explicit Number(llvm::APFloat f) : f(std::move(f)) {}
  explicit Number(int64_t i) : i(i) {}

  llvm::APFloat f = llvm::APFloat(0.0f);
  int64_t i = 0;
};

class Interpreter {
public:
  /// A source is a tensor or a scalar of a body.
  explicit Interpreter(mlir::ValueRange sources)
      : sources(sources.begin(), sources.end()) {}

  /// The code of an element where all of each source is one value, plane 1 the
  /// highest bit; nothing if `getStop` is an op that is not known.
  std::optional<unsigned> getCode(QuantizeOp op, llvm::ArrayRef<int64_t> index,
                                  llvm::ArrayRef<Number> values);
  mlir::Operation *getStop() const { return stop; }

private:
  using Index = llvm::SmallVector<int64_t, 4>;
  /// One run of a body: the op and the indices of its loops.
  struct Iteration;

  /// What `compute` says, or a source's value, or what was read last at `at`.
  std::optional<Number>
  remember(mlir::Value value, const Index &at,
           llvm::function_ref<std::optional<Number>()> compute);
  std::optional<Number> readTensor(mlir::Value tensor, const Index &index);
  std::optional<Number> computeTensor(mlir::Value tensor, const Index &index);
  std::optional<Number> readScalar(mlir::Value scalar, const Iteration *at);
  std::optional<Number> computeScalar(mlir::Value scalar, const Iteration *at);
  std::optional<Number> fail(mlir::Operation *op) {
    stop = op;
    return std::nullopt;
  }
  /// An arith op, or another on scalars.
  std::optional<Number> compute(mlir::Operation *op,
                                llvm::ArrayRef<Number> operands);
  /// An element of a constant, in the order of memory.
  std::optional<Number> readConstant(mlir::Value tensor, int64_t at);

  /// The value of a source, or null.
  const Number *getSource(mlir::Value value) const;

  llvm::SmallVector<mlir::Value, 2> sources;
  llvm::ArrayRef<Number> values;
  mlir::Operation *stop = nullptr;
  /// The elements read last; mostly each tensor has one.
  llvm::DenseMap<mlir::Value, std::pair<Index, Number>> known;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<float>> constants;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_CHAININTERPRETER_H
