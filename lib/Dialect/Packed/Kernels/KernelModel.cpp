//===- KernelModel.cpp - What kernels share -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "Dialect/Packed/IR/TileSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

bool bquant::targetsAArch64(OpBuilder &b) {
  StringRef name = LLVM::LLVMDialect::getTargetAttrName();
  Operation *op = b.getInsertionBlock()->getParentOp();
  while (op && !op->hasAttr(name))
    op = op->getParentOp();
  auto target = op ? op->getAttrOfType<LLVM::TargetAttr>(name) : nullptr;
  return target && llvm::Triple(target.getTriple().getValue()).isAArch64();
}

Value bquant::callIntrinsic(ImplicitLocOpBuilder &b, Type type, StringRef name,
                            ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResult(0);
}

Value bquant::createSplat(ImplicitLocOpBuilder &b, VectorType type,
                          int64_t value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getIntegerAttr(type.getElementType(), value)));
}

int64_t bquant::countSums(const ProductShape &shape) {
  int64_t pairs = shape.inputPlanes * shape.filterPlanes;
  bool maskedInput = shape.ternaryInput || shape.paddedInput;
  // A mask of the filter, or of its groups, is counted with the input's.
  bool masks =
      maskedInput && (shape.ternaryFilter || shape.isDepthwise() ||
                      (shape.groups > 1 && !hasWholeGroups(shape, kWordBits)));
  return masks ? 2 * pairs : pairs;
}

static int64_t getRowsOfBatch(const ProductShape &shape) {
  return shape.rows / std::max<int64_t>(1, shape.batches);
}

int64_t bquant::countTilesOfRows(const ProductShape &shape, int64_t rows) {
  return llvm::divideCeil(getRowsOfBatch(shape), rows) * shape.batches;
}

bool bquant::hasWholeGroups(const ProductShape &shape, int64_t elementBits) {
  return shape.groups == 1 || shape.channels % elementBits == 0;
}

int64_t bquant::getSharingFilters(const ProductShape &shape,
                                  int64_t elementBits) {
  int64_t filters = shape.filters / shape.groups;
  // Groups that share an element are masked in it.
  if (!hasWholeGroups(shape, elementBits) && elementBits % shape.channels == 0)
    filters = std::min(filters * (elementBits / shape.channels), shape.filters);
  return filters;
}

LogicalResult bquant::verifyTile(const ProductShape &shape, int64_t elementBits,
                                 int64_t channels, ExplainFn explain,
                                 bool inOne) {
  int64_t sharing = getSharingFilters(shape, elementBits);
  bool isPart = sharing % channels == 0, isWhole = channels % sharing == 0;
  if (sharing == shape.filters || isPart || (isWhole && !inOne))
    return success();
  return explain("expected tiles of a divisor " +
                 Twine(inOne ? "" : "or multiple ") + "of " + Twine(sharing) +
                 " channels, those of a group, but got " + Twine(channels));
}

int64_t bquant::fitChannels(const ProductShape &shape, int64_t elementBits,
                            int64_t most) {
  int64_t block = getSharingFilters(shape, elementBits);
  return block == shape.filters ? most : fitBlocks(block, most);
}

std::pair<int64_t, int64_t>
bquant::chooseFloatTile(const ProductShape &shape,
                        const TargetDescription &target, int64_t sums) {
  int64_t lanes = target.getLanes(32);
  int64_t channels = fitChannels(shape, /*elementBits=*/1, kWordBits);
  if (getSharingFilters(shape, /*elementBits=*/1) == shape.filters) {
    int64_t perRow =
        std::max<int64_t>(1, sums / std::max<int64_t>(1, shape.rows));
    while (channels < shape.filters && (channels + kWordBits) / lanes <= perRow)
      channels += kWordBits;
    // As many in the last tile as in the others.
    int64_t tiles = llvm::divideCeil(shape.filters, channels);
    channels = llvm::alignTo(llvm::divideCeil(shape.filters, tiles), kWordBits);
  }
  int64_t registers =
      llvm::divideCeil(std::min(channels, shape.filters), lanes);
  return {std::max<int64_t>(1, sums / registers), channels};
}

