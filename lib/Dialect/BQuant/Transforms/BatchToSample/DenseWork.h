//===- DenseWork.h - Whether dense layers take the time ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_DENSEWORK_H
#define BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_DENSEWORK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace bquant {

/// Whether at least half of the work of a function on one sample is in products
/// of few rows, such as dense layers, and worth a block of samples.
bool isMostlyDense(mlir::func::FuncOp func);

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_BATCHTOSAMPLE_DENSEWORK_H
