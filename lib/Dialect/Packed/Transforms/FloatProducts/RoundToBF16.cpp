//===- RoundToBF16.cpp - --bquant-round-to-bf16 ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x low[0, 3, 3, 0] high[0, 3, 3, 0]
//   %y = bquant_packed.product ins(%p : tensor<1x230x230x3xf32>)
//       filters(%w : tensor<64x7x7x3xf32>) outs(%init : ...)
//
// becomes, the last reduction a whole number of pairs,
//
//   %r = linalg.generic ins(%x) { arith.truncf : f32 to bf16 }
//   %p = tensor.pad %r low[0, 3, 3, 0] high[0, 3, 3, 1]
//   %y = bquant_packed.product ins(%p : tensor<1x230x230x4xbf16>)
//       filters(%v : tensor<64x7x7x4xbf16>) outs(%init : ...)
//
// The filter is rounded here: constants are resources, which no folder sees.
// Both are rounded to nearest, ties to even.
//
// Emulated, as for the reference, the operands are of f32 and their bits are
// rounded by integers: of bf16 LLVM would call functions of a compiler's
// runtime, where a machine has no instructions.
//
//===----------------------------------------------------------------------===//

#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "Support/Remarks.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/bit.h"

namespace bquant {
#define GEN_PASS_DEF_ROUNDTOBF16
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

static uint16_t toBF16(float value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return uint16_t(number.bitcastToAPInt().getZExtValue());
}

/// The constant `filter`, each element rounded, in f32.
static Value roundFilterInF32(ImplicitLocOpBuilder &b, Value filter) {
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<uint32_t> bits = *getBits(getConstantTensor(filter));
  for (uint32_t &value : bits)
    value = uint32_t(toBF16(llvm::bit_cast<float>(value))) << 16;
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(
             type, "rounded",
             HeapAsmResourceBlob::allocateAndCopyWithAlign(
                 {reinterpret_cast<const char *>(bits.data()),
                  bits.size() * sizeof(uint32_t)},
                 /*align=*/64)));
}

/// The constant `filter` in bf16, dimension `d` with zeros up to `size`.
static Value roundFilter(ImplicitLocOpBuilder &b, Value filter, unsigned d,
                         int64_t size) {
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[d] = size;
  SmallVector<uint32_t> bits = *getBits(getConstantTensor(filter));
  auto result = RankedTensorType::get(shape, b.getBF16Type());
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(
      result.getNumElements() * sizeof(uint16_t), /*align=*/64);
  MutableArrayRef<char> data = blob.getMutableData();
  std::fill(data.begin(), data.end(), 0);
  auto *out = reinterpret_cast<uint16_t *>(data.data());
  // Of `d` and all behind it.
  int64_t from = computeProduct(type.getShape().drop_front(d)),
          to = computeProduct(ArrayRef(shape).drop_front(d));
  for (auto [i, value] : llvm::enumerate(bits))
    out[i / from * to + i % from] = toBF16(llvm::bit_cast<float>(value));
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(result, "rounded", std::move(blob)));
}

static Value emitTruncation(OpBuilder &b, Location loc, Value x) {
  return arith::TruncFOp::create(b, loc, b.getBF16Type(), x);
}

/// `x` in f32, its lower half 0.
static Value emitRounding(OpBuilder &b, Location loc, Value x) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), x);
  Value odd = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(16)), number(1));
  Value half = arith::AddIOp::create(b, loc, odd, number(0x7fff));
  Value sum = arith::AddIOp::create(b, loc, bits, half);
  Value rounded = arith::AndIOp::create(b, loc, sum, number(0xffff0000));
  // A NaN could become an infinity, or a zero.
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  Value kept = arith::SelectOp::create(b, loc, isNaN, bits, rounded);
  return arith::BitcastOp::create(b, loc, b.getF32Type(), kept);
}

