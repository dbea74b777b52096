//===- WordsGroups.h - How the words of groups lie --------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_WORDSGROUPS_H
#define BQUANT_LIB_CONVERSION_WORDSGROUPS_H

#include "WordsDots.h"

namespace bquant {

/// Lays out the words of a convolution for its groups. Remarks where that is
/// slower than without groups.
GroupedWords layOutGroups(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                          mlir::MutableArrayRef<Term> lhs,
                          mlir::MutableArrayRef<Term> rhs);

/// Whether each filter sees a channel of its own. Its products are counted in
/// bytes, with a channel in each lane.
bool isDepthwise(Conv2DOp op);

/// The bits of a depthwise convolution as bytes: of the input's words
/// N x H x W x C, of the filter's words K x L x C.
mlir::Value createImageBytes(mlir::ImplicitLocOpBuilder &b, mlir::Value words,
                             int64_t channels);
mlir::Value createFilterBytes(mlir::ImplicitLocOpBuilder &b, mlir::Value words);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_WORDSGROUPS_H
