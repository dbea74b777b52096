//===- Layers.cpp - The layers of a network -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "FilterWords.h"
#include "LinalgProducts.h"
#include "Products.h"
#include "Support/Locations.h"
#include "bquant/Support/AttributeNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace bquant;

/// "64x3x3x64, 2 planes", "64x3x3x64 f32"
static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto shaped = cast<ShapedType>(type);
  llvm::interleave(shaped.getShape(), os, "x");
  if (auto binary = dyn_cast<SBTensorType>(type)) {
    if (binary.isTernary())
      os << ", ternary";
    else if (binary.hasRatios())
      os << ", " << binary.getPlanes() << " planes in ratio";
    else
      os << ", " << binary.getPlanes()
         << (binary.getPlanes() == 1 ? " plane" : " planes");
  } else {
    os << " " << shaped.getElementType();
  }
  return text;
}

/// An operand as the layer got it: its own padding is in front of it.
static std::string describeInput(Value value) {
  Value source = value;
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>())
    source = expand.getSrc();
  auto pad = source.getDefiningOp<tensor::PadOp>();
  return describe(pad ? pad.getSource().getType() : value.getType());
}

/// Planes that are multiplied; ternary counts once.
static int64_t countPlanes(Type type) {
  auto binary = dyn_cast<SBTensorType>(type);
  return !binary || binary.isTernary() ? 1 : binary.getPlanes();
}

static int64_t countElements(Type type) {
  auto shaped = cast<ShapedType>(type);
  return shaped.hasStaticShape() ? shaped.getNumElements() : 0;
}

/// Bytes of a constant filter of numbers.
static int64_t countBytes(Value filter) {
  auto type = cast<ShapedType>(filter.getType());
  Operation *op = filter.getDefiningOp();
  if (!op || !op->hasTrait<OpTrait::ConstantLike>() ||
      !type.getElementType().isIntOrFloat())
    return 0;
  return countElements(type) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Bytes of the constant scaled-binary filter of `op`, whose planes are kept as
/// `words`, all together by a kernel of codes; in the reference a byte for each
/// sign.
static int64_t countBytes(Operation *op, Value filter, RankedTensorType words,
                          bool reference) {
  auto constant = filter.getDefiningOp<ConstantOp>();
  if (!constant)
    return 0;
  int64_t plane =
      reference ? countElements(filter.getType())
                : countElements(words) * words.getElementTypeBitWidth() / 8;
  KernelAttrInterface kernel =
      reference ? KernelAttrInterface() : getKernel(op);
  bool together = kernel && !kernel.sumsFloats() &&
                  isa<CodesLayoutAttr>(kernel.getLayout());
  return (together ? 1 : constant.getType().getPlanes()) * plane +
         countElements(constant.getScalars().getType()) * sizeof(float);
}

/// A product of scaled-binary values.
static void fillProduct(LayerFacts &layer, Value lhs, Value rhs, Value result,
                        bool reference) {
  layer.operands = describeInput(lhs) + " by " + describe(rhs.getType());
  layer.result = describe(result.getType());
  auto filter = cast<ShapedType>(rhs.getType());
  // All of the filter but its leading output dimension is reduced; of a
  // batched matrix (B x N x K) only K.
  int64_t reduced = 1;
  bool batched = layer.operation == "matmul" && filter.getRank() == 3;
  for (int64_t size : filter.getShape().drop_front(batched ? 2 : 1))
    reduced *= size;
  layer.macs = countElements(result.getType()) * reduced *
               countPlanes(lhs.getType()) * countPlanes(rhs.getType());
  layer.arithmetic = !isa<SBTensorType>(lhs.getType())
                         ? LayerArithmetic::FloatByBinary
                     : reference ? LayerArithmetic::Reference
                                 : LayerArithmetic::Binary;
}

static bool fillLinalg(LayerFacts &layer, linalg::LinalgOp op) {
  bool product = linalg::isaContractionOpInterface(op) ||
                 linalg::isaConvolutionOpInterface(op);
  auto isShaped = [](Value value) { return isa<ShapedType>(value.getType()); };
  if (!product || op->getNumResults() != 1 ||
      !llvm::all_of(op.getDpsInputs(), isShaped))
    return false;
  layer.arithmetic = LayerArithmetic::Float;
  if (!isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()))) {
    // A sum of a window's integers is written as a generic.
    if (isa<linalg::GenericOp>(op) && failed(getByteProduct(op)))
      return false;
    layer.arithmetic = LayerArithmetic::Integer;
  }
  layer.result = describe(op->getResult(0).getType());
  layer.operands = describeInput(op.getDpsInputs()[0]);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (layer.operation.find("pooling") != std::string::npos)
    return true;
  layer.operands += " by " + describe(op.getDpsInputs()[1].getType());
  layer.macs = 1;
  for (int64_t range : ranges)
    layer.macs *= ShapedType::isDynamic(range) ? 0 : range;
  layer.weightBytes = countBytes(op.getDpsInputs()[1]);
  return true;
}

/// False for what is no layer.
static bool fill(LayerFacts &layer, Operation *op, bool reference) {
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    fillProduct(layer, conv.getInput(), conv.getFilter(), conv.getResult(),
                reference);
    layer.weightBytes =
        countBytes(op, conv.getFilter(), getFilterWords(conv), reference);
    return true;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    fillProduct(layer, matmul.getLhs(), matmul.getRhs(), matmul.getResult(),
                reference);
    layer.weightBytes =
        countBytes(op, matmul.getRhs(), getFilterWords(matmul), reference);
    return true;
  }
  if (isa<QuantizeOp, MaxPool2DOp>(op)) {
    layer.arithmetic =
        reference ? LayerArithmetic::Reference : LayerArithmetic::Binary;
    auto quantize = dyn_cast<QuantizeOp>(op);
    layer.thresholds = quantize && quantize.getThresholds();
    layer.operands = describeInput(op->getOperand(0));
    layer.result = describe(op->getResult(0).getType());
    return true;
  }
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && fillLinalg(layer, structured);
}

std::vector<LayerFacts> bquant::describeLayers(
    Operation *root, bool reference,
    llvm::function_ref<void(Operation *, LayerFacts &)> addDecisions) {
  std::vector<LayerFacts> layers;
  root->walk([&](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    // A layer on a block of samples is that on one.
    if (function && function->hasAttr(kBlockName))
      return;
    LayerFacts layer;
    layer.operation = op->getName().stripDialect().str();
    if (!fill(layer, op, reference))
      return;
    if (function)
      layer.function = function.getName().str();
    layer.location = formatLocation(op->getLoc());
    if (addDecisions)
      addDecisions(op, layer);
    layers.push_back(std::move(layer));
  });
  return layers;
}
