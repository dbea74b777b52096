//===- Layouts.h - How scaled-binary values are going to lie ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout follows from the kernels of a value's uses and is stored nowhere. It
// is looked up by the conversion, by the choice of kernels and by the report.
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

  /// The layouts of a scaled-binary value, ascending; at least one.
  llvm::ArrayRef<Layout> getLayouts(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Layout, 2>> layouts;
};

/// What a use of a scaled-binary value reads.
Layout getWantedLayout(mlir::OpOperand &use);

} // namespace bquant

#endif // BQUANT_LIB_DIALECT_BQUANT_ANALYSIS_LAYOUTS_H
