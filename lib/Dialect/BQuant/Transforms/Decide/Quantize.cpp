//===- Quantize.cpp - Post-training quantization of float products --------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] { 0.0 }
//   %y = linalg.conv_2d_nhwc_fhwc ins(%p, %constant)
//
// becomes what a quantized network is written as,
//
//   %a = bquant.dequantize (bquant.quantize %x scheme(<ls, 2>))
//   %w = bquant.dequantize (bquant.quantize %constant scheme(<ls, 1>))
//   %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] { 0.0 }
//   %y = linalg.conv_2d_nhwc_fhwc ins(%p, %w)
//
// which the patterns of raising know: what they do for products that were
// trained so need not be done a second time for those that were not.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/Constants.h"
#include "Dialect/BQuant/Analysis/Shapes.h"
#include "Dialect/BQuant/Transforms/Raise/ProductMatching.h"
#include "Support/Locations.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "bquant/Dialect/BQuant/Transforms/Raise.h"
#include "bquant/Quant/Scheme.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/GlobPattern.h"
#include <cmath>

namespace bquant {
#define GEN_PASS_DEF_QUANTIZE
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static constexpr llvm::StringLiteral kRemarkName = "quantize";

/// The scheme of a name, null for "fp"; none for what cannot be solved from the
/// data, or not at run time.
static std::optional<SchemeAttr> parseScheme(MLIRContext *context,
                                             StringRef name, bool atRunTime) {
  if (name == "fp")
    return SchemeAttr();
  quant::Result<quant::Scheme> scheme = quant::Scheme::parse(name.str());
  if (!scheme)
    return std::nullopt;
  using Rule = quant::Scheme::Rule;
  int64_t planes = scheme->planes.count;
  bool ternary = scheme->isTernary();
  switch (scheme->rule) {
  case Rule::LeastSquares:
    if (atRunTime && planes > 2)
      return std::nullopt;
    return SchemeAttr::get(context, SchemeKind::ls, planes, ternary);
  case Rule::Greedy:
    return SchemeAttr::get(context, SchemeKind::gf, planes, ternary);
  case Rule::TernaryWeights:
    return SchemeAttr::get(context, SchemeKind::twn, planes, ternary);
  default:
    return std::nullopt;
  }
}

/// The values of a quantized tensor: scalars for each index of dimension 0.
static Value fakeQuantize(OpBuilder &builder, Location loc, Value x,
                          SchemeAttr scheme) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> ratios;
  if (scheme.getTernary())
    ratios = {1, 1};
  auto quantized = SBTensorType::get(builder.getContext(), type.getShape(),
                                     scheme.getPlanes(), ratios, /*axes=*/{0},
                                     /*hasOffset=*/false);
  Value q = QuantizeOp::create(builder, loc, quantized, x, scheme);
  return DequantizeOp::create(builder, loc, type, q);
}

/// A product reads the image after padding it with zeros and splitting it into
/// groups. Both follow the quantization: it has no 0, and one set of scalars
/// for each index of the first dimension.
static bool isView(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return expand.getReassociationIndices().front().size() == 1;
  auto pad = dyn_cast<tensor::PadOp>(op);
  Value fill = pad ? pad.getConstantPaddingValue() : Value();
  return fill && matchPattern(fill, m_AnyZeroFloat());
}

/// What `value` views, and the views, the last first.
static std::pair<Value, SmallVector<Operation *>> getViews(Value value) {
  SmallVector<Operation *> views;
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    views.push_back(op);
    value = op->getOperand(0);
  }
  return {value, views};
}

namespace {

struct QuantizePass : bquant::impl::QuantizeBase<QuantizePass> {
  using QuantizeBase::QuantizeBase;

  void runOnOperation() override {
    std::optional<SchemeAttr> filters =
        parseScheme(&getContext(), weights, /*atRunTime=*/false);
    std::optional<SchemeAttr> inputs =
        parseScheme(&getContext(), activations, /*atRunTime=*/true);
    std::optional<SmallVector<llvm::GlobPattern>> patterns = getPatterns();
    if (failed(check(filters, inputs)) || !patterns)
      return signalPassFailure();

    SmallVector<linalg::LinalgOp> found, chosen;
    visitFloatProducts(getOperation(), [&](linalg::LinalgOp op) {
      if (isQuantizable(op))
        found.push_back(op);
    });
    for (auto [i, op] : llvm::enumerate(found))
      if (!skips(i, found, *patterns))
        chosen.push_back(op);
    if (chosen.empty()) {
      getOperation()->emitError("expected products of floats by constant "
                                "filters to quantize, but got ")
          << (found.empty() ? "none" : "none that 'skip' leaves") << " of "
          << found.size();
      return signalPassFailure();
    }
    for (linalg::LinalgOp op : chosen)
      quantize(op, *filters, *inputs);
    RewritePatternSet raising(&getContext());
    populateRaiseProductPatterns(raising, RaiseAssumptions());
    if (failed(applyRaising(getOperation(), std::move(raising))))
      signalPassFailure();
  }

private:
  LogicalResult check(std::optional<SchemeAttr> filters,
                      std::optional<SchemeAttr> inputs) {
    if (!filters || !*filters)
      return getOperation()->emitError("expected weights of ls-k, ls-T, gf-k, "
                                       "bwn or twn, but got '")
             << weights << "'";
    if (!inputs)
      return getOperation()->emitError("expected activations of ls-1, ls-2, "
                                       "ls-T, gf-k, twn or fp, but got '")
             << activations << "'";
    if (!(clamp >= 0 && std::isfinite(clamp)))
      return getOperation()->emitError("expected a clamp of at least 0, but "
                                       "got ")
             << clamp;
    return success();
  }

