//===- Layouts.h - How scaled-binary values are going to lie ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout follows from the kernels of a value's uses and is stored nowhere. It
// is looked up by the conversion, by the choice of kernels and by the report. A
// max-pool computes in any layout that is bitwise, and in most codes. What
// comes from outside, by a cast, has the layout of its planes' type.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_LAYOUTS_H
#define BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_LAYOUTS_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "llvm/ADT/DenseMap.h"

namespace bquant {

class LayoutAnalysis {
public:
  /// Looks at all uses in `root` once: later they may be rewritten.
  explicit LayoutAnalysis(mlir::Operation *root);

  /// The layouts of a scaled-binary value, at least one: words first, codes
  /// last.
  llvm::ArrayRef<LayoutAttrInterface> getLayouts(mlir::Value value) const;
  /// Of the value that `use` had when the analysis was made. Without rollback a
  /// conversion puts a cast into its place.
  llvm::ArrayRef<LayoutAttrInterface> getLayouts(mlir::OpOperand &use) const;

  /// The layout that a max-pool reads and computes in.
  LayoutAttrInterface getPoolLayout(MaxPool2DOp op) const {
    return pools.lookup(op);
  }

private:
  using Layouts = llvm::SmallVector<LayoutAttrInterface, 2>;

  Layouts byDefault;

  llvm::DenseMap<mlir::Operation *, LayoutAttrInterface> pools;
  llvm::DenseMap<mlir::Value, Layouts> layouts;
  llvm::DenseMap<mlir::OpOperand *, Layouts> layoutsOfUses;
};

/// The layout of the planes outside that a cast takes or gives as `types`.
LayoutAttrInterface getLayoutOutside(mlir::TypeRange types);

/// What a use of a scaled-binary value reads.
LayoutAttrInterface getWantedLayout(mlir::OpOperand &use);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_LAYOUTS_H
