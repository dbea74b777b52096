//===- BF16.cpp - Dot products of pairs of bf16 ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %w = vector.transfer_read %filter : vector<16xi32>  // pairs of bf16
//   %x = vector.broadcast %pair : i32 to vector<16xi32> // of the input
//   %sum = vdpbf16ps %sum, %x, %w : vector<16xf32>
//
// A sum has one register from the first step to the last, as by `fma`; a step
// takes two elements.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/IR/TileSizes.h"
#include "KernelModel.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Elements of a step, and bits of one.
static constexpr int64_t kStep = 2, kElementBits = 16;

namespace {
struct Selection : SelectionModel<Selection, BF16Attr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    if (!target.hasBF16DotProducts || get(attr).getBits() != target.vectorBits)
      return explain(
          "expected a target with dot products of bf16 in registers of " +
          Twine(get(attr).getBits()) + " bits (avx512bf16, bf16)");
    if (!shape.bf16)
      return explain("expected input and filter of bf16");
    if (!shape.constantFilter)
      return explain("expected a constant filter");
    if (shape.groups != 1)
      return explain("expected one group, but got " + Twine(shape.groups));
    if (shape.channels % kStep != 0)
      return explain(
          "expected an even number of steps of the last reduction, but got " +
          Twine(shape.channels));
    return success();
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    return countCycles(shape, attr, shape.taps * shape.channels / kStep,
                       /*sums=*/1, target.costs.bf16Dots, target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / kStep / getLanes(attr) *
           target.costs.bf16Dots.step;
  }
};

struct InnerTile : FloatSumModel<InnerTile, BF16Attr> {
  int64_t getStepSize(Attribute) const { return kStep; }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr,
                     FloatsLayoutAttr::get(attr.getContext(), /*pairs=*/true));
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    Type i32 = b.getI32Type();
    Value pair = vector::FromElementsOp::create(
        b, VectorType::get(kStep, b.getBF16Type()), elements);
    Value word = vector::ExtractOp::create(
        b, vector::BitCastOp::create(b, VectorType::get(1, i32), pair), 0);
    return {toPairs(attr, b,
                    vector::BroadcastOp::create(
                        b, VectorType::get(getLanes(attr), i32), word))};
  }
  SmallVector<Value> emitFilter(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &, ValueRange elements,
                                int64_t) const {
    return {toPairs(attr, b, elements[0])};
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    StringRef name = get(attr).getBits() == 128
                         ? "llvm.aarch64.neon.bfdot"
                         : "llvm.x86.avx512bf16.dpbf16ps.512";
    return {callIntrinsic(b, partial[0].getType(), name,
                          {partial[0], input[0], filter[0]})};
  }

private:
  Value toPairs(Attribute attr, ImplicitLocOpBuilder &b, Value words) const {
    auto type =
        VectorType::get(get(attr).getBits() / kElementBits, b.getBF16Type());
    return vector::BitCastOp::create(b, type, words);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  if (!target.hasBF16DotProducts)
    return {};
  auto [rows, channels] = chooseFloatTile(
      shape, target, countRegistersOfSums(target.vectorRegisters));
  return {BF16Attr::get(context, rows, channels, target.vectorBits)};
}

const KernelEntry bquant::kBF16Kernel = {
    BF16Attr::attachInterface<Selection, InnerTile>, getTiles};
