//===- Fma.cpp - Products of float inputs ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %w = vector.transfer_read %filter : vector<8xf32>   // or what bits choose
//   %x = vector.broadcast %input : f32 to vector<8xf32>
//   %sum = math.fma %x, %w, %sum : vector<8xf32>
//
// A step adds to all sums of a tile, each of which waits for the step before:
// there are as many as registers hold beside the operands.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Packed/IR/TileSizes.h"
#include "KernelModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Registers that sums leave at least, where signs become numbers of several
/// rows: the word, its bits, +1 and -1.
static constexpr int64_t kRegistersOfSigns = 8;

namespace {
struct Selection : SelectionModel<Selection, FmaAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    if (shape.bf16)
      return explain("expected input and filter of f32");
    if (get(attr).getBits() > target.vectorBits)
      return explain("expected a target with registers of " +
                     Twine(get(attr).getBits()) + " bits");
    return verifyTile(shape, /*elementBits=*/1, get(attr).getChannels(),
                      explain);
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    StepCosts costs = target.costs.fma;
    // Levels are for machines on which choosing them is free.
    if (!shape.floatFilter && shape.levels == 0)
      costs.perRegister += target.otherCosts.expandSigns *
                           double(shape.signPlanes) /
                           double(shape.filterPlanes);
    return countCycles(shape, attr, shape.taps * shape.channels,
                       countSums(shape), costs, target.otherCosts);
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    return shape.getMacs() / getLanes(attr) * target.costs.fma.step;
  }
};

struct InnerTile : FloatSumModel<InnerTile, FmaAttr> {
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(attr,
                     FloatsLayoutAttr::get(attr.getContext(), /*pairs=*/false));
  }

  SmallVector<Value> emitInput(Attribute attr, ImplicitLocOpBuilder &b,
                               const ProductForm &, ValueRange elements) const {
    VectorType type = getSumType(attr);
    Value x = elements.front();
    if (x.getType() != type)
      x = vector::BroadcastOp::create(b, type, x);
    return {x};
  }

  SmallVector<Value> emitFilter(Attribute attr, ImplicitLocOpBuilder &b,
                                const ProductForm &form, ValueRange elements,
                                int64_t first) const {
    if (!form.bitFilter)
      return SmallVector<Value>(elements);
    VectorType type = getSumType(attr);
    if (form.levels > 0) {
      unsigned planes = form.getLevelPlanes();
      SmallVector<Value> bits;
      for (Value word : elements.take_front(planes))
        bits.push_back(createBits(b, word, type.getDimSize(0), first));
      return {createLevel(b, b.getLoc(), bits, elements.drop_front(planes))};
    }
    auto fill = [&](float value) -> Value {
      return arith::ConstantOp::create(b, DenseElementsAttr::get(type, value));
    };
    auto choose = [&](Value word, float set, float clear) -> Value {
      Value bits = createBits(b, word, type.getDimSize(0), first);
      return arith::SelectOp::create(b, bits, fill(set), fill(clear));
    };
    if (form.ratios == ArrayRef<int64_t>{1, 1}) {
      Value mask = createBits(b, elements[0], type.getDimSize(0), first);
      return {arith::SelectOp::create(b, mask, choose(elements[1], 2, -2),
                                      fill(0))};
    }
    Value factor;
    for (auto [i, word] : llvm::enumerate(elements)) {
      float m = form.ratios.empty() ? 1 : form.ratios[i];
      Value term = choose(word, m, -m);
      // Small integers: exact.
      factor =
          factor ? arith::AddFOp::create(b, factor, term).getResult() : term;
    }
    return {factor};
  }

  SmallVector<Value> emitStep(Attribute, ImplicitLocOpBuilder &b,
                              const ProductForm &form, ValueRange partial,
                              ValueRange input, ValueRange filter) const {
    Value sum = partial.front(), x = input.front(), w = filter.front();
    if (form.fused)
      return {math::FmaOp::create(b, x, w, sum)};
    Value product = arith::MulFOp::create(b, x, w);
    return {arith::AddFOp::create(b, sum, product)};
  }

private:
  /// Bit `first + i` of a word in lane i: a comparison, whose result is a mask
  /// where the machine has such.
  static Value createBits(ImplicitLocOpBuilder &b, Value word, int64_t lanes,
                          int64_t first) {
    auto type = VectorType::get(lanes, b.getI32Type());
    SmallVector<uint32_t> places;
    for (int64_t lane = 0; lane < lanes; ++lane)
      places.push_back(uint32_t(1) << (first + lane));
    Value all = vector::BroadcastOp::create(b, type, word);
    Value place = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef<uint32_t>(places)));
    Value bits = arith::AndIOp::create(b, all, place);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bits, place);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  int64_t registersOfSums = countRegistersOfSums(target.vectorRegisters);
  if (!shape.floatFilter && shape.rows > 1)
    registersOfSums =
        std::min(registersOfSums, target.vectorRegisters - kRegistersOfSigns);
  int64_t sums = std::max<int64_t>(1, registersOfSums / countSums(shape));
  auto [rows, channels] = chooseFloatTile(shape, target, sums);
  return {FmaAttr::get(context, rows, channels, target.vectorBits)};
}

const KernelEntry bquant::kFmaKernel = {
    FmaAttr::attachInterface<Selection, InnerTile>, getTiles};