  std::optional<SmallVector<llvm::GlobPattern>> getPatterns() {
    SmallVector<llvm::GlobPattern> patterns;
    for (const std::string &text : skip) {
      llvm::Expected<llvm::GlobPattern> pattern =
          llvm::GlobPattern::create(text);
      if (!pattern) {
        getOperation()->emitError("expected a pattern of names, but got '")
            << text << "': " << llvm::toString(pattern.takeError());
        return std::nullopt;
      }
      patterns.push_back(std::move(*pattern));
    }
    return patterns;
  }

  /// Of f32 by a constant filter, of a form that is raised.
  static bool isQuantizable(linalg::LinalgOp op) {
    auto isF32 = [](Value value) {
      return getElementTypeOrSelf(value.getType()).isF32();
    };
    auto canBeQuantized = [](Value value) {
      return canBeScaledBinary(
          cast<RankedTensorType>(value.getType()).getShape());
    };
    return (isa<linalg::Conv2DNhwcFhwcOp, linalg::Conv2DNhwgcGfhwcOp>(op) ||
            isNaturalMatmul(op)) &&
           op.hasPureTensorSemantics() && isF32(op.getDpsInputs()[0]) &&
           isF32(op->getResult(0)) && isF32(op.getDpsInputs()[1]) &&
           isConstantTensor(op.getDpsInputs()[1]) &&
           canBeQuantized(op.getDpsInputs()[1]) &&
           canBeQuantized(getViews(op.getDpsInputs()[0]).first);
  }

  /// Whether the i-th product stays float, with a remark.
  bool skips(size_t i, ArrayRef<linalg::LinalgOp> found,
             ArrayRef<llvm::GlobPattern> patterns) {
    Location loc = found[i]->getLoc();
    auto explain = [&](const Twine &why) {
      remarks::missed(loc, kRemarkName) << ("stays float: " + why).str();
      return true;
    };
    std::string name = formatLocation(loc);
    if (i == 0 && llvm::is_contained(skip, "first"))
      return explain("it is the first product");
    if (i + 1 == found.size() && llvm::is_contained(skip, "last"))
      return explain("it is the last product");
    for (auto [text, pattern] : llvm::zip_equal(skip, patterns))
      if (pattern.match(name))
        return explain("its name is of '" + text + "'");
    return false;
  }

  void quantize(linalg::LinalgOp op, SchemeAttr filters, SchemeAttr inputs) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    OpOperand &filter = *op.getDpsInputOperand(1);
    if (isa<linalg::Conv2DNhwgcGfhwcOp>(op)) {
      // Of all groups: G x F x K x L x C to GF x K x L x C and back.
      SmallVector<ReassociationIndices> outer = {{0, 1}, {2}, {3}, {4}};
      Value flat =
          tensor::CollapseShapeOp::create(builder, loc, filter.get(), outer);
      Value q = fakeQuantize(builder, loc, flat, filters);
      filter.set(tensor::ExpandShapeOp::create(
          builder, loc, filter.get().getType(), q, outer));
    } else {
      filter.set(fakeQuantize(builder, loc, filter.get(), filters));
    }
    if (inputs)
      quantizeInput(builder, *op.getDpsInputOperand(0), inputs);
  }

  void quantizeInput(OpBuilder &builder, OpOperand &input, SchemeAttr scheme) {
    Location loc = input.getOwner()->getLoc();
    auto [source, views] = getViews(input.get());
    if (clamp > 0)
      source = createClamp(builder, loc, source, -float(clamp), float(clamp));
    Value result = fakeQuantize(builder, loc, source, scheme);
    for (Operation *op : llvm::reverse(views)) {
      // Others may read the view of the floats.
      Operation *copy = builder.clone(*op);
      copy->setOperand(0, result);
      result = copy->getResult(0);
    }
    input.set(result);
  }
};

} // namespace
