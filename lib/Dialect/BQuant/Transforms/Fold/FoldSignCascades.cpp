//===- FoldSignCascades.cpp - Float chains to thresholds ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = bquant.conv_2d %x, %w ... -> tensor<1x8x8x64xf32>
//   %z = linalg.generic {batch norm, clamp, ...} ins(%y, ...)
//   %q = bquant.quantize %z scalars(%v)
// becomes
//   %y = bquant.conv_2d %x, %w ... -> tensor<1x8x8x64xi32>
//   %q = bquant.quantize %y thresholds(%t) codes [0, 1, 2, 3] scalars(%v)
//
// The files beside this have the parts: Folder does one quantize, ChainGraph
// finds the chain and its possible sources, VerifyFolding interprets both. Of
// the analyses SwitchPoints, SumSteps and MonotoneIntervals read off where the
// chain's code changes, and ThresholdTable gives all channels one table.
//
//===----------------------------------------------------------------------===//

#include "Codes.h"
#include "Folder.h"
#include "QuantizeCoders.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/BQuant/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace bquant {
#define GEN_PASS_DEF_FOLDSIGNCASCADES
#include "bquant/Dialect/BQuant/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using namespace bquant::chains;

/// Chains are evaluated for each channel, up to so many.
static constexpr int64_t kMostChannels = 1 << 20;

namespace {
struct FoldSignCascades : bquant::impl::FoldSignCascadesBase<FoldSignCascades> {
  using FoldSignCascadesBase::FoldSignCascadesBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::PoolingNhwcMaxOp> pools;
    getOperation()->walk(
        [&](linalg::PoolingNhwcMaxOp op) { pools.push_back(op); });
    for (linalg::PoolingNhwcMaxOp op : pools) {
      Location loc = op.getLoc();
      auto explain = [&](const Twine &message) {
        remarks::missed(loc, kRemarkName) << remark::add(
            "the max-pool of decoded values stays one of floats: {0}",
            message.str());
        return failure();
      };
      if (succeeded(poolCodes(op, rewriter, explain)))
        remarks::passed(loc, kRemarkName) << "the max-pool is one of codes";
    }
    SmallVector<QuantizeOp> quantizes;
    getOperation()->walk([&](QuantizeOp op) { quantizes.push_back(op); });
    for (QuantizeOp op : quantizes)
      if (!op.getScheme() && failed(foldBefore(op, rewriter)))
        return signalPassFailure();
  }

private:
  /// Folds what lies before a quantize, past pools.
  LogicalResult foldBefore(QuantizeOp op, RewriterBase &rewriter) {
    while (op) {
      if (QuantizeOp moved = movePool(op, rewriter))
        op = moved;
      if (Value known = getReturnedCodes(op)) {
        remarks::passed(op.getLoc(), kRemarkName)
            << "the planes of the dequantized value are these planes";
        Operation *dequantize = op.getInput().getDefiningOp();
        rewriter.replaceOp(op, known);
        if (dequantize->use_empty())
          rewriter.eraseOp(dequantize);
        return success();
      }
      int64_t channels = op.getType().getShape().back();
      if (channels > kMostChannels) {
        remarks::missed(op.getLoc(), kRemarkName)
            << remark::add("not folded: {0} channels are more than {1}",
                           channels, kMostChannels);
        return success();
      }
      std::vector<Coder> coders = getCoders(op);
      if (coders.empty())
        return success();
      Folder folder(op, std::move(coders), maxThresholds, verifyFolding,
                    rewriter);
      FailureOr<QuantizeOp> folded = folder.run();
      if (failed(folded) || !*folded)
        return folded;
      op = movePool(*folded, rewriter);
    }
    return success();
  }

  QuantizeOp movePool(QuantizeOp op, RewriterBase &rewriter) {
    if (QuantizeOp unmirrored = unmirrorPool(op, rewriter))
      op = unmirrored;
    FailureOr<QuantizeOp> moved =
        moveBehindQuantize(op, rewriter, [&](const Twine &message) {
          remarks::missed(op.getLoc(), kRemarkName) << remark::add(
              "the max-pool before stays one of floats: {0}", message.str());
          return failure();
        });
    if (failed(moved))
      return {};
    remarks::passed(moved->getLoc(), kRemarkName)
        << "the max-pool before is one of codes";
    return *moved;
  }
};
} // namespace
