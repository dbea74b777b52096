//===- ByteProducts.h - Linalg's products of bytes, packed ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BYTEPRODUCTS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BYTEPRODUCTS_H

#include "mlir/IR/Operation.h"

namespace bquant {

/// Makes packed products of linalg's products of bytes that have a kernel.
void packByteProducts(mlir::Operation *root);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BYTEPRODUCTS_H
