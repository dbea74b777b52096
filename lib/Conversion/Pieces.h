//===- Pieces.h - Results put together by border classes --------*- C++ -*-===//
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

#ifndef BQUANT_LIB_CONVERSION_PIECES_H
#define BQUANT_LIB_CONVERSION_PIECES_H

#include "BorderClasses.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {

/// The sizes of the piece of a class of rows and one of columns, `sizes` those
/// of the whole result: n, h, w, c.
mlir::SmallVector<mlir::OpFoldResult>
getPieceSizes(mlir::OpBuilder &b, mlir::ArrayRef<mlir::OpFoldResult> sizes,
              const BorderClass &h, const BorderClass &w);

using CreatePiece = llvm::function_ref<mlir::SmallVector<mlir::Value>(
    const BorderClass &h, const BorderClass &w)>;

/// The tensors of all pieces by `tensor.insert_slice`; of a single piece
/// itself.
mlir::SmallVector<mlir::Value>
assemblePieces(mlir::ImplicitLocOpBuilder &b,
               mlir::ArrayRef<mlir::OpFoldResult> sizes,
               mlir::ArrayRef<BorderClass> rows,
               mlir::ArrayRef<BorderClass> columns, CreatePiece createPiece);

} // namespace bquant

#endif // BQUANT_LIB_CONVERSION_PIECES_H