double bquant::countCycles(const ProductShape &shape, Attribute attr,
                           int64_t steps, int64_t sums, const StepCosts &costs,
                           const OtherCosts &others) {
  auto kernel = cast<KernelAttrInterface>(attr);
  // All sums of a register, each operand of a row and register.
  auto cyclesOfTile = [&](int64_t rows, int64_t channels) {
    double registers = llvm::divideCeil(channels, kernel.getLanes());
    return steps * (costs.step * sums * rows * registers +
                    costs.perRow * rows * shape.inputPlanes +
                    costs.perRegister * registers * shape.filterPlanes);
  };
  // Whole tiles, and what is left of rows and channels.
  int64_t rows = kernel.getRows(), channels = kernel.getChannels();
  auto cyclesOfRow = [&](int64_t rows) {
    int64_t whole = shape.filters / channels;
    double cycles = double(whole) * cyclesOfTile(rows, channels);
    if (int64_t rest = shape.filters % channels)
      cycles += cyclesOfTile(rows, rest);
    return cycles;
  };
  int64_t whole = getRowsOfBatch(shape) / rows;
  double cycles = double(whole) * cyclesOfRow(rows);
  if (int64_t rest = getRowsOfBatch(shape) % rows)
    cycles += cyclesOfRow(rest);
  // Floats have but one kernel for these.
  if (!shape.constantFilter && !shape.floatInput)
    cycles += others.layOutElement * shape.filterPlanes * shape.filters *
              shape.taps *
              kernel.getFilterLayout().countElements(shape.channels);
  cycles *= shape.batches;
  int64_t pairs = shape.inputPlanes * shape.filterPlanes;
  return cycles +
         others.combinePlanes * double(pairs - 1) * shape.rows * shape.filters;
}

void bquant::registerKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, packed::PackedDialect *) {
    for (ArrayRef<const KernelEntry *> entries :
         {ArrayRef(kOfBF16), ArrayRef(kOfFloats), ArrayRef(kOfPlanes)})
      for (const KernelEntry *entry : entries)
        entry->attach(*context);
  });
}

/// All kernels, each with the tile that fits the product as far as it can.
static SmallVector<KernelAttrInterface>
getCandidates(MLIRContext *context, const ProductShape &shape,
              const TargetDescription &target) {
  ArrayRef<const KernelEntry *> entries = kOfPlanes;
  if (shape.bf16)
    entries = kOfBF16;
  else if (shape.floatInput)
    entries = kOfFloats;
  SmallVector<KernelAttrInterface> kernels;
  for (const KernelEntry *entry : entries)
    for (Attribute tile : entry->getTiles(context, shape, target))
      kernels.push_back(cast<KernelAttrInterface>(tile));
  return kernels;
}

SmallVector<KernelAttrInterface>
bquant::getKernels(MLIRContext *context, const ProductShape &shape,
                   const TargetDescription &target) {
  SmallVector<KernelAttrInterface> kernels =
      getCandidates(context, shape, target);
  llvm::erase_if(kernels, [&](KernelAttrInterface kernel) {
    return failed(kernel.verifyProduct(shape, target, silently));
  });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Strategies
//===----------------------------------------------------------------------===//

StringRef bquant::getKernelName(Attribute kernel) {
  return kernel.getAbstractAttribute().getName().split('.').second;
}

LogicalResult bquant::verifyStrategy(MLIRContext *context, Strategy strategy,
                                     const ProductShape &shape,
                                     const TargetDescription &target,
                                     ExplainFn explain) {
  for (KernelAttrInterface kernel : getCandidates(context, shape, target))
    if (getKernelName(kernel) == stringify(strategy))
      return kernel.verifyProduct(shape, target, explain);
  return explain("expected a product of planes");
}
