//===- BareLoop.h - A kernel's inner loop and nothing else ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_BARELOOP_H
#define BQUANT_LIB_BENCH_BARELOOP_H

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "bquant/Emission/JIT.h"
#include "bquant/Target/TargetDescription.h"

namespace bquant::bench {

using packed::KernelAttrInterface;

/// A kernel of type `Attr` with a tile of `rows` by `registers`, each of `bits`
/// bits; `Others` are its other parameters.
template <typename Attr, auto... Others>
KernelAttrInterface getTile(mlir::MLIRContext *context, int64_t rows,
                            int64_t registers, int64_t bits) {
  context->loadDialect<packed::PackedDialect>();
  auto get = [&](int64_t channels) {
    return llvm::cast<KernelAttrInterface>(
        Attr::get(context, rows, channels, bits, Others...));
  };
  return get(registers * get(/*channels=*/1).getLanes());
}

using TileFn = KernelAttrInterface (*)(mlir::MLIRContext *context, int64_t rows,
                                       int64_t registers, int64_t bits);

/// A tile of bytes that adds `summed` products to each sum, signed where the
/// target multiplies no other bytes.
template <int64_t summed> TileFn getBytesTile(const TargetDescription &target) {
  using packed::BytesAttr;
  return target.multipliesSignedBytes
             ? getTile<BytesAttr, summed, 1, 0, 0, true, 1, false>
             : getTile<BytesAttr, summed, 1, 0, 0, false, 1, false>;
}

/// Positions of the reduction that a step of a kernel covers.
int64_t getPositions(KernelAttrInterface kernel);

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

/// The steps of a kernel's tile, compiled for the machine that runs them;
/// operands from the first-level cache.
class BareLoop {
public:
  static llvm::Expected<std::unique_ptr<BareLoop>>
  create(KernelAttrInterface kernel, const Target &target);

  /// The same code as text, for any target.
  static llvm::Expected<std::string> getAssembly(KernelAttrInterface kernel,
                                                 const Target &target);

  KernelAttrInterface getKernel() const { return kernel; }
  /// Runs the loop once: seconds of a step.
  double measure() const;
  /// The same in MACs a second.
  double measureMacs() const;

private:
  explicit BareLoop(KernelAttrInterface kernel);

  KernelAttrInterface kernel;
  using Memory = std::unique_ptr<uint8_t, decltype(&std::free)>;
  Memory input, filter, sums;
  std::unique_ptr<JIT> jit;
  int32_t (*loop)(const void *const *inputs, void *const *outputs, void *arena,
                  int32_t threads) = nullptr;
};

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_BARELOOP_H
