//===- Products.cpp - What a product is to its kernel ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "BorderClasses.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "LinalgProducts.h"
#include "TileableOps.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

int64_t bquant::getLevels(SBTensorType type) {
  if (type.hasRatios())
    return llvm::sum_of(type.getRatios(), int64_t(0));
  return type.getPlanes() == 1 ? 1 : 0;
}

static void setOperands(ProductShape &shape, Value input, Value filter) {
  auto type = cast<SBTensorType>(filter.getType());
  auto countPlanes = [](SBTensorType type) {
    return type.isTernary() ? 1 : type.getPlanes();
  };
  if (auto binary = dyn_cast<SBTensorType>(input.getType())) {
    shape.inputPlanes = countPlanes(binary);
    shape.ternaryInput = binary.isTernary();
    shape.filterPlanes = countPlanes(type);
    shape.ternaryFilter = type.isTernary();
    shape.inputLevels = getLevels(binary);
    shape.filterLevels = getLevels(type);
  } else {
    // One sum for each scalar.
    shape.floatInput = true;
    shape.filterPlanes = type.getNumScalars();
    shape.signPlanes = type.getPlanes();
  }
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

/// `op` if it is a product of floats as a source has it: kernels are chosen
/// for it; null for what conversions make of others.
static ProductOp getSourceProduct(Operation *op) {
  auto product = dyn_cast<ProductOp>(op);
  return product && product.sumsFloats() && !product.readsTables() ? product
                                                                   : nullptr;
}

std::optional<ProductShape> bquant::getProductShape(Operation *op) {
  ProductShape shape;
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    setOperands(shape, conv.getInput(), conv.getFilter());
    ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
    shape.rows = countRows(conv.getType());
    shape.filters = filter[0];
    shape.groups = conv.getGroups();
    shape.taps = filter[1] * filter[2];
    shape.channels = filter[3];
    auto input = cast<ShapedType>(conv.getInput().getType());
    shape.paddedInput =
        !shape.floatInput && copiesPadding(conv, input.getShape(), filter);
    return shape;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    setOperands(shape, matmul.getLhs(), matmul.getRhs());
    shape.rows = countRows(matmul.getType());
    shape.filters = matmul.getType().getShape().back();
    if (matmul.getType().getRank() == 3 && !matmul.getType().isDynamicDim(0))
      shape.batches = matmul.getType().getDimSize(0);
    shape.channels =
        cast<ShapedType>(matmul.getLhs().getType()).getShape().back();
    return shape;
  }
  if (ProductOp product = getSourceProduct(op)) {
    if (!llvm::all_of(op->getOperandTypes(), [](Type type) {
          return cast<RankedTensorType>(type).hasStaticShape();
        }))
      return std::nullopt;
    unsigned parallel = product.getNumParallelLoops();
    AffineMap input = product.getMaps()[0], filter = product.getMaps()[1];
    if (product.isLaidOut() && product.getKernelInterface()) {
      AffineExpr channel = getAffineDimExpr(parallel - 1, op->getContext());
      filter = filter.replace(
          channel.floorDiv(product.getKernelInterface().getBlock()), channel,
          filter.getNumDims(), 0);
      AffineExpr last =
          getAffineDimExpr(filter.getNumDims() - 1, op->getContext());
      filter = filter.replace(
          last.floorDiv(product.getKernelInterface().getStepSize()), last,
          filter.getNumDims(), 0);
    }
    std::optional<ProductShape> shape =
        getFloatProductShape({input, filter}, product.getLoopSizes(), parallel);
    if (!shape)
      return std::nullopt;
    shape->filterPlanes = product.getNumResults();
    shape->signPlanes = product.getFilters().size();
    shape->levels = product.getLevels().size();
    shape->floatFilter = !product.hasWords();
    shape->bf16 = product.isOfBF16();
    shape->constantFilter =
        getConstantTensor(product.getFilters().front()) != nullptr;
    return shape;
  }
  return std::nullopt;
}

