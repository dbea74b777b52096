//===- SelectKernels.cpp - --bquant-select-kernels ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where a strategy is asked for.
//
//===----------------------------------------------------------------------===//

#include "ByteProducts.h"
#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/FilterLevels.h"
#include "Dialect/BQuant/Analysis/Layers.h"
#include "Dialect/BQuant/Analysis/Layouts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Support/AttributeNames.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace bquant {
#define GEN_PASS_DEF_SELECTKERNELS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// What a value costs more if `use` reads it in `layout`.
static double countLayoutCycles(OpOperand &use, LayoutAttrInterface layout,
                                const OtherCosts &costs) {
  for (OpOperand &other : use.get().getUses())
    if (&other != &use && getWantedLayout(other) == layout)
      return 0;
  auto type = cast<SBTensorType>(use.get().getType());
  double elements = layout.packsPlanes() ? type.getPlanes() : 1;
  for (int64_t size : type.getShape())
    elements *= ShapedType::isDynamic(size) ? 1 : size;
  return elements / layout.getChannels() * costs.packElement;
}

/// The layout that a sum of windows shares with the products that read the same
/// value, if they want codes, else null: it adds the bytes themselves, by no
/// kernel's tile, where any other layout would be made for it alone.
static LayoutAttrInterface getSharedLayout(Operation *op) {
  if (!sumsWindows(op))
    return {};
  for (OpOperand &use : op->getOperand(0).getUses())
    if (LayoutAttrInterface wanted = getWantedLayout(use);
        use.getOwner() != op && isa<CodesLayoutAttr>(wanted))
      return wanted;
  return {};
}

static Attribute getChosen(Operation *op) {
  return isa<linalg::LinalgOp>(op) ? op->getAttr(kKernelName)
                                   : getKernelAttr(op);
}

static void setKernel(Operation *op, Attribute kernel) {
  if (auto conv = dyn_cast<Conv2DOp>(op))
    conv.setKernelAttr(kernel);
  else if (auto matmul = dyn_cast<MatmulOp>(op))
    matmul.setKernelAttr(kernel);
  else if (auto product = dyn_cast<ProductOp>(op))
    product.setKernelAttr(kernel);
  else
    op->setAttr(kKernelName, kernel);
}

/// The input, filter and loops of a product of floats, linalg's or a program's
/// own; fails for any other.
static FailureOr<LinalgProduct> getFloats(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return getFloatProduct(structured);
  auto product = dyn_cast<ProductOp>(op);
  if (!product)
    return failure();
  return getFloatProduct(product);
}

/// Samples of a batch that the function around `op` takes.
static int64_t getSamples(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto block =
      function ? function->getAttrOfType<DictionaryAttr>(kBlockName) : nullptr;
  return block ? block.getAs<IntegerAttr>("samples").getInt() : 1;
}

namespace {
struct SelectKernels : bquant::impl::SelectKernelsBase<SelectKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    served = 0;
    unserved = nullptr;
    isReference = strategy == Strategy::Reference;
    // Kernels given by hand stay.
    FailureOr<TargetDescription> target = getModuleDescription(module);
    if (failed(target) || failed(verifyKernels(module)))
      return signalPassFailure();
    if (floatPrecision == FloatPrecision::BF16 && !isReference &&
        !target->hasBF16DotProducts) {
      module.emitError("expected a CPU with dot products of bf16 (avx512bf16, "
                       "bf16) for float precision bf16");
      return signalPassFailure();
    }
    // As --bquant-pack-filter-levels has it.
    packsLevels = !isReference && target->comparesToMasks;
    module.walk([&](Operation *op) {
      if (getKernelAttr(op))
        return;
      if (std::optional<ProductShape> shape = getShape(op))
        select(op, *shape, *target);
    });
    ByteProductChoices bytes;
    // The reference computes them as linalg says.
    if (!isReference)
      bytes = chooseByteProducts(module, *target);
    if (strategy == Strategy::Bytes)
      for (auto &[op, choice] : bytes)
        count(op, choice.kernel);
    if (unserved && served == 0) {
      auto explain = [&](const Twine &message) -> LogicalResult {
        return unserved->emitError(
                   "expected a strategy that serves a layer, but '")
               << stringify(strategy.getValue())
               << "' serves none: " << message;
      };
      if (auto *it = bytes.find(unserved); it != bytes.end())
        (void)it->second.chooseKernel(*target, explain);
      else
        (void)verifyStrategy(&getContext(), strategy,
                             *getProductShape(unserved), *target, explain);
      return signalPassFailure();
    }
    applyByteProducts(bytes, *target);
    if (describeLayers)
      describe(module, bytes, *target);
  }

