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

/// The tensor of a filter of signs by which a float input is multiplied, whose
/// dimension `outputs` has the output channels: words with a bit for each
/// channel of a block.
mlir::RankedTensorType getBitFilterType(KernelAttrInterface kernel,
                                        mlir::ArrayRef<int64_t> shape,
                                        unsigned outputs);

} // namespace bquant

#endif // BQUANT_LIB_ANALYSIS_FILTERWORDS_H
