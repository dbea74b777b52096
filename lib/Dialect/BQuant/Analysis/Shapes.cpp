//===- Shapes.cpp - What shapes scaled-binary tensors have ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

/// As tensor_c1 to tensor_c3 of the type say.
bool bquant::canBeScaledBinary(ArrayRef<int64_t> shape) {
  if (shape.size() > 1 && ShapedType::isDynamic(shape.front()))
    shape = shape.drop_front();
  int64_t count = 8;
  return !shape.empty() && llvm::all_of(shape, [&](int64_t size) {
    return size > 0 && !llvm::MulOverflow(count, size, count);
  });
}
