//===- OnlineScalars.h - Scalars solved at run time -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion: what a quantize with a scheme computes before it
// can quantize. The fast route sums means in generics; sorted schemes, and the
// reference all, call the solver of the run-time library. Both give the same
// bits.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_COMMON_ONLINESCALARS_H
#define BQUANT_LIB_CONVERSION_COMMON_ONLINESCALARS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// What a scheme found.
struct Solved {
  /// As the scalars of the type.
  mlir::Value scalars;
  /// 3 x d[axes...], ascending along the first dimension; null for a cascade.
  mlir::Value thresholds;
};

/// By `bquant.solve`.
Solved createSolve(mlir::ImplicitLocOpBuilder &b, QuantizeOp op,
                   mlir::Value input);

/// By sums in generics, in the order of quant::meanPartials, for a scheme of
/// means.
Solved createMeans(mlir::ImplicitLocOpBuilder &b, QuantizeOp op,
                   mlir::Value input);
/// The same for each row of a G x N tensor: scalars are R x G, thresholds 3 x
/// G.
Solved createMeansOfRows(mlir::ImplicitLocOpBuilder &b, SchemeAttr scheme,
                         mlir::Value rows);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_COMMON_ONLINESCALARS_H
