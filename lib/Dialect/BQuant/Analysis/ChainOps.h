//===- ChainOps.h - Ops that the evaluator knows ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_CHAINOPS_H
#define BQUANT_LIB_ANALYSIS_CHAINOPS_H

#include "Chain.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <optional>

namespace bquant::chains {

/// The operation of an op on scalars or tensors; std::nullopt if the evaluator
/// has none.
std::optional<ChainOp> getChainOp(mlir::Operation *op);

/// f32 and i1, or tensors of them.
std::optional<CellType> getCellType(mlir::Type type);

unsigned getRelations(mlir::arith::CmpFPredicate predicate);

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_CHAINOPS_H
