//===- Elementwise.h - Elementwise programs as scalar expressions ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise program may be one `linalg.generic` or many. These functions
// look at the scalar it computes at one index, across the borders of ops.

#ifndef BQUANT_LIB_ANALYSIS_ELEMENTWISE_H
#define BQUANT_LIB_ANALYSIS_ELEMENTWISE_H

#include "Dialect/BQuant/IR/RawElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace bquant {

/// All loops parallel, every result written at the loops' index, the old
/// contents of the results not read, no `linalg.index`.
bool isPointwise(mlir::linalg::GenericOp op);

/// Whether an op makes bytes without a sign of all bytes with one, or the other
/// way round: 128 more, or less.
bool turnsBytes(mlir::linalg::GenericOp op);

/// Such an op: the bytes of the other kind. `type` is i8, or a tensor of it in
/// a layout.
mlir::Value createTurnedBytes(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                              mlir::Value bytes);

/// The scalar behind a tensor or a value in the body of a pointwise op: follows
/// results to what is yielded, and arguments to the operand read at the same
/// index. Ends at a scalar that a body computes, an argument that is read at
/// another index (a broadcast), a constant, or a tensor that no pointwise op
/// makes.
mlir::Value resolve(mlir::Value value);

/// The op that computes a resolved scalar in a body, or null.
template <typename OpTy> OpTy getScalarOp(mlir::Value resolved) {
  return mlir::isa<mlir::TensorType>(resolved.getType())
             ? OpTy()
             : resolved.getDefiningOp<OpTy>();
}

/// A resolved value that is the same number at every index.
std::optional<llvm::APFloat> getConstantNumber(mlir::Value resolved);

/// Whether a resolved value is a tensor, or a scalar of the body of a generic:
/// no scalar that such a body captures.
bool canMaterialize(mlir::Value resolved);

/// A tensor of such a value at every index. Where no op has it as a result,
/// a copy of the op that computes it is made before that op.
mlir::Value materialize(mlir::RewriterBase &rewriter, mlir::Value resolved);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_ELEMENTWISE_H
