//===- Remarks.h - Remarks of the category "bquant" -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All remarks of the compiler are made here, so that one filter takes them. A
// name is that of the pass, or of what it says of an operation, in lower case
// with hyphens.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_REMARKS_H
#define BQUANT_LIB_SUPPORT_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace bquant::remarks {

using Remark = mlir::remark::detail::InFlightRemark;

Remark passed(mlir::Location loc, llvm::StringRef name);
Remark missed(mlir::Location loc, llvm::StringRef name);
Remark analysis(mlir::Location loc, llvm::StringRef name);

/// A missed remark on `op` that names the function, the operation and the
/// reason.
void missed(mlir::Operation *op, llvm::StringRef name,
            const llvm::Twine &reason);

} // namespace bquant::remarks

#endif // BQUANT_LIB_SUPPORT_REMARKS_H
