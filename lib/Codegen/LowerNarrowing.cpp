//===- LowerNarrowing.cpp - Codes of several registers at once ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = arith.addi %x, 3 overflow<nsw> : vector<16xi32>
//   %b = arith.maxsi %a, -128
//   %c = arith.minsi %b, 127
//   %d = arith.trunci %c : vector<16xi32> to vector<16xi8>
//
// is what AVX-512 does by an addition and the two operations that narrow a
// register, four times for a register of codes. Its pack instructions narrow
// two registers at once and saturate, first to 16 bits, where the addition of a
// small number saturates, too, and then to 8: the same codes by 7 operations in
// place of 15. They go by quarters of a register, and one shuffle brings all
// in order. LLVM knows packs for smaller vectors alone.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERNARROWING
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// Of a register of 512 bits; of four of them codes fill one.
static constexpr int64_t kLanes = 16, kRegisters = 4;

/// What a sum that saturates may have added: what 16 bits do not hold stays
/// beyond the bounds of a byte.
static constexpr int64_t kMostAdded = 1 << 14;

namespace {
/// The same for all registers that are narrowed together.
struct Rule {
  int64_t lanes, added = 0, least = 0, most = 0, flipped = 0;

  bool operator==(const Rule &other) const {
    return lanes == other.lanes && added == other.added &&
           least == other.least && most == other.most &&
           flipped == other.flipped;
  }
};

struct Narrowing {
  Rule rule;
  Value numbers;
  Operation *codes;
};
} // namespace

/// The number in all lanes of `value`.
static std::optional<int64_t> getNumber(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Takes a constant bound off `value`.
template <typename Bound>
static std::optional<int64_t> takeBound(Value &value) {
  auto bound = value.getDefiningOp<Bound>();
  std::optional<int64_t> number =
      bound && bound->hasOneUse() ? getNumber(bound.getRhs()) : std::nullopt;
  if (number)
    value = bound.getLhs();
  return number;
}

static std::optional<Narrowing> matchNarrowing(arith::TruncIOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !type.getElementType().isInteger(8) ||
      !getElementTypeOrSelf(op.getIn()).isInteger(32))
    return std::nullopt;
  Narrowing found{{type.getNumElements()}, op.getIn(), op};
  Rule &rule = found.rule;
  if (kLanes * kRegisters % rule.lanes != 0 || rule.lanes % kLanes != 0)
    return std::nullopt;
  std::optional<int64_t> most = takeBound<arith::MinSIOp>(found.numbers),
                         least = takeBound<arith::MaxSIOp>(found.numbers);
  if (!most)
    most = takeBound<arith::MinSIOp>(found.numbers);
  constexpr std::numeric_limits<int8_t> byte;
  if (!least || !most || *least < byte.min() || *most > byte.max() ||
      *least > *most)
    return std::nullopt;
  rule.least = *least;
  rule.most = *most;
  if (auto add = found.numbers.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> added = getNumber(add.getRhs());
        added && std::abs(*added) <= kMostAdded && add->hasOneUse() &&
        bitEnumContainsAll(add.getOverflowFlags(),
                           arith::IntegerOverflowFlags::nsw)) {
      rule.added = *added;
      found.numbers = add.getLhs();
    }
  if (op->hasOneUse())
    if (auto flip = dyn_cast<arith::XOrIOp>(*op->user_begin()))
      if (std::optional<int64_t> bits = getNumber(flip.getRhs());
          bits && flip->getBlock() == op->getBlock()) {
        rule.flipped = *bits;
        found.codes = flip;
      }
  return found;
}

/// Whether all that reads the codes comes after `op`.
static bool isReadAfter(const Narrowing &narrowing, Operation *op) {
  return llvm::all_of(narrowing.codes->getUsers(), [&](Operation *user) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    return !here || op->isBeforeInBlock(here);
  });
}

