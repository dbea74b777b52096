//===- FilterLayout.h - How filters lie in memory ---------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion. The one place that lays out a filter, as its
// kernel says (`getFilterLayout`): words [batch][o][taps...][words] or numbers
// [batch][o][taps...][c] become [batch][blocks of o][taps...][elements][lanes],
// signs by which floats are multiplied
// [batch][blocks of o][taps...][c][words of a block].
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_FILTERLAYOUT_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_FILTERLAYOUT_H

#include "Dialect/BQuant/Analysis/FilterWords.h"

namespace bquant {

/// `words` of a filter of `shape`, laid out: a constant at compile time,
/// another value by `bquant_packed.relayout`.
mlir::Value layOutFilter(mlir::ImplicitLocOpBuilder &b,
                         KernelAttrInterface kernel, mlir::Value words,
                         mlir::ArrayRef<int64_t> shape, unsigned outputs);

/// The filter of a float product with its dimensions as `perm` has them, f32,
/// bf16 or words along the last one of them, laid out: `outputs` is the
/// dimension of the `filters` channels behind `perm`.
mlir::Value layOutFloatFilter(mlir::ImplicitLocOpBuilder &b,
                              KernelAttrInterface kernel, mlir::Value filter,
                              mlir::ArrayRef<int64_t> perm, unsigned outputs,
                              int64_t filters);

/// Lays the filters of all float products in `root` out that have a kernel,
/// each filter once. The taps of a row and their channels become one loop, the
/// dimensions of the input, too.
void layOutFloatProducts(mlir::Operation *root);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_FILTERLAYOUT_H
