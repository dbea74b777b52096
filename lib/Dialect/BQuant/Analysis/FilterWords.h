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

/// The tensor as which `--convert-bquant-to-packed` keeps a plane of the
/// filter, where that is a constant: as its kernel wants it, words before there
/// is one.
mlir::RankedTensorType getFilterWords(Conv2DOp op);
mlir::RankedTensorType getFilterWords(MatmulOp op);

/// Lanes of a block of a kernel's filter: whole registers.
int64_t getBlockLanes(KernelAttrInterface kernel);

/// Elements of the input that go with an element of the filter.
int64_t getStepOfElement(KernelAttrInterface kernel);

/// The tensor for a kernel of a filter of `shape`, whose dimension `outputs`
/// has the output channels and whose last one has the bits.
mlir::RankedTensorType getFilterType(KernelAttrInterface kernel,
                                     mlir::ArrayRef<int64_t> shape,
                                     unsigned outputs);

/// The same of a float input: words with a bit for each channel of a block.
mlir::RankedTensorType getBitFilterType(KernelAttrInterface kernel,
                                        mlir::ArrayRef<int64_t> shape,
                                        unsigned outputs);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FILTERWORDS_H
