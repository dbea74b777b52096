//===- BorderRegions.h - Results put together by border classes -*- C++ -*-===//
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

#ifndef BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BORDERREGIONS_H
#define BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BORDERREGIONS_H

#include "Dialect/BQuant/Analysis/BorderClasses.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// The sizes of the region of a class of rows and one of columns, `sizes` those
/// of the whole result: n, h, w, c.
mlir::SmallVector<mlir::OpFoldResult>
getBorderRegionSizes(mlir::OpBuilder &b,
                     mlir::ArrayRef<mlir::OpFoldResult> sizes,
                     const BorderClass &h, const BorderClass &w);

/// The rows and columns of an image that the taps of a region reach, dimensions
/// 1 and 2; `each` elements of the latter are a column.
mlir::Value createRegionImage(mlir::ImplicitLocOpBuilder &b, mlir::Value image,
                              const std::array<Window, 2> &windows,
                              const BorderClass &h, const BorderClass &w,
                              int64_t each = 1);

/// The taps of a region, `window` and the next one the filter's dimensions of
/// rows and columns, `each` elements of which are a tap: a slice also of a
/// constant, so that the regions share one filter however it is laid out later.
mlir::Value createRegionTaps(mlir::ImplicitLocOpBuilder &b, mlir::Value filter,
                             int64_t window, const BorderClass &h,
                             const BorderClass &w, int64_t each = 1);

using CreateBorderRegion = llvm::function_ref<mlir::SmallVector<mlir::Value>(
    const BorderClass &h, const BorderClass &w)>;

/// The tensors of all regions by `tensor.insert_slice`; of a single region
/// itself.
mlir::SmallVector<mlir::Value> assembleBorderRegions(
    mlir::ImplicitLocOpBuilder &b, mlir::ArrayRef<mlir::OpFoldResult> sizes,
    mlir::ArrayRef<BorderClass> rows, mlir::ArrayRef<BorderClass> columns,
    CreateBorderRegion createBorderRegion);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_BQUANTTOPACKED_BORDERREGIONS_H