/// Each element of `value` rounded.
static Value roundElements(ImplicitLocOpBuilder &b, Value value,
                           bool emulated) {
  Type element = emulated ? Type(b.getF32Type()) : b.getBF16Type();
  return createElementwise(b, element, value,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return emulated ? emitRounding(b, loc, args[0])
                                             : emitTruncation(b, loc, args[0]);
                           });
}

/// `value` in bf16, dimension `d` with zeros up to `size`. What pads it is left
/// to pad what is rounded: one copy makes both.
static Value roundInput(ImplicitLocOpBuilder &b, Value value, unsigned d,
                        int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high(low);
  APFloat border = APFloat::getZero(APFloat::BFloat());
  FloatAttr constant;
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (pad && pad.getConstantPaddingValue() && !pad.getNofold() &&
      llvm::none_of(pad.getStaticLow(), ShapedType::isDynamic) &&
      llvm::none_of(pad.getStaticHigh(), ShapedType::isDynamic) &&
      matchPattern(pad.getConstantPaddingValue(), m_Constant(&constant)) &&
      (constant.getValue().isPosZero() || size == type.getDimSize(d))) {
    value = pad.getSource();
    low.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
    high.assign(pad.getStaticHigh().begin(), pad.getStaticHigh().end());
    border = constant.getValue();
    bool losesInfo;
    border.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
  }
  Value rounded = roundElements(b, value, /*emulated=*/false);
  high[d] += size - type.getDimSize(d);
  if (llvm::all_of(low, [](int64_t n) { return n == 0; }) &&
      llvm::all_of(high, [](int64_t n) { return n == 0; }))
    return rounded;
  SmallVector<int64_t> shape(type.getShape());
  shape[d] = size;
  Value outside =
      arith::ConstantOp::create(b, FloatAttr::get(b.getBF16Type(), border));
  return tensor::PadOp::create(
      b, RankedTensorType::get(shape, b.getBF16Type()), rounded,
      getAsIndexOpFoldResult(b.getContext(), low),
      getAsIndexOpFoldResult(b.getContext(), high), outside);
}

static void round(ProductOp op, const LinalgProduct &loops, bool emulated) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto [input, filter] = std::pair(loops.operands[0], loops.operands[1]);
  if (emulated) {
    input = roundElements(b, input, emulated);
    filter = roundFilterInF32(b, filter);
  } else {
    int64_t size = llvm::alignTo(loops.sizes.back(), kPairOfBF16);
    input = roundInput(b, input, *findLastLoop(loops.maps[0]), size);
    filter = roundFilter(b, filter, *findLastLoop(loops.maps[1]), size);
  }
  auto rounded = ProductOp::create(
      b, op.getKernelAttr(), op.getFused(), input, filter,
      /*levels=*/ValueRange(), op.getInits(), loops.maps, op.getRatiosAttr());
  remarks::passed(op.getLoc(), "float-precision")
      << "input and filter are rounded to bf16, and summed in f32: the result "
         "differs from that of f32";
  op->replaceAllUsesWith(rounded);
  op->erase();
}

/// Whether the kernel of a product waits for its operands to be rounded.
static bool waits(ProductOp op, const TargetDescription &target) {
  std::optional<ProductShape> shape = getProductShape(op);
  KernelAttrInterface kernel = op.getKernelInterface();
  return shape && kernel &&
         failed(kernel.verifyProduct(*shape, target, silently));
}

namespace {
struct RoundToBF16 : bquant::impl::RoundToBF16Base<RoundToBF16> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<TargetDescription> target = getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    getOperation().walk([&](ProductOp op) {
      FailureOr<LinalgProduct> loops = getFloatProduct(op);
      if (failed(loops))
        return;
      auto explain = [&](const Twine &message) {
        remarks::missed(op, "float-precision", "in f32, not bf16: " + message);
        return failure();
      };
      if (succeeded(verifyRounding(*loops, explain)) &&
          (emulate || waits(op, *target)))
        round(op, *loops, emulate);
    });
  }
};
} // namespace
