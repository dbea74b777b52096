//===- UnusedOps.h - Operations that nothing reads any more -----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_IR_UNUSEDOPS_H
#define BQUANT_LIB_DIALECT_BQUANT_IR_UNUSEDOPS_H

#include "mlir/IR/PatternMatch.h"

namespace bquant {

/// Erases what defines `values` where nothing reads it, and then what it read.
void eraseUnused(mlir::RewriterBase &rewriter, mlir::ValueRange values);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_IR_UNUSEDOPS_H
