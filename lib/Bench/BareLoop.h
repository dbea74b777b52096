//===- BareLoop.h - A kernel's inner loop and nothing else ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_BARELOOP_H
#define BQUANT_LIB_BENCH_BARELOOP_H

#include "bquant/Emission/JIT.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace bquant::bench {

/// The ways of `KernelCosts` to do a step, and that of depthwise products.
enum class StepKind {
  PopcountLanes,
  PopcountBytes,
  Table,
  ByteDots,
  BytePairs,
  WidePairs,
  Fma,
  BF16Dots,
  Scalar,
  SumTable,
  Depthwise
};

/// Bits of a lane.
int64_t getLaneBits(StepKind kind);

/// Whether a step takes four bytes of the input and of each channel.
bool takesBytes(StepKind kind);

/// Whether a lane of 32 bits has several elements of the input.
bool takesParts(StepKind kind);

/// A tile of sums, each a register of its own.
struct Block {
  StepKind kind;
  int64_t rows, registers;
  /// Of a register.
  int64_t bits;

  /// Channels in a register, and positions of the reduction that a step covers.
  int64_t getLanes() const;
  int64_t getPositions() const;
  /// Of tables of sums: channels of an index, and indices in a word.
  int64_t getTerms() const;
  int64_t getIndices() const;
  /// Of what a row reads in a step: one element, or one for each channel.
  int64_t getInputBits() const;
  /// Of a step of the whole tile.
  double getMacs() const {
    return double(rows * registers * getLanes() * getPositions());
  }
};

/// A function, and what its code lives in.
struct CompiledLoop {
  std::unique_ptr<JIT> jit;
  void *address;
};

/// A function in the LLVM dialect as code; an error on a CPU that lacks what
/// the target has.
llvm::Expected<CompiledLoop> compileForThisMachine(mlir::ModuleOp module,
                                                   llvm::StringRef function,
                                                   const Target &target);

/// The steps of a tile, compiled for the machine that runs them; operands from
/// the first-level cache.
class BareLoop {
public:
  /// Whether the target has what a kind of step takes.
  static bool canRun(StepKind kind, const Target &target);

  static llvm::Expected<std::unique_ptr<BareLoop>>
  create(const Block &block, const Target &target, mlir::MLIRContext *context);

  /// The same code as text, for any target.
  static llvm::Expected<std::string> getAssembly(const Block &block,
                                                 const Target &target,
                                                 mlir::MLIRContext *context);

  const Block &getBlock() const { return block; }
  /// Seconds of a step, over about `steps` of them.
  double measure(int64_t steps) const;

private:
  explicit BareLoop(const Block &block);

  Block block;
  /// Steps before the operands repeat.
  int64_t period;
  using Memory = std::unique_ptr<uint8_t, decltype(&std::free)>;
  Memory inputs, filters, tables, sums;
  std::unique_ptr<JIT> jit;
  void (*loop)(int64_t turns, int64_t steps, const void *inputs,
               const void *filters, const void *tables, void *sums) = nullptr;
};

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_BARELOOP_H
