//===- LayerBuilder.h - Layers of operations on buffers ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_LAYERS_LAYERBUILDER_H
#define BQUANT_LIB_CODEGEN_LAYERS_LAYERBUILDER_H

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace bquant {

/// What `map` has for `value`, or copies of the operations that make it.
mlir::Value copyValue(mlir::OpBuilder &b, mlir::Value value,
                      mlir::IRMapping &map);

/// Moves operations on buffers that follow each other into a layer. Its
/// operands are whole buffers, each of them once, and numbers that somebody
/// has read; views of buffers and arithmetic are copied into the body.
class LayerBuilder {
public:
  /// `copied`: what the body has copies of besides.
  explicit LayerBuilder(llvm::ArrayRef<mlir::Operation *> ops,
                        const llvm::DenseSet<mlir::Operation *> &copied = {});

  /// Whether an operation needs nothing but its operands.
  static bool isCheap(mlir::Operation *op);

  /// A layer writes a buffer, and has no tensor for an operand.
  bool isOnBuffers() const;
  /// In front of the first of the operations. What they make nothing after
  /// them may use.
  packed::LayerOp create(mlir::StringAttr name);

  /// Lets `layer` have no operand that is a view, and each buffer once.
  static void replaceViews(packed::LayerOp layer);

private:
  LayerBuilder() = default;

  bool isCopied(mlir::Operation *op) const;
  /// `value` is read, or written.
  void add(mlir::Value value, bool writes);
  packed::LayerOp createEmpty(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::StringAttr name);
  llvm::ArrayRef<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Operation *> copied;
  llvm::SmallVector<mlir::Value> used;
  /// In the order of their first use, with whether they are written.
  llvm::MapVector<mlir::Value, bool> operands;
  mlir::IRMapping inside;
};

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_LAYERS_LAYERBUILDER_H
