//===- LayerFacts.h - What passes publish of a layer ------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass that decides what becomes of a layer (`--bquant-select-kernels`)
// writes it into the module, where it is asked to.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H
#define BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H

#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>
#include <vector>

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
  /// Its name, or its place in a file.
  std::string location;
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

/// Writes the layers of a module into it (`bquant.layers`), in the order of the
/// program.
void setLayerFacts(mlir::ModuleOp module, llvm::ArrayRef<LayerFacts> layers);
/// Reads them again, and removes them; none where nothing has written them.
std::vector<LayerFacts> takeLayerFacts(mlir::ModuleOp module);

} // namespace bquant

#endif // BQUANT_DIALECT_BQUANT_IR_LAYERFACTS_H
