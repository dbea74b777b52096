//===- RowPieces.h - Rows in vectors of whole registers ---------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM takes a vector apart, element by element, that is no power of two long
// and goes from one basic block to another. A row is several vectors then:
//
//   vector<40xf32>  ->  vector<32xf32>, vector<8xf32>
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_LAYOUTS_ROWPIECES_H
#define BQUANT_LIB_PACKED_LAYOUTS_ROWPIECES_H

#include "mlir/IR/Builders.h"

namespace bquant {

/// Consecutive elements of a row, one vector.
struct Piece {
  int64_t offset, width;
};

/// Those of a row, in powers of two, the longest first. A row of no width, a
/// scalar, is one of no width.
llvm::SmallVector<Piece> getPieces(int64_t rowWidth);

/// The elements `piece` of `parts`, vectors side by side; zeros behind their
/// end.
mlir::Value slice(mlir::OpBuilder &b, mlir::Location loc,
                  mlir::ValueRange parts, Piece piece);

/// All pieces of a row of `rowWidth` elements from `parts`.
llvm::SmallVector<mlir::Value> cut(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::ValueRange parts, int64_t rowWidth);

/// The bits from `from` on, at most 32, of `parts` as an i32.
mlir::Value getWord(mlir::OpBuilder &b, mlir::Location loc,
                    mlir::ValueRange parts, int64_t from);

/// Those of a word, as a vector.
mlir::Value toBits(mlir::OpBuilder &b, mlir::Location loc, mlir::Value word);

} // namespace bquant

#endif // BQUANT_LIB_PACKED_LAYOUTS_ROWPIECES_H
