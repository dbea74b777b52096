//===- LayerFacts.h - What passes publish of a layer ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that decides what becomes of a layer publishes it, and who wants to
// know listens in the context, as to diagnostics and remarks:
//
//   ScopedLayerListener listener(
//       &context, [&](Location loc, const LayerFacts &facts) { ... });
//   (void)pm.run(module);
//
// Where nobody listens nothing is computed.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H
#define BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Location.h"
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace bquant {

/// What a layer computes with.
enum class LayerArithmetic {
  /// Bits of both operands.
  Binary,
  /// Floats, and the signs of a filter.
  FloatByBinary,
  Float,
  /// Bytes of both operands, as the program writes them.
  Integer,
  /// The same values as Binary, by the reference.
  Reference,
};

/// "binary", "float by binary", "float", "reference".
llvm::StringRef stringifyLayerArithmetic(LayerArithmetic arithmetic);
std::optional<LayerArithmetic> symbolizeLayerArithmetic(llvm::StringRef text);

/// One product, pooling or quantization.
struct LayerFacts {
  struct Tile {
    int64_t rows = 0, channels = 0;
  };

  std::string function;
  /// Without dialect: "conv_2d", "matmul", ...
  std::string operation;
  /// Operands and result as types.
  std::string operands, result;
  LayerArithmetic arithmetic = LayerArithmetic::Float;
  /// Of a quantization: whether it compares with thresholds.
  bool thresholds = false;
  /// Nominal multiply-accumulates times planes; 0 for what is no product.
  int64_t macs = 0;
  /// Of a constant filter as it is stored, with its scalars, in bytes.
  int64_t weightBytes = 0;

  // Of a product whose kernel is chosen; empty where that is not known.
  /// As the attribute prints: "popcount<rows = 7, channels = 32>".
  std::string kernel;
  /// Of the operands in memory: "words", "nibbles", ...
  std::string layout;
  std::optional<Tile> tile;
  /// Of the whole layer; `limitCycles` are those of the kernel's bare inner
  /// loop.
  std::optional<int64_t> estimatedCycles, limitCycles;

  /// Whether its operands are scaled-binary.
  bool isBinary() const {
    return arithmetic == LayerArithmetic::Binary ||
           arithmetic == LayerArithmetic::Reference;
  }
  /// Whether it computes with floats.
  bool isFloat() const {
    return arithmetic == LayerArithmetic::Float ||
           arithmetic == LayerArithmetic::FloatByBinary;
  }
};

using LayerListener =
    std::function<void(mlir::Location loc, const LayerFacts &facts)>;

/// Where a context's bquant dialect keeps who listens. Passes may publish from
/// several threads: the listener is called by one at a time.
class LayerFactsInterface
    : public mlir::DialectInterface::Base<LayerFactsInterface> {
public:
  explicit LayerFactsInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Null where the dialect is not loaded: nobody can listen then.
  static LayerFactsInterface *get(mlir::MLIRContext *context);

  bool hasListener() const;
  void publish(mlir::Location loc, const LayerFacts &facts) const;
  /// Returns the one that listened before. Not while passes run.
  LayerListener setListener(LayerListener listener);

private:
  mutable std::mutex mutex;
  LayerListener listener;
};

/// Listens while it lives, in the place of who did before.
class ScopedLayerListener {
public:
  ScopedLayerListener(mlir::MLIRContext *context, LayerListener listener);
  ScopedLayerListener(const ScopedLayerListener &) = delete;
  ~ScopedLayerListener();

private:
  LayerFactsInterface *facts;
  LayerListener previous;
};

} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H
