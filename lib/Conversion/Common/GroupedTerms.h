//===- GroupedTerms.h - Sums of a few products at a time --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of float sums by kernels with several terms, in which both routes
// add: (x0 w0 + x1 w1) + x2 w2 is a term of the sum. Each product by a sign is
// exact, each addition rounded.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_GROUPEDTERMS_H
#define BQUANT_LIB_CONVERSION_COMMON_GROUPEDTERMS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// The last dimension of `value` as `groups` of `terms`, with `padding` behind.
mlir::Value groupTerms(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       int64_t groups, int64_t terms, mlir::TypedAttr padding);

/// A map to groups as one to a term of each.
mlir::AffineMap getMapOfTerm(mlir::AffineMap map, int64_t term);

/// x0 w0 + x1 w1 + .. of `pairs` x0, w0, x1, w1, ..
mlir::Value sumTerms(mlir::OpBuilder &b, mlir::Location loc,
                     mlir::ValueRange pairs);

/// m0 S0 + m1 S1 + .. of the sums of planes with ratios.
mlir::Value combineSums(mlir::ImplicitLocOpBuilder &b,
                        mlir::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::ValueRange sums, mlir::ArrayRef<int64_t> ratios);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_GROUPEDTERMS_H
