//===- Parity.cpp - Two words a step --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words x0 and x1 of differing bits and a word `ones` of what is left over add
// up in each place to a new `ones` and a carry that counts twice. Words lie in
// pairs (w0, w0 xor w1), so that
//
//   x0 = a0 xor w0, both = A xor W = x0 xor x1
//   ones' = ones xor both, carry = majority(ones, x0, x0 xor both)
//
// The state of a step is two vectors, and differences are 2 carries + ones.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/Kernels/KernelModel.h"
#include "Dialect/Packed/Kernels/WordMeaning.h"
#include "TestKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;
using namespace bquant::test;

static constexpr int64_t kLanes = 4;

namespace {
struct Selection : SelectionModel<Selection, ParityAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &,
                              ExplainFn explain) const {
    if (!shape.constantFilter)
      return explain("expected a constant filter");
    if (shape.ternaryInput || shape.paddedInput)
      return explain("expected an input without a mask");
    if (!hasWholeGroups(shape, 2 * kWordBits))
      return explain("expected groups of a multiple of 64 channels");
    return verifyTile(shape, 2 * kWordBits, get(attr).getChannels(), explain);
  }

  double getCycles(Attribute, const ProductShape &shape,
                   const TargetDescription &) const {
    return shape.getMacs();
  }

  double getLimitCycles(Attribute, const ProductShape &shape,
                        const TargetDescription &) const {
    return shape.getMacs();
  }
};

struct InnerTile : InnerTileModel<InnerTile, ParityAttr> {
  int64_t getLanes(Attribute) const { return kLanes; }

  LayoutAttrInterface getLayout(Attribute attr) const {
    return PairsLayoutAttr::get(attr.getContext());
  }
  int64_t getStepSize(Attribute) const { return 2; }
  std::optional<ProductResult> getResult(Attribute,
                                         const ProductForm &form) const {
    if (form.maskedInput || form.maskedFilter)
      return std::nullopt;
    return ProductResult::Counts;
  }

  SmallVector<Value> emitMeaning(Attribute, ImplicitLocOpBuilder &b,
                                 const ProductForm &, ValueRange input,
                                 ValueRange filter) const {
    Value first = arith::XOrIOp::create(b, input[0], filter[0]);
    Value both = arith::XOrIOp::create(b, input[1], filter[1]);
    Value second = arith::XOrIOp::create(b, first, both);
    Value count = math::CtPopOp::create(b, first);
    return {arith::AddIOp::create(b, count, math::CtPopOp::create(b, second))};
  }

  static VectorType getLanesType(Attribute attr) {
    return VectorType::get(kLanes, IntegerType::get(attr.getContext(), 32));
  }
  SmallVector<VectorType> getPartialTypes(Attribute attr,
                                          const ProductForm &) const {
    return {getLanesType(attr), getLanesType(attr)};
  }
  SmallVector<VectorType> getAccumulatorTypes(Attribute attr,
                                              const ProductForm &) const {
    return {getLanesType(attr)};
  }
  // Few, so that there is more than one flush.
  int64_t getMaxSteps(Attribute, const ProductForm &) const { return 5; }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    return emitBroadcasts(b, getLanesType(attr), elements);
  }
  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    Value ones = partial[0];
    Value first = arith::XOrIOp::create(b, input[0], filter[0]);
    Value both = arith::XOrIOp::create(b, input[1], filter[1]);
    Value second = arith::XOrIOp::create(b, first, both);
    Value all = arith::AndIOp::create(b, first, second);
    Value any = arith::OrIOp::create(b, first, second);
    Value carry =
        arith::OrIOp::create(b, all, arith::AndIOp::create(b, ones, any));
    return {
        arith::XOrIOp::create(b, ones, both),
        arith::AddIOp::create(b, partial[1], math::CtPopOp::create(b, carry))};
  }
  SmallVector<Value> emitFlush(Attribute, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange accumulators,
                               ValueRange partial) const {
    Value twice = arith::AddIOp::create(b, partial[1], partial[1]);
    Value count =
        arith::AddIOp::create(b, twice, math::CtPopOp::create(b, partial[0]));
    return {arith::AddIOp::create(b, accumulators[0], count)};
  }
};
} // namespace

void bquant::test::attachParity(MLIRContext *context) {
  ParityAttr::attachInterface<Selection, InnerTile>(*context);
}
