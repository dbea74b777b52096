//===- DecomposeSums.cpp - Sums of floats to linalg -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of words reads bits, so that the bits of a word are a mask of the
// lanes of a vector:
//
//   %b = bquant_packed.unpack %words : tensor<kh x kw x c x (oc / 32) x i32>
//   %y = linalg.generic ins(%x, %b) outs(%init) {
//     %s = arith.select %bit, 1.0, -1.0
//     %a = math.fma %x, %s, %acc
//   }
//
//===----------------------------------------------------------------------===//

#include "DecomposeProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace bquant;

/// The planes as bits, one for each channel of the results or of a block.
static ValueRange createBits(OpBuilder &b, ProductOp op) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, op.getFilters().front());
  sizes.back() =
      op.isLaidOut()
          ? OpFoldResult(b.getIndexAttr(op.getKernelInterface().getBlock()))
          : tensor::getMixedSize(b, loc, op.getInits().front(),
                                 op.getNumParallelLoops() - 1);
  SmallVector<Value> inits;
  for (size_t i = 0; i < op.getFilters().size(); ++i)
    inits.push_back(tensor::EmptyOp::create(b, loc, sizes, b.getI1Type()));
  return packed::UnpackOp::create(b, loc, TypeRange(ValueRange(inits)),
                                  op.getFilters(), inits)
      .getResults();
}

/// What the input is multiplied with, for each sum, from the bits of planes.
static SmallVector<Value> createMultiples(OpBuilder &b, ProductOp op,
                                          ValueRange bits, ValueRange levels) {
  Location loc = op.getLoc();
  auto number = [&](float value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  };
  auto choose = [&](Value bit, float set, float clear) -> Value {
    Value one = number(set), other = number(clear);
    return arith::SelectOp::create(b, loc, bit, one, other);
  };
  if (!levels.empty())
    return {packed::createLevel(b, loc, bits, levels)};
  if (op.isMasked()) {
    Value sign = choose(bits[1], 2, -2);
    return {arith::SelectOp::create(b, loc, bits[0], sign, number(0))};
  }
  SmallVector<Value> multiples;
  for (auto [i, bit] : llvm::enumerate(bits)) {
    float m = op.getRatios() ? (*op.getRatios())[i] : 1;
    Value term = choose(bit, m, -m);
    if (op.getRatios() && i > 0) // Small integers: exact.
      multiples.front() =
          arith::AddFOp::create(b, loc, multiples.front(), term);
    else
      multiples.push_back(term);
  }
  return multiples;
}

/// An element of bf16 as f32: itself, or of a pair of a filter that is laid out
/// the half that the last loop is at, moved to the upper bits.
static Value createF32(OpBuilder &b, ProductOp op, Value element) {
  Location loc = op.getLoc();
  if (element.getType().isBF16())
    return arith::ExtFOp::create(b, loc, b.getF32Type(), element);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  Value step = arith::IndexCastOp::create(
      b, loc, b.getI32Type(),
      linalg::IndexOp::create(b, loc, op.getMaps().front().getNumDims() - 1));
  Value odd = arith::AndIOp::create(b, loc, step, number(1));
  Value shift = arith::ShLIOp::create(
      b, loc, arith::XOrIOp::create(b, loc, odd, number(1)), number(4));
  Value upper = arith::ShLIOp::create(b, loc, element, shift);
  upper = arith::AndIOp::create(b, loc, upper, number(0xffff0000));
  return arith::BitcastOp::create(b, loc, b.getF32Type(), upper);
}

static Value addProduct(OpBuilder &b, ProductOp op, Value x, Value w,
                        Value sum) {
  if (op.getFused())
    return math::FmaOp::create(b, op.getLoc(), x, w, sum);
  Value product = arith::MulFOp::create(b, op.getLoc(), x, w);
  return arith::AddFOp::create(b, op.getLoc(), sum, product);
}

void bquant::decomposeSums(RewriterBase &rewriter, ProductOp op,
                           ArrayRef<AffineMap> maps) {
  bool hasWords = op.hasWords();
  SmallVector<Value> operands(op.getInputs());
  llvm::append_range(operands, hasWords ? createBits(rewriter, op)
                                        : ValueRange(op.getFilters()));
  llvm::append_range(operands, op.getLevels());
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), operands, op.getInits(), maps,
      op.getLoopIteratorTypes(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        ValueRange filters = args.slice(1, op.getFilters().size());
        ValueRange levels =
            args.slice(1 + filters.size(), op.getLevels().size());
        SmallVector<Value> sums;
        if (op.isOfBF16()) {
          Value x = createF32(b, op, args[0]), w = createF32(b, op, args[1]);
          linalg::YieldOp::create(b, loc, addProduct(b, op, x, w, args[2]));
          return;
        }
        for (auto [factor, sum] :
             llvm::zip_equal(hasWords ? createMultiples(b, op, filters, levels)
                                      : llvm::to_vector(filters),
                             args.take_back(op.getInits().size())))
          sums.push_back(addProduct(b, op, args.front(), factor, sum));
        linalg::YieldOp::create(b, loc, sums);
      });
}