private:
  /// Whether the operands of a product of floats are to be rounded.
  bool rounds(const LinalgProduct &floats) {
    return floatPrecision == FloatPrecision::BF16 &&
           succeeded(verifyRounding(floats));
  }

  /// The shape of a product as it will be, with its operands rounded or its
  /// filter in levels.
  std::optional<ProductShape> getShape(Operation *op) {
    FailureOr<LinalgProduct> floats = getFloats(op);
    if (failed(floats))
      return getProductShape(op);
    std::optional<ProductShape> shape =
        getFloatProductShape(floats->maps, floats->sizes, floats->parallel);
    if (!shape)
      return std::nullopt;
    shape->constantFilter = getConstantTensor(floats->operands[1]) != nullptr;
    if (!isReference && rounds(*floats)) {
      shape->bf16 = true;
      shape->channels = llvm::alignTo(shape->channels, kPairOfBF16);
      return shape;
    }
    std::optional<FilterLevels> found;
    if (packsLevels)
      found = findFilterLevels(*floats);
    if (found) {
      shape->floatFilter = false;
      shape->signPlanes = found->planes.size();
      shape->levels = found->levels.size();
    }
    return shape;
  }

  /// Writes into the module what becomes of its layers.
  void describe(ModuleOp module, const ByteProductChoices &bytes,
                const TargetDescription &target) {
    auto addDecisions = [&](Operation *op, LayerFacts &facts) {
      std::optional<ProductShape> shape;
      if (auto *it = bytes.find(op); it != bytes.end()) {
        shape = it->second.kernel ? it->second.shape : it->second.floats;
      } else {
        shape = getShape(op);
        addFloats(op, shape, facts);
      }
      auto kernel = dyn_cast_or_null<KernelAttrInterface>(getChosen(op));
      if (shape && kernel && !isReference)
        addKernel(kernel, *shape, target, facts);
    };
    setLayerFacts(module,
                  bquant::describeLayers(module, isReference, addDecisions));
  }

  /// What becomes of the filter of a product of floats.
  void addFloats(Operation *op, std::optional<ProductShape> shape,
                 LayerFacts &facts) {
    FailureOr<LinalgProduct> floats = getFloats(op);
    if (failed(floats) || !shape)
      return;
    if (rounds(*floats)) {
      facts.weightBytes /= sizeof(float) / sizeof(uint16_t);
    } else if (shape->levels > 0) {
      facts.arithmetic = LayerArithmetic::FloatByBinary;
      facts.operands += ", " + std::to_string(shape->levels) + " levels";
      facts.weightBytes = findFilterLevels(*floats)->countBytes();
    }
  }

  static void addKernel(KernelAttrInterface kernel, const ProductShape &shape,
                        const TargetDescription &target, LayerFacts &facts) {
    std::string text;
    llvm::raw_string_ostream(text) << kernel;
    facts.kernel = StringRef(text).split('.').second.str();
    if (!shape.floatInput)
      facts.layout = kernel.getLayout().getName().str();
    facts.tile = {kernel.getRows(), kernel.getChannels()};
    facts.estimatedCycles = kernel.getCycles(shape, target);
    facts.limitCycles = kernel.getLimitCycles(shape, target);
  }

  void select(Operation *op, const ProductShape &shape,
              const TargetDescription &target) {
    // The strategy is one for counts.
    if (shape.floatInput)
      return setKernel(op, chooseOfFloats(op, shape, target));
    KernelAttrInterface best, forced;
    double bestCycles = 0, forcedCycles = 0;
    LayoutAttrInterface shared = getSharedLayout(op);
    bool bestShares = false;
    for (KernelAttrInterface kernel :
         getKernels(&getContext(), shape, target)) {
      double cycles = kernel.getCycles(shape, target) +
                      countLayoutCycles(op->getOpOperand(0), kernel.getLayout(),
                                        target.otherCosts);
      bool shares = kernel.getLayout() == shared;
      if (!best ||
          std::pair(!shares, cycles) < std::pair(!bestShares, bestCycles)) {
        best = kernel;
        bestCycles = cycles;
        bestShares = shares;
      }
      if (getKernelName(kernel) == stringify(strategy.getValue()) &&
          (!forced || cycles < forcedCycles)) {
        forced = kernel;
        forcedCycles = cycles;
      }
    }
    bool free = strategy == Strategy::Auto || strategy == Strategy::Reference;
    if (!free)
      count(op, forced);
    if (!free && !forced)
      (void)verifyStrategy(
          &getContext(), strategy, shape, target, [&](const Twine &message) {
            remarks::missed(op, "strategy",
                            "not by '" + stringify(strategy.getValue()) +
                                "': " + message + "; by " +
                                getKernelName(best) + " instead");
            return failure();
          });
    setKernel(op, forced ? forced : best);
  }

  /// The cheapest kernel that adds in the order of the one that is cheapest for
  /// one sample: what a sample gives does not depend on how many there are.
  KernelAttrInterface chooseOfFloats(Operation *op, const ProductShape &shape,
                                     const TargetDescription &target) {
    auto choose = [&](const ProductShape &shape,
                      std::optional<int64_t> terms) -> KernelAttrInterface {
      KernelAttrInterface best;
      for (KernelAttrInterface kernel :
           getKernels(&getContext(), shape, target))
        // Tables are made of the inputs of bquant's ops alone.
        if (!(kernel.readsTables() && isa<ProductOp>(op)) &&
            (!terms || kernel.getInputChannels() == terms) &&
            (!best ||
             kernel.getCycles(shape, target) < best.getCycles(shape, target)))
          best = kernel;
      return best;
    };
    ProductShape sample = shape;
    sample.rows = std::max<int64_t>(1, shape.rows / getSamples(op));
    int64_t terms = choose(sample, std::nullopt).getInputChannels();
    if (terms > 1)
      remarks::analysis(op->getLoc(), "sum-order") << remark::add(
          "adds {0} channels to each other before it adds them to a sum, which "
          "rounds in another order than adding one by one",
          terms);
    return choose(shape, terms);
  }

  /// Counts a layer that the strategy serves, by `kernel`, or not.
  void count(Operation *op, Attribute kernel) {
    if (kernel)
      ++served;
    else if (!unserved)
      unserved = op;
  }

  bool isReference = false, packsLevels = false;
  /// Layers that the strategy serves, and the first that it does not.
  int64_t served = 0;
  Operation *unserved = nullptr;
};
} // namespace
