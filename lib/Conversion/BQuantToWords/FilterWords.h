//===- FilterWords.h - What constant filters are kept as --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOWORDS_FILTERWORDS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOWORDS_FILTERWORDS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"

namespace bquant {

/// The tensor of i32 as which `--convert-bquant-to-words` keeps a plane of the
/// filter, where that is a constant. Each weight is a bit in it; words are
/// whole along
/// - the channels of a filter,
/// - the filters where the input is float: H x W x channels x words,
/// - the filters of a depthwise convolution: H x W x words,
/// - the filters at one place of the groups that share words, see there:
///   H x W x 1 x words x filters of a group.
mlir::RankedTensorType getFilterWords(Conv2DOp op);
mlir::RankedTensorType getFilterWords(MatmulOp op);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOWORDS_FILTERWORDS_H
