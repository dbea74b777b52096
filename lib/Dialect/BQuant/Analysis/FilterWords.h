//===- FilterWords.h - What constant filters are kept as --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_FILTERWORDS_H
#define BQUANT_LIB_ANALYSIS_FILTERWORDS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// The tensor as which `--convert-bquant-to-words` keeps a plane of the filter,
/// where that is a constant: as its kernel wants it, words before there is one;
/// where the input is float, words along the filters.
mlir::RankedTensorType getFilterWords(Conv2DOp op);
mlir::RankedTensorType getFilterWords(MatmulOp op);

/// Lanes of a block of a kernel's filter: whole registers.
int64_t getBlockLanes(KernelAttrInterface kernel);

/// The tensor for a kernel of a filter of `shape`, whose dimension `outputs`
/// has the output channels and whose last one has the bits.
mlir::RankedTensorType getFilterType(KernelAttrInterface kernel,
                                     mlir::ArrayRef<int64_t> shape,
                                     unsigned outputs);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FILTERWORDS_H
