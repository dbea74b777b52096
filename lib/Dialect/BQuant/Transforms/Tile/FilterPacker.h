//===- FilterPacker.h - Filters, laid out for the tiles that read them -*- C++
//-*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_TILE_FILTERPACKER_H
#define BQUANT_LIB_TRANSFORMS_TILE_FILTERPACKER_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace bquant {

/// Filters laid out by channels, made once for each constant.
class FilterPacker {
public:
  FilterPacker(mlir::RewriterBase &rewriter, mlir::Block &block)
      : rewriter(rewriter), block(block) {}
  /// The indices [start, start + blocks * tileChannels) of dimension `dim` of
  /// `filter` as [blocks][other dimensions][tileChannels].
  mlir::Value get(mlir::Location loc, mlir::Value filter, int64_t dim,
                  int64_t start, int64_t blocks, int64_t tileChannels);

private:
  mlir::RewriterBase &rewriter;
  mlir::Block &block;
  llvm::DenseMap<
      std::pair<mlir::Value, std::tuple<int64_t, int64_t, int64_t, int64_t>>,
      mlir::Value>
      packed;
};

} // namespace bquant

#endif // BQUANT_LIB_TRANSFORMS_TILE_FILTERPACKER_H
