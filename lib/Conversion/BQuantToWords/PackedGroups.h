//===- PackedGroups.h - How the words of groups lie -------------*- C++ -*-===//
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

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOWORDS_PACKEDGROUPS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOWORDS_PACKEDGROUPS_H

#include "PackedProducts.h"

namespace bquant {

/// Lays out the input of a convolution for its groups. Remarks where that is
/// slower than without groups.
GroupAddressing layOutImage(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                            mlir::MutableArrayRef<PlaneOperand> planes);

/// Lays out the filter for its groups: as it is, or H x W x words x filters, or
/// bytes H x W x filters where the convolution is depthwise. Constants keep one
/// bit a weight; what is laid out is computed from them at run time.
void layOutFilter(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                  mlir::MutableArrayRef<PlaneOperand> planes);

/// Whether `layOutFilter` puts the filters last.
bool hasFiltersLast(Conv2DOp op);

/// Whether groups are a part of a word.
bool sharesWords(Conv2DOp op);

/// Whether each filter sees a channel of its own. Its products are counted in
/// bytes, with a channel in each lane.
bool isDepthwise(Conv2DOp op);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOWORDS_PACKEDGROUPS_H
