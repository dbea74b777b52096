//===- CascadeTerms.h - Sums of scalars times signs -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_RAISE_CASCADETERMS_H
#define BQUANT_LIB_TRANSFORMS_RAISE_CASCADETERMS_H

#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace bquant {

/// v * sign(source), both resolved; no scalar means 1.
struct CascadeTerm {
  mlir::Value scalar;
  mlir::Value source;
};

/// v_1 s_1 + v_2 s_2 + ... with s_i = sign r_i and r_1 = x.
struct CascadeTerms {
  llvm::SmallVector<CascadeTerm, 4> terms;
  /// Whether r_i is x - (v_1 s_1 + ...) and not r_{i-1} - v_{i-1} s_{i-1}; the
  /// two are the same for i = 2 (as false).
  llvm::SmallVector<bool, 4> fromSum;
  /// (s_1 + s_2) v_1.
  bool ternary = false;

  bool empty() const { return terms.empty(); }
  mlir::Value x() const { return terms.front().source; }
  bool anyFromSum() const { return llvm::is_contained(fromSum, true); }
};

/// The terms that a resolved value is the sum of; none if it is no such sum.
CascadeTerms matchTerms(mlir::Value resolved,
                        const RaiseAssumptions &assumptions);

/// The factors of a product of two scalars in both orders; none if `resolved`
/// is no product.
llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 2>
getFactors(mlir::Value resolved);

/// The constant behind a resolved scalar or broadcast argument, and the map it
/// is read by; no map for one number.
std::pair<mlir::ElementsAttr, mlir::AffineMap>
getParameter(mlir::Value resolved);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_RAISE_CASCADETERMS_H
