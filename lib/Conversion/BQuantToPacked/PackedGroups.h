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

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDGROUPS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDGROUPS_H

#include "PackedProducts.h"

namespace bquant {

/// Lays out the input of a convolution for its groups, in elements of the
/// kernel's layout, or in bytes for a depthwise one. Remarks where that is
/// slower than without groups.
void layOutImage(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                 KernelAttrInterface kernel,
                 mlir::MutableArrayRef<PlaneOperand> planes);

/// Shifts the bits of filters x H x W x 1 to where those of their groups lie in
/// the input's elements; filters without a mask get one for the bits of their
/// group, filters x 1.
void shiftIntoGroups(mlir::ImplicitLocOpBuilder &b, Conv2DOp op,
                     KernelAttrInterface kernel,
                     mlir::MutableArrayRef<PlaneOperand> planes);

/// Whether groups are a part of an element of the kernel's layout.
bool sharesElements(Conv2DOp op, KernelAttrInterface kernel);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_PACKEDGROUPS_H