std::optional<ProductShape>
bquant::getFloatProductShape(ArrayRef<AffineMap> maps, ArrayRef<int64_t> sizes,
                             unsigned parallel) {
  AffineMap input = maps[0], filter = maps[1];
  if (parallel == 0 || parallel == sizes.size() ||
      llvm::any_of(sizes, ShapedType::isDynamic))
    return std::nullopt;
  unsigned channel = parallel - 1;
  ProductShape shape;
  shape.floatInput = shape.floatFilter = true;
  shape.rows = computeProduct(sizes.take_front(channel));
  shape.filters = sizes[channel];
  shape.taps = computeProduct(sizes.drop_front(parallel).drop_back());
  shape.channels = sizes.back();
  if (shape.getMacs() == 0 || !filter.isProjectedPermutation() ||
      !filter.isFunctionOfDim(channel))
    return std::nullopt;
  if (std::optional<int64_t> block = getBlock(input, channel)) {
    if (*block != 0 && *block < shape.filters)
      shape.groups = shape.filters / *block;
    return shape;
  }
  if (!readsLanes(input, channel))
    return std::nullopt;
  shape.groups = shape.filters;
  shape.taps *= shape.channels;
  shape.channels = 1;
  return shape;
}

Attribute bquant::getKernelAttr(Operation *op) {
  if (auto conv = dyn_cast<Conv2DOp>(op))
    return conv.getKernel().value_or(Attribute());
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return matmul.getKernel().value_or(Attribute());
  if (ProductOp product = getSourceProduct(op))
    return product.getKernel().value_or(Attribute());
  return {};
}

KernelAttrInterface bquant::getKernel(Operation *op) {
  return dyn_cast_or_null<KernelAttrInterface>(getKernelAttr(op));
}

bool bquant::sumsWindows(Operation *op) {
  if (!isa<Conv2DOp, MatmulOp>(op))
    return false;
  auto filter = op->getOperand(1).getDefiningOp<ConstantOp>();
  if (!filter || filter.getType().getPlanes() != 1)
    return false;
  // The last word of a row has unused bits, which are 0.
  int64_t channels = filter.getType().getShape().back(), set = 0;
  SmallVector<uint32_t> words = filter.getWordValues();
  for (uint32_t word : words)
    set += llvm::popcount(word);
  int64_t rows = words.size() / llvm::divideCeil(channels, kWordBits);
  return set == rows * channels;
}

/// Of a product of linalg that selection gave a kernel of codes, or a hand.
static LogicalResult verifyByteKernel(linalg::LinalgOp op,
                                      KernelAttrInterface kernel,
                                      const TargetDescription &target,
                                      ExplainFn explain) {
  FailureOr<LinalgProduct> product = getByteProduct(op, explain);
  if (failed(product))
    return failure();
  std::optional<ProductShape> shape = getByteProductShape(*product);
  if (failed(verifyByteProduct(*product, shape, explain)))
    return failure();
  auto bytes = dyn_cast<packed::BytesAttr>(kernel);
  if (!bytes || bytes.getLevels())
    return explain("expected scaled-binary operands");
  return kernel.verifyProduct(*shape, target, explain);
}

LogicalResult bquant::verifyKernels(Operation *root) {
  FailureOr<TargetDescription> target = getModuleDescription(root);
  if (failed(target))
    return failure();
  WalkResult result = root->walk([&](Operation *op) -> WalkResult {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    Attribute attr = linalgOp ? op->getAttr(kKernelName) : getKernelAttr(op);
    if (!attr)
      return WalkResult::advance();
    // A cast would end the process where the interface is but promised.
    if (!attr.getAbstractAttribute().getInterface<KernelAttrInterface>())
      return op->emitOpError("[kernel_c3] expected a kernel that is "
                             "implemented (registerAllDialects does it for "
                             "those of bquant), but got ")
             << attr;
    auto kernel = cast<KernelAttrInterface>(attr);
    auto explain = [&](const Twine &message) -> LogicalResult {
      return op->emitOpError("[kernel_c4] ")
             << message << " for the kernel " << attr;
    };
    if (linalgOp) // One of floats is asked for by the product that it becomes.
      return kernel.sumsFloats()
                 ? success()
                 : verifyByteKernel(linalgOp, kernel, *target, explain);
    std::optional<ProductShape> shape = getProductShape(op);
    if (shape && kernel.sumsFloats() == shape->floatInput)
      return kernel.verifyProduct(*shape, *target, explain);
    return explain(
        kernel.sumsFloats()
            ? "expected a float input, and a filter along the channels"
            : "expected a scaled-binary input");
  });
  return failure(result.wasInterrupted());
}
