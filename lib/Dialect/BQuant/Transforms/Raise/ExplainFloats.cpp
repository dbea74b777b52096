//===- ExplainFloats.cpp - Why signs and products stayed float ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.matmul {bquant.stays_float = "reason"} ins(%x, %w) ...
//
// becomes a remark with the reason, and
//
//   %y = linalg.matmul ins(%x, %w) ...

#include "Dialect/BQuant/Analysis/Elementwise.h"
#include "MatchCascade.h"
#include "MatchLevels.h"
#include "MatchSign.h"
#include "ProductMatching.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_EXPLAINFLOATS
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

/// Signs that take zero or NaN elsewhere than bquant's does.
static void explainSigns(Operation *root, RaiseAssumptions assumptions) {
  assumptions.exactResidues = true;
  root->walk([&](linalg::GenericOp op) {
    if (!isPointwise(op))
      return;
    for (Value result : op.getResults()) {
      std::optional<FunctionOfSign> function =
          matchFunctionOfSign(result, assumptions);
      if (!function || !function->isAlmostSign())
        continue;
      remarks::Remark remark = remarks::missed(op.getLoc(), "raise-sign");
      if (function->isSign(assumptions))
        remark << "not bquant's sign: (s - x) + x is s up to 2^24 only "
                  "(assume-exact-residues takes it for s)";
      else
        remark << "not bquant's sign: " + function->describeOthers();
    }
  });
}

/// Why the float input of a product stays float.
static std::string explainInput(Value input,
                                const RaiseAssumptions &assumptions) {
  // Of what is put together: whether any of it is quantized, and a float part.
  bool anyQuantized = false;
  Value floatPart;
  auto look = [&](Value part) {
    bool quantized = matchCascade(part, assumptions).has_value();
    anyQuantized |= quantized;
    if (!quantized)
      floatPart = part;
  };
  while (Operation *view = input.getDefiningOp()) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(view);
    if (!isa<tensor::PadOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::InsertSliceOp>(view))
      break;
    if (insert) {
      look(insert.getSource());
      input = insert.getDest();
      continue;
    }
    input = view->getOperand(0);
    if (isa<tensor::PadOp>(view) && matchCascade(input, assumptions))
      return "the input stays float: it is quantized, and padded with what is "
             "none of its values";
  }
  if (anyQuantized) {
    std::string text = "the input stays float: it is put together of values "
                       "that are not all quantized alike";
    return floatPart ? text + ": a part " + describeFloat(floatPart) : text;
  }
  if (!getRounding(resolve(input)))
    return "the input stays float: no quantization of it is recognised: it " +
           describeFloat(floatPart ? floatPart : input);
  return "the input stays float: it is rounded, but not to 2 to 256 levels "
         "that are known and evenly spaced, nor to a few of five planes";
}

static LogicalResult remarkFloat(Operation *product, const Twine &message) {
  remarks::missed(product->getLoc(), "raise-product") << message.str();
  return failure();
}

namespace {

struct ExplainFloatsPass : bquant::impl::ExplainFloatsBase<ExplainFloatsPass> {
  using ExplainFloatsBase::ExplainFloatsBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    RaiseAssumptions assumptions{assumeNoNaN, assumeNoZero, assumeExactResidues,
                                 strictNaN};
    explainSigns(root, assumptions);
    visitFloatProducts(root, [&](linalg::LinalgOp op) {
      auto explain = [&](const Twine &message) {
        return remarkFloat(op, message);
      };
      // Another pass may have written the product anew.
      if (auto reason = op->getAttrOfType<StringAttr>(kStaysFloat))
        (void)explain(reason.getValue());
      else if (succeeded(verifyFloatProduct(op, assumptions, explain)))
        (void)explain(explainInput(op.getDpsInputs()[0], assumptions));
    });
    root->walk([&](Operation *op) {
      op->removeDiscardableAttr(kStaysFloat);
      if (isa<Conv2DOp, MatmulOp>(op) &&
          isa<RankedTensorType>(op->getOperand(0).getType()))
        (void)remarkFloat(op, explainInput(op->getOperand(0), assumptions));
    });
  }
};

} // namespace