/// Narrows four registers, after the last of them.
static void narrow(ArrayRef<Narrowing> narrowings) {
  const Rule &rule = narrowings.front().rule;
  ImplicitLocOpBuilder b(narrowings.back().codes->getLoc(),
                         narrowings.back().codes->getContext());
  b.setInsertionPointAfter(narrowings.back().codes);
  SmallVector<Value> registers;
  for (const Narrowing &narrowing : narrowings)
    for (int64_t first = 0; first < rule.lanes; first += kLanes)
      registers.push_back(b.createOrFold<vector::ExtractStridedSliceOp>(
          narrowing.numbers, ArrayRef<int64_t>{first},
          ArrayRef<int64_t>{kLanes}, ArrayRef<int64_t>{1}));
  auto getType = [&](unsigned width) {
    return VectorType::get(kLanes * 32 / width, b.getIntegerType(width));
  };
  auto splat = [&](unsigned width, int64_t number) -> Value {
    VectorType type = getType(width);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getIntegerAttr(type.getElementType(), number)));
  };
  auto pack = [&](StringRef name, unsigned width, Value low, Value high) {
    return LLVM::CallIntrinsicOp::create(
               b, getType(width), b.getStringAttr(name), ValueRange{low, high})
        .getResult(0);
  };
  SmallVector<Value> pairs;
  for (int64_t i = 0; i < kRegisters; i += 2) {
    Value pair = pack("llvm.x86.avx512.packssdw.512", 16, registers[i],
                      registers[i + 1]);
    if (rule.added)
      pair = LLVM::SAddSat::create(b, pair, splat(16, rule.added));
    pairs.push_back(pair);
  }
  Value codes = pack("llvm.x86.avx512.packsswb.512", 8, pairs[0], pairs[1]);
  if (rule.least > std::numeric_limits<int8_t>::min())
    codes = arith::MaxSIOp::create(b, codes, splat(8, rule.least));
  if (rule.most < std::numeric_limits<int8_t>::max())
    codes = arith::MinSIOp::create(b, codes, splat(8, rule.most));
  if (rule.flipped)
    codes = arith::XOrIOp::create(b, codes, splat(8, rule.flipped));
  // A quarter has four codes of each register.
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < kRegisters; ++i)
    for (int64_t quarter = 0; quarter < kLanes / kRegisters; ++quarter)
      places.push_back(quarter * kRegisters + i);
  Value words = vector::BitCastOp::create(b, getType(32), codes);
  words = vector::ShuffleOp::create(b, words, words, places);
  codes = vector::BitCastOp::create(b, getType(8), words);
  for (auto [i, narrowing] : llvm::enumerate(narrowings)) {
    Value part = b.createOrFold<vector::ExtractStridedSliceOp>(
        codes, ArrayRef<int64_t>{int64_t(i) * rule.lanes},
        ArrayRef<int64_t>{rule.lanes}, ArrayRef<int64_t>{1});
    narrowing.codes->getResult(0).replaceAllUsesWith(part);
  }
}

static void narrowTogether(Block *block) {
  SmallVector<Narrowing> waiting;
  for (auto op : llvm::to_vector(block->getOps<arith::TruncIOp>())) {
    std::optional<Narrowing> found = matchNarrowing(op);
    if (!found)
      continue;
    bool joins = llvm::all_of(waiting, [&](const Narrowing &other) {
      return other.rule == found->rule && isReadAfter(other, found->codes);
    });
    if (!joins)
      waiting.clear();
    waiting.push_back(*found);
    if (int64_t(waiting.size()) * found->rule.lanes == kRegisters * kLanes) {
      narrow(waiting);
      waiting.clear();
    }
  }
}

/// LLVM would move a sum that does not overflow past its bounds, and see no
/// more that what narrows it saturates.
static void keepBeforeBounds(arith::AddIOp op) {
  if (llvm::any_of(op->getUsers(),
                   llvm::IsaPred<arith::MaxSIOp, arith::MinSIOp>))
    op.setOverflowFlags(arith::IntegerOverflowFlags::none);
}

namespace {
struct LowerNarrowing : bquant::impl::LowerNarrowingBase<LowerNarrowing> {
  void runOnOperation() override {
    FailureOr<bquant::TargetDescription> target =
        bquant::getModuleDescription(getOperation());
    if (failed(target))
      return signalPassFailure();
    // AVX-512BW.
    if (target->bytePairBits == kLanes * 32)
      getOperation()->walk(narrowTogether);
    getOperation()->walk(keepBeforeBounds);
  }
};
} // namespace
