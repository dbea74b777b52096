//===- Products.cpp - What a product is to its kernel ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "BorderClasses.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

static void setOperands(ProductShape &shape, SBTensorType input, Value filter) {
  auto type = cast<SBTensorType>(filter.getType());
  auto countPlanes = [](SBTensorType type) {
    return type.isTernary() ? 1 : type.getPlanes();
  };
  shape.inputPlanes = countPlanes(input);
  shape.filterPlanes = countPlanes(type);
  shape.ternaryInput = input.isTernary();
  shape.ternaryFilter = type.isTernary();
  shape.constantFilter = filter.getDefiningOp<ConstantOp>() != nullptr;
}

/// All but the last dimension; a dynamic one counts once.
static int64_t countRows(RankedTensorType result) {
  int64_t rows = 1;
  for (int64_t size : result.getShape().drop_back())
    rows *= ShapedType::isDynamic(size) ? 1 : size;
  return rows;
}

static bool copiesPadding(Conv2DOp op, ArrayRef<int64_t> input,
                          ArrayRef<int64_t> filter) {
  if (op.getPadValue() != 0 || op.getGroups() != 1)
    return false;
  std::array<Window, 2> windows;
  for (int d = 0; d < 2; ++d)
    windows[d] = {input[d + 1], filter[d + 1], op.getStrides()[d],
                  op.getDilations()[d], op.getPads()[2 * d]};
  return llvm::any_of(
      choosePads(windows, op.getType().getShape().slice(1, 2), op.getPads()),
      [](int64_t pad) { return pad != 0; });
}

std::optional<ProductShape> bquant::getProductShape(Operation *op) {
  ProductShape shape;
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    auto input = dyn_cast<SBTensorType>(conv.getInput().getType());
    if (!input)
      return std::nullopt;
    setOperands(shape, input, conv.getFilter());
    ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
    shape.rows = countRows(conv.getType());
    shape.filters = filter[0];
    shape.groups = conv.getGroups();
    shape.taps = filter[1] * filter[2];
    shape.channels = filter[3];
    shape.paddedInput = copiesPadding(conv, input.getShape(), filter);
    return shape;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    auto input = dyn_cast<SBTensorType>(matmul.getLhs().getType());
    if (!input)
      return std::nullopt;
    setOperands(shape, input, matmul.getRhs());
    shape.rows = countRows(matmul.getType());
    shape.filters = matmul.getType().getShape().back();
    shape.channels = input.getShape().back();
    return shape;
  }
  return std::nullopt;
}

Attribute bquant::getKernelAttr(Operation *op) {
  if (auto conv = dyn_cast<Conv2DOp>(op))
    return conv.getKernel().value_or(Attribute());
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return matmul.getKernel().value_or(Attribute());
  return {};
}

KernelAttrInterface bquant::getKernel(Operation *op) {
  return dyn_cast_or_null<KernelAttrInterface>(getKernelAttr(op));
}

LogicalResult bquant::verifyKernels(Operation *root) {
  FailureOr<TargetDescription> target = getModuleDescription(root);
  if (failed(target))
    return failure();
  WalkResult result = root->walk([&](Operation *op) -> WalkResult {
    Attribute attr = getKernelAttr(op);
    if (!attr)
      return WalkResult::advance();
    // A cast would end the process where the interface is but promised.
    if (!attr.getAbstractAttribute().getInterface<KernelAttrInterface>())
      return op->emitOpError("[kernel_c3] expected a kernel that is "
                             "implemented (registerAllDialects does it for "
                             "those of bquant), but got ")
             << attr;
    auto kernel = cast<KernelAttrInterface>(attr);
    std::optional<ProductShape> shape = getProductShape(op);
    std::string reason = shape ? kernel.getReasonUnable(*shape, *target)
                               : "a scaled-binary input";
    if (reason.empty())
      return WalkResult::advance();
    return op->emitOpError("[kernel_c4] expected ")
           << reason << " for the kernel " << attr;
  });
  return failure(result.wasInterrupted());
}
